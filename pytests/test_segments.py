"""Long modules in segments: how they are cut, and that whatever is cut gives the interpreter's bits."""

import numpy as np
import pytest
import support
from hypothesis import given, note, settings
from random_modules import arguments_for, modules
from support import assert_outcome_agrees, assert_same_bits, outcome

import mind_mlir as mind
from benchmarks.modules import mixed
from mind_mlir.lowering.mlir.walk import functions, operations
from mind_mlir.lowering.native import compiler as native
from mind_mlir.lowering.native.workplace import Workplace
from mind_mlir.lowering.segments import segments
from mind_mlir.lowering.segments.segments import LONGEST, segments as cut


def loop(steps, rows=8):
    """A written-out loop."""
    b = mind.Builder()
    x = b.Input("x", mind.f32(rows))
    y = x
    for _ in range(steps):
        y = y + b.constant(0.125) * (b.Exp(-y) * y - y * x)
    return b.finish([y])


def test_every_operation_is_in_one_segment_and_keeps_its_id():
    m = loop(400)
    found, _ = cut(m)
    ids = [o.id for s in found for o in s.module.operations if o.opcode not in ("Input", "ConstTensor")]
    assert ids == [o.id for o in m.operations if o.opcode not in ("Input", "ConstTensor")]
    assert all(sum(o.opcode != "Input" for o in s.module.operations) >= LONGEST // 2 for s in found[:-1])


def test_what_a_segment_reads_is_an_input_or_was_made_before():
    m = loop(300)
    made = {o.id for o in m.inputs}
    found, outputs = cut(m)
    for s in found:
        assert made.issuperset(s.inputs)
        made.update(s.outputs)
    assert made.issuperset(outputs)


def test_cuts_are_where_little_is_passed_on():
    assert all(len(s.outputs) == 1 for s in cut(loop(400))[0])


def test_the_steps_of_a_written_out_loop_are_lowered_once():
    found, _ = cut(loop(2000))
    assert len({s.key for s in found}) <= 3 < len(found)


def test_segments_that_look_up_rows_are_told_apart_by_their_errors():
    b = mind.Builder()
    x, rows = b.Input("x", mind.f32(4, 4)), b.Input("rows", mind.i64(4))
    for _ in range(2 * LONGEST):
        x = b.Relu(b.Gather(x, rows))
    found, _ = cut(b.finish([x]))
    assert len({s.key for s in found}) == len(found)


@pytest.fixture(
    params=[(1, 99), (3, 99), (10, 99), (3, 1), (10, 1), (10, 2)], ids=lambda n: f"{n[0]} in segments, {n[1]} fine"
)
def short_segments(request, monkeypatch):
    longest, fine = request.param
    monkeypatch.setattr(native, "LONG", 0)
    monkeypatch.setattr(segments, "LONGEST", longest)
    monkeypatch.setattr(segments, "FINE", fine)


def test_random_modules_do_what_interpret_does_cut_anywhere(short_segments):
    @settings(max_examples=40)
    @given(modules())
    def check(m):
        note(str(m))
        compiled = support.native(m)
        for seed in (0, 1):
            arrays = arguments_for(m, seed)
            found, expected = outcome(compiled, *arrays), outcome(mind.interpret, m, *arrays)
            assert_outcome_agrees(m, arrays, found, expected, "strict")

    check()


def test_outputs_that_are_inputs_constants_or_given_twice(short_segments):
    b = mind.Builder()
    x = b.Input("x", mind.f32(3))
    c = b.constant([1.0, 2.0, 3.0])
    y = b.Neg(x)
    z = b.Exp(y) + c
    m = b.finish([x, y, c, y, z, b.Reshape(z, new_shape=(3, 1)), z])
    a = np.float32([1, -2, 3])
    for found, value in zip(mind.compile(m, numerics="strict")(a), mind.interpret(m, a), strict=True):
        assert_same_bits(found, value)


def test_arrays_without_elements(short_segments):
    b = mind.Builder()
    x, w = b.Input("x", mind.f32(0, 3)), b.Input("w", mind.f32(3, 2))
    y = b.Relu(x @ w)
    m = b.finish([y, b.Sum(y, axes=(0,), keepdims=False), b.Neg(y)])
    a, k = np.zeros((0, 3), np.float32), np.ones((3, 2), np.float32)
    for found, value in zip(mind.compile(m, numerics="strict")(a, k), mind.interpret(m, a, k), strict=True):
        assert_same_bits(found, value)


def test_large_constants_are_there_once():
    b = mind.Builder()
    data = np.random.default_rng(0).standard_normal((64, 64), np.float32)
    v = b.Input("x", mind.f32(64, 64))
    for _ in range(LONGEST):
        v = b.Relu(v @ b.constant(data)) * b.constant(0.125)
    exe = mind.compile(b.finish([v]))
    assert sum(map(len, exe._engine.objects)) < 3 * data.nbytes + (1 << 18)


def calls(m):
    """How many kernels are called by the code of a module."""
    found = []

    def count(module, step):
        if step == native.EXPAND:
            found.extend(op for f in functions(module) for op in operations(f) if op.name == "func.call")

    native.lowered(m, native.pipeline_for(m).steps, Workplace(), count)
    return len(found)


def test_results_of_many_elements_are_fused():
    assert calls(loop(160, rows=4096)) < 300


def test_small_operations_are_lowered_once_however_often_they_occur():
    assert calls(loop(160, rows=8)) == calls(loop(1600, rows=8)) < 10
    assert calls(mixed(2000)) <= calls(mixed(8000)) < 50
