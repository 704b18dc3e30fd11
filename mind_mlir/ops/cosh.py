"""Hyperbolic cosine: with E = e^|x| / 2 it is E + 1 / 4E."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._exponential import fused_quarter_exponential, half_exponential
from ._formula import Formula


@op
class Cosh(Formula):
    """`cosh(input)`. inf at ±inf, and where it overflows; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    in_math = True
    rounding = Rounding(Growth.MONOTONE, ulps=3)
    peer = "jax.numpy.cosh"
    python_function = PythonFunction(
        "cosh",
        """The hyperbolic cosine of x.

        >>> mind.cosh(np.float32([0, 1]))
        array([1.       , 1.5430807], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w = s.f64
        e = half_exponential(w, w.absolute(s.to_f64(input)))
        return s.from_f64(w.add(e, w.div(w.number(0.25), e)))

    def fused_f32(self, s, input):
        # by halves: with e = e^|x| / 4 in two parts, 2·(e + 1 / 16e)
        e, low = fused_quarter_exponential(s, s.clamped(s.absolute(input), 0.0, 89.5))
        y = s.add(e, s.add(s.div(s.number(1 / 16), e), low))
        return s.add(y, y)

    def jvp(self, b, primals, tangents, result):
        # y = cosh x  ->  ẏ = ẋ ⊙ sinh x
        return tangents[0] * b.Sinh(primals[0])
