"""Nothing is read that nothing wrote: code whose memory is full of NaNs before it is touched gives the same numbers."""

import numpy as np
import pytest
from hypothesis import given, note, settings
from random_modules import arguments_for, modules
from smooth_modules import smooth_modules
from support import after, assert_agrees, assert_outcome_agrees, nans, native, outcome, poisoned_buffers
from test_contractions import LARGE, SMALL, arguments, module
from test_long_modules import arguments as long_arguments, long_module

import mind_mlir as mind
from mind_mlir import DType
from mind_mlir.lowering.kernels import contraction
from mind_mlir.lowering.store import kernel_store
from mind_mlir.passes.gradient import gradient


def poisoned_results(m, arrays, threads=1):
    with poisoned_buffers():
        exe = mind.compile(m, threads=threads)
    return exe(*arrays, out=[nans(t) for t in exe.output_types])


def test_memory_is_filled_before_it_is_touched_and_not_between_others_uses():
    text = after(
        "poison-buffers",
        """
        func.func @main(%x: memref<4xf32>) {
          %a = memref.alloc() : memref<4xf32>
          %b = memref.alloc() : memref<4xi32>
          linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
          memref.copy %a, %x : memref<4xf32> to memref<4xf32>
          memref.copy %b, %b : memref<4xi32> to memref<4xi32>
          memref.dealloc %a : memref<4xf32>
          memref.dealloc %b : memref<4xi32>
          return
        }""",
    )
    steps = [line.split()[0] for line in text.splitlines() if "linalg" in line or "memref.copy" in line]
    assert steps == ["linalg.fill", "linalg.exp", "memref.copy", "linalg.fill", "memref.copy"]
    assert "0x7FC00000 : f32" in text
    assert f"{0x7F7F7F7F} : i32" in text


def test_a_kernel_that_leaves_out_a_part_of_its_scratch_memory_is_found(monkeypatch):
    m = module(*LARGE["packed"], [DType.F32])
    arrays = arguments(m)
    monkeypatch.setattr(contraction, "pack", lambda *_: None)
    monkeypatch.setattr(kernel_store, "_kept", type(kernel_store._kept)())  # it is kept for this test alone
    (found,) = poisoned_results(m, arrays)
    assert np.isnan(found).all()


@pytest.mark.parametrize("case", [*LARGE, "33x7x1", "13x129x31", "layer 13x17x19", "conv, uneven padding"])
def test_contractions_read_what_was_written(case):
    m = module(*{**SMALL, **LARGE}[case], [DType.F32])
    arrays = arguments(m)
    assert_agrees(m, arrays, poisoned_results(m, arrays), mind.interpret(m, *arrays), "default")


@settings(max_examples=60)
@given(modules())
def test_random_modules_read_what_was_written(m):
    note(str(m))
    compiled = native(m, "default")
    arrays = arguments_for(m, 0)
    with poisoned_buffers():
        found = outcome(compiled, *arrays)
    assert_outcome_agrees(m, arrays, found, outcome(mind.interpret, m, *arrays), "default")


@settings(max_examples=8)
@given(smooth_modules())
def test_gradients_read_what_was_written(module_and_arguments):
    m, arrays = module_and_arguments
    derived = gradient(gradient(m))
    note(str(derived))
    assert_agrees(derived, arrays, poisoned_results(derived, arrays), mind.interpret(derived, *arrays), "default")


def test_long_modules_read_what_was_written():
    m, arrays = long_module(200), long_arguments()
    assert_agrees(m, arrays, poisoned_results(m, arrays), mind.interpret(m, *arrays), "default")
