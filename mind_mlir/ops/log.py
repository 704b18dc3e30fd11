"""Natural logarithm. Spec: Core IR, Activation and elementwise unary operations; docs/semantics.md, Exp and Log.

x = 2^n · m with m around 1, so ln x = n·ln 2 + ln m. `formula` is fdlibm's e_log in its branch-free form: m = 1 + f
is in [sqrt(2)/2, sqrt(2)), and ln m a polynomial in s = f / (2 + f). With fused multiply-add m is in [3/4, 3/2); in f32
ln m is a polynomial in f, in f64 one in s², which needs less than half as many terms.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import LOG_F32, LOG_F64
from ._formula import Formula
from ._logarithm import F32_LN2, F64_LN2_HI, F64_LN2_LO, logarithm


@op
class Log(Formula):
    """`ln(input)`. -inf at ±0, NaN below 0; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    # 2 ulp of the exact value, and `evaluate` 1; an f32 instruction of GPUs loses the small results around 1
    rounding = Rounding(Growth.MONOTONE, ulps=3, exact_zero=True, fast_f32=2)
    peer = "jax.numpy.log"
    in_math = True
    python_function = PythonFunction(
        "log",
        """The natural logarithm: -inf at 0, NaN below.

        >>> mind.log(np.float32([1, 0]))
        array([  0., -inf], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.from_f64(logarithm(s.f64, s.to_f64(input)))

    def fused_f32(self, s, input):
        n, m = s.split(input)
        f = s.sub(m, s.number(1.0))
        y = s.fma(s.fused_polynomial(f, LOG_F32), s.mul(f, f), f)
        return s.fma(n, s.number(F32_LN2), y)

    def fused_f64(self, s, input):
        n, m = s.split(input)
        f = s.sub(m, s.number(1.0))
        # ln m = 2·q + q·z·p(z) = f - q·(f - z·p(z)), where f is exact and the rest small
        q = s.div(f, s.add(m, s.number(1.0)))
        z = s.mul(q, q)
        rest = s.fma(s.negative(z), s.fused_polynomial(z, LOG_F64), f)
        y = s.fma(s.negative(q), rest, s.mul(n, s.number(F64_LN2_LO)))
        return s.fma(n, s.number(F64_LN2_HI), s.add(f, y))

    def jvp(self, b, primals, tangents, result):
        # y = ln x  ->  ẏ = ẋ ⊙ (1/x)
        return tangents[0] * b.Reciprocal(primals[0])

    def smooth_at(self, input):
        return bool((input > 0.15).all())

    def lower(self, e, result, input):
        return e.linalg.named("linalg.log", (input,), result)
