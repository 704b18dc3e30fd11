"""Pow, Atan2 and Remainder against arithmetic of higher precision and the rules of C.  docs/semantics.md, Pow."""

import functools
import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from support import alone, assert_same_bits

import mind_mlir as mind
from mind_mlir import DType, TensorType
from mind_mlir.ir import OPS

INF, NAN = float("inf"), float("nan")
WAYS = ("interpret", "strict", "default")

every_way = pytest.mark.parametrize("way", WAYS)
every_float = pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
every_integer = pytest.mark.parametrize("dtype", [d for d in DType if d.is_integer], ids=str)


@functools.cache
def executable(opcode, dtype, n, numerics):
    return mind.compile(alone(OPS[opcode](), (TensorType(dtype, (n,)),) * 2), numerics=numerics)


def apply(way, opcode, x, y):
    """By the interpreter, or by native code in that numerics mode."""
    if way == "interpret":
        with np.errstate(all="ignore"):
            return OPS[opcode]().evaluate(x, y)
    x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    return executable(opcode, TensorType.of_array(x).dtype, x.size, way)(x, y)[0]


def any_bits(dtype, n, seed):
    bits = np.uint32 if dtype is DType.F32 else np.uint64
    x = np.random.default_rng(seed).integers(0, np.iinfo(bits).max, n, bits, endpoint=True).view(dtype.numpy)
    return np.where(np.isfinite(x), x, dtype.numpy.type(1.5))


def powers(dtype):
    """Bases of every exponent and beside 1, and exponents over which the result runs from subnormals to inf."""
    rng = np.random.default_rng(3)
    n, (low, high) = 400, (-149, 128) if dtype is DType.F32 else (-1074, 1024)
    wide = np.exp2(rng.uniform(low, high, n))
    beside = 1 + rng.uniform(-1, 1, n) * np.exp2(rng.uniform(-20, -2, n))
    whole = rng.uniform(-10, 10, n)
    x = np.concatenate([wide, beside, whole]).astype(dtype.numpy)
    with np.errstate(divide="ignore"):
        limits = rng.uniform(low, high, 2 * n) / np.log2(x[: 2 * n].astype(np.float64))
    with np.errstate(over="ignore"):
        y = np.concatenate([limits, rng.integers(-20, 20, n)]).astype(dtype.numpy)
    usable = (x != 1) & (x != 0) & np.isfinite(y)
    return x[usable], y[usable]


def largest_error(y, exact):
    """In ulp; infinite results have to be those of numbers beyond the largest."""
    largest, most = 0.0, float(np.finfo(y.dtype).max)
    for a, b in zip(y.tolist(), exact, strict=True):
        if abs(b) >= most:
            assert a == math.copysign(INF, b) or abs(a) == most
            continue
        unit = float(np.spacing(np.abs(y.dtype.type(float(b)))))
        largest = max(largest, abs(float((b - a) / unit)))
    return largest


@every_float
@every_way
def test_powers_are_within_the_bound(way, dtype):
    x, y = powers(dtype)
    with mpmath.workprec(200):
        exact = [mpmath.power(mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(x.tolist(), y.tolist())]
        assert largest_error(apply(way, "Pow", x, y), exact) <= (1 if dtype is DType.F32 else 2)


@every_float
@every_way
def test_angles_are_within_the_bound(way, dtype):
    rng = np.random.default_rng(4)
    y = np.concatenate([rng.uniform(-5, 5, 500).astype(dtype.numpy), any_bits(dtype, 300, 5)])
    x = np.concatenate([rng.uniform(-5, 5, 500).astype(dtype.numpy), any_bits(dtype, 300, 6)])
    with mpmath.workprec(200):
        exact = [mpmath.atan2(mpmath.mpf(a), mpmath.mpf(b)) for a, b in zip(y.tolist(), x.tolist())]
        assert largest_error(apply(way, "Atan2", y, x), exact) <= (1 if dtype is DType.F32 else 2)


VALUES = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 3.0, -3.0, 2.0**23 - 1, 2.0**24, INF, -INF, NAN)


def pairs(dtype):
    return np.array(list(itertools.product(VALUES, VALUES)), dtype.numpy).T


def power_of_c(x, y):
    """C, Annex F, pow; math.pow refuses poles and numbers that are not real."""
    is_odd = math.isfinite(y) and y % 2 == 1
    if x == 0 and y < 0:
        return math.copysign(INF, x) if is_odd else INF
    try:
        return math.pow(x, y)
    except ValueError:
        return NAN
    except OverflowError:
        return -INF if x < 0 and is_odd else INF


@every_float
@every_way
def test_powers_have_the_special_values_of_c(way, dtype):
    x, y = pairs(dtype)
    with np.errstate(over="ignore", under="ignore"):
        expected = np.array([power_of_c(a, b) for a, b in zip(x.tolist(), y.tolist())]).astype(dtype.numpy)
    found = apply(way, "Pow", x, y)
    exact = np.isnan(expected) | np.isinf(expected) | (expected == 0) | (np.abs(expected) == 1)
    assert_same_bits(np.where(np.isnan(found), dtype.numpy.type(NAN), found)[exact], expected[exact])
    assert (np.sign(found) == np.sign(expected))[~exact].all()


@every_float
@every_way
def test_angles_have_the_special_values_of_c(way, dtype):
    y, x = pairs(dtype)
    expected = np.array([math.atan2(a, b) for a, b in zip(y.tolist(), x.tolist())])
    found = apply(way, "Atan2", y, x)
    assert (np.isnan(found) == np.isnan(expected)).all()
    known = ~np.isnan(expected)
    assert (np.signbit(found) == np.signbit(expected))[known].all()
    assert np.abs(found - expected)[known].max() <= 4 * np.finfo(dtype.numpy).eps


def remainder_of_python(x, y):
    """Python's x % y with the values of floats that Python refuses."""
    if not math.isfinite(x) or y == 0 or math.isnan(y):
        return NAN
    if math.isinf(y):
        return x if x == 0 or (x < 0) == (y < 0) else y
    left = Fraction(x) % Fraction(y)
    return float(left) if left else math.copysign(0.0, y)


@every_float
@every_way
def test_remainders_are_those_of_python(way, dtype):
    rng = np.random.default_rng(8)
    x, y = pairs(dtype)
    x = np.concatenate([x, any_bits(dtype, 3000, 9), rng.uniform(-100, 100, 300).astype(dtype.numpy)])
    y = np.concatenate([y, any_bits(dtype, 3000, 10), rng.integers(-9, 9, 300).astype(dtype.numpy)])
    x[x == 0] = 0.0  # the sign of 0 is that of y
    expected = np.array([remainder_of_python(a, b) for a, b in zip(x.tolist(), y.tolist())])
    expected = np.where(expected == 0, np.copysign(0.0, y.astype(np.float64)), expected)
    found = apply(way, "Remainder", x, y)
    assert_same_bits(np.where(np.isnan(found), dtype.numpy.type(NAN), found), expected.astype(dtype.numpy))


@every_integer
@every_way
def test_integers_have_the_remainders_of_python_and_0_modulo_0(way, dtype):
    limits = np.iinfo(dtype.numpy)
    values = [limits.min, limits.min + 1, *([-7, -3, -1] if limits.min else [3, 5, 11]), 0, 1, 2, 7, limits.max]
    x, y = (np.array(v, dtype.numpy) for v in zip(*itertools.product(values, values)))
    expected = np.array([a % b if b else 0 for a, b in zip(x.tolist(), y.tolist())], dtype.numpy)
    assert_same_bits(apply(way, "Remainder", x, y), expected)


def test_derivatives_of_powers_at_zero_are_numbers():
    by_base, by_exponent = mind.grad(mind.pow, 0), mind.grad(mind.pow, 1)
    assert float(by_base(np.float64(0), np.float64(0))) == 0
    assert float(by_base(np.float64(0), np.float64(1))) == 1
    assert float(by_base(np.float64(0), np.float64(2))) == 0
    assert float(by_base(np.float64(-2), np.float64(3))) == 12
    assert float(by_exponent(np.float64(0), np.float64(2))) == 0
    assert float(by_exponent(np.float64(1), np.float64(5))) == 0


def test_a_remainder_falls_with_whole_divisors():
    assert float(mind.grad(mind.remainder, 0)(np.float64(7), np.float64(2))) == 1
    assert float(mind.grad(mind.remainder, 1)(np.float64(7), np.float64(2))) == -3
    assert float(mind.grad(mind.remainder, 1)(np.float64(-7), np.float64(2))) == 4
