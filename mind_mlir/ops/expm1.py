"""`e^x - 1`, exact around 0 too.

x = n·ln 2 + r with |r| <= ln 2 / 2, and e^r - 1 as in fdlibm's e_exp and s_expm1, in two parts: r and what is small
beside it. So 2^n · (e^r - 1) + (2^n - 1) is rounded once, apart from small terms: the rounding error of a sum s = a + b
with |a| >= |b| is (a - s) + b (Dekker).
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import EXPM1_F32
from ._exponential import exponential_less_one, reduced
from ._formula import Formula

TINY = 2.0**-30  # below, e^x - 1 is x in f32; half of it may be lost


@op
class Expm1(Formula):
    """`e^input - 1`. Overflows to inf; -1 at -inf; zeros keep their sign, NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, ulps=3)
    peer = "jax.numpy.expm1"
    in_math = True
    python_function = PythonFunction(
        "expm1",
        """e to the power of x, less 1, with all digits where x is small.

        >>> mind.expm1(np.float32([0, 1]))
        array([0.       , 1.7182819], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.from_f64(exponential_less_one(s.f64, s.to_f64(input)))

    def fused_f32(self, s, input):
        # all by a half, for 2^n may be 2^128
        n, r, small = reduced(s, s.clamped(input, -18.0, 89.0), EXPM1_F32)
        half, factor = s.number(0.5), s.power_of_two(n, -1)
        a = s.sub(factor, half)
        y = s.fma(factor, r, a)
        errors = s.add(s.sub(s.sub(factor, a), half), s.fma(factor, r, s.sub(a, y)))
        y = s.add(y, s.fma(factor, small, errors))
        return s.select(s.less(s.absolute(input), s.number(TINY)), input, s.add(y, y))

    def jvp(self, b, primals, tangents, result):
        # y = eˣ - 1  ->  ẏ = ẋ ⊙ eˣ; not y + 1, which has lost its digits far below 0
        return tangents[0] * b.Exp(primals[0])
