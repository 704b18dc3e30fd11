"""Sum and Mean: the order of additions in strict numerics, and integers that wrap.  docs/semantics.md, Sums."""

import itertools
import math

import numpy as np
import pytest
from support import alone, assert_agrees, assert_same_bits, poisoned

import mind_mlir as mind
from mind_mlir import DType, TensorType
from mind_mlir.ir import OPS

FLOATS = pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
INTEGERS = pytest.mark.parametrize("dtype", [DType.I32, DType.I64], ids=str)


def run_both(opcode, x, axes, keepdims=False):
    """The reduction by interpret and by native code, which agree to the bit in strict numerics."""
    m = alone(OPS[opcode](axes, keepdims), (TensorType.of_array(x),))
    expected = mind.interpret(m, x)
    for numerics in ("strict", "default", "fast"):
        assert_agrees(m, [x], mind.compile(m, numerics=numerics)(x), expected, numerics)
    return expected[0]


def line_sum(terms, zero):
    """One axis, term by term: blocks of 128 from +0.0, then the block sums in the same way."""
    sums = []
    for start in range(0, len(terms), 128) or [0]:
        total = zero
        for term in terms[start : start + 128]:
            total = total + term
        sums.append(total)
    return sums[0] if len(sums) == 1 else line_sum(sums, zero)


def stated_sum(x, axes):
    """Sum over the axes from the last to the first, one scalar addition after the other."""
    for axis in sorted(axes, reverse=True):
        shape = x.shape[:axis] + x.shape[axis + 1 :]
        out = np.empty(shape, x.dtype)
        for place in itertools.product(*map(range, shape)):
            line = x[(*place[:axis], slice(None), *place[axis:])]
            out[place] = line_sum(list(line), x.dtype.type(0))
        x = out
    return x


def wide(dtype, shape):
    """Numbers of both signs over twelve decades: almost any other order gives other bits."""
    rng = np.random.default_rng(0)
    return (rng.standard_normal(shape) * 10.0 ** rng.uniform(-6, 6, shape)).astype(dtype.numpy)


SHAPES_AND_AXES = [
    *(((n,), (0,)) for n in (0, 1, 2, 127, 128, 129, 255, 256, 257, 1000, 128 * 128, 128 * 128 + 1)),
    ((130, 3), (0,)),
    ((3, 130), (1,)),
    ((2, 300, 2), (1,)),
    ((150, 2, 140), (0, 2)),
    ((3, 5, 7), (0, 1, 2)),
    ((3, 0, 2), (1,)),
    ((3, 0, 2), (0, 1)),
]


@FLOATS
@pytest.mark.parametrize(("shape", "axes"), SHAPES_AND_AXES, ids=str)
def test_floats_are_added_in_the_stated_order(dtype, shape, axes):
    x = wide(dtype, shape)
    assert_same_bits(run_both("Sum", x, axes), stated_sum(x, axes))


@FLOATS
@pytest.mark.parametrize(("shape", "axes"), SHAPES_AND_AXES, ids=str)
def test_a_mean_is_the_sum_divided_by_the_number_of_elements(dtype, shape, axes):
    x = wide(dtype, shape)
    count = math.prod(shape[a] for a in axes)
    with np.errstate(invalid="ignore"):
        assert_same_bits(run_both("Mean", x, axes), stated_sum(x, axes) / dtype.numpy.type(count))


def test_the_order_does_not_depend_on_how_axes_and_result_are_written():
    x = wide(DType.F32, (3, 200, 5))
    whole = run_both("Sum", x, ())
    assert_same_bits(run_both("Sum", x, (2, 0, 1)), whole)
    assert_same_bits(run_both("Sum", x, (-3, -1, -2), keepdims=True).reshape(()), whole)
    assert_same_bits(run_both("Sum", x, (1,), keepdims=True)[:, 0, :], run_both("Sum", x, (-2,)))


def test_the_data_tells_orders_apart():
    x = wide(DType.F32, (1000,))
    others = [np.sum(x), np.add.accumulate(x)[-1], stated_sum(x[::-1], (0,))]
    assert all(other != stated_sum(x, (0,)) for other in others)


def test_a_sum_starts_at_positive_zero():
    x = np.float32([-0.0, -0.0])
    assert_same_bits(run_both("Sum", x, (0,)), np.float32(0.0))
    assert_same_bits(run_both("Sum", x[:0], (0,)), np.float32(0.0))


def test_a_mean_over_nothing_is_nan():
    assert np.isnan(run_both("Mean", np.zeros((0, 3), np.float32), (0,))).all()


@pytest.mark.parametrize(
    "x",
    [
        np.full(10**6, np.float32(1 / 255)),
        np.random.default_rng(1).random(10**6).astype(np.float32),
        np.float32(1) / np.arange(1, 10**6 + 1, dtype=np.float32),
    ],
    ids=["equal", "random", "harmonic"],
)
def test_a_million_f32_add_up_to_six_digits(x):
    exact = math.fsum(x.tolist())
    assert abs(float(run_both("Sum", x, ())) - exact) <= 1e-6 * exact
    assert abs(float(run_both("Mean", x, ())) - exact / 1e6) <= 1e-6 * exact / 1e6


@INTEGERS
@pytest.mark.parametrize(("shape", "axes"), SHAPES_AND_AXES, ids=str)
def test_integer_sums_wrap(dtype, shape, axes):
    bits = 8 * dtype.width
    x = np.random.default_rng(2).integers(-(2 ** (bits - 1)), 2 ** (bits - 1), shape).astype(dtype.numpy)
    exact = x.astype(object).sum(axis=axes)
    wrapped = (exact + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)
    assert_same_bits(run_both("Sum", x, axes), np.array(wrapped).astype(dtype.numpy))


def test_the_bits_are_the_same_on_every_run_and_at_every_address():
    room = np.zeros(2100, np.float32)
    x = wide(DType.F32, (2000,))
    m = alone(OPS["Sum"]((), False), (TensorType.of_array(x),))
    exe = mind.compile(m, numerics="strict")
    (expected,) = exe(x)
    for offset in range(17):
        room[offset : offset + 2000] = x
        assert_same_bits(exe(room[offset : offset + 2000])[0], expected)


@pytest.mark.parametrize("opcode", ["Sum", "Mean"])
@pytest.mark.parametrize(("shape", "axes"), [((4, 300), (1,)), ((0, 3), (0,)), ((300, 0), (0,)), ((2, 3), ())], ids=str)
def test_results_overwrite_whatever_stood_there(opcode, shape, axes):
    m = alone(OPS[opcode](axes, False), (TensorType(DType.F32, shape),))
    x = wide(DType.F32, shape)
    for garbage in (poisoned(m.output_types[0]), np.full(m.output_types[0].shape, np.nan, np.float32)):
        mind.compile(m, numerics="strict")(x, out=garbage)
        assert_same_bits(garbage, mind.interpret(m, x)[0])
