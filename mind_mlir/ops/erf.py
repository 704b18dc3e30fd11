"""Error function. Not in the specification; docs/semantics.md, Error functions.

With fused multiply-add an f32 is x + x·p(x²) up to 1.02, and 1 - 2^(-x·p(x)) above, both polynomials.
"""

import math

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import ERF_F32, ERFC_F32, EXP2_F32
from ._error_function import MIDDLE, NEAR, ONE, parts
from ._formula import Formula

F32_NEAR = 1.0
F32_END = 3.95  # from 3.92 on the nearest f32 is 1


@op
class Erf(Formula):
    """`2/√π · ∫ e^(-t²) dt` from 0 to the input. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, ulps=3)
    peer = "jax.scipy.special.erf"
    in_math = True
    python_function = PythonFunction(
        "erf",
        """The error function of x, 2/√π times the integral of e^(-t²) from 0 to x.

        >>> mind.erf(np.float32([0, 1]))
        array([0.       , 0.8427008], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        a, p = w.absolute(x), parts(w, x)
        middle = w.add(w.number(ONE), p.middle)
        y = w.select(w.less(a, w.number(MIDDLE)), middle, w.sub(w.number(1.0), p.tail))
        y = w.select(w.less(a, w.number(NEAR)), w.add(x, p.near), w.copy_sign(y, x))
        return s.from_f64(w.select(w.unordered(x, x), x, y))

    def fused_f32(self, s, input):
        a = s.absolute(input)
        near = s.fma(a, s.fused_polynomial(s.mul(a, a), ERF_F32), a)
        x = s.select(s.less(a, s.number(F32_END)), a, s.number(F32_END))
        t = s.fused_polynomial(x, [-c for c in ERFC_F32])
        n, power = s.rounded_product(x, t)
        r = s.fma(x, t, s.negative(n))
        far = s.fma(s.negative(s.fused_polynomial(r, (1.0, *EXP2_F32))), power, s.number(1.0))
        y = s.select(s.less(s.number(F32_NEAR), a), far, near)
        i = s.integers  # both are positive, so the sign is one bit more
        return s.from_bits(i.bit_or(s.to_bits(y), i.bit_and(s.to_bits(input), i.number(i.smallest))))

    def jvp(self, b, primals, tangents, result):
        # y = erf x  ->  ẏ = ẋ ⊙ 2/√π · e^(-x²)
        (x,) = primals
        return tangents[0] * (b.Exp(-(x * x)) * (2 / math.sqrt(math.pi)))
