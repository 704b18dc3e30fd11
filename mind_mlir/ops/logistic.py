"""The logistic function, `1 / (1 + e^-x)`.

With t = e^-|x|, which does not overflow, it is q = t / (1 + t) below 0, and 1 / (1 + t) = 1 - q above. The quotient is
mended by what rounding has taken from 1 + t: q · c / (1 + t), where c is that error, exact.

With fused multiply-add it is q = 1 / (1 + e^|x|) below 0, mended likewise, and 1 - q above. So that e^|x| does not
overflow, 1 + e^|x| is multiplied by a power of two.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import EXP_F32, EXP_F64
from ._exponential import F32_LN2, F64_LN2, exponential, power_and_rest
from ._formula import Formula

END_F32, SCALE_F32 = 104.0, 32  # from the first on q is 0; the second is the power of two
END_F64, SCALE_F64 = 745.5, 64


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
        return _fused(s, input, EXP_F32, F32_LN2, END_F32, SCALE_F32)

    def fused_f64(self, s, input):
        return _fused(s, input, EXP_F64, F64_LN2, END_F64, SCALE_F64)

    def jvp(self, b, primals, tangents, result):
        # y = 1/(1 + e^-x)  ->  ẏ = ẋ ⊙ y(1 - y), where 1 - y is the logistic function of -x
        return tangents[0] * (result * b.Logistic(-primals[0]))


def _fused(s, x, coefficients, ln2, end, scale):
    """1 / (1 + e^|x|), where the divisor is multiplied by m = 2^-scale, or 1 less that."""
    one, m, size = s.number(1.0), s.number(2.0**-scale), s.absolute(x)
    size = s.select(s.less(s.number(end), size), s.number(end), size)  # NaN stays
    power, p = power_and_rest(s, size, ln2, coefficients, -scale)
    u = s.fma(p, power, s.add(power, m))  # (1 + e^|x|) · m
    c = s.fma(p, power, s.add(s.sub(power, u), m))  # what rounding has taken from u
    q = s.div(one, u)
    minus = s.negative(q)
    q = s.mul(s.fma(q, s.fma(minus, c, s.fma(minus, u, one)), q), m)
    return s.select(s.less(x, s.number(0.0)), q, s.sub(one, q))
