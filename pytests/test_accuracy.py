"""Functions that are defined by formulas against arithmetic of higher precision.  docs/numerics.md.

f64 is compared with mpmath, and f32 with `evaluate` in f64, whose error that settles: 2^-28 of the bound.
"""

import functools

import mpmath
import numpy as np
import pytest
from support import alone, assert_same_bits

import mind_mlir as mind
from mind_mlir import DType, TensorType
from mind_mlir.ir import OPS

INF, NAN = float("inf"), float("nan")

EXACT = {
    "Sqrt": mpmath.sqrt,
    "Rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "Cbrt": lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)),
    "Expm1": mpmath.expm1,
    "Log1p": mpmath.log1p,
    "Log2": lambda x: mpmath.log(x) / mpmath.ln2,
    "Log10": lambda x: mpmath.log(x) / mpmath.ln10,
    "Logistic": lambda x: 1 / (1 + mpmath.exp(-x)),
    "Sinh": mpmath.sinh,
    "Cosh": mpmath.cosh,
    "Tanh": mpmath.tanh,
    "Asinh": mpmath.asinh,
    "Acosh": mpmath.acosh,
    "Atanh": mpmath.atanh,
    "Sin": mpmath.sin,
    "Cos": mpmath.cos,
    "Tan": mpmath.tan,
    "Asin": mpmath.asin,
    "Acos": mpmath.acos,
    "Atan": mpmath.atan,
    "Erf": mpmath.erf,
    "Erfc": lambda x: mpmath.erfc(max(-60, min(x, 60))),
    "ErfInv": mpmath.erfinv,
}
"""Opcode -> the function. Exp and Log have tests of their own."""

SPECIAL = {
    "Sqrt": [(0.0, 0.0), (-0.0, -0.0), (4.0, 2.0), (-1.0, NAN), (INF, INF), (-INF, NAN)],
    "Rsqrt": [(0.0, INF), (-0.0, -INF), (4.0, 0.5), (-1.0, NAN), (INF, 0.0), (-INF, NAN)],
    "Cbrt": [(0.0, 0.0), (-0.0, -0.0), (27.0, 3.0), (-8.0, -2.0), (INF, INF), (-INF, -INF)],
    "Expm1": [(0.0, 0.0), (-0.0, -0.0), (1000.0, INF), (-1000.0, -1.0), (INF, INF), (-INF, -1.0)],
    "Log1p": [(0.0, 0.0), (-0.0, -0.0), (-1.0, -INF), (-1.5, NAN), (INF, INF), (-INF, NAN)],
    "Log2": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF), (-INF, NAN)],
    "Log10": [(0.0, -INF), (-0.0, -INF), (1.0, 0.0), (-1.0, NAN), (INF, INF), (-INF, NAN)],
    "Logistic": [(0.0, 0.5), (-0.0, 0.5), (1000.0, 1.0), (-1000.0, 0.0), (INF, 1.0), (-INF, 0.0)],
    "Sinh": [(0.0, 0.0), (-0.0, -0.0), (1000.0, INF), (-1000.0, -INF), (INF, INF), (-INF, -INF)],
    "Cosh": [(0.0, 1.0), (-0.0, 1.0), (1000.0, INF), (-1000.0, INF), (INF, INF), (-INF, INF)],
    "Tanh": [(0.0, 0.0), (-0.0, -0.0), (1000.0, 1.0), (-1000.0, -1.0), (INF, 1.0), (-INF, -1.0)],
    "Asinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF)],
    "Acosh": [(1.0, 0.0), (0.5, NAN), (-1.0, NAN), (INF, INF), (-INF, NAN)],
    "Atanh": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN), (-INF, NAN)],
    "Sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "Cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN)],
    "Tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
    "Asin": [(0.0, 0.0), (-0.0, -0.0), (1.5, NAN), (-1.5, NAN), (INF, NAN)],
    "Acos": [(1.0, 0.0), (1.5, NAN), (-1.5, NAN), (INF, NAN)],
    "Atan": [(0.0, 0.0), (-0.0, -0.0)],
    "Erf": [(0.0, 0.0), (-0.0, -0.0), (10.0, 1.0), (-10.0, -1.0), (INF, 1.0), (-INF, -1.0)],
    "Erfc": [(0.0, 1.0), (-0.0, 1.0), (30.0, 0.0), (-10.0, 2.0), (INF, 0.0), (-INF, 2.0)],
    "ErfInv": [(0.0, 0.0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN)],
    "Floor": [(-0.0, -0.0), (0.5, 0.0), (-0.5, -1.0), (1e30, 1e30), (INF, INF), (-INF, -INF)],
    "Ceil": [(-0.0, -0.0), (0.5, 1.0), (-0.5, -0.0), (1e30, 1e30), (INF, INF), (-INF, -INF)],
    "Round": [
        (-0.0, -0.0),
        (0.5, 0.0),
        (1.5, 2.0),
        (2.5, 2.0),
        (-0.5, -0.0),
        (-2.5, -2.0),
        (1e30, 1e30),
        (INF, INF),
        (-INF, -INF),
    ],
    "Abs": [(-0.0, 0.0), (-1.5, 1.5), (INF, INF), (-INF, INF)],
    "Sign": [(0.0, 0.0), (-0.0, -0.0), (1e-30, 1.0), (-2.0, -1.0), (INF, 1.0), (-INF, -1.0)],
}
"""Opcode -> arguments and values, in every mode and dtype; NaN gives NaN besides."""

TINY = float(np.finfo(np.float32).smallest_subnormal)
SMALL_IS_ITSELF = ["Expm1", "Log1p", "Sinh", "Tanh", "Asinh", "Atanh", "Sin", "Tan", "Asin", "Atan"]
"""Functions with f(x) = x for the smallest x."""

EDGES = (0.35, 0.5, 0.55, 0.69, 0.75, 1.0, 1.04, 1.5, 2.0, 9.0, 18.0, 22.0, 40.0, 88.0, 104.0, 700.0, 709.5, 745.0)
"""Where formulas change course, about."""

every_function = pytest.mark.parametrize("opcode", EXACT)
every_dtype = pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)


@functools.cache
def executable(opcode, dtype, n, numerics):
    return mind.compile(alone(OPS[opcode](), (TensorType(dtype, (n,)),)), numerics=numerics)


def evaluated(opcode, x):
    with np.errstate(all="ignore"):
        return OPS[opcode]().evaluate(x)


def apply(way, opcode, x):
    """By the interpreter, or by native code in that numerics mode."""
    if way == "interpret":
        return evaluated(opcode, x)
    return executable(opcode, TensorType.of_array(x).dtype, x.size, way)(x)[0]


@functools.cache
def numbers(dtype, n):
    """About n numbers of both signs: of any bits, beside 0 and 1, and around the edges."""
    rng = np.random.default_rng(7)
    bits = np.uint32 if dtype is DType.F32 else np.uint64
    anything = rng.integers(0, np.iinfo(bits).max, n // 4, bits, endpoint=True).view(dtype.numpy)
    near = [rng.uniform(0, 1.6, n // 4), 1 + rng.standard_normal(n // 8) * 0.05, rng.uniform(0, 25, n // 8)]
    at_edges = np.multiply.outer(EDGES, 1 + rng.standard_normal(n // 8 // len(EDGES)) * 1e-3).ravel()
    tiny = np.exp2(rng.uniform(-60, 0, n // 8))
    positive = np.concatenate([*near, at_edges, tiny]).astype(dtype.numpy)
    x = np.concatenate([anything, positive, -positive])
    return x[np.isfinite(x)]


def error_in_ulp(y, exact):
    """The largest distance of finite results from exact ones, which are finite f64 or mpmath's."""
    largest = 0.0
    for a, b in zip(y.tolist(), exact, strict=True):
        unit = float(np.spacing(np.abs(y.dtype.type(float(b)))))
        largest = max(largest, abs(float((b - a) / unit)))
    return largest


def value(opcode, x):
    """mpmath's value; None where it is no real number."""
    try:
        found = EXACT[opcode](mpmath.mpf(x))
    except (ValueError, ZeroDivisionError):
        return None
    return found if isinstance(found, mpmath.mpf) and mpmath.isfinite(found) else None


@functools.cache
def values_at_numbers(opcode):
    """mpmath's values at numbers of f64, which take longer than the ways that are compared with them."""
    with mpmath.workprec(140):
        return [value(opcode, v) for v in numbers(DType.F64, 2000).tolist()]


@every_function
@pytest.mark.parametrize("way", ["interpret", "default"])
def test_f64_is_at_most_two_ulp_off(way, opcode):
    y = apply(way, opcode, numbers(DType.F64, 2000))
    exact = values_at_numbers(opcode)
    with mpmath.workprec(140):
        real = [n for n, v in enumerate(exact) if v is not None]
        assert np.isnan(np.delete(y, real)).all(), "no real number"
        most = mpmath.mpf(np.finfo(np.float64).max)
        finite = [n for n in real if abs(exact[n]) < most]
        assert np.isinf(y[[n for n in real if abs(exact[n]) > most * (1 + mpmath.mpf(2) ** -53)]]).all()
        assert len(finite) > 300
        assert error_in_ulp(y[finite], [exact[n] for n in finite]) <= 2


@functools.cache
def wide_values_at_numbers(opcode):
    """What `evaluate` gives in f64 at numbers of f32."""
    return evaluated(opcode, numbers(DType.F32, 200_000).astype(np.float64))


@every_function
@pytest.mark.parametrize("way", ["interpret", "default"])
def test_f32_is_at_most_one_ulp_off(way, opcode):
    y, exact = apply(way, opcode, numbers(DType.F32, 200_000)), wide_values_at_numbers(opcode)
    assert (np.isnan(y) == np.isnan(exact)).all()
    with np.errstate(over="ignore"):
        rounded = exact.astype(np.float32)
    finite = np.isfinite(rounded)
    assert_same_bits(y[np.isinf(rounded)], rounded[np.isinf(rounded)])
    assert finite.sum() > 30_000
    assert (np.abs(y[finite] - exact[finite]) / np.spacing(np.abs(rounded[finite]))).max() <= 1


@every_dtype
@pytest.mark.parametrize("way", ["interpret", "strict", "default", "fast"])
@pytest.mark.parametrize("opcode", SPECIAL)
def test_special_values_are_exact(opcode, way, dtype):
    x, expected = np.array([*SPECIAL[opcode], (NAN, NAN)], dtype.numpy).T
    x, expected = np.tile(x, 5), np.tile(expected, 5)  # each at several positions of a vector
    y = apply(way, opcode, x)
    assert_same_bits(np.where(np.isnan(y), dtype.numpy.type(NAN), y), expected)


@every_dtype
@pytest.mark.parametrize("way", ["interpret", "default"])
@pytest.mark.parametrize("opcode", SMALL_IS_ITSELF)
def test_the_smallest_numbers_keep_all_their_digits(opcode, way, dtype):
    x = np.array([TINY, 3 * TINY, 1e-38, 1e-20], dtype.numpy)
    x = np.concatenate([x, -x])
    assert_same_bits(apply(way, opcode, x), x)


@every_dtype
@pytest.mark.parametrize("way", ["interpret", "default"])
def test_logarithms_of_powers_are_whole(way, dtype):
    low, high = (-149, 128) if dtype is DType.F32 else (-1074, 1024)
    n = np.arange(low, high)
    assert_same_bits(apply(way, "Log2", np.exp2(n.astype(np.float64)).astype(dtype.numpy)), n.astype(dtype.numpy))
    n = np.arange(11 if dtype is DType.F32 else 23)
    powers = np.array([10.0**k for k in n.tolist()], dtype.numpy)
    assert_same_bits(apply(way, "Log10", powers), n.astype(dtype.numpy))


GRADIENTS = {
    "Logistic": {0.0: 0.25, -100.0: float(np.exp(-100)), 1000.0: 0.0, -1000.0: 0.0},
    "Tanh": {0.0: 1.0, 1000.0: 0.0, -1000.0: 0.0},
    "Log1p": {0.0: 1.0, -1.0: INF, 1e300: 1e-300},
    "Expm1": {0.0: 1.0, -100.0: float(np.exp(-100)), -1000.0: 0.0},
    "Sqrt": {0.0: INF, 4.0: 0.25},
    "Rsqrt": {4.0: -1 / 16},
    "Cbrt": {0.0: INF, 8.0: 1 / 12},
    "Abs": {0.0: 0.0, -3.0: -1.0, 3.0: 1.0},
    "Sign": {0.0: 0.0, 2.0: 0.0},
    "Floor": {0.0: 0.0, 2.5: 0.0},
    "Round": {0.5: 0.0},
    "Sinh": {0.0: 1.0},
    "Cosh": {0.0: 0.0},
    "Asinh": {0.0: 1.0, 1e200: 1e-200},
    "Acosh": {1.0: INF, 1e200: 1e-200},
    "Atanh": {0.0: 1.0, 1.0: INF},
    "Log2": {2.0: 1 / (2 * float(np.log(2)))},
    "Sin": {0.0: 1.0},
    "Cos": {0.0: 0.0},
    "Tan": {0.0: 1.0},
    "Asin": {0.0: 1.0, 1.0: INF},
    "Acos": {0.0: -1.0, -1.0: -INF},
    "Atan": {0.0: 1.0, 1e200: 0.0},
    "Erf": {0.0: 2 / float(np.sqrt(np.pi)), 40.0: 0.0},
    "Erfc": {0.0: -2 / float(np.sqrt(np.pi)), -40.0: 0.0},
    "ErfInv": {0.0: float(np.sqrt(np.pi)) / 2, 1.0: INF},
    "Log10": {10.0: 1 / (10 * float(np.log(10)))},
}


@pytest.mark.parametrize("opcode", GRADIENTS)
def test_derivatives_at_edges_and_far_out_are_numbers(opcode):
    function = getattr(mind, OPS[opcode].mnemonic)
    for x, expected in GRADIENTS[opcode].items():
        found = float(mind.grad(function)(np.float64(x)))
        assert found == pytest.approx(expected, rel=1e-13, abs=0), x


@pytest.mark.parametrize("dtype", [DType.I32, DType.I64], ids=str)
def test_integers_have_a_magnitude_and_a_sign(dtype):
    smallest = np.iinfo(dtype.numpy).min
    x = np.array([smallest, -3, 0, 7], dtype.numpy)
    for way in ("interpret", "default"):
        assert_same_bits(apply(way, "Abs", x), np.array([smallest, 3, 0, 7], dtype.numpy))
        assert_same_bits(apply(way, "Sign", x), np.array([-1, -1, 0, 1], dtype.numpy))
