"""`ln(1 + x)`, exact around 0 too.

With u = 1 + x rounded and its rounding error c, ln(1 + x) = ln u + c/u: fdlibm's s_log1p. Where u is between sqrt(2)/2
and sqrt(2) (with fused multiply-add 3/4 and 3/2), the logarithm's f is u - 1 + c = x itself.
"""

from math import inf, nan

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import LOG_F32
from ._formula import Formula
from ._logarithm import F32_LN2, logarithm_of_one_more


@op
class Log1p(Formula):
    """`ln(1 + input)`. -inf at -1, NaN below; zeros keep their sign, inf and NaN stay."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, ulps=3)
    peer = "jax.numpy.log1p"
    in_math = True
    python_function = PythonFunction(
        "log1p",
        """The natural logarithm of 1 + x, with all digits where x is small: -inf at -1, NaN below.

        >>> mind.log1p(np.float32([0, 1]))
        array([0.       , 0.6931472], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.from_f64(logarithm_of_one_more(s.f64, s.to_f64(input)))

    def fused_f32(self, s, input):
        one = s.number(1.0)
        u = s.add(input, one)
        n, m = s.split_normal(u)
        f = s.sub(m, one)
        most = s.select(s.less(n, s.number(64.0)), n, s.number(64.0))
        c = s.mul(s.sub(input, s.sub(u, one)), s.power_of_two(s.rounded(most, -1.0)))  # exact; beyond 2^24, nothing
        exact = s.add(f, c)
        c = s.sub(c, s.sub(exact, f))
        y = s.add(s.fma(s.fused_polynomial(exact, LOG_F32), s.mul(exact, exact), c), exact)
        y = s.fma(n, s.number(F32_LN2), y)
        y = s.select(s.less(u, s.number(inf)), y, u)
        at_most_zero = s.select(s.less(u, s.number(0.0)), s.number(nan), s.sub(u, s.number(inf)))
        return s.copy_sign(s.select(s.greater(u, s.number(0.0)), y, at_most_zero), input)

    def jvp(self, b, primals, tangents, result):
        # y = ln(1 + x)  ->  ẏ = ẋ ⊙ 1/(1 + x)
        return tangents[0] * b.Reciprocal(primals[0] + 1)

    def smooth_at(self, input):
        return bool((input > -0.85).all())
