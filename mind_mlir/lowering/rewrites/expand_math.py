"""math.exp and math.log as plain arithmetic, step by step as ops/exp.py and ops/log.py define them.

No library is called, so the bits are the same on every machine, and at every position of an array whatever the vector
width or the tail.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlir import ir

from ...ir import DType
from ...ops import exp, log
from ..scalars import Scalars
from ._walk import operations


def expand_math(module: Any) -> None:
    """Replace every math.exp and math.log on f32 or f64 elements."""
    for op in operations(module):
        if op.name not in _FORMULAS or str(op.result.type) not in ("f32", "f64"):
            continue
        with ir.InsertionPoint(op), op.location:
            value = _FORMULAS[op.name](Scalars(DType(str(op.result.type))), op.operands[0])
        op.result.replace_all_uses_with(value)
        op.erase()


def _exp(s: Scalars, input: Any) -> Any:
    x = s.to_f64(input)
    w = s.f64
    t = w.select(w.less(x, w.number(exp.OVERFLOW)), x, w.number(exp.OVERFLOW))
    t = w.select(w.greater(t, w.number(exp.UNDERFLOW)), t, w.number(exp.UNDERFLOW))
    shifted = w.add(w.mul(t, w.number(exp.LOG2_E)), w.number(exp.ROUND))
    k = s.i64.sub(w.to_bits(shifted), s.i64.number(exp.ROUND_BITS))
    n = w.sub(shifted, w.number(exp.ROUND))
    hi = w.sub(t, w.mul(n, w.number(exp.LN2_HI)))
    lo = w.mul(n, w.number(exp.LN2_LO))
    r = w.sub(hi, lo)
    z = w.mul(r, r)
    c = w.sub(r, w.mul(z, w.polynomial(z, exp.P)))
    y = w.sub(w.number(1.0), w.sub(w.sub(lo, w.div(w.mul(r, c), w.sub(w.number(2.0), c))), hi))

    def power_of_two(k: Any) -> Any:
        return w.from_bits(s.i64.shift_left(s.i64.add(k, s.i64.number(1023)), 52))

    half = s.i64.shift_right(k, 1)
    y = w.mul(w.mul(y, power_of_two(half)), power_of_two(s.i64.sub(k, half)))
    y = w.select(w.greater(x, w.number(exp.OVERFLOW)), w.number(float("inf")), y)
    y = w.select(w.less(x, w.number(exp.UNDERFLOW)), w.number(0.0), y)
    return s.from_f64(w.select(w.unordered(x, x), x, y))


def _log(s: Scalars, input: Any) -> Any:
    x = s.to_f64(input)
    w, i = s.f64, s.i64
    tiny = w.less(x, w.number(log.SMALLEST_NORMAL))
    normal = w.select(tiny, w.mul(x, w.number(log.SCALE)), x)
    bits = i.add(w.to_bits(normal), i.number(log.ONE_BITS - log.SQRT_HALF_BITS))
    exponent = i.sub(i.shift_right(bits, 52), i.number(1023))
    n = w.from_integer(i.sub(exponent, i.select(tiny, i.number(54), i.number(0))))
    f = w.sub(w.from_bits(i.add(i.bit_and(bits, i.number(log.MANTISSA)), i.number(log.SQRT_HALF_BITS))), w.number(1.0))
    q = w.div(f, w.add(w.number(2.0), f))
    z = w.mul(q, q)
    v = w.mul(z, z)
    t1 = w.mul(v, w.polynomial(v, log.EVEN))
    t2 = w.mul(z, w.polynomial(v, log.ODD))
    half = w.mul(w.mul(w.number(0.5), f), f)
    y = w.add(w.mul(q, w.add(half, w.add(t2, t1))), w.mul(n, w.number(log.LN2_LO)))
    y = w.add(w.add(w.sub(y, half), f), w.mul(n, w.number(log.LN2_HI)))
    y = w.select(w.equal(x, w.number(0.0)), w.number(float("-inf")), y)
    y = w.select(w.less(x, w.number(0.0)), w.number(float("nan")), y)
    y = w.select(w.equal(x, w.number(float("inf"))), x, y)
    return s.from_f64(w.select(w.unordered(x, x), x, y))


_FORMULAS: dict[str, Callable[[Scalars, Any], Any]] = {"math.exp": _exp, "math.log": _log}
