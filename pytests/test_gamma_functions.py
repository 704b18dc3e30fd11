"""LogGamma, Digamma and Polygamma against arithmetic of higher precision.  docs/semantics.md, Gamma functions.

f64 is compared with mpmath, and f32 with `evaluate` in f64, whose error that settles.
"""

import functools
import itertools

import mpmath
import numpy as np
import pytest
from support import alone, assert_same_bits

import mind_mlir as mind
from mind_mlir import DType, MindError, TensorType
from mind_mlir.ir import OPS

INF, NAN = float("inf"), float("nan")
ZERO = 1.4616321449683623
"""Of the digamma function; those of ln Γ are 1 and 2."""

ORDERS = (1, 2, 3, 10, 100)
OPS_HERE = (OPS["LogGamma"](), OPS["Digamma"](), *map(OPS["Polygamma"], ORDERS))

every_op = pytest.mark.parametrize("op", OPS_HERE, ids=lambda op: f"{op.opcode}{getattr(op, 'order', '')}")
every_float = pytest.mark.parametrize("dtype", [DType.F32, DType.F64], ids=str)
in_both_ways = pytest.mark.parametrize("way", ["interpret", "default"])


@functools.cache
def executable(op, dtype, n, numerics):
    return mind.compile(alone(op, (TensorType(dtype, (n,)),)), numerics=numerics)


def apply(way, op, x):
    """By the interpreter, or by native code in that numerics mode."""
    if way == "interpret":
        with np.errstate(all="ignore"):
            return op.evaluate(x)
    return executable(op, TensorType.of_array(x).dtype, x.size, way)(x)[0]


def zeta(s, x):
    """Hurwitz' zeta function of an integer: mpmath's own loses digits for large x."""
    count = max(0, int(50 + s - x))
    total = mpmath.fsum((x + k) ** -s for k in range(count))
    a = x + count
    total += a ** (1 - s) / (s - 1) + a**-s / 2
    for j, b in enumerate(bernoulli(), 1):
        total += b * mpmath.rf(s, 2 * j - 1) * a ** (1 - s - 2 * j)
    return total


@functools.cache
def bernoulli():
    """B_2j / (2j)!, for j from 1 on."""
    return [mpmath.bernoulli(2 * j) / mpmath.factorial(2 * j) for j in range(1, 24)]


def terms(op, x):
    """Numbers whose sum is the value at x, a number of mpmath: one above 0, and two or more below."""
    if op.opcode == "LogGamma":
        if x > 0:
            return [mpmath.loggamma(x)]
        return [-mpmath.log(abs(mpmath.sinpi(x)) / mpmath.pi), -mpmath.loggamma(1 - x)]
    if op.opcode == "Digamma":
        return [mpmath.digamma(x)] if x > 0 else [mpmath.digamma(1 - x), -mpmath.pi * mpmath.cospi(x) / mpmath.sinpi(x)]
    n = op.order
    factor = (-1) ** (n + 1) * mpmath.factorial(n)
    if x > 0:
        return [factor * zeta(n + 1, x)]
    d, sign = x - mpmath.nint(x), (-1) ** (n + 1)
    parts = (d ** -(n + 1), zeta(n + 1, 1 + d), sign * zeta(n + 1, 1 - d), -sign * zeta(n + 1, 1 - x))
    return [factor * part for part in parts]


def positive(op, count):
    """Numbers from tiny to large ones, beside zeros, and where the methods change."""
    rng = np.random.default_rng(11)
    order = getattr(op, "order", 0)
    reach = 900 / (order + 1)  # so that powers are numbers
    parts = [rng.uniform(0, 3, count), rng.uniform(2, 30, count)]
    parts += [np.exp2(rng.uniform(-reach, 0, count)), np.exp2(rng.uniform(0, max(reach, 5), count))]
    parts += [order + rng.uniform(0, 20, count), order * rng.uniform(0, 2, count) + 0.1]
    for zero in (1, 2, ZERO):
        parts.append(zero + rng.standard_normal(count) * np.exp2(rng.uniform(-52, -4, count)))
    return np.abs(np.concatenate(parts))


def negative(count):
    """Numbers between the poles, beside them, and far from 0."""
    rng = np.random.default_rng(12)
    poles = np.round(rng.uniform(1, 20, count))
    beside = rng.choice([-1, 1], count) * np.exp2(rng.uniform(-40, -3, count))
    return -np.concatenate([rng.uniform(0, 3, count), rng.uniform(3, 30, count), poles + beside])


@functools.cache
def expected(op, x):
    """The sum of the terms at each of some numbers, and the magnitude of the largest one."""
    with mpmath.workprec(140):
        parts = [terms(op, mpmath.mpf(v)) for v in x]
        return [(mpmath.fsum(p), max(map(abs, p))) for p in parts]


@every_op
@in_both_ways
def test_f64_is_at_most_two_ulp_off_above_zero(way, op):
    x = positive(op, 25)
    y = apply(way, op, x)
    seen = 0
    for v, found, (exact, _) in zip(x.tolist(), y.tolist(), expected(op, tuple(x.tolist())), strict=True):
        if abs(exact) > np.finfo(np.float64).max or 0 < abs(exact) < np.finfo(np.float64).tiny:
            continue
        seen += 1
        assert abs(found - exact) <= 2 * float(np.spacing(abs(float(exact)))), (v, found, exact)
    assert seen > 120


@pytest.mark.parametrize("order", [171, 1000])
def test_factorials_beyond_the_largest_number_are_no_limit(order):
    x = order * np.linspace(0.5, 3, 20)
    y = apply("interpret", OPS["Polygamma"](order), x)
    with mpmath.workprec(160):
        for v, found in zip(x.tolist(), y.tolist(), strict=True):
            exact = terms(OPS["Polygamma"](order), mpmath.mpf(v))[0]
            assert abs(found - exact) <= 2 * np.spacing(abs(float(exact))), v


@every_op
@in_both_ways
def test_f64_below_zero_is_off_by_little_of_the_terms(way, op):
    x = negative(25)
    y = apply(way, op, x)
    seen = 0
    for v, found, (exact, largest) in zip(x.tolist(), y.tolist(), expected(op, tuple(x.tolist())), strict=True):
        if largest > np.finfo(np.float64).max:
            continue
        seen += 1
        assert abs(found - exact) <= max(1, largest) * mpmath.mpf(2) ** -50, (v, found)
    assert seen > 30


@every_op
@in_both_ways
def test_f32_is_at_most_one_ulp_off(way, op):
    rng = np.random.default_rng(13)
    bits = rng.integers(0, np.iinfo(np.uint32).max, 20_000, np.uint32, endpoint=True).view(np.float32)
    with np.errstate(over="ignore"):
        x = np.concatenate([bits, positive(op, 600).astype(np.float32), negative(2000).astype(np.float32)])
    x = x[np.isfinite(x)]
    y, exact = apply(way, op, x), apply("interpret", op, x.astype(np.float64))
    with np.errstate(over="ignore"):
        rounded = exact.astype(np.float32)
    assert (np.isnan(y) == np.isnan(exact)).all()
    finite = np.isfinite(rounded)
    assert_same_bits(y[np.isinf(rounded)], rounded[np.isinf(rounded)])
    assert finite.sum() > 5000
    assert (np.abs(y[finite] - exact[finite]) / np.spacing(np.abs(rounded[finite]))).max() <= 1


@pytest.mark.parametrize("opcode", ["LogGamma", "Digamma"])
def test_f32_beside_zeros_below_zero_has_its_digits(opcode):
    op, exact = OPS[opcode](), {"LogGamma": mpmath.loggamma, "Digamma": mpmath.digamma}[opcode]
    x = -np.linspace(0.001, 12, 120_000)
    y = apply("interpret", op, x)
    crossed = np.nonzero((np.sign(y[1:]) != np.sign(y[:-1])) & (np.abs(y[1:]) < 5) & (np.abs(y[:-1]) < 5))[0]
    assert crossed.size >= 8
    for n in crossed.tolist():
        low, high = x[n + 1], x[n]
        for _ in range(45):  # by halves
            middle = (low + high) / 2
            values = apply("interpret", op, np.array([low, middle]))
            low, high = (middle, high) if np.sign(values[0]) == np.sign(values[1]) else (low, middle)
        near = np.float32(low).view(np.int32) + np.arange(-4, 5, dtype=np.int32)
        near = near.view(np.float32)
        for v, found in zip(near.tolist(), apply("interpret", op, near).tolist(), strict=True):
            with mpmath.workprec(160):
                value = mpmath.re(exact(mpmath.mpf(v)))
            assert abs(found - value) <= float(np.spacing(np.float32(abs(float(value))))), v


POLES = (0.0, -0.0, -1.0, -2.0, -100.0, -1e30, -INF)
SPECIAL = {
    "LogGamma": [(1.0, 0.0), (2.0, 0.0), (INF, INF), *[(x, INF) for x in POLES]],
    "Digamma": [(INF, INF), *[(x, NAN) for x in POLES]],
    1: [(INF, 0.0), *[(x, INF) for x in POLES]],
    2: [(INF, -0.0), *[(x, NAN) for x in POLES]],
    501: [(INF, 0.0), (0.5, INF), (1e5, 0.0), *[(x, INF) for x in POLES]],
    1000: [(INF, -0.0), (0.5, -INF), *[(x, NAN) for x in POLES]],
}


@every_float
@pytest.mark.parametrize("way", ["interpret", "strict", "default", "fast"])
@pytest.mark.parametrize("which", SPECIAL)
def test_special_values_are_exact(which, way, dtype):
    op = OPS["Polygamma"](which) if isinstance(which, int) else OPS[which]()
    x, expected = np.array([*SPECIAL[which], (NAN, NAN)], dtype.numpy).T
    x, expected = np.tile(x, 5), np.tile(expected, 5)  # each at several positions of a vector
    y = apply(way, op, x)
    assert_same_bits(np.where(np.isnan(y), dtype.numpy.type(NAN), y), expected)


@pytest.mark.parametrize("way", ["interpret", "default"])
def test_the_smallest_numbers_have_values(way):
    x = np.array([5e-324, 1e-310, 1e-300])
    np.testing.assert_allclose(apply(way, OPS["LogGamma"](), x), -np.log(x), rtol=5e-16)
    np.testing.assert_allclose(apply(way, OPS["LogGamma"](), -x), -np.log(x), rtol=5e-16)
    np.testing.assert_allclose(apply(way, OPS["Digamma"](), x), [-INF, -INF, -1 / x[2]], rtol=5e-16)
    np.testing.assert_allclose(apply(way, OPS["Digamma"](), -x), [INF, INF, 1 / x[2]], rtol=5e-16)
    assert_same_bits(apply(way, OPS["Polygamma"](1), x), np.full(3, INF))
    assert_same_bits(apply(way, OPS["Polygamma"](2), -x), np.full(3, INF))


def test_each_derivative_is_the_next_function():
    x = np.array([0.3, 1.0, 4.5, -0.7, -3.2])
    chain = [mind.log_gamma, mind.digamma, *[functools.partial(mind.polygamma, n) for n in range(1, 5)]]
    for f, df in itertools.pairwise(chain):
        assert_same_bits(mind.grad(lambda x, f=f: mind.sum(f(x)))(x), df(x))


def test_an_order_is_a_known_integer_within_bounds():
    x = np.float32([1, 2])
    assert_same_bits(mind.polygamma(0, x), mind.digamma(x))
    for n, found in ((1.5, "found a float"), (x, "found a ndarray"), (-1, "found -1"), (1001, "found 1001")):
        with pytest.raises(MindError, match=rf"E4013.*{found}"):
            mind.polygamma(n, x)
    with pytest.raises(MindError, match=r"E4013.*is a traced value") as error:
        mind.jit(mind.polygamma)(2, x)
    assert "static_argnums" in str(error.value)
    assert_same_bits(mind.jit(mind.polygamma, static_argnums=0)(2, x), mind.polygamma(2, x))
