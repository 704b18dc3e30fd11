"""Exponential. Spec: Core IR, Activation and elementwise unary operations; docs/semantics.md, Exp and Log.

The value is defined by one algorithm in f64 arithmetic without contraction, fdlibm's e_exp: x = k·ln 2 + r with
|r| <= ln 2 / 2, and e^r by a rational function of r². NumPy here and lowering/formulas/exp.py, under strict numerics,
take the same steps, so both give the same bits; the error is below 1 ulp in f64, and f32 results are rounded from f64.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._elementwise import Unary

LOG2_E = 1.44269504088896338700e00
LN2_HI = 6.93147180369123816490e-01
LN2_LO = 1.90821492927058770002e-10
P = (
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
)
OVERFLOW = 7.09782712893383973096e02  # above: inf
UNDERFLOW = -7.45133219101941108420e02  # below: 0
ROUND = 6755399441055744.0  # 1.5 · 2^52: adding it rounds to an integer, held in the low bits
ROUND_BITS = 0x4338000000000000


@op
class Exp(Unary):
    """`e^input`. Overflows to inf, underflows to subnormals and 0; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.MONOTONE, ulps=3)  # 2 ulp of the exact value, and `evaluate` 1
    peer = "jax.numpy.exp"
    python_function = PythonFunction(
        "exp",
        """e to the power of x.

        >>> mind.exp(np.float32([0, 1]))
        array([1.       , 2.7182817], dtype=float32)
        """,
    )

    def evaluate(self, input):
        x = input.astype(np.float64)
        t = np.where(x < OVERFLOW, x, OVERFLOW)
        t = np.where(t > UNDERFLOW, t, UNDERFLOW)
        shifted = t * LOG2_E + ROUND
        k = shifted.view(np.int64) - ROUND_BITS
        n = shifted - ROUND
        hi, lo = t - n * LN2_HI, n * LN2_LO
        r = hi - lo
        z = r * r
        c = r - z * (P[0] + z * (P[1] + z * (P[2] + z * (P[3] + z * P[4]))))
        y = 1.0 - ((lo - r * c / (2.0 - c)) - hi)
        half = k >> 1
        y = y * _power_of_two(half) * _power_of_two(k - half)
        y = np.where(x > OVERFLOW, np.inf, y)
        y = np.where(x < UNDERFLOW, 0.0, y)
        return np.where(x != x, x, y).astype(input.dtype)

    def jvp(self, b, primals, tangents, result):
        # y = eˣ  ->  ẏ = ẋ ⊙ y
        return tangents[0] * result

    def lower(self, e, result, input):
        return e.linalg.named("linalg.exp", (input,), result)


def _power_of_two(k):
    return ((k + 1023) << 52).view(np.float64)
