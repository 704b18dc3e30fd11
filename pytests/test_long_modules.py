"""Modules of more operations than the pipeline `cpu` is meant for, and the passes that compile them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from support import after

import mind_mlir as mind
from mind_mlir import lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.mlir.pass_driver import mlir_text
from mind_mlir.lowering.native.compiler import LONG
from mind_mlir.passes import Pipeline


def long_module(operations: int) -> mind.Module:
    """Products, sums, broadcasts, slices and gathers over and over; every value stays bounded."""
    b = mind.Builder()
    x, w, rows = b.Input("x", mind.f32(4, 6)), b.Input("w", mind.f32(6, 6)), b.Input("rows", mind.i64(4))
    v, outputs = x, []
    while len(b.operations) < operations:
        v = b.Relu(v @ w) - b.Mean(v, axes=(1,), keepdims=True)
        v = b.Gather(v, rows) + b.Slice(v, starts=(0, 1), ends=(4, 2), steps=(1, 1)) * 0.25
        v = b.Transpose(b.Reshape(v, new_shape=(6, 4)), permutation=(1, 0))
        outputs.append(b.Slice(v, starts=(0, 0), ends=(4, 6), steps=(2, 3)))
    return b.finish([v, *outputs[::10], v, x])


def arguments(bad_row: bool = False) -> list[np.ndarray]:
    r = np.random.default_rng(0)
    x, w = r.standard_normal((4, 6), np.float32), r.standard_normal((6, 6), np.float32) / 4
    return [x, w, np.array([3, 0, 9 if bad_row else 1, 2])]


@pytest.mark.parametrize("operations", [LONG - 10, LONG + 10, 600])
def test_native_code_gives_the_bits_of_the_interpreter_at_any_length(operations):
    m = long_module(operations)
    for native, value in zip(
        mind.compile(m, numerics="strict")(*arguments()), mind.interpret(m, *arguments()), strict=True
    ):
        assert native.tobytes() == value.tobytes()


def test_an_index_out_of_bounds_is_reported_from_a_long_module():
    m = long_module(200)
    with pytest.raises(mind.MindError) as native:
        mind.compile(m)(*arguments(bad_row=True))
    with pytest.raises(mind.MindError) as value:
        mind.interpret(m, *arguments(bad_row=True))
    assert native.value.code == "E6001"
    assert str(native.value) == str(value.value)


def lowered(m: mind.Module, pipeline: str) -> str:
    return mlir_text(Pipeline.parse(f"lower-to-linalg,{pipeline}").run(m))


def test_equal_operations_of_a_long_module_become_one_function():
    m = mind.canonicalize(long_module(600))
    text = lowered(m, "cpu-fuse,cpu-bufferize,linalg-generalize-named-ops,outline-linalg")
    functions = re.findall(r"func\.func private @(\w+)", text)
    assert len(functions) < 20
    assert text.count("call @") > 200
    assert set(re.findall(r"call @(\w+)", text)) == set(functions)


def test_outlined_functions_keep_clear_of_names_that_the_module_has():
    text = """
    func.func @linalg0(%a: memref<4xf32>) {
      %x = arith.constant 1.0 : f32
      linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
      linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
      return
    }"""
    text = after("outline-linalg,cse", text)
    assert sorted(re.findall(r"func\.func (?:private )?@(\w+)", text)) == ["linalg0", "linalg1", "linalg2"]


def test_every_buffer_is_freed_once_right_after_its_last_use():
    text = lowered(mind.canonicalize(long_module(100)), "cpu-fuse,cpu-bufferize")
    lines = text.splitlines()
    allocated = {m[1]: n for n, line in enumerate(lines) if (m := re.search(r"(%\w+) = memref\.alloc\(", line))}
    freed = {m[1]: n for n, line in enumerate(lines) if (m := re.search(r"memref\.dealloc (%\w+) ", line))}
    assert allocated.keys() == freed.keys()
    shown = {m[1]: m[2] for line in lines if (m := re.search(r"(%\w+) = memref\.\w+ (%\w+)", line))}
    assert shown, "some buffers are used through views"
    for name, end in freed.items():
        views = [name]
        for view, of in shown.items():
            if of in views:
                views.append(view)
        last = max(n for n, line in enumerate(lines[:end]) for v in views if re.search(re.escape(v) + r"\b", line))
        statement = re.compile(r" {4}(?=[%\w])(?!memref\.dealloc)")  # of the function itself, not of a loop's body
        assert not [line for line in lines[last + 1 : end] if statement.match(line)], name


def test_memory_that_is_freed_already_is_not_freed_again():
    text = """
    func.func @main(%a: memref<4xf32>) {
      %m = memref.alloc() : memref<4xf32>
      memref.copy %a, %m : memref<4xf32> to memref<4xf32>
      memref.dealloc %m : memref<4xf32>
      return
    }"""
    freed = after("free-buffers", text)
    assert freed.count("memref.dealloc") == 1


def test_memory_that_a_function_with_control_flow_allocates_is_freed():
    text = """
    func.func @main(%c: i1, %a: memref<4xf32>) {
      scf.if %c {
        %m = memref.alloc() : memref<4xf32>
        memref.copy %a, %m : memref<4xf32> to memref<4xf32>
        memref.copy %m, %a : memref<4xf32> to memref<4xf32>
      }
      return
    }"""
    freed = after("free-buffers", text)
    assert freed.count("memref.dealloc") == 1


def test_outlined_functions_know_which_memory_lies_apart():
    text = """
    func.func @main(%x: memref<4xf32> {llvm.noalias}, %y: memref<4xf32>, %o: memref<4xf32> {llvm.noalias}) {
      %m = memref.alloc() : memref<4xf32>
      %rows = memref.expand_shape %m [[0, 1]] output_shape [4, 1] : memref<4xf32> into memref<4x1xf32>
      %again = memref.collapse_shape %rows [[0, 1]] : memref<4x1xf32> into memref<4xf32>
      linalg.exp ins(%x : memref<4xf32>) outs(%m : memref<4xf32>)
      linalg.add ins(%m, %again : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>)
      linalg.log ins(%y : memref<4xf32>) outs(%o : memref<4xf32>)
      return
    }"""
    text = after("outline-linalg", text)
    given = re.findall(r"private @\w+\((.*)\) attr", text)
    assert [[" {llvm.noalias}" in p for p in parameters.split(", ")] for parameters in given] == [
        [True, True],  # an Input and memory allocated here
        [False, False, True],  # two views of the same memory, which the output is not
        [False, False],  # nothing is known of %y
    ]
