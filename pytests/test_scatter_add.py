"""ScatterAdd: the order of additions, indices out of bounds, what it writes into.

docs/semantics.md, Operations beyond Core v1.
"""

import numpy as np
import pytest
from support import assert_outcome_agrees, assert_same_bits, native, outcome

import mind_mlir as mind
from mind_mlir import f32, i32, i64
from mind_mlir.lowering.native.compiler import LONG

LENGTHS = pytest.mark.parametrize("long", [False, True], ids=["short", "long"])


def module(build, *types, long=False):
    """The module whose outputs `build(b, *inputs)` gives; with `long`, of more operations than `cpu` is meant for."""
    b = mind.Builder()
    outputs = build(b, *[b.Input(f"x{n}", t) for n, t in enumerate(types)])
    if long:
        v = b.Input("more", f32())
        for _ in range(LONG):
            v = b.Neg(v)
        outputs = [*outputs, v]
    return b.finish(outputs)


def run_both(m, *arrays):
    """What interpret and native code do, which is the same."""
    arrays = [*arrays, *([np.float32(1)] if len(m.inputs) > len(arrays) else [])]
    value = outcome(mind.interpret, m, *arrays)
    for numerics in ("strict", "default"):
        assert_outcome_agrees(m, arrays, outcome(native(m, numerics), *arrays), value, numerics)
    return value


def wide(rng, shape):
    """Numbers of both signs over twelve decades: almost any other order of additions gives other bits."""
    return (rng.standard_normal(shape) * 10.0 ** rng.uniform(-6, 6, shape)).astype(np.float32)


def added(x, indices, updates, oob):
    """The definition, one addition after the other."""
    result = x.copy()
    for place in np.ndindex(indices.shape):
        k = int(indices[place])
        if oob == "clip":
            k = min(max(k, 0), len(x) - 1)
        if 0 <= k < len(x):
            for column in np.ndindex(x.shape[1:]):
                result[(k, *column)] = result[(k, *column)] + updates[(*place, *column)]
    return result


@LENGTHS
@pytest.mark.parametrize("oob", ["error", "clip", "fill"])
@pytest.mark.parametrize(
    ("rows", "shape", "index"),
    [((3,), (40,), i32), ((3, 4), (20,), i64), ((2, 2, 3), (5, 7), i64), ((4, 1), (), i32), ((1, 5), (2, 1), i64)],
)
def test_updates_of_a_row_are_added_in_row_major_order_of_the_indices(rows, shape, index, oob, long):
    rng = np.random.default_rng(0)
    beyond = 0 if oob == "error" else 3
    x, updates = wide(rng, rows), wide(rng, shape + rows[1:])
    indices = np.asarray(rng.integers(-beyond, rows[0] + beyond, shape)).astype(index().dtype.numpy)
    types = f32(*rows), index(*shape), f32(*updates.shape)
    m = module(lambda b, *v: [b.ScatterAdd(*v, oob=oob)], *types, long=long)
    kind, results = run_both(m, x, indices, updates)
    assert kind == "returns"
    assert_same_bits(results[0], added(x, indices, updates, oob))


def test_the_data_tells_orders_apart():
    rng = np.random.default_rng(0)
    x, updates, indices = wide(rng, (3, 4)), wide(rng, (20, 4)), rng.integers(0, 3, 20)
    backwards = added(x, indices[::-1], updates[::-1], "error")
    assert (added(x, indices, updates, "error") != backwards).any()


@LENGTHS
@pytest.mark.parametrize("bad", [-1, 5, -(2**63), 2**63 - 1])
@pytest.mark.parametrize("columns", [0, 3])
def test_an_index_out_of_bounds_is_an_error_and_nothing_is_written_outside(bad, columns, long):
    m = module(lambda b, *v: [b.ScatterAdd(*v)], f32(5, columns), i64(4), f32(4, columns), long=long)
    room = np.zeros((9, columns), np.float32)
    arrays = [np.ones((5, columns), np.float32), np.array([0, bad, 4, 4]), np.ones((4, columns), np.float32)]
    kind, code, message = run_both(m, *arrays)
    assert (kind, code) == ("raises", "E6001")
    assert f"ScatterAdd index {bad} is out of bounds for extent 5" in message
    more = [np.float32(1)] if long else []
    with pytest.raises(mind.MindError, match="out of bounds"):
        mind.compile(m)(*arrays, *more, out=[room[2:7], *[np.zeros((), np.float32) for _ in more]])
    assert not room[:2].any()
    assert not room[7:].any()


MODULES = {
    "the updates are the input": lambda b, x, i, u: [b.ScatterAdd(x, i, x)],
    "the updates are a value that is the input too": lambda b, x, i, u: [b.ScatterAdd(y := b.Neg(x), i, y)],
    "the input is an output, before": lambda b, x, i, u: [y := b.Neg(x), b.ScatterAdd(y, i, u)],
    "the input is an output, after": lambda b, x, i, u: [b.ScatterAdd(y := b.Neg(x), i, u), y],
    "the input is a product and an output": lambda b, x, i, u: [b.ScatterAdd(y := x @ x, i, u), y],
    "the input is used again": lambda b, x, i, u: [b.ScatterAdd(y := b.Neg(x), i, u) + y],
    "a view of the input is an output": lambda b, x, i, u: [
        b.ScatterAdd(y := b.Neg(x), i, u),
        b.Slice(y, (0, 0), (4, 2), (1, 1)),
    ],
    "into zeros, twice": lambda b, x, i, u: [b.ScatterAdd(b.zeros(x.type), i, v) for v in (u, x)],
    "the zeros are an output": lambda b, x, i, u: [z := b.zeros(x.type), b.ScatterAdd(z, i, u)],
    "into ones": lambda b, x, i, u: [b.ScatterAdd(b.full(x.type, 1), i, u)],
    "into a constant": lambda b, x, i, u: [b.ScatterAdd(b.constant(np.eye(4, dtype=np.float32)), i, u)],
    "one after the other": lambda b, x, i, u: [b.ScatterAdd(b.ScatterAdd(x, i, u), i, x)],
    "one after the other, both outputs": lambda b, x, i, u: [y := b.ScatterAdd(x, i, u), b.ScatterAdd(y, i, x)],
    "one after the other, the second first": lambda b, x, i, u: [b.ScatterAdd(y := b.ScatterAdd(x, i, u), i, x), y],
    "twice the same": lambda b, x, i, u: [y := b.ScatterAdd(x, i, u), y],
    "on a view": lambda b, x, i, u: [b.ScatterAdd(b.Slice(x, (0, 0), (4, 4), (2, 1)), i, u, oob="fill")],
    "updates are a view": lambda b, x, i, u: [
        b.ScatterAdd(b.Slice(x, (0, 0), (4, 4), (1, 2)), i, b.Slice(u, (0, 1), (4, 4), (1, 2)))
    ],
    "of what was gathered": lambda b, x, i, u: [b.ScatterAdd(x, i, b.Gather(x, i))],
    "of constant indices": lambda b, x, i, u: [b.ScatterAdd(x, b.constant(np.array([3, 3, 0, 1])), u)],
    "of one constant index": lambda b, x, i, u: [
        b.ScatterAdd(x, b.constant(np.array(2)), b.Sum(u, axes=(0,), keepdims=False))
    ],
    "into padding": lambda b, x, i, u: [b.ScatterAdd(b.Pad(x, (1, 0), (1, 0), (0, 0)), i, u)],
}


@LENGTHS
@pytest.mark.parametrize("name", MODULES)
def test_a_value_that_is_needed_again_is_not_written_over(name, long):
    m = module(MODULES[name], f32(4, 4), i64(4), f32(4, 4), long=long)
    rng = np.random.default_rng(1)
    arrays = [wide(rng, (4, 4)), np.array([2, 0, 2, 1]), wide(rng, (4, 4))]
    before = [a.copy() for a in arrays]
    assert run_both(m, *arrays)[0] == "returns"
    for a, b in zip(arrays, before):
        assert_same_bits(a, b)


def test_updates_of_nothing_leave_the_input():
    m = module(lambda b, x, i, u: [b.ScatterAdd(x, i, u)], f32(2), i64(0), f32(0))
    assert [o.opcode for o in mind.canonicalize(m).operations] == ["Input"] * 3
    x = np.float32([-0.0, 1])
    assert_same_bits(run_both(m, x, np.zeros(0, np.int64), np.zeros(0, np.float32))[1][0], x)


def test_integers_wrap():
    m = module(lambda b, x, i, u: [b.ScatterAdd(x, i, u)], i32(1), i64(2), i32(2))
    x, u = np.int32([2**31 - 1]), np.int32([1, 2**31 - 1])
    assert run_both(m, x, np.zeros(2, np.int64), u)[1][0].tolist() == [-1]
