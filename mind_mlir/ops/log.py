"""Natural logarithm. Spec: Core IR, Activation and elementwise unary operations; docs/semantics.md, Exp and Log.

The value is defined by one algorithm in f64 arithmetic without contraction, fdlibm's e_log in its branch-free form:
x = 2^k · (1 + f) with sqrt(2)/2 <= 1 + f < sqrt(2), and log(1 + f) by a polynomial in s = f / (2 + f). NumPy here and
lowering/formulas/log.py, under strict numerics, take the same steps, so both give the same bits; the error is below
1 ulp in f64, and f32 results are rounded from f64.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._elementwise import Unary

LN2_HI = 6.93147180369123816490e-01
LN2_LO = 1.90821492927058770002e-10
EVEN = (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01)
ODD = (6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01)
SMALLEST_NORMAL = 2.2250738585072014e-308
SCALE = 18014398509481984.0  # 2^54: makes subnormals normal
SQRT_HALF_BITS = 0x3FE6A09E00000000  # the upper half of sqrt(2)/2, as bits
ONE_BITS = 0x3FF0000000000000
MANTISSA = 0x000FFFFFFFFFFFFF


@op
class Log(Unary):
    """`ln(input)`. -inf at ±0, NaN below 0; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    # 2 ulp of the exact value, and `evaluate` 1; an f32 instruction of GPUs loses the small results around 1
    rounding = Rounding(Growth.MONOTONE, ulps=3, exact_zero=True, fast_f32=2)
    peer = "jax.numpy.log"
    python_function = PythonFunction(
        "log",
        """The natural logarithm: -inf at 0, NaN below.

        >>> mind.log(np.float32([1, 0]))
        array([  0., -inf], dtype=float32)
        """,
    )

    def evaluate(self, input):
        x = input.astype(np.float64)
        tiny = x < SMALLEST_NORMAL
        bits = np.where(tiny, x * SCALE, x).view(np.int64) + (ONE_BITS - SQRT_HALF_BITS)
        n = ((bits >> 52) - 1023 - np.where(tiny, 54, 0)).astype(np.float64)
        f = ((bits & MANTISSA) + SQRT_HALF_BITS).view(np.float64) - 1.0
        s = f / (2.0 + f)
        z = s * s
        w = z * z
        t1 = w * (EVEN[0] + w * (EVEN[1] + w * EVEN[2]))
        t2 = z * (ODD[0] + w * (ODD[1] + w * (ODD[2] + w * ODD[3])))
        half = 0.5 * f * f
        y = s * (half + (t2 + t1)) + n * LN2_LO - half + f + n * LN2_HI
        y = np.where(x == 0, -np.inf, y)
        y = np.where(x < 0, np.nan, y)
        y = np.where(x == np.inf, x, y)
        return np.where(x != x, x, y).astype(input.dtype)

    def jvp(self, b, primals, tangents, result):
        # y = ln x  ->  ẏ = ẋ ⊙ (1/x)
        return tangents[0] * b.Reciprocal(primals[0])

    def smooth_at(self, input):
        return bool((input > 0.15).all())

    def lower(self, e, result, input):
        return e.linalg.named("linalg.log", (input,), result)
