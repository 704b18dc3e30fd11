"""Floats of 16 bits to f32 and back, by integers: the same bits on every CPU and GPU, on elements and on vectors.

`bits` are those of the narrow float, as an i16.
"""

from __future__ import annotations

from typing import Any

from ...ir import DType
from ..emit.scalars import Scalars

_SIGN = 0x80000000
_INFINITY = 0x7F800000
_NAN = 0x7FC00000


def widened(dtype: DType, f: Scalars, bits: Any) -> Any:
    """The f32 of a narrow float; `f` are the scalars of f32."""
    i = f.of(DType.I32)
    x = i.op("arith.extui", bits)
    if dtype is DType.BF16:  # the upper half of an f32
        return f.op("arith.bitcast", i.shift_left(x, 16))
    # the exponent has another bias: a product with a power of two corrects it, and makes subnormals normal
    magnitude = i.shift_left(i.bit_and(x, i.number(0x7FFF)), 13)
    scaled = f.mul(f.op("arith.bitcast", magnitude), f.number(2.0**112))
    special = i.greater_equal(magnitude, i.number(0x7C00 << 13))  # infinities and NaNs
    found = i.select(special, i.bit_or(magnitude, i.number(_INFINITY)), i.op("arith.bitcast", scaled))
    sign = i.shift_left(i.bit_and(x, i.number(0x8000)), 16)
    return f.op("arith.bitcast", i.bit_or(found, sign))


def narrowed(dtype: DType, f: Scalars, x: Any) -> Any:
    """The bits of the narrow float nearest to an f32, ties to even; a NaN is the quiet one."""
    i, half = f.of(DType.I32), f.of(DType.I16)
    bits = i.op("arith.bitcast", x)
    magnitude = i.bit_and(bits, i.number(_SIGN - 1))
    is_nan = i.greater(magnitude, i.number(_INFINITY))
    sign = _right(i, i.bit_and(bits, i.number(_SIGN)), 16)
    if dtype is DType.BF16:
        found = i.select(is_nan, i.number(_NAN >> 16), _rounded(i, magnitude, 16))
    else:
        rebiased = i.add(magnitude, i.number((15 - 127) << 23))
        normal = _rounded(i, rebiased, 13)
        # below the normal numbers, adding 0.5 rounds to a multiple of the smallest, which is then in the lowest bits
        small = f.add(f.op("arith.bitcast", magnitude), f.number(0.5))
        subnormal = i.sub(i.op("arith.bitcast", small), i.number(0x3F000000))
        found = i.select(i.less(magnitude, i.number((127 - 14) << 23)), subnormal, normal)
        beyond = i.greater_equal(magnitude, i.number((127 + 16) << 23))
        found = i.select(beyond, i.select(is_nan, i.number(0x7E00), i.number(0x7C00)), found)
    return half.op("arith.trunci", i.bit_or(found, sign))


def _rounded(i: Scalars, bits: Any, dropped: int) -> Any:
    """Bits without the lowest ones, rounded to nearest, ties to even."""
    odd = i.bit_and(_right(i, bits, dropped), i.number(1))
    return _right(i, i.add(bits, i.add(odd, i.number((1 << (dropped - 1)) - 1))), dropped)


def _right(i: Scalars, bits: Any, by: int) -> Any:
    return i.op("arith.shrui", bits, i.number(by))
