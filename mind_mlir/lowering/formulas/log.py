"""ln x as arithmetic.

x = 2^n · m with 3/4 <= m < 3/2, so ln x = n·ln2 + ln m. In f32 ln m is a polynomial in m - 1; in f64 it is one in the
square of (m - 1) / (m + 1), which needs less than half as many terms.
"""

from __future__ import annotations

from typing import Any

from ...ir import DType
from ...ops import log as steps
from ..emit.scalars import Scalars
from ..targets.cpus import Cpu
from . import approximate, avx512
from .coefficients import LOG_F32, LOG_F64

LN2_F32 = float.fromhex("0x1.62e430p-1")
LN2_HI = float.fromhex("0x1.62e42fefa3800p-1")  # n · LN2_HI is exact
LN2_LO = float.fromhex("0x1.ef35793c76730p-45")


def log(s: Scalars, x: Any, numerics: str, cpu: Cpu) -> Any:
    """ln x: -inf at ±0, NaN below 0; inf and NaN stay."""
    if not cpu.fuses(numerics):
        return _strict(s, x)
    if approximate.fits(s, numerics, cpu):
        return approximate.log(s, x)
    n, m = avx512.split(s, x) if avx512.fits(s, cpu) else _split(s, x)
    f = s.sub(m, s.number(1.0))
    if s.dtype is DType.F32:
        y = s.fma(s.fused_polynomial(f, LOG_F32), s.mul(f, f), f)
        return s.fma(n, s.number(LN2_F32), y)
    # ln m = 2·s + s·z·p(z) = f - s·(f - z·p(z)), where f is exact and the rest small
    q = s.div(f, s.add(m, s.number(1.0)))
    z = s.mul(q, q)
    rest = s.fma(s.negative(z), s.fused_polynomial(z, LOG_F64), f)
    y = s.fma(s.negative(q), rest, s.mul(n, s.number(LN2_LO)))
    return s.fma(n, s.number(LN2_HI), s.add(f, y))


def _split(s: Scalars, x: Any) -> tuple[Any, Any]:
    """n and m; if x is not positive and finite, n is the result of log, and m some finite number."""
    f32 = s.dtype is DType.F32
    i = s.of(DType.I32 if f32 else DType.I64)
    mantissa, bias = (23, 127) if f32 else (52, 1023)
    half = 1 << (mantissa - 1)  # the mantissa of a half
    three_quarters = ((bias - 1) << mantissa) + half
    tiny = s.less(x, s.number(2.0 ** (1 - bias)))
    normal = s.select(tiny, s.mul(x, s.number(2.0 ** (mantissa + 2))), x)
    bits = i.add(i.op("arith.bitcast", normal), i.number(half))
    m = i.add(i.bit_and(bits, i.number((1 << mantissa) - 1)), i.number(three_quarters))
    # the biased exponent goes into the low bits of 2^mantissa, so that a subtraction makes a float of it
    exponent = i.op("arith.shrui", bits, i.number(mantissa))
    large = 2.0**mantissa
    exponent = i.op("arith.ori", exponent, i.number((bias + mantissa) << mantissa))
    offset = s.select(tiny, s.number(large + bias + mantissa + 2), s.number(large + bias))
    n = s.sub(s.op("arith.bitcast", exponent), offset)
    infinity = s.number(float("inf"))
    n = s.select(s.less(x, infinity), n, x)
    at_most_zero = s.select(s.equal(x, s.number(0.0)), s.number(float("-inf")), s.number(float("nan")))
    return s.select(s.greater(x, s.number(0.0)), n, at_most_zero), s.op("arith.bitcast", m)


def _strict(s: Scalars, input: Any) -> Any:
    """The steps of ops/log.py."""
    x = s.to_f64(input)
    w, i = s.f64, s.i64
    tiny = w.less(x, w.number(steps.SMALLEST_NORMAL))
    normal = w.select(tiny, w.mul(x, w.number(steps.SCALE)), x)
    bits = i.add(w.to_bits(normal), i.number(steps.ONE_BITS - steps.SQRT_HALF_BITS))
    exponent = i.sub(i.shift_right(bits, 52), i.number(1023))
    n = w.from_integer(i.sub(exponent, i.select(tiny, i.number(54), i.number(0))))
    mantissa = i.add(i.bit_and(bits, i.number(steps.MANTISSA)), i.number(steps.SQRT_HALF_BITS))
    f = w.sub(w.from_bits(mantissa), w.number(1.0))
    q = w.div(f, w.add(w.number(2.0), f))
    z = w.mul(q, q)
    v = w.mul(z, z)
    t1 = w.mul(v, w.polynomial(v, steps.EVEN))
    t2 = w.mul(z, w.polynomial(v, steps.ODD))
    half = w.mul(w.mul(w.number(0.5), f), f)
    y = w.add(w.mul(q, w.add(half, w.add(t2, t1))), w.mul(n, w.number(steps.LN2_LO)))
    y = w.add(w.add(w.sub(y, half), f), w.mul(n, w.number(steps.LN2_HI)))
    y = w.select(w.equal(x, w.number(0.0)), w.number(float("-inf")), y)
    y = w.select(w.less(x, w.number(0.0)), w.number(float("nan")), y)
    y = w.select(w.equal(x, w.number(float("inf"))), x, y)
    return s.from_f64(w.select(w.unordered(x, x), x, y))
