"""Small operations of long modules: calls of functions that are made once, and views of what these make."""

import ctypes
import re

import numpy as np
import pytest
from support import assert_agrees, assert_same_bits, error_of, nans, poisoned_buffers

import mind_mlir as mind
from mind_mlir import DType, TensorType
from mind_mlir.lowering.interface import codegen
from mind_mlir.lowering.memory.views import shown_at
from mind_mlir.lowering.native import compiler as native
from mind_mlir.lowering.segments import segments
from mind_mlir.lowering.segments.call_lists import CallList, Step, planned
from mind_mlir.lowering.segments.callees import Callee
from mind_mlir.lowering.segments.parts import parts
from mind_mlir.lowering.segments.segments import segments as cut
from mind_mlir.passes.preflight import peak_memory


def awkward(rows, columns, times, dtype=DType.F32):
    """Views of every kind, each read by several operations, some of them outputs; ids that fail deep inside."""
    b = mind.Builder()
    x, w = b.Input("x", TensorType(dtype, (rows, columns))), b.Input("w", TensorType(dtype, (columns, columns)))
    i = b.Input("i", mind.i64(rows))
    v, seen = x, []
    for n in range(times):
        flat = b.Reshape(v, new_shape=(rows * columns,))
        end = b.Slice(flat, starts=(columns * (rows // 2),), ends=(rows * columns,), steps=(1,))  # whole rows
        last = b.Slice(v, starts=(rows - 1, 0), ends=(rows, columns), steps=(1, 1))
        half = b.Slice(v, starts=(0, 0), ends=(rows, columns), steps=(1, 2))  # apart in memory
        turned = b.Transpose(w, permutation=(1, 0))
        v = b.Relu(v @ turned) - last * b.Mean(end, axes=(0,), keepdims=True)
        v = (
            v * b.Sum(half, axes=(0, 1), keepdims=False)
            + b.Gather(v, i)
            - b.Slice(half + half, starts=(0, 0), ends=(1, 1), steps=(1, 1))
        )
        v = (
            b.Exp(-v * v) + b.Squeeze(b.ExpandDims(turned, axes=(0,)), axes=(0,)) @ w
            if rows == columns
            else b.Exp(-v * v)
        )
        if n % 7 == 0:
            seen += [flat, end, half, turned]
    return b.finish([v, *seen, v, x])


def arguments(m, bad=False):
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(o.type.shape).astype(o.type.dtype.numpy) / 4 for o in m.inputs[:2]]
    rows = arrays[0].shape[0]
    return [*arrays, np.arange(rows)[::-1].copy() + (bad and rows)]


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (5, 1), (31, 17)], ids=str)
@pytest.mark.parametrize("dtype", [DType.F32, DType.F64])
def test_views_and_calls_give_the_bits_of_the_interpreter(shape, dtype):
    m = awkward(*shape, 40, dtype)
    assert len(m) > native.LONG
    arrays = arguments(m)
    expected = mind.interpret(m, *arrays)
    for found, value in zip(mind.compile(m, numerics="strict")(*arrays), expected, strict=True):
        assert_same_bits(found, value)
    assert_agrees(m, arrays, mind.compile(m)(*arrays), expected, "default")


def test_views_of_constants_and_of_inputs(monkeypatch):
    monkeypatch.setattr(native, "LONG", 0)
    monkeypatch.setattr(segments, "FINE", 1)
    b = mind.Builder()
    x, c = b.Input("x", mind.f32(2, 3)), b.constant(np.arange(6, dtype=np.float32).reshape(2, 3))
    row = b.Slice(c, starts=(1, 0), ends=(2, 3), steps=(1, 1))
    flat, own = b.Reshape(c, new_shape=(6,)), b.Reshape(x, new_shape=(6,))
    m = b.finish([flat + own, row * x, b.Reshape(own, new_shape=(3, 2)), b.Squeeze(row, axes=(0,)), c, own])
    (a,) = arrays = [np.float32([[1, -2, 3], [0.5, 0, -0.0]])]
    for found, value in zip(mind.compile(m, numerics="strict")(a), mind.interpret(m, *arrays), strict=True):
        assert_same_bits(found, value)


def test_memory_is_written_before_it_is_read():
    m = awkward(4, 7, 40)
    arrays = arguments(m)
    with poisoned_buffers():
        exe = mind.compile(m, numerics="strict")
        assert "intr.memset" in str(native.to_llvm(m))
    found = exe(*arrays, out=[nans(t) for t in exe.output_types])
    for one, value in zip(found, mind.interpret(m, *arrays), strict=True):
        assert_same_bits(one, value)


def test_an_index_out_of_bounds_is_told_by_the_operation_that_finds_it():
    b = mind.Builder()
    x, good, bad = b.Input("x", mind.f32(4, 3)), b.Input("good", mind.i64(4)), b.Input("bad", mind.i64(4))
    v = x
    for n in range(600):
        v = b.Gather(b.Relu(v), bad if n in (250, 500) else good)
    m = b.finish([v])
    gathers = [o.id for o in m.operations if o.opcode == "Gather"]
    arrays = np.zeros((4, 3), np.float32), np.array([3, 2, 1, 0]), np.array([0, 1, 4, 2])
    assert str(error_of(mind.compile(m), *arrays)) == str(error_of(mind.interpret, m, *arrays))
    engine = mind.compile(m)._engine
    pointers = [a.ctypes.data for a in (*arrays, np.zeros((4, 3), np.float32))]
    main = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(engine.address("mind_main"))
    assert main((ctypes.c_void_p * len(pointers))(*pointers)) == 1 + gathers[250]


def test_what_nothing_reads_is_left_out_but_for_what_may_fail():
    b = mind.Builder()
    x, i = b.Input("x", mind.f32(4, 3)), b.Input("i", mind.i64(4))
    v = x
    for _ in range(400):
        b.Exp(v)
        v = b.Relu(v) + x
    b.Gather(v, i)
    m = b.finish([v])
    found, _ = cut(m)
    opcodes = {o.opcode for s in found for o in s.operations}
    assert opcodes == {"Relu", "Add", "Gather"}
    arrays = np.ones((4, 3), np.float32), np.array([0, 1, 2, 9])
    assert error_of(mind.compile(m), *arrays).code == "E6001"


def test_small_operations_that_are_equal_are_one():
    b = mind.Builder()
    x = b.Input("x", mind.f32(8))
    m = b.finish([b.Exp(x) + b.Exp(x), b.Exp(x), b.Exp(x)])
    (segment,), outputs = cut(m)
    assert [o.opcode for o in segment.operations] == ["Exp", "Add"]
    assert outputs[1] == outputs[2] == segment.operations[0].id


def test_small_operations_in_a_row_are_fine_and_others_are_not():
    b = mind.Builder()
    x, y = b.Input("x", mind.f32(64, 64)), b.Input("y", mind.f32(8))
    for _ in range(segments.FINE - 1):  # too few
        y = b.Exp(y)
    x = b.Relu(x) * b.Mean(y, axes=(), keepdims=False)
    for _ in range(segments.FINE):
        y = -y
    m = b.finish([x, b.Relu(x) + b.Mean(y, axes=(), keepdims=False), y])
    assert [s.is_fine for s in cut(m)[0]] == [False, True, False]


def test_parts_are_one_operation_each_with_what_it_reads_out_of_order(monkeypatch):
    monkeypatch.setattr(segments, "FINE", 1)
    b = mind.Builder()
    x, w = b.Input("x", mind.f32(4, 6)), b.Input("w", mind.f32(5, 6))
    turned = b.Transpose(w, permutation=(1, 0))
    half = b.Slice(x, starts=(0, 0), ends=(4, 6), steps=(1, 2))
    row = b.Reshape(b.Slice(x, starts=(2, 0), ends=(3, 6), steps=(1, 1)), new_shape=(6,))
    m = b.finish([x @ turned, b.Exp(half), b.Neg(half), x + row])
    (segment,), _ = cut(m)
    found = parts(segment)
    assert [[o.opcode for o in p.operations] for p in found.calls] == [
        ["Transpose", "MatMul"],
        ["Slice", "Exp"],
        ["Slice", "Neg"],
        ["Add"],
    ]
    assert [at for _, at in found.views.values()] == [48, 0]


@pytest.mark.parametrize(
    ("whole", "starts", "ends", "steps", "at"),
    [
        ((4, 6), (1, 0), (3, 6), (1, 1), 24),
        ((4, 6), (-1, 2), (4, 5), (1, 1), 4 * 20),
        ((4, 6), (3, 1), (4, 6), (2, 2), None),
        ((4, 6), (0, 0), (4, 6), (2, 1), None),
        ((4, 6), (0, 0), (4, 5), (1, 1), None),
        ((4, 1, 6), (1, 0, 0), (2, 1, 6), (3, 1, 1), 24),
        ((4, 6), (3, 5), (4, 6), (1, 1), 4 * 23),
        ((4, 6), (2, 0), (2, 6), (1, 1), None),  # nothing
        ((), (), (), (), 0),
    ],
)
def test_slices_that_lie_in_their_operand_as_they_are(whole, starts, ends, steps, at):
    b = mind.Builder()
    x = b.Input("x", mind.f32(*whole))
    v = b.Slice(x, starts=starts, ends=ends, steps=steps)
    m = b.finish([v])
    assert shown_at(m.operations[-1], [x.type]) == at
    if at is not None:
        data = np.arange(x.type.size, dtype=np.float32).reshape(whole)
        (value,) = mind.interpret(m, data)
        assert data.tobytes()[at : at + value.nbytes] == value.tobytes()


def test_memory_of_calls_is_shared_by_what_is_never_live_together():
    f, scratch = Callee("f"), Callee("g", (64,))
    steps = [Step(f, (0, n, n + 1)) for n in range(1, 9)] + [Step(scratch, (9, 20))]
    c = CallList(
        "main", (0, 1), (20, 12), [*steps, Step(f, (0, 10))], dict.fromkeys(range(32), 64), {10: (9, 0), 12: (9, 16)}
    )
    found = planned(c)
    assert found.values[0] == (0, 0)
    assert found.values[20] == (2, 0)
    assert found.bytes == 128
    assert 10 not in found.values, "a view has no memory of its own"
    assert found.scratch[8] != [found.values[9]], "what a view shows is live until that is read"


def test_the_arena_of_a_long_module_is_about_as_large_as_what_is_live():
    b = mind.Builder()
    x = b.Input("x", mind.f32(16, 16))
    v, kept = x, []
    for _ in range(100):
        v = b.Exp(-v * v)
        kept.append(b.Relu(v) + v)
    for k in reversed(kept):
        v = v + k * x
    m = b.finish([v])
    text = str(native.to_llvm(m))
    (size,) = re.findall(
        r"constant\((\d{4,}) : i64\) : i64\n(?:.*constant.*\n)*.*@aligned_alloc\(", text[text.index("@main(") :]
    )
    assert int(size) < 1.1 * peak_memory(m) + 8192


def test_a_large_arena_of_a_long_module_is_kept_from_call_to_call():
    b = mind.Builder()
    v = b.Input("x", mind.f32(1 << 22))
    for _ in range(300):
        v = b.Exp(-v) + b.Sum(v, axes=(0,), keepdims=False)
    text = str(native.to_llvm(b.finish([v])))
    assert text.count("call @mind_take") == 1
    assert text.count("call @mind_keep") == 2  # by main, and at the end


def test_a_library_of_a_long_module_gives_the_same(tmp_path):
    m = awkward(4, 7, 40)
    arrays = arguments(m)
    (tmp_path / "long.so").write_bytes(codegen.shared_library(m, "long.so", codegen.Options("run", numerics="strict")))
    outputs = [nans(t) for t in m.output_types]
    run = ctypes.CDLL(str(tmp_path / "long.so")).run
    run.restype, run.argtypes = ctypes.c_int64, [ctypes.c_void_p] * (len(arrays) + len(outputs))
    assert run(*[a.ctypes.data for a in (*arrays, *outputs)]) == 0
    for found, value in zip(outputs, mind.interpret(m, *arrays), strict=True):
        assert_same_bits(found, value)


def test_what_goes_between_ranks_is_in_no_list_of_calls():
    b = mind.Builder(mesh=mind.Mesh(("dp",), (2,)))
    v = b.Input("x", mind.f64(4, 6))
    for _ in range(20):
        for _ in range(segments.FINE):
            v = b.Exp(-v)
        v = b.AllReduce(v, "dp", 2) * b.AllReduce(v, "dp", 2, "max")
    m = b.finish([v])
    assert len(m) > native.LONG
    found, _ = cut(m)
    assert not any(o.op.across_ranks for s in found if s.is_fine for o in s.operations)
    assert len(collectives(m)) == 2


def collectives(m):
    """The functions of operations between ranks in the code of a module."""
    return re.findall(r"llvm.func internal (@mind_collective\w*)\(", str(native.to_llvm(m)))


def test_segments_with_different_collectives_keep_them_apart():
    b = mind.Builder(mesh=mind.Mesh(("dp",), (2,)))
    v = b.Input("x", mind.f64(40, 60))
    for kind in ("sum", "max", "min", "sum"):
        for _ in range(150):
            v = b.Exp(-v)
        v = b.AllReduce(v, "dp", 2, kind)
    m = b.finish([v])
    assert sum(any(o.op.across_ranks for o in s.operations) for s in cut(m)[0]) > 1
    assert len(set(collectives(m))) == 3


def test_a_long_module_that_computes_nothing():
    b = mind.Builder()
    inputs = [b.Input(f"x{n}", mind.f32(2)) for n in range(native.LONG + 1)]
    c = b.constant([1.0, 2.0])
    m = b.finish([inputs[3], inputs[3], c, c])
    arrays = [np.full(2, n, np.float32) for n in range(len(inputs))]
    for found, value in zip(mind.compile(m)(*arrays), mind.interpret(m, *arrays), strict=True):
        assert_same_bits(found, value)
    m = b.finish([inputs[3]])
    assert_same_bits(mind.compile(m)(*arrays)[0], arrays[3])
