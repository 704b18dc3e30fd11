"""`ln(1 + x)`, exact around 0 too.

With u = 1 + x rounded and its rounding error c, ln(1 + x) = ln u + c/u: fdlibm's s_log1p. Where u is between sqrt(2)/2
and sqrt(2) (with fused multiply-add 3/4 and 3/2), the logarithm's f is u - 1 + c = x itself.
"""

from math import inf, nan

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import LOG_F32
from ._formula import Formula
from ._logarithm import F32_LN2, LN2_LO, split, summed


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
        w, x = s.f64, s.to_f64(input)
        u = w.add(x, w.number(1.0))
        n, f = split(w, u)
        c = w.div(_error(w, x, u), u)
        near = w.equal(n, w.number(0.0))
        f, c = w.select(near, x, f), w.select(near, w.number(0.0), c)
        y = summed(w, n, f, w.add(w.mul(n, w.number(LN2_LO)), c))
        y = w.select(w.less(u, w.number(inf)), y, u)
        y = w.select(w.equal(u, w.number(0.0)), w.number(-inf), y)
        y = w.select(w.less(u, w.number(0.0)), w.number(nan), y)
        return s.from_f64(w.copy_sign(y, x))

    def fused_f32(self, s, input):
        u = s.add(input, s.number(1.0))
        n, m = s.split(u)
        f = s.sub(m, s.number(1.0))
        most = s.select(s.less(n, s.number(64.0)), n, s.number(64.0))  # beyond, c is nothing
        c = s.mul(_error(s, input, u), s.power_of_two(s.rounded(most, -1.0)))
        exact = s.add(f, c)
        c = s.sub(c, s.sub(exact, f))
        y = s.add(s.fma(s.fused_polynomial(exact, LOG_F32), s.mul(exact, exact), c), exact)
        y = s.fma(n, s.number(F32_LN2), y)
        return s.copy_sign(s.select(s.less(input, s.number(inf)), y, input), input)

    def jvp(self, b, primals, tangents, result):
        # y = ln(1 + x)  ->  ẏ = ẋ ⊙ 1/(1 + x)
        return tangents[0] * b.Reciprocal(primals[0] + 1)

    def smooth_at(self, input):
        return bool((input > -0.85).all())


def _error(s, x, u):
    """The rounding error of u = x + 1, exact (Knuth's sum of two numbers)."""
    one = s.number(1.0)
    b = s.sub(u, one)
    return s.add(s.sub(one, s.sub(u, b)), s.sub(x, b))
