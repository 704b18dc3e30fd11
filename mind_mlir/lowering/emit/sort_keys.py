"""Emits the keys by which elements are sorted: unsigned integers in their order."""

from __future__ import annotations

from typing import Any

from ...ir import DType
from .scalars import Scalars


class FloatBits:
    """What the bits of a float say, found with integers alone: of floats of 16 bits there is nothing else."""

    def __init__(self, dtype: DType, x: Any) -> None:
        self.integers = n = Scalars(integer_of(dtype))
        self.bits = n.op("arith.bitcast", x)
        self._infinity = ((1 << (dtype.bits - 1 - dtype.mantissa)) - 1) << dtype.mantissa
        self._magnitude = n.op("arith.andi", self.bits, n.number(n.largest))

    def is_zero(self) -> Any:
        """True for 0.0 and -0.0."""
        return self.integers.equal(self._magnitude, self.integers.number(0))

    def is_negative_zero(self) -> Any:
        """True for -0.0 alone."""
        return self.integers.equal(self.bits, self.integers.number(self.integers.smallest))

    def is_nan(self) -> Any:
        """True for NaN of any bits."""
        return self.integers.greater(self._magnitude, self.integers.number(self._infinity))

    def is_below_zero(self) -> Any:
        """True for negative numbers and -inf, not for -0.0."""
        n = self.integers  # the smallest integer has the bits of -0.0, and -inf comes after those of all other numbers
        up_to_infinity = n.less_equal(self.bits, n.number(n.smallest + self._infinity))
        return n.both(n.greater(self.bits, n.number(n.smallest)), up_to_infinity)


def integer_of(dtype: DType) -> DType:
    """The integers of a float's width."""
    return DType(f"i{dtype.bits}")


def key_dtype(dtype: DType) -> DType:
    """The integers that hold the keys of a type."""
    return DType.I32 if dtype.width <= 4 else DType.I64


def key_of(x: Any, dtype: DType, descending: bool) -> Any:
    """An unsigned integer in the order of the elements: zeros are equal, and NaN is above all numbers."""
    u = Scalars(key_dtype(dtype))
    if dtype.is_float:
        of = FloatBits(dtype, x)
        n = of.integers
        bits = n.select(of.is_zero(), n.number(0), of.bits)
        flips = n.op("arith.ori", n.op("arith.shrsi", bits, n.number(n.bits - 1)), n.number(n.smallest))
        key = n.op("arith.xori", bits, flips)
        key = n.select(of.is_nan(), n.number(-1), key)
    else:
        n = Scalars(dtype)
        key = n.op("arith.xori", x, n.number(n.smallest)) if dtype.is_signed else x
    if descending:
        key = n.op("arith.xori", key, n.number(-1))
    return key if n.bits == u.bits else u.op("arith.extui", key)


def of_key(key: Any, dtype: DType, descending: bool) -> Any:
    """The element that has a key."""
    s = Scalars(dtype)
    n = Scalars(integer_of(dtype)) if s.is_float else s
    if dtype_of(key).bits > n.bits:
        key = n.op("arith.trunci", key)
    if descending:
        key = n.op("arith.xori", key, n.number(-1))
    if not s.is_float:
        return n.op("arith.xori", key, n.number(n.smallest)) if dtype.is_signed else key
    flips = n.op(
        "arith.ori",
        n.op("arith.shrsi", n.op("arith.xori", key, n.number(-1)), n.number(n.bits - 1)),
        n.number(n.smallest),
    )
    return s.op("arith.bitcast", n.op("arith.xori", key, flips))


def dtype_of(x: Any) -> DType:
    """The element type of a scalar of MLIR that is an integer or a float."""
    return DType(str(x.type))
