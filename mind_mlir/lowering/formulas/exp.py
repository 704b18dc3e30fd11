"""e^x as arithmetic.

x = n·ln2 + r with integral n and |r| <= ln2/2, so e^x = 2^n · e^r, and e^r by a polynomial.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...ir import DType
from ...ops import exp as steps
from ..emit.scalars import Scalars
from ..targets.cpus import Cpu
from . import approximate, avx512
from .coefficients import EXP_F32, EXP_F64


@dataclass(frozen=True)
class _Format:
    """The numbers of the formula that depend on the dtype."""

    bits: DType  # the integer type of the same width
    mantissa: int  # in bits
    high: float  # e^x is inf from here on
    low: float  # e^x is 0 up to here
    ln2_hi: float  # with so few bits that n · ln2_hi is exact
    ln2_lo: float
    coefficients: tuple[float, ...]

    @property
    def magic(self) -> float:
        """1.5 · 2^mantissa: adding it rounds to an integer, which is then in the lowest bits."""
        return 1.5 * 2.0**self.mantissa

    @property
    def one(self) -> int:
        """1.0 as bits."""
        return ((1 << (8 * self.bits.width - self.mantissa - 2)) - 1) << self.mantissa


_FORMATS = {
    DType.F32: _Format(
        DType.I32,
        23,
        high=89.0,
        low=-104.5,
        ln2_hi=float.fromhex("0x1.62e4p-1"),
        ln2_lo=float.fromhex("0x1.7f7d1cp-20"),
        coefficients=EXP_F32,
    ),
    DType.F64: _Format(
        DType.I64,
        52,
        high=710.0,
        low=-746.0,
        ln2_hi=float.fromhex("0x1.62e42fefa3000p-1"),
        ln2_lo=float.fromhex("0x1.3de6af278ece6p-42"),
        coefficients=EXP_F64,
    ),
}


def exp(s: Scalars, x: Any, numerics: str, cpu: Cpu) -> Any:
    """e^x: inf above the largest float, subnormals and 0 below the smallest; NaN stays NaN."""
    if not cpu.fuses(numerics):
        return _strict(s, x)
    if approximate.fits(s, numerics, cpu):
        return approximate.exp(s, x)
    f = _FORMATS[s.dtype]
    high, low = s.number(f.high), s.number(f.low)
    x = s.select(s.less(high, x), high, x)  # in this order NaN is kept, and x86 has one instruction for it
    x = s.select(s.greater(low, x), low, x)
    shifted = s.fma(x, s.number(1 / math.log(2)), s.number(f.magic))
    n = s.sub(shifted, s.number(f.magic))
    r = s.fma(n, s.number(-f.ln2_lo), s.fma(n, s.number(-f.ln2_hi), x))
    y = s.fused_polynomial(r, (1.0, 1.0, *f.coefficients))
    return avx512.scale(s, y, n) if avx512.fits(s, cpu) else _scale(s, y, shifted, f)


def _scale(s: Scalars, y: Any, shifted: Any, f: _Format) -> Any:
    """y · 2^n in two steps, n in the low bits of `shifted`. The first is exact, so that the result is rounded once."""
    i = s.of(f.bits)
    bits = i.op("arith.bitcast", shifted)
    half = i.op("arith.shrui", bits, i.number(1))

    def power_of_two(n: Any) -> Any:
        return s.op("arith.bitcast", i.add(i.shift_left(n, f.mantissa), i.number(f.one)))

    return s.mul(s.mul(y, power_of_two(half)), power_of_two(i.sub(bits, half)))


def _strict(s: Scalars, input: Any) -> Any:
    """The steps of ops/exp.py."""
    x = s.to_f64(input)
    w = s.f64
    t = w.select(w.less(x, w.number(steps.OVERFLOW)), x, w.number(steps.OVERFLOW))
    t = w.select(w.greater(t, w.number(steps.UNDERFLOW)), t, w.number(steps.UNDERFLOW))
    shifted = w.add(w.mul(t, w.number(steps.LOG2_E)), w.number(steps.ROUND))
    k = s.i64.sub(w.to_bits(shifted), s.i64.number(steps.ROUND_BITS))
    n = w.sub(shifted, w.number(steps.ROUND))
    hi = w.sub(t, w.mul(n, w.number(steps.LN2_HI)))
    lo = w.mul(n, w.number(steps.LN2_LO))
    r = w.sub(hi, lo)
    z = w.mul(r, r)
    c = w.sub(r, w.mul(z, w.polynomial(z, steps.P)))
    y = w.sub(w.number(1.0), w.sub(w.sub(lo, w.div(w.mul(r, c), w.sub(w.number(2.0), c))), hi))

    def power_of_two(k: Any) -> Any:
        return w.from_bits(s.i64.shift_left(s.i64.add(k, s.i64.number(1023)), 52))

    half = s.i64.shift_right(k, 1)
    y = w.mul(w.mul(y, power_of_two(half)), power_of_two(s.i64.sub(k, half)))
    y = w.select(w.greater(x, w.number(steps.OVERFLOW)), w.number(float("inf")), y)
    y = w.select(w.less(x, w.number(steps.UNDERFLOW)), w.number(0.0), y)
    return s.from_f64(w.select(w.unordered(x, x), x, y))
