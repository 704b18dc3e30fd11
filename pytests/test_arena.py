"""Intermediate results in one piece of memory: where they lie, and how much of it there is."""

from __future__ import annotations

import math
import random
import re

import pytest
from hypothesis import given, strategies as st
from support import after

import mind_mlir as mind
from benchmarks.modules import mixed, three_layers
from mind_mlir import lowering  # noqa: F401  registers its passes
from mind_mlir.lowering.memory.offsets import ALIGNMENT, PAIRS, Buffer, peak, place
from mind_mlir.lowering.mlir.pass_driver import mlir_text
from mind_mlir.lowering.pipelines.parameters import with_options
from mind_mlir.passes import Pipeline, gradient

BUFFERS = st.lists(
    st.builds(
        lambda size, first, length: Buffer(size, first, first + length),
        st.integers(1, 500) | st.sampled_from([4, 64, 4096, 65536]),
        st.integers(0, 30),
        st.integers(0, 12),
    ),
    max_size=24,
)


def rounded(buffers):
    return [Buffer(-(-b.size // ALIGNMENT) * ALIGNMENT, b.first, b.last) for b in buffers]


@given(BUFFERS)
def test_buffers_that_are_in_use_at_once_do_not_overlap(buffers):
    offsets, size = place(buffers)
    assert len(offsets) == len(buffers)
    spans = [(o, o + b.size, b) for o, b in zip(offsets, buffers)]
    assert all(start % ALIGNMENT == 0 and start >= 0 and end <= size for start, end, _ in spans)
    for n, (start, end, b) in enumerate(spans):
        for other_start, other_end, other in spans[:n]:
            if b.first <= other.last and other.first <= b.last:
                assert end <= other_start or other_end <= start
    assert (offsets, size) == place(list(buffers))
    assert peak(rounded(buffers)) <= size


@pytest.mark.parametrize("count", [12, 100, 1000])
@pytest.mark.parametrize("kind", ["one after the other", "given back in the reverse order", "any"])
def test_an_arena_is_hardly_larger_than_the_peak(kind, count):
    r = random.Random(count)
    buffers = []
    for n in range(count):
        first, last = n, n + r.randrange(1, 5)
        if kind == "given back in the reverse order":
            last = 2 * count - n
        elif kind == "any":
            first = r.randrange(count)
            last = first + r.randrange(count // 3)
        buffers.append(Buffer(r.choice([4096, 65536, 100_000, 262_144, r.randrange(1, 300_000)]), first, last))
    most = 1.1 if count**2 <= PAIRS or kind != "any" else 1.15
    assert place(buffers)[1] <= most * peak(rounded(buffers))


OUTLINED = "linalg-generalize-named-ops,outline-linalg"


def main_of(m: mind.Module, passes: str, cpu: str = "avx512") -> list[str]:
    """The lines of the function main of a lowered module after these passes, for a CPU that copies no operand."""
    text = mlir_text(with_options(Pipeline.parse(f"lower-to-linalg,{passes}"), cpu=cpu).run(m))
    return text[text.index("func.func @main") :].split("\n  }\n")[0].splitlines()


def allocated(lines: list[str]) -> dict[str, Buffer]:
    """What a function allocates, in use from one line to another."""
    width = {"f32": 4, "i32": 4, "f64": 8, "i64": 8, "i8": 1}
    found = {}
    for n, line in enumerate(lines):
        if made := re.search(r"(%\w+) = memref\.alloc\(\) .*: memref<((?:\d+x)*)(\w+)>", line):
            size = math.prod(int(extent) for extent in made[2].split("x")[:-1]) * width[made[3]]
            uses = [i for i in range(n + 1, len(lines)) if re.search(rf"{made[1]}\b", lines[i])]
            assert "memref.dealloc" in lines[uses[-1]]
            found[made[1]] = Buffer(size, uses[0], uses[-1])
    return found


def arena_of(lines: list[str]) -> int:
    """Bytes of the one allocation."""
    (arena,) = allocated(lines).values()
    return arena.size


def live_intermediates(m: mind.Module) -> int:
    """The most bytes of values that are neither Inputs, constants nor outputs and are in use at once."""
    last = {i: n for n, o in enumerate(m.operations) for i in o.operands}
    made = [o for o in m.operations if o.op.literal is None and o.opcode != "Input" and o.id not in m.outputs]
    return peak([Buffer(o.type.nbytes, m.operations.index(o), last[o.id]) for o in made])


def mlp() -> mind.Module:
    return gradient(three_layers(batch=128, widths=(784, 512, 256, 10)), wrt=("w0", "b0", "w1", "b1", "w2", "b2"))


def cnn() -> mind.Module:
    b = mind.Builder()
    h, t = b.Input("x", mind.f32(8, 12, 12, 3)), b.Input("t", mind.f32(8, 10))
    for n, (channels, filters) in enumerate([(3, 8), (8, 16)]):
        h = b.Conv2d(h, b.Input(f"k{n}", mind.f32(3, 3, channels, filters)), (n + 1, n + 1), "Same")
        h = b.Relu(h + b.Input(f"c{n}", mind.f32(filters)))
    h = b.Reshape(h, new_shape=(8, 6 * 6 * 16)) @ b.Input("w", mind.f32(6 * 6 * 16, 10)) - t
    return gradient(b.finish([b.Mean(h * h, axes=(), keepdims=False)]), wrt=("k0", "c0", "k1", "c1", "w"))


@pytest.mark.parametrize("module", [mlp, cnn, lambda: mixed(60), lambda: mixed(200, seed=1)])
def test_the_arena_of_a_module_is_hardly_larger_than_what_is_live_at_once(module):
    m = mind.canonicalize(module())
    before = f"cpu-fuse,cpu-bufferize,cpu-kernels,hoist-scratch,{OUTLINED}"
    buffers = allocated(main_of(m, before)).values()
    assert len(buffers) > 4
    assert arena_of(main_of(m, f"{before},plan-arena")) <= 1.1 * peak(rounded(buffers))


JAX = 655_360
"""Bytes of temporaries that jax.jit's value_and_grad of the same network reports, the scratch of its products aside."""


def test_a_gradient_takes_no_more_memory_than_its_intermediates():
    m = mind.canonicalize(mlp())
    kernels = "cpu-fuse,cpu-bufferize,cpu-kernels"
    intermediates = arena_of(main_of(m, f"{kernels},{OUTLINED},plan-arena"))
    assert intermediates < JAX
    assert arena_of(main_of(m, f"{kernels},hoist-scratch,{OUTLINED},plan-arena")) <= 1.1 * live_intermediates(m)
    hidden = 4 * 128 * (512 + 256)  # the results of two layers: their masks, products and cotangents fit in there
    assert intermediates <= 1.1 * hidden


def test_copies_of_operands_take_their_own_size_and_no_more():
    m = mind.canonicalize(mlp())
    passes = f"cpu-fuse,cpu-bufferize,cpu-kernels,{OUTLINED},plan-arena"
    copy = 4 * 128 * 512  # of the first hidden layer, whose rows are 2 KiB apart
    assert arena_of(main_of(m, passes, "avx2")) <= arena_of(main_of(m, passes)) + copy


def test_memory_of_a_loop_or_of_one_buffer_is_left_alone():
    text = """
    func.func @one(%x: memref<4xf32>, %o: memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      linalg.exp ins(%x : memref<4xf32>) outs(%a : memref<4xf32>)
      linalg.exp ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
      memref.dealloc %a : memref<4xf32>
      return
    }
    func.func @loop(%x: memref<4xf32>, %o: memref<4xf32>, %c: i1, %z: index, %s: index, %e: index) {
      %a = memref.alloc() : memref<4xf32>
      %b = memref.alloc() : memref<4xf32>
      scf.for %i = %z to %e step %s {
        %d = memref.alloc() : memref<4xf32>
        linalg.exp ins(%x : memref<4xf32>) outs(%d : memref<4xf32>)
        linalg.exp ins(%d : memref<4xf32>) outs(%o : memref<4xf32>)
        memref.dealloc %d : memref<4xf32>
      }
      linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>)
      memref.dealloc %a : memref<4xf32>
      scf.if %c {
        memref.dealloc %b : memref<4xf32>
      }
      return
    }"""
    assert after("plan-arena", text) == after("canonicalize", text)


def test_a_buffer_is_in_use_from_its_first_to_its_last_use_by_any_view():
    text = """
    func.func @main(%x: memref<32xf32>, %o: memref<32xf32>) {
      %late = memref.alloc() : memref<32xf32>
      %a = memref.alloc() : memref<32xf32>
      linalg.exp ins(%x : memref<32xf32>) outs(%a : memref<32xf32>)
      %v = memref.expand_shape %a [[0, 1]] output_shape [4, 8] : memref<32xf32> into memref<4x8xf32>
      %w = memref.collapse_shape %v [[0, 1]] : memref<4x8xf32> into memref<32xf32>
      %b = memref.alloc() : memref<32xf32>
      linalg.exp ins(%x : memref<32xf32>) outs(%b : memref<32xf32>)
      linalg.add ins(%w, %b : memref<32xf32>, memref<32xf32>) outs(%o : memref<32xf32>)
      memref.dealloc %a : memref<32xf32>
      memref.dealloc %b : memref<32xf32>
      linalg.exp ins(%o : memref<32xf32>) outs(%late : memref<32xf32>)
      linalg.exp ins(%late : memref<32xf32>) outs(%o : memref<32xf32>)
      memref.dealloc %late : memref<32xf32>
      return
    }"""
    planned = after("plan-arena,cse", text)
    assert "memref.alloc() {alignment = 64 : i64} : memref<256xi8>" in planned
    offsets = re.findall(r"%view\w* = memref\.view %alloc\[%c(\d+)\w*\]", planned)
    assert sorted(offsets) == ["0", "128"]  # %late lies where %a or %b was


def test_scratch_of_a_function_comes_from_each_of_its_callers():
    text = """
    func.func @main(%x: memref<4xf32> {llvm.noalias}) {
      call @f(%x) : (memref<4xf32>) -> ()
      call @f(%x) : (memref<4xf32>) -> ()
      return
    }
    func.func private @f(%x: memref<4xf32> {llvm.noalias}) {
      %a = memref.alloc() : memref<8xf32>
      %zero = arith.constant 0.0 : f32
      linalg.fill ins(%zero : f32) outs(%a : memref<8xf32>)
      memref.dealloc %a : memref<8xf32>
      return
    }"""
    hoisted = after("hoist-scratch", text)
    main, f = hoisted.split("func.func private @f")
    assert "%arg1: memref<8xf32> {llvm.align = 64 : i64, llvm.noalias}" in f
    assert "memref.alloc" not in f
    assert "memref.dealloc" not in f
    steps = re.findall(r"memref\.alloc\b|call @f\(%arg0, %\w+\)|memref\.dealloc", main)
    assert [step.partition("(")[0] for step in steps] == ["memref.alloc", "call @f", "memref.dealloc"] * 2
    assert "memref.view" in after("hoist-scratch,plan-arena", text)


def test_a_function_that_is_called_in_a_loop_keeps_its_scratch():
    text = """
    func.func @main(%x: memref<4xf32>, %z: index, %s: index, %e: index) {
      call @f(%x) : (memref<4xf32>) -> ()
      scf.for %i = %z to %e step %s {
        func.call @f(%x) : (memref<4xf32>) -> ()
      }
      return
    }
    func.func private @f(%x: memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      memref.copy %x, %a : memref<4xf32> to memref<4xf32>
      memref.copy %a, %x : memref<4xf32> to memref<4xf32>
      memref.dealloc %a : memref<4xf32>
      return
    }"""
    assert after("hoist-scratch", text) == after("canonicalize{region-simplify=disabled}", text)
