"""The logistic function, `1 / (1 + e^-x)`.

With t = e^-|x|, which does not overflow, it is q = t / (1 + t) below 0, and 1 / (1 + t) = 1 - q above. The quotient is
mended by what rounding has taken from 1 + t: q · c / (1 + t), where c is that error, exact.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._exponential import exponential, reduced
from ._formula import Formula


@op
class Logistic(Formula):
    """`1 / (1 + e^-input)`. 0 at -inf and 1 at inf; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, ulps=3)
    peer = "jax.nn.sigmoid"
    python_function = PythonFunction(
        "logistic",
        """The logistic function, `1 / (1 + exp(-x))`, also called sigmoid, without overflow.

        >>> mind.logistic(np.float32([-1000, 0, 2]))
        array([0.       , 0.5      , 0.8807971], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        one = w.number(1.0)
        t = exponential(w, w.negative(w.absolute(x)))
        u = w.add(one, t)
        y = w.div(w.select(w.less(x, w.number(0.0)), t, one), u)
        c = w.add(w.sub(one, u), t)
        return s.from_f64(w.sub(y, w.mul(y, w.div(c, u))))

    def fused_f32(self, s, input):
        one = s.number(1.0)
        n, r, small = reduced(s, s.clamped(s.negative(s.absolute(input)), -104.0, 0.0))
        p = s.add(r, small)
        high = s.add(one, p)
        low = s.add(s.sub(one, high), p)  # e^-|x| = 2^n · (high + low)
        # 2^n may be no normal number, but 2^(n + 64) is
        power, rest = s.power_of_two(n, 64), s.number(2.0**-64)
        factor = s.mul(power, rest)
        t = s.mul(high, factor)
        u = s.add(one, t)
        c = s.fma(low, factor, s.add(s.sub(one, u), t))
        inverse = s.div(one, u)
        q = s.mul(high, inverse)
        error = s.fma(s.negative(q), c, s.add(s.fma(s.negative(q), u, high), low))
        q = s.mul(s.mul(s.fma(error, inverse, q), power), rest)
        return s.select(s.less(input, s.number(0.0)), q, s.sub(one, q))

    def jvp(self, b, primals, tangents, result):
        # y = 1/(1 + e^-x)  ->  ẏ = ẋ ⊙ y(1 - y), where 1 - y is the logistic function of -x
        return tangents[0] * (result * b.Logistic(-primals[0]))
