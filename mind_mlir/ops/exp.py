"""Exponential. Spec: Core IR, Activation and elementwise unary operations; docs/semantics.md, Exp and Log.

x = n·ln 2 + r with integral n and |r| <= ln 2 / 2, so e^x = 2^n · e^r. `formula` is fdlibm's e_exp, which has e^r by a
rational function of r²; with fused multiply-add it is a polynomial.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import EXP_F32, EXP_F64
from ._exponential import F32_LN2, F64_LN2, exponential, fused_exponential
from ._formula import Formula


@op
class Exp(Formula):
    """`e^input`. Overflows to inf, underflows to subnormals and 0; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.MONOTONE, ulps=3)  # 2 ulp of the exact value, and `evaluate` 1
    peer = "jax.numpy.exp"
    in_math = True
    python_function = PythonFunction(
        "exp",
        """e to the power of x.

        >>> mind.exp(np.float32([0, 1]))
        array([1.       , 2.7182817], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.from_f64(exponential(s.f64, s.to_f64(input)))

    def fused_f32(self, s, input):
        return fused_exponential(s, s.clamped(input, -104.5, 89.0), F32_LN2, EXP_F32)

    def fused_f64(self, s, input):
        return fused_exponential(s, s.clamped(input, -746.0, 710.0), F64_LN2, EXP_F64)

    def jvp(self, b, primals, tangents, result):
        # y = eˣ  ->  ẏ = ẋ ⊙ y
        return tangents[0] * result

    def lower(self, e, result, input):
        return e.linalg.named("linalg.exp", (input,), result)
