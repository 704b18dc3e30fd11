"""Numbers as sums of two f64, of which the second is at most half an ulp of the first, by steps of formulas.

T. J. Dekker, A floating-point technique for extending the available precision, 1971.
"""

from __future__ import annotations

from typing import Any


def quick_sum(w: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """`a + b`, exactly, where |a| >= |b| or a is 0."""
    total = w.add(a, b)
    return total, w.sub(b, w.sub(total, a))


def error_of_sum(w: Any, x: Any, y: Any, total: Any) -> Any:
    """`x + y - total`, exactly, where total is `x + y` rounded. Knuth, The Art of Computer Programming, 4.2.2."""
    b = w.sub(total, y)
    return w.add(w.sub(y, w.sub(total, b)), w.sub(x, b))


def head(w: Any, x: Any, bits: int) -> Any:
    """x without the `bits` lowest bits of its mantissa."""
    return w.from_bits(w.integers.bit_and(w.to_bits(x), w.integers.number(-(1 << bits))))


def product(w: Any, x: Any, y: Any) -> tuple[Any, Any]:
    """`x · y`, exactly, unless it is near the largest or the smallest numbers."""
    p = w.mul(x, y)
    x_high, x_low = _halves(w, x)
    y_high, y_low = _halves(w, y)
    rest = w.add(w.add(w.sub(w.mul(x_high, y_high), p), w.mul(x_high, y_low)), w.mul(x_low, y_high))
    return p, w.add(rest, w.mul(x_low, y_low))


def _halves(w: Any, x: Any) -> tuple[Any, Any]:
    """x as a sum of two numbers of 26 bits, of which the second may be negative."""
    c = w.mul(x, w.number(2.0**27 + 1))
    high = w.sub(c, w.sub(c, x))
    return high, w.sub(x, high)
