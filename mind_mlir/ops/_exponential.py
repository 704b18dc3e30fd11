"""Steps of functions that have e^x in them.

x = n·ln 2 + r with integral n and |r| <= ln 2 / 2, so e^x = 2^n · e^r. In f64, e^r is by fdlibm's rational function of
r²; with fused multiply-add it is a polynomial.
"""

from math import inf

from ._coefficients import EXP_F32

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
HALF_OVERFLOW = 7.10475860073943942e02
UNDERFLOW = -7.45133219101941108420e02  # below: 0
ROUND = 6755399441055744.0  # 1.5 · 2^52: adding it rounds to an integer, held in the low bits
ROUND_BITS = 0x4338000000000000

F32_LN2 = (float.fromhex("0x1.62e4p-1"), float.fromhex("0x1.7f7d1cp-20"))
F64_LN2 = (float.fromhex("0x1.62e42fefa3000p-1"), float.fromhex("0x1.3de6af278ece6p-42"))
"""ln 2 in two parts, the first with so few bits that n times it is exact."""


def exponential(w, x):
    """e^x of an f64, below 1 ulp off."""
    return _scaled_exponential(w, x, OVERFLOW, 0)


def half_exponential(w, x):
    """e^x / 2 of an f64, below 1 ulp off."""
    return _scaled_exponential(w, x, HALF_OVERFLOW, 1)


def _scaled_exponential(w, x, overflow, halvings):
    t = w.select(w.less(x, w.number(overflow)), x, w.number(overflow))
    t = w.select(w.greater(t, w.number(UNDERFLOW)), t, w.number(UNDERFLOW))
    y, k = power_of_sum(w, t, w.number(0.0))
    y = scaled_by_power(w, y, w.integers.sub(k, w.integers.number(halvings)))
    y = w.select(w.greater(x, w.number(overflow)), w.number(inf), y)
    y = w.select(w.less(x, w.number(UNDERFLOW)), w.number(0.0), y)
    return w.select(w.unordered(x, x), x, y)


def power_of_sum(w, x, low):
    """y and k with e^(x + low) = y · 2^k and y around 1, for a sum of two f64 of which the second is small."""
    shifted = w.add(w.mul(x, w.number(LOG2_E)), w.number(ROUND))
    k = w.integers.sub(w.to_bits(shifted), w.integers.number(ROUND_BITS))
    n = w.sub(shifted, w.number(ROUND))
    hi = w.sub(x, w.mul(n, w.number(LN2_HI)))
    lo = w.sub(w.mul(n, w.number(LN2_LO)), low)
    r = w.sub(hi, lo)
    z = w.mul(r, r)
    c = w.sub(r, w.mul(z, w.polynomial(z, P)))
    return w.sub(w.number(1.0), w.sub(w.sub(lo, w.div(w.mul(r, c), w.sub(w.number(2.0), c))), hi)), k


def scaled_by_power(w, y, k):
    """y · 2^k, rounded once, for y around 1 and an i64 k."""
    half = w.integers.shift_right(k, 1)
    return w.mul(w.mul(y, _power_of_two(w, half)), _power_of_two(w, w.integers.sub(k, half)))


def exponential_less_one(w, x):
    """e^x - 1 of an f64, below 1 ulp off."""
    i = w.integers
    t = w.clamped(x, -60.0, 711.0)
    shifted = w.add(w.mul(t, w.number(LOG2_E)), w.number(ROUND))
    k = i.sub(w.to_bits(shifted), i.number(ROUND_BITS))
    n = w.sub(shifted, w.number(ROUND))
    hi = w.sub(t, w.mul(n, w.number(LN2_HI)))
    lo = w.mul(n, w.number(LN2_LO))
    r = w.sub(hi, lo)
    z = w.mul(r, r)
    c = w.sub(r, w.mul(z, w.polynomial(z, P)))
    small = w.sub(lo, w.div(w.mul(r, c), w.sub(w.number(2.0), c)))  # e^r - 1 = hi - small
    half = i.shift_right(k, 1)
    low, high = _power_of_two(w, half), _power_of_two(w, i.sub(k, half))
    factor = w.mul(low, high)
    a, b = w.sub(factor, w.number(1.0)), w.mul(factor, hi)
    y = w.add(a, b)
    y = w.add(y, w.sub(w.add(w.sub(a, y), b), w.mul(factor, small)))
    large = w.mul(w.mul(w.sub(w.number(1.0), w.sub(small, hi)), low), high)  # 1 is lost, and the factor may overflow
    y = w.select(w.greater(t, w.number(40.0)), large, y)
    return w.copy_sign(y, x)


def _power_of_two(w, k):
    i = w.integers
    return w.from_bits(i.shift_left(i.add(k, i.number(1023)), 52))


def fused_exponential(s, x, ln2, coefficients):
    """e^x, inf from the largest x on and 0 down to the smallest."""
    n = s.rounded(x, LOG2_E)
    r = s.fma(n.value, s.number(-ln2[1]), s.fma(n.value, s.number(-ln2[0]), x))
    return s.scaled(s.fused_polynomial(r, (1.0, 1.0, *coefficients)), n)


def reduced(s, x, coefficients=EXP_F32):
    """n, r and d in f32 with e^x = 2^n · (1 + r + d): n is integral, |r| <= ln 2 / 2 exact, and d small beside r."""
    n = s.rounded(x, LOG2_E)
    r = s.fma(n.value, s.number(-F32_LN2[0]), x)
    rest = s.mul(n.value, s.number(-F32_LN2[1]))
    t = s.add(r, rest)
    return n, r, s.fma(s.mul(t, t), s.fused_polynomial(t, coefficients), rest)


def power_and_rest(s, x, ln2, coefficients, more=0):
    """2^(n + more) and p with e^x = 2^n · (1 + p), |p| < 0.42, where 2^(n + more) must be a normal number.

    `ln2` has the parts of ln 2: a second one is for n above 30 or so.
    """
    n, power = s.rounded_product(x, s.number(LOG2_E), more)
    r = x
    for part in ln2:
        r = s.fma(n, s.number(-part), r)
    return power, s.fma(s.mul(r, r), s.fused_polynomial(r, coefficients), r)


def fused_quarter_exponential(s, x):
    """e^x / 4 in f32 for x from 0 to 89.5, in two parts: the second is small, and the first is at most 2^127."""
    n, r, small = reduced(s, x)
    factor, one = s.power_of_two(n, -2), s.number(1.0)
    p = s.add(r, small)
    high = s.add(one, p)
    return s.mul(high, factor), s.mul(s.add(s.sub(one, high), p), factor)
