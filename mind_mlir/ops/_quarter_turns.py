"""Angles as a whole number of quarter turns and the rest, x = q · π/2 + r with |r| <= π/4, by steps of formulas.

Up to 2^20 quarter turns, π/2 is subtracted q times in parts of so few bits that the products are exact (W. J. Cody and
W. Waite, Software Manual for the Elementary Functions, 1980; the parts are fdlibm's). Above, x · 2/π is computed modulo
4 by integers, from those bits of 2/π that matter for the exponent of x (M. H. Payne and R. N. Hanek, Radian reduction
for trigonometric functions, 1983). An f32 has so few bits that its products with parts of 2/π are exact f64.
"""

from __future__ import annotations

from typing import Any

from ._pairs import product, quick_sum

TWO_OVER_PI = 0.6366197723675814
HALF_PI, HALF_PI_LOW = 1.5707963267948966, 6.123233995736766e-17
ROUND = 6755399441055744.0  # 1.5 · 2^52: adding it rounds to an integer, held in the low bits
ROUND_BITS = 0x4338000000000000

MEDIUM = 1647099.0  # 2^20 quarter turns
PARTS = (1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624871116645580e-21)  # of π/2: 33 bits each
REST = 8.47842766036889956997e-32

LIMB = 27
"""The bits of an integer below: a product of two, and the sum of some, are far below 2^63."""

# fmt: off
LIMBS = (
    0, 0,
    0x517CC1B, 0x3939105, 0x253F84E, 0x57D1F53, 0x26EE06D, 0x58A5664, 0x7887208, 0x1FE5163, 0x55EF5DE, 0x1586DC9,
    0x0DC7484, 0x4DD2E00, 0x3249775, 0x0274648, 0x39FC3BD, 0x31CB129, 0x539F744, 0x08D7D4B, 0x5768909, 0x699C702,
    0x35A2FBF, 0x104E647, 0x2C7306A, 0x339F49C, 0x422FC5D, 0x77E4A0E, 0x63FF12F, 0x7FDE059, 0x407F797, 0x4462D68,
    0x14DA3ED, 0x5367ECF, 0x13E584D, 0x5D3D18F, 0x6CD3CBF, 0x6A2D752, 0x3DD63F5, 0x797C5EC, 0x7A0E73E, 0x78A5292,
    0x7535FDA, 0x7EC47E3, 0x2BA10AC,
)
# fmt: on
"""The bits of 2/π after the point, LIMB in each, after two zeros."""

WINDOW = 8
"""The limbs that matter for one exponent."""

TURN_PARTS = (
    0.15915494039654732,
    2.6953480142255515e-09,
    4.038449450981451e-18,
    1.9241762118391763e-26,
    4.1707168783816406e-35,
    3.8770419007437455e-43,
    1.7634897189248905e-52,
)
"""1/(2π) in parts of 28 bits, of which each has a product with an f32 that is exact in f64."""


def quarter_turns(w: Any, x: Any) -> tuple[Any, Any, Any]:
    """q as an i64, r and what r is too small by, for an f64 that is finite."""
    is_medium = w.less(w.absolute(x), w.number(MEDIUM))
    q, r, low = _by_subtraction(w, x)
    other_q, other_r, other_low = _by_limbs(w, x)
    return (
        w.integers.select(is_medium, q, other_q),
        w.select(is_medium, r, other_r),
        w.select(is_medium, low, other_low),
    )


def quarter_turns_of_f32(w: Any, x: Any) -> tuple[Any, Any]:
    """q as an i64 and r, correct to 50 bits, for an f32 that is finite, as an f64."""
    turns, low = w.number(0.0), w.number(0.0)
    for part in TURN_PARTS:
        u = w.mul(x, w.number(part))
        # a product from 2^51 on is integral, since it has 52 bits
        u = w.select(w.less(w.absolute(u), w.number(2.0**51)), w.sub(u, _integral(w, u)), w.number(0.0))
        total, rest = _sum(w, turns, u)
        turns, low = w.sub(total, _integral(w, total)), w.add(low, rest)
    turns, low = w.mul(w.number(4.0), turns), w.mul(w.number(4.0), low)
    shifted = w.add(w.add(turns, low), w.number(ROUND))
    n = w.sub(shifted, w.number(ROUND))
    return _low_bits(w, shifted), w.mul(w.add(w.sub(turns, n), low), w.number(HALF_PI))


def _integral(w: Any, x: Any) -> Any:
    """The nearest integer to a number below 2^51."""
    return w.sub(w.add(x, w.number(ROUND)), w.number(ROUND))


def _low_bits(w: Any, shifted: Any) -> Any:
    return w.integers.sub(w.to_bits(shifted), w.integers.number(ROUND_BITS))


def _sum(w: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """`a + b`, exactly, whichever is larger."""
    total = w.add(a, b)
    part = w.sub(total, a)
    return total, w.add(w.sub(a, w.sub(total, part)), w.sub(b, part))


def _by_subtraction(w: Any, x: Any) -> tuple[Any, Any, Any]:
    shifted = w.add(w.mul(x, w.number(TWO_OVER_PI)), w.number(ROUND))
    n = w.sub(shifted, w.number(ROUND))
    r, low = w.sub(x, w.mul(n, w.number(PARTS[0]))), w.number(0.0)
    for part in PARTS[1:]:
        u = w.mul(n, w.number(part))
        less = w.sub(r, u)
        low = w.add(low, w.sub(w.sub(r, less), u))
        r = less
    low = w.sub(low, w.mul(n, w.number(REST)))
    r, low = quick_sum(w, r, low)
    return _low_bits(w, shifted), r, low


def _by_limbs(w: Any, x: Any) -> tuple[Any, Any, Any]:
    """For |x| >= 2^-1: x = m · 2^(27 g + s - 52), and of 2/π the limbs from g on are multiplied by m · 2^s."""
    i = w.integers
    bits = w.to_bits(w.absolute(x))
    e = i.sub(i.shift_right(bits, 52), i.number(1023))
    e = i.select(i.less(e, i.number(0)), i.number(0), e)
    g = i.shift_right(i.mul(e, i.number(1214)), 15)  # e // 27
    factors = _factors(w, bits, i.sub(e, i.mul(g, i.number(LIMB))))
    sums = _product(i, factors, _window(i, g))
    q = i.shift_right(i.add(sums[0], i.number(1 << (LIMB - 3))), LIMB - 2)
    first = i.sub(sums[0], i.shift_left(q, LIMB - 2))
    r, low = quick_sum(w, _pair(w, first, sums[1], -52), _pair(w, sums[2], sums[3], -106))
    low = w.add(low, _pair(w, sums[4], sums[5], -160))
    # r quarter turns are r · π/2
    turned, rest = product(w, r, w.number(HALF_PI))
    rest = w.add(rest, w.add(w.mul(r, w.number(HALF_PI_LOW)), w.mul(low, w.number(HALF_PI))))
    r, low = quick_sum(w, turned, rest)
    negative = w.less(x, w.number(0.0))
    return (
        i.select(negative, i.sub(i.number(0), q), q),
        w.select(negative, w.negative(r), r),
        w.select(negative, w.negative(low), low),
    )


def _factors(w: Any, bits: Any, s: Any) -> list[Any]:
    """m · 2^s in limbs, the lowest first, with s in 0 … 26."""
    i = w.integers
    power = w.from_bits(i.shift_left(i.add(s, i.number(1023)), 52))
    power = i.sub(w.to_bits(w.add(power, w.number(ROUND))), i.number(ROUND_BITS))
    mask = i.number((1 << LIMB) - 1)
    m = i.add(i.bit_and(bits, i.number((1 << 52) - 1)), i.number(1 << 52))
    low = i.mul(i.bit_and(m, mask), power)
    high = i.add(i.mul(i.shift_right(m, LIMB), power), i.shift_right(low, LIMB))
    return [i.bit_and(low, mask), i.bit_and(high, mask), i.shift_right(high, LIMB)]


def _window(i: Any, g: Any) -> list[Any]:
    """WINDOW limbs from g on, chosen bit by bit of g."""
    limbs = [i.number(limb) for limb in LIMBS]
    for bit in (32, 16, 8, 4, 2, 1):
        is_set = i.equal(i.bit_and(g, i.number(bit)), i.number(bit))
        count = WINDOW + bit - 1
        limbs = [i.select(is_set, limbs[n + bit], limbs[n]) if n + bit < len(limbs) else limbs[n] for n in range(count)]
    return limbs


def _product(i: Any, factors: list[Any], limbs: list[Any]) -> list[Any]:
    """The limbs of the product modulo 4, the highest first, whose two first bits are before the point."""
    mask = i.number((1 << LIMB) - 1)
    sums: list[Any] = []
    carry = i.number(0)
    for n in reversed(range(WINDOW - 2)):
        total = i.add(carry, i.mul(factors[0], limbs[n]))
        total = i.add(total, i.add(i.mul(factors[1], limbs[n + 1]), i.mul(factors[2], limbs[n + 2])))
        sums.insert(0, i.bit_and(total, mask))
        carry = i.shift_right(total, LIMB)
    return sums


def _pair(w: Any, high: Any, low: Any, exponent: int) -> Any:
    """Two limbs as one f64, the lower one in units of 2^exponent."""
    i = w.integers
    return w.mul(w.from_integer(i.add(i.shift_left(high, LIMB), low)), w.number(2.0**exponent))
