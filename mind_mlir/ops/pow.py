"""Power. Not in the specification; docs/semantics.md, Pow.

|x|^y = 2^(y · log2 |x|), with the logarithm and the product in two parts each (fdlibm's e_pow); an f32 needs one part
in f64. The sign and the special values are those of C, Annex F, pow.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._coefficients import EXP2_F64, LOG2_F64
from ._exponential import scaled_by_power
from ._formula import BinaryFormula
from ._logarithm_pair import LOW, log2_pair, power_of_two_of_pair
from ._pairs import head

BEYOND = 1100.0  # 2^±BEYOND is inf or 0
LARGE = 2.0**65  # to this power, every x but ±1 is 0 or inf
F32_BEYOND = 160.0


@op
class Pow(BinaryFormula):
    """`lhs` to the power of `rhs`, element by element, broadcasting; floats only.

    x^0 and 1^y are 1, NaN or not. A negative x has the value of |x|, negative for an odd y, and NaN for one that is not
    integral.
    """

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS, ulps=3)
    peer = "jax.numpy.power"
    python_function = PythonFunction(
        "pow",
        """x to the power of y, of floats.

        >>> mind.pow(np.float32([2, -2]), np.float32([0.5, 3]))
        array([ 1.4142135, -8.       ], dtype=float32)
        """,
    )

    def formula(self, s, lhs, rhs):
        w, x, y = s.f64, s.to_f64(lhs), s.to_f64(rhs)
        return s.from_f64(_signed(w, x, y, _power(w, w.absolute(x), y)))

    def fused_f32(self, s, lhs, rhs):
        w = s.f64
        n, m = w.split(w.absolute(s.to_f64(lhs)))
        q = w.div(w.sub(m, w.number(1.0)), w.add(m, w.number(1.0)))
        t = w.fma(q, w.fused_polynomial(w.mul(q, q), LOG2_F64), n)
        t = w.clamped(w.mul(s.to_f64(rhs), t), -F32_BEYOND, F32_BEYOND)
        k = w.rounded(t)
        y = w.mul(w.fused_polynomial(w.sub(t, k.value), (1.0, *EXP2_F64)), w.power_of_two(k))
        return _signed(s, lhs, rhs, s.from_f64(y))

    def jvp(self, b, primals, tangents, result):
        # y = x₁^x₂  ->  ẏ = ẋ₁ ⊙ x₂ · x₁^(x₂ - 1) + ẋ₂ ⊙ y · ln x₁
        x, y = primals
        of_x, of_y = tangents
        # for x₂ = 0 the result is 1 whatever x₁ is, though x₁^-1 may be inf
        first = None if of_x is None else of_x * (y * b.Pow(x, _or_one(b, y, y - 1)))
        if of_y is None:
            return first
        # at x₁ = 0 the result is 0 for every x₂ > 0
        second = of_y * (result * b.Log(_or_one(b, x, x)))
        return second if first is None else first + second

    def smooth_at(self, lhs, rhs):
        return bool((lhs > 0.3).all() and (np.abs(rhs) > 0.1).all())


def _or_one(b, x, chosen):
    """`chosen` where x is not 0, else 1."""
    zero, one = b.zeros(x.type.with_shape(())), b.constant(1.0, dtype=x.dtype)
    return b.Select(b.Greater(x, zero), chosen, b.Select(b.Greater(zero, x), chosen, one))


def _power(w, x, y):
    """x^y for x >= 0 of an f64, without the special values of _signed."""
    zero, inf = w.number(0.0), w.number(float("inf"))
    high, low = log2_pair(w, x)
    y = w.clamped(y, -LARGE, LARGE)
    y_high = head(w, y, LOW)
    low = w.add(w.mul(w.sub(y, y_high), high), w.mul(y, low))
    high = w.mul(y_high, high)
    # beyond, one part is enough, and the other is left out
    total = w.add(high, low)
    inside = w.less(w.absolute(total), w.number(BEYOND))
    high = w.select(inside, high, w.clamped(total, -BEYOND, BEYOND))
    m, k = power_of_two_of_pair(w, high, w.select(inside, low, zero))
    m = scaled_by_power(w, m, k)
    is_falling = w.less(y, zero)
    m = w.select(w.equal(x, zero), w.select(is_falling, inf, zero), m)
    return w.select(w.equal(x, inf), w.select(is_falling, zero, inf), m)


def _signed(w, x, y, power):
    """x^y from |x|^y, with the sign and the special values of x and y that are negative, ±1, 0 or NaN."""
    one, nan = w.number(1.0), w.number(float("nan"))
    half = w.mul(w.absolute(y), w.number(0.5))
    is_whole = w.equal(w.round_even(y), y)
    power = w.select(w.equal(w.absolute(x), one), one, power)
    # odd: integral, but half of it is not; the sign counts for -0 and -inf, too
    signed = w.select(w.equal(w.round_even(half), half), power, w.copy_sign(power, x))
    has_none = w.both(w.less(x, w.number(0.0)), w.less(w.number(float("-inf")), x))
    signed = w.select(is_whole, signed, w.select(has_none, nan, power))
    signed = w.select(w.unordered(x, y), nan, signed)
    return w.select(w.either(w.equal(y, w.number(0.0)), w.equal(x, one)), one, signed)
