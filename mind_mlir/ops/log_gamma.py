"""Logarithm of the gamma function. Not in the specification; docs/semantics.md, Gamma functions.

With x = n + t, 0 <= t < 1, it is ln Γ(1 + t) = t·(t - 1)·q(t - 1/2), which has its two zeros, plus the logarithm of
(x - 1)·(x - 2)·…·(1 + t), or for x < 1 less that of x. From 8 on it is Stirling's series. What is larger than an ulp is
held in two parts. Below 0 it is ln(π / |sin πx|) - ln Γ(1 - x).
"""

import math

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import LOG_GAMMA_ABOVE_F64, LOG_GAMMA_F64
from ._formula import Formula
from ._gamma_function import (
    PI,
    from_integer,
    is_pole,
    logarithm_pair,
    mirrored,
    sine_of_turns,
    sum_of_pairs,
    times_polynomial,
)
from ._logarithm import logarithm
from ._pairs import head, product, quick_sum

FAR = 8
CONSTANT = 0.41893853320467274178  # (ln 2π - 1) / 2
LOW = 32
"""The bits that the first part of a factor does not have."""


@op
class LogGamma(Formula):
    """`ln |Γ(input)|`. inf at 0, -1, -2, … and at ±inf; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS)
    peer = "jax.lax.lgamma"
    apart = True
    python_function = PythonFunction(
        "log_gamma",
        """The logarithm of |Γ(x)|, the gamma function: inf at 0, -1, -2, …

        >>> mind.log_gamma(np.float32([0.5, 1, 5]))
        array([0.5723649, 0.       , 3.1780539], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        infinity = w.number(math.inf)
        y = _of_positive(w, mirrored(w, x))
        below = w.sub(w.negative(logarithm(w, w.div(sine_of_turns(w, from_integer(w, x)), w.number(PI)))), y)
        y = w.select(w.less(x, w.number(0.0)), below, y)
        y = w.select(w.either(is_pole(w, x), w.equal(x, infinity)), infinity, y)
        return s.from_f64(w.select(w.unordered(x, x), x, y))

    def jvp(self, b, primals, tangents, result):
        # y = ln |Γ(x)|  ->  ẏ = ẋ ⊙ ψ(x)
        return tangents[0] * b.Digamma(primals[0])

    def smooth_at(self, input):
        return bool((input > 0.4).all())


def _of_positive(w, x):
    is_far = w.less(w.number(FAR), x)
    log, low = logarithm_pair(w, w.select(is_far, x, _argument(w, x)))
    return w.select(is_far, _far(w, x, log, low), _near(w, x, log, low))


def _argument(w, x):
    """What the logarithm is of: x below 1, 1 below 2, then x - 1, (x - 1)·(x - 2), …"""
    one, found = w.number(1.0), w.select(w.less(x, w.number(1.0)), x, w.number(1.0))
    for k in range(1, FAR):
        less = w.sub(x, w.number(k))
        found = w.mul(found, w.select(w.less(less, one), one, less))
    return found


def _near(w, x, log, low):
    x = w.clamped(x, 0.0, float(FAR))
    t = w.sub(x, w.floor(x))
    square, square_low = product(w, t, t)
    u, u_low = quick_sum(w, w.negative(t), square)
    centred = w.sub(t, w.number(0.5))
    y, y_low = times_polynomial(w, u, w.add(u_low, square_low), centred, LOG_GAMMA_F64)
    is_below = w.less(x, w.number(1.0))
    log, low = w.select(is_below, w.negative(log), log), w.select(is_below, w.negative(low), low)
    return sum_of_pairs(w, log, low, y, y_low)


def _far(w, x, log, low):
    """(x - 1/2)·(ln x - 1) + (ln 2π - 1)/2 + p(1/x²)/x, where most of the product is exact."""
    v = w.div(w.number(1.0), x)
    rest = w.add(w.number(CONSTANT), w.mul(v, w.polynomial(w.mul(v, v), LOG_GAMMA_ABOVE_F64)))
    log, x = w.sub(log, w.number(1.0)), w.sub(x, w.number(0.5))
    log_head, x_head = head(w, log, LOW), head(w, x, LOW)
    low = w.add(w.sub(log, log_head), low)
    low = w.add(w.mul(w.sub(x, x_head), log_head), w.mul(x, low))
    return w.add(w.mul(x_head, log_head), w.add(low, rest))
