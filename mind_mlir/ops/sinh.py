"""Hyperbolic sine.

With t = e^|x| - 1 it is (t + t / (t + 1)) / 2 around 0, and with E = e^|x| / 2 from 1 on E - 1 / 4E.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import SINH_F32
from ._exponential import exponential_less_one, fused_quarter_exponential, half_exponential
from ._formula import Formula


@op
class Sinh(Formula):
    """`sinh(input)`. ±inf at ±inf, and where it overflows; zeros keep their sign, NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    in_math = True
    rounding = Rounding(Growth.MONOTONE, ulps=3)
    peer = "jax.numpy.sinh"
    python_function = PythonFunction(
        "sinh",
        """The hyperbolic sine of x.

        >>> mind.sinh(np.float32([0, 1]))
        array([0.       , 1.1752012], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        one, size = w.number(1.0), w.absolute(x)
        near = w.less(size, one)
        t = exponential_less_one(w, w.select(near, size, one))
        small = w.mul(w.number(0.5), w.add(t, w.div(t, w.add(t, one))))
        e = half_exponential(w, size)
        y = w.select(near, small, w.sub(e, w.div(w.number(0.25), e)))
        return s.from_f64(w.copy_sign(y, x))

    def fused_f32(self, s, input):
        # from 1 on by halves: with e = e^|x| / 4 in two parts, 2·(e - 1 / 16e); below x + x³·p(x²)
        size = s.absolute(input)
        e, low = fused_quarter_exponential(s, s.clamped(size, 0.0, 89.5))
        y = s.add(e, s.sub(low, s.div(s.number(1 / 16), e)))
        square = s.mul(size, size)
        near = s.fma(s.mul(size, square), s.fused_polynomial(square, SINH_F32), size)
        return s.copy_sign(s.select(s.less(size, s.number(1.0)), near, s.add(y, y)), input)

    def jvp(self, b, primals, tangents, result):
        # y = sinh x  ->  ẏ = ẋ ⊙ cosh x
        return tangents[0] * b.Cosh(primals[0])
