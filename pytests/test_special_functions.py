"""Functions that are made of others, against arithmetic of higher precision: exp2, logit, xlogy and the like.

docs/semantics.md, Functions made of others.
"""

import mpmath
import numpy as np
import pytest
from support import assert_same_bits

import mind_mlir as mind

INF, NAN = float("inf"), float("nan")
RNG = np.random.default_rng(21)
N = 300


def around(zero, count=N):
    return zero + RNG.choice([-1, 1], count) * np.exp2(RNG.uniform(-40, -2.1, count))


UNIT = np.concatenate([RNG.uniform(0, 1, N), around(0.5), np.exp2(RNG.uniform(-60, 0, N))])
PLUS = np.exp2(RNG.uniform(-60, 60, N))

CASES = {
    "exp2": (lambda x: mpmath.mpf(2) ** x, (RNG.uniform(-1020, 1020, N),), 1.0, 1),
    "logit": (lambda x: mpmath.log(x) - mpmath.log1p(-x), (UNIT,), 3.0, 2),
    "xlogy": (lambda x, y: x * mpmath.log(y), (RNG.standard_normal(2 * N), np.concatenate([PLUS, around(1)])), 2.0, 2),
    "xlog1py": (
        lambda x, y: x * mpmath.log1p(y),
        (RNG.standard_normal(2 * N), np.concatenate([PLUS, around(0)])),
        2,
        2,
    ),
    "entr": (lambda x: -x * mpmath.log(x), (np.concatenate([PLUS, around(1)]),), 2.0, 2),
    "multigammaln": (
        lambda a: (
            sum((mpmath.loggamma(a - i / 2) for i in range(1, 4)), mpmath.loggamma(a)) + 3 * mpmath.log(mpmath.pi)
        ),
        (RNG.uniform(2, 100, N),),
        3.0,
        3,
    ),
}
"""Name -> the function in mpmath, operands, and bounds in ulp of f64 and f32."""

FIXED = {"multigammaln": (4,)}
"""Name -> what comes after the operands."""


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", CASES)
def test_values_are_off_by_so_many_ulp(name, dtype):
    exact, operands, of_f64, of_f32 = CASES[name]
    operands = [(x / 8 if name == "exp2" else x).astype(dtype) for x in operands]
    y = getattr(mind, name)(*operands, *FIXED.get(name, ()))
    assert y.dtype == dtype
    largest = 0.0
    with mpmath.workprec(140):
        for found, *x in zip(y.tolist(), *(a.tolist() for a in operands), strict=True):
            value = exact(*map(mpmath.mpf, x))
            unit = float(np.spacing(np.abs(dtype(float(value)))))
            largest = max(largest, float(abs(found - value) / unit))
    assert largest <= (of_f64 if dtype is np.float64 else of_f32), largest


SPECIAL = {
    "exp2": [((0.0,), 1.0), ((-1.0,), 0.5), ((1024.0,), INF), ((-1080.0,), 0.0), ((INF,), INF), ((-INF,), 0.0)],
    "logit": [((0.0,), -INF), ((0.5,), 0.0), ((1.0,), INF), ((-0.5,), NAN), ((1.5,), NAN), ((NAN,), NAN)],
    "xlogy": [((0.0, 0.0), 0.0), ((0.0, -1.0), 0.0), ((0.0, NAN), NAN), ((1.0, 0.0), -INF), ((1.0, -1.0), NAN)],
    "xlog1py": [((0.0, -1.0), 0.0), ((0.0, -2.0), 0.0), ((0.0, NAN), NAN), ((1.0, -1.0), -INF), ((1.0, -2.0), NAN)],
    "entr": [((0.0,), 0.0), ((1.0,), 0.0), ((-1.0,), -INF), ((-INF,), -INF), ((NAN,), NAN), ((INF,), -INF)],
}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values_are_exact(name, dtype):
    for operands, value in SPECIAL[name]:
        with np.errstate(all="ignore"):
            found = getattr(mind, name)(*map(dtype, operands))
        assert_same_bits(found, dtype(value), f"{name}{operands}")


@pytest.mark.parametrize(
    ("f", "x", "expected"),
    [
        (mind.logit, 0.5, 4.0),
        (mind.logit, 0.25, 16 / 3),
        (mind.logit, 0.0, INF),
        (mind.entr, 1.0, -1.0),
        (mind.entr, 0.5, float(-np.log(0.5) - 1)),
        (mind.exp2, 0.0, float(np.log(2))),
        (lambda y: mind.xlog1py(2.0, y), 1.0, 1.0),
        (lambda y: mind.xlog1py(0.0, y), -1.0, 0.0),
        (lambda a: mind.multigammaln(a, 2), 3.0, float(mpmath.digamma(3) + mpmath.digamma(2.5))),
    ],
)
def test_derivatives_are_numbers(f, x, expected):
    assert float(mind.grad(f)(np.float64(x))) == pytest.approx(expected, rel=1e-13)


def test_no_dimensions_have_the_logarithm_of_one():
    assert_same_bits(mind.multigammaln(np.float32([3, 4]), 0), np.float32([0, 0]))
    assert_same_bits(mind.multigammaln(np.float32([3, 4]), 1), mind.log_gamma(np.float32([3, 4])))
