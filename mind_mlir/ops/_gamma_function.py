"""What LogGamma, Digamma and Polygamma share, by steps of formulas: pairs, and the mirror at 1/2.

At x < 0 the functions are what they are at 1 - x, and a circular function of π·d, where d is the distance from the
nearest integer, which is exact. NIST Digital Library of Mathematical Functions, 5.5.3 and 5.15.6.
"""

from __future__ import annotations

from typing import Any

from ._circular import cosine, sine, tangent
from ._logarithm_pair import LN2, LN2_HIGH, LN2_LOW, log2_pair
from ._pairs import error_of_sum, product, quick_sum

PI, PI_LOW = 3.141592653589793, 1.2246467991473532e-16


def logarithm_pair(w: Any, x: Any) -> tuple[Any, Any]:
    """ln x of a number that is positive and finite, in two parts, the first of 45 bits."""
    high, low = log2_pair(w, x)
    return w.mul(high, w.number(LN2_HIGH)), w.add(w.mul(high, w.number(LN2_LOW)), w.mul(low, w.number(LN2)))


def times_polynomial(w: Any, x: Any, x_low: Any, t: Any, coefficients: tuple[float, ...]) -> tuple[Any, Any]:
    """`(x + x_low) · (c0 + t·(c1 + …))` in two parts, where c0 is more than the other terms together."""
    q, q_low = quick_sum(w, w.number(coefficients[0]), w.mul(t, w.polynomial(t, coefficients[1:])))
    y, y_low = product(w, x, q)
    return y, w.add(y_low, w.add(w.mul(x, q_low), w.mul(x_low, q)))


def sum_of_pairs(w: Any, x: Any, x_low: Any, y: Any, y_low: Any) -> Any:
    """`x + y`, whose parts are rounded once, about."""
    total = w.add(x, y)
    return w.add(total, w.add(error_of_sum(w, x, y, total), w.add(x_low, y_low)))


def mirrored(w: Any, x: Any) -> Any:
    """1 - x below 0, else x."""
    return w.select(w.less(x, w.number(0.0)), w.sub(w.number(1.0), x), x)


def from_integer(w: Any, x: Any) -> Any:
    """x less the nearest integer: exact, at most 1/2."""
    return w.sub(x, w.round_even(x))


def is_pole(w: Any, x: Any) -> Any:
    """True at 0, -1, -2, … and -inf."""
    return w.both(w.equal(w.round_even(x), x), w.less(x, w.number(0.5)))


def sine_of_turns(w: Any, d: Any) -> Any:
    """|sin πd|, for |d| up to 1/2."""
    r, low, is_near = _angle(w, d)
    return w.select(is_near, sine(w, r, low), cosine(w, r, low))


def cotangent_of_turns(w: Any, d: Any) -> Any:
    """1 / tan πd, for |d| up to 1/2."""
    r, low, is_near = _angle(w, d)
    y = tangent(w, r, low, is_near)  # -1 / tan r, if near
    return w.copy_sign(y, d)


def _angle(w: Any, d: Any) -> tuple[Any, Any, Any]:
    """π·|d| or, where that is above π/4, π/2 less it: in two parts, and which of the two."""
    size = w.absolute(d)
    is_near = w.less(size, w.number(0.25))
    part = w.select(is_near, size, w.sub(w.number(0.5), size))
    r, low = product(w, part, w.number(PI))
    return r, w.add(low, w.mul(part, w.number(PI_LOW))), is_near
