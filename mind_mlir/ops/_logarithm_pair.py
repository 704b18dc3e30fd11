"""log2 of an f64 as a sum of two, and the power of two of such a sum, by steps of formulas: those of fdlibm's e_pow.

x = 2^n · m with m around 1, and log2 m = 2/(3 ln 2) · 3/2 · ln m by a polynomial in s = (m - c) / (m + c), where c is 1
or 3/2. All that is larger than an ulp is computed twice: rounded to few bits, and what is left.
"""

from __future__ import annotations

from typing import Any

from ._exponential import ROUND, ROUND_BITS, P
from ._logarithm import MANTISSA, ONE_BITS, SCALE, SMALLEST_NORMAL
from ._pairs import head

CP = 9.61796693925975554329e-01  # 2/(3 ln 2)
CP_HIGH, CP_LOW = 9.61796700954437255859e-01, -7.02846165095275826516e-09
LOG2_HIGH, LOG2_LOW = 5.84962487220764160156e-01, 1.35003920212974897128e-08  # log2 3/2
SERIES = (
    5.99999999999994648725e-01,
    4.28571428578550184252e-01,
    3.33333329818377432918e-01,
    2.72728123808534006489e-01,
    2.30660745775561754067e-01,
    2.06975017800338417784e-01,
)
LN2 = 6.93147180559945286227e-01
LN2_HIGH, LN2_LOW = 6.93147182464599609375e-01, -1.90465429995776804525e-09
LEAST_BITS = 0x3FEBB67A00000000  # sqrt(3)/2, from which on m is
MIDDLE = 1.224744871391589  # sqrt(3/2), from which on c is 3/2
LOW = 32
"""The bits that a first part does not have."""


def log2_pair(w: Any, x: Any) -> tuple[Any, Any]:
    """log2 x of a number that is positive and finite; the first part has 21 bits, and both together 67 or more."""
    n, m = _split(w, x)
    is_upper = w.less(w.number(MIDDLE), m)
    c = w.select(is_upper, w.number(1.5), w.number(1.0))
    u, below = w.sub(m, c), w.add(m, c)
    v = w.div(w.number(1.0), below)
    s = w.mul(u, v)
    s_high, below_high = head(w, s, LOW), head(w, below, LOW)
    below_low = w.sub(m, w.sub(below_high, c))
    s_low = w.mul(v, w.sub(w.sub(u, w.mul(s_high, below_high)), w.mul(s_high, below_low)))
    # 3/2 · ln m = s · (3 + s² + r)
    z = w.mul(s, s)
    r = w.mul(w.mul(z, z), w.polynomial(z, SERIES))
    r = w.add(r, w.mul(s_low, w.add(s_high, s)))
    z = w.mul(s_high, s_high)
    t_high = head(w, w.add(w.add(w.number(3.0), z), r), LOW)
    t_low = w.sub(r, w.sub(w.sub(t_high, w.number(3.0)), z))
    u, v = w.mul(s_high, t_high), w.add(w.mul(s_low, t_high), w.mul(t_low, s))
    p_high = head(w, w.add(u, v), LOW)
    p_low = w.sub(v, w.sub(p_high, u))
    z_high = w.mul(w.number(CP_HIGH), p_high)
    z_low = w.add(w.mul(w.number(CP_LOW), p_high), w.mul(p_low, w.number(CP)))
    z_low = w.add(z_low, w.select(is_upper, w.number(LOG2_LOW), w.number(0.0)))
    of_c = w.select(is_upper, w.number(LOG2_HIGH), w.number(0.0))
    high = head(w, w.add(w.add(w.add(z_high, z_low), of_c), n), LOW)
    return high, w.sub(z_low, w.sub(w.sub(w.sub(high, n), of_c), z_high))


def power_of_two_of_pair(w: Any, high: Any, low: Any) -> tuple[Any, Any]:
    """y and k with 2^(high + low) = y · 2^k, for a sum of a magnitude below 2^51."""
    shifted = w.add(w.add(high, low), w.number(ROUND))
    k = w.integers.sub(w.to_bits(shifted), w.integers.number(ROUND_BITS))
    high = w.sub(high, w.sub(shifted, w.number(ROUND)))
    t = head(w, w.add(low, high), LOW)
    u = w.mul(t, w.number(LN2_HIGH))
    v = w.add(w.mul(w.sub(low, w.sub(t, high)), w.number(LN2)), w.mul(t, w.number(LN2_LOW)))
    z = w.add(u, v)
    rest = w.sub(v, w.sub(z, u))
    t = w.mul(z, z)
    c = w.sub(z, w.mul(t, w.polynomial(t, P)))
    r = w.sub(w.div(w.mul(z, c), w.sub(c, w.number(2.0))), w.add(rest, w.mul(z, rest)))
    return w.sub(w.number(1.0), w.sub(r, z)), k


def _split(w: Any, x: Any) -> tuple[Any, Any]:
    """n and m with x = 2^n · m and m in [sqrt(3)/2, sqrt(3))."""
    i = w.integers
    tiny = w.less(x, w.number(SMALLEST_NORMAL))
    normal = w.select(tiny, w.mul(x, w.number(SCALE)), x)
    bits = i.add(w.to_bits(normal), i.number(ONE_BITS - LEAST_BITS))
    exponent = i.sub(i.shift_right(bits, 52), i.number(1023))
    n = w.from_integer(i.sub(exponent, i.select(tiny, i.number(54), i.number(0))))
    return n, w.from_bits(i.add(i.bit_and(bits, i.number(MANTISSA)), i.number(LEAST_BITS)))
