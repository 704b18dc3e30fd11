"""Digamma function, the derivative of ln Γ. Not in the specification; docs/semantics.md, Gamma functions.

ψ(1 + t) = (t - t0)·q(t - 1/2) for t up to 1, with the zero 1 + t0; below 1, ψ(x) = ψ(1 + x) - 1/x. From 2 on it is
ln x - 1/2x - z·p(z), z = 1/x². What is larger than an ulp is held in two parts. Below 0 it is ψ(1 - x) - π / tan πx.
"""

import math

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import DIGAMMA_ABOVE_F64, DIGAMMA_F64
from ._formula import Formula
from ._gamma_function import (
    PI,
    cotangent_of_turns,
    from_integer,
    is_pole,
    logarithm_pair,
    mirrored,
    sum_of_pairs,
    times_polynomial,
)
from ._pairs import error_of_sum, product

ZERO, ZERO_LOW = 0.46163214496836236, -1.5522348162858677e-17
TINY = 2.0**-500  # up to ±TINY the function is -1/x


@op
class Digamma(Formula):
    """`ψ(input)`, the derivative of the logarithm of the gamma function. NaN at 0, -1, -2, …, -inf and NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS)
    peer = "jax.lax.digamma"
    apart = True
    python_function = PythonFunction(
        "digamma",
        """The derivative of log_gamma(x): NaN at 0, -1, -2, …

        >>> mind.digamma(np.float32([0.5, 1, 5]))
        array([-1.96351  , -0.5772157,  1.5061177], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        infinity = w.number(math.inf)
        y = _of_positive(w, mirrored(w, x))
        below = w.sub(y, w.mul(w.number(PI), cotangent_of_turns(w, from_integer(w, x))))
        below = w.select(w.less(w.number(-TINY), x), w.div(w.number(-1.0), x), below)
        y = w.select(w.less(x, w.number(0.0)), below, y)
        y = w.select(is_pole(w, x), w.number(math.nan), w.select(w.equal(x, infinity), infinity, y))
        return s.from_f64(w.select(w.unordered(x, x), x, y))

    def jvp(self, b, primals, tangents, result):
        # y = ψ(x)  ->  ẏ = ẋ ⊙ ψ'(x)
        return tangents[0] * b.Polygamma(primals[0], 1)

    def smooth_at(self, input):
        return bool((input > 0.4).all())


def _of_positive(w, x):
    v = w.div(w.number(1.0), x)
    return w.select(w.less(x, w.number(2.0)), _near(w, x, v), _far(w, x, v))


def _near(w, x, v):
    one, zero = w.number(1.0), w.number(0.0)
    is_below = w.less(x, one)
    t = w.clamped(w.select(is_below, x, w.sub(x, one)), 0.0, 1.0)
    g = w.sub(t, w.number(ZERO))
    g_low = w.sub(error_of_sum(w, t, w.number(-ZERO), g), w.number(ZERO_LOW))
    y, y_low = times_polynomial(w, g, g_low, w.sub(t, w.number(0.5)), DIGAMMA_F64)
    # 1/x = v + v·(1 - v·x)
    p, p_low = product(w, v, x)
    v_low = w.mul(v, w.sub(w.sub(one, p), p_low))
    v_low = w.select(w.less(x, w.number(TINY)), zero, v_low)
    v, v_low = w.select(is_below, v, zero), w.select(is_below, v_low, zero)
    y = sum_of_pairs(w, w.negative(v), w.negative(v_low), y, y_low)
    return w.select(w.less(x, w.number(TINY)), w.negative(v), y)


def _far(w, x, v):
    log, low = logarithm_pair(w, x)
    z = w.mul(v, v)
    rest = w.add(w.mul(w.number(0.5), v), w.mul(z, w.polynomial(z, DIGAMMA_ABOVE_F64)))
    return w.add(log, w.sub(low, rest))
