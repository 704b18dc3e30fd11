"""What Sin, Cos and Tan share: the functions on [-π/4, π/4], by steps of formulas.

The polynomials are those of fdlibm's k_sin, k_cos and k_tan, and `low` is what the angle r is too small by.
"""

from __future__ import annotations

from typing import Any, ClassVar

from ._coefficients import COS_F32, SIN_F32
from ._formula import Formula
from ._pairs import head
from ._quarter_turns import HALF_PI, TWO_OVER_PI, quarter_turns, quarter_turns_of_f32

SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)
TANGENT = (
    3.33333333333334091986e-01,
    1.33333333333201242699e-01,
    5.39682539762260521377e-02,
    2.18694882948595424599e-02,
    8.86323982359930005737e-03,
    3.59207910759131235356e-03,
    1.45620945432529025516e-03,
    5.88041240820264096874e-04,
    2.46463134818469906812e-04,
    7.81794442939557092300e-05,
    7.14072491382608190305e-05,
    -1.85586374855275456654e-05,
    2.59073051863633712884e-05,
)
FAR = 0.6743  # from here on tan r is computed from π/4 - r
QUARTER_PI, QUARTER_PI_LOW = 7.85398163397448278999e-01, 3.06161699786838301793e-17

F32_PARTS = (float.fromhex("0x1.921fb6p+0"), float.fromhex("-0x1.777a5cp-25"), float.fromhex("-0x1.ee59dap-50"))
F64_PARTS = (HALF_PI, 6.123233995736766e-17, -1.4973849048591698e-33)
F32_MEDIUM, F64_MEDIUM = 65536.0, 1647099.0
"""Of π/2, for steps with fused multiply-add, and up to where they are enough."""


class Circular(Formula):
    """The sine of an angle after some quarter turns."""

    ahead: ClassVar[int] = 0
    """The quarter turns that are added to the angle."""

    def formula(self, s: Any, input: Any) -> Any:
        w, x = s.f64, s.to_f64(input)
        q, r, low = reduced(s, x)
        i = w.integers
        q = i.add(q, i.number(self.ahead))
        y = w.select(has_bit(i, q, 1), cosine(w, r, low), sine(w, r, low))
        y = w.select(has_bit(i, q, 2), w.negative(y), y)
        return s.from_f64(finite_or_nan(w, x, y if self.ahead else with_zeros(w, x, y)))

    def fused_f32(self, s: Any, input: Any) -> Any:
        n, r, low = fused_turns(s, input, F32_PARTS)
        z = s.mul(r, r)
        sine = s.add(r, s.fma(s.mul(r, z), s.fused_polynomial(z, SIN_F32), low))
        return self._fused(s, input, n, sine, fused_cosine(s, r, low, z, COS_F32), F32_MEDIUM)

    def fused_f64(self, s: Any, input: Any) -> Any:
        n, r, low = fused_turns(s, input, F64_PARTS)
        z = s.mul(r, r)
        sine = s.add(r, s.fma(s.mul(r, z), s.fused_polynomial(z, SINE), low))
        return self._fused(s, input, n, sine, fused_cosine(s, r, low, z, COSINE), F64_MEDIUM)

    def _fused(self, s: Any, x: Any, n: Any, sine: Any, cosine: Any, medium: float) -> Any:
        """The sine or the cosine, by the number of quarter turns, or the steps of `formula` for large x."""
        i = s.integers
        q = i.add(s.to_bits(n.shifted), i.number(self.ahead))
        y = s.select(has_bit(i, q, 1), cosine, sine)
        y = s.select(has_bit(i, q, 2), s.negative(y), y)
        y = y if self.ahead else with_zeros(s, x, y)
        is_large = s.greater(s.absolute(x), s.number(medium))
        return s.rarely(is_large, y, lambda: self.formula(s, x))


def reduced(s: Any, x: Any) -> tuple[Any, Any, Any]:
    """Quarter turns, angle, and what it is too small by, of an element of s as an f64."""
    if s.dtype.width == s.f64.dtype.width:
        return quarter_turns(s, x)
    q, r = quarter_turns_of_f32(s.f64, x)
    return q, r, s.f64.number(0.0)


def fused_turns(s: Any, x: Any, parts: tuple[float, float, float]) -> tuple[Any, Any, Any]:
    """The same with fused multiply-add. The first step is exact, and of the second one nothing is lost.

    Near a multiple of π/2 the second difference is small, but then exact.
    """
    n = s.rounded(x, TWO_OVER_PI)
    minus = s.negative(n.value)
    first = s.fma(minus, s.number(parts[0]), x)
    p = s.mul(n.value, s.number(parts[1]))
    lost = s.fma(minus, s.number(parts[1]), p)
    r = s.sub(first, p)
    low = s.add(s.sub(s.sub(first, r), p), lost)
    return n, r, s.fma(minus, s.number(parts[2]), low)


def has_bit(i: Any, q: Any, bit: int) -> Any:
    """True where q has this bit, 1, 2, 4 …"""
    return i.equal(i.bit_and(q, i.number(bit)), i.number(bit))


def finite_or_nan(w: Any, x: Any, y: Any) -> Any:
    """y, or NaN if x is infinite or NaN."""
    return w.select(w.less(w.absolute(x), w.number(float("inf"))), y, w.number(float("nan")))


def with_zeros(w: Any, x: Any, y: Any) -> Any:
    """y, or x where that is a zero, whose sign stays."""
    return w.select(w.equal(x, w.number(0.0)), x, y)


def sine(w: Any, r: Any, low: Any) -> Any:
    """sin(r + low)."""
    z = w.mul(r, r)
    v = w.mul(z, r)
    rest = w.sub(w.mul(w.number(0.5), low), w.mul(v, w.polynomial(z, SINE[1:])))
    return w.sub(r, w.sub(w.sub(w.mul(z, rest), low), w.mul(v, w.number(SINE[0]))))


def cosine(w: Any, r: Any, low: Any) -> Any:
    """cos(r + low)."""
    z = w.mul(r, r)
    half = w.mul(w.number(0.5), z)
    y = w.sub(w.number(1.0), half)
    lost = w.sub(w.sub(w.number(1.0), y), half)
    return w.add(y, w.add(lost, w.sub(w.mul(z, w.mul(z, w.polynomial(z, COSINE))), w.mul(r, low))))


def fused_cosine(s: Any, r: Any, low: Any, z: Any, coefficients: tuple[float, ...]) -> Any:
    """The same with fused multiply-add, with z = r²."""
    y = s.fma(z, s.number(-0.5), s.number(1.0))
    lost = s.fma(z, s.number(-0.5), s.sub(s.number(1.0), y))
    lost = s.fma(s.negative(r), low, lost)
    return s.add(y, s.fma(s.mul(z, z), s.fused_polynomial(z, coefficients), lost))


def tangent(w: Any, r: Any, low: Any, is_odd: Any) -> Any:
    """tan r, or -1 / tan r where `is_odd`."""
    one, a = w.number(1.0), w.absolute(r)
    low = w.select(w.less(r, w.number(0.0)), w.negative(low), low)
    is_far = w.less(w.number(FAR), a)
    away = w.add(w.sub(w.number(QUARTER_PI), a), w.sub(w.number(QUARTER_PI_LOW), low))
    a, low = w.select(is_far, away, a), w.select(is_far, w.number(0.0), low)
    z = w.mul(a, a)
    v = w.mul(z, a)
    rest = w.add(low, w.mul(z, w.add(w.mul(v, w.polynomial(z, TANGENT[1:])), low)))
    rest = w.add(rest, w.mul(w.number(TANGENT[0]), v))
    t = w.add(a, rest)
    # tan(π/4 - a) = 1 - 2·(t - t² / (1 + t)), and -1 / tan(π/4 - a) likewise
    unit = w.select(is_odd, w.number(-1.0), one)
    far = w.sub(w.div(w.mul(t, t), w.add(t, unit)), rest)
    far = w.sub(unit, w.mul(w.number(2.0), w.sub(a, far)))
    # -1 / (a + rest), corrected by what the quotient of the rounded sum leaves
    t_head, y = head(w, t, 32), w.div(w.number(-1.0), t)
    y_head = head(w, y, 32)
    left = w.add(w.add(one, w.mul(y_head, t_head)), w.mul(y_head, w.sub(rest, w.sub(t_head, a))))
    turned = w.add(y_head, w.mul(y, left))
    y = w.select(is_far, far, w.select(is_odd, turned, t))
    return w.select(w.less(r, w.number(0.0)), w.negative(y), y)
