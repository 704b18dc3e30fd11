"""Comparisons, truth values and bits, element by element."""

from __future__ import annotations

from typing import Any

from ...ir import DType, np
from ..operands import category, dtype_of, operand
from ..promotion import binary, combined, common, convert
from ._made import applied, made
from .catalogue import function
from .manipulation import broadcast_to

__all__ = [
    "array_equal",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
]

ALIASES: dict[str, str] = {
    "bitwise_not": "bitwise_invert",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "right_shift": "bitwise_right_shift",
}


def equal(x: Any, y: Any) -> Any:
    """True where x == y."""
    return combined(made("Equal"), x, y)


def not_equal(x: Any, y: Any) -> Any:
    """True where x != y."""
    return combined(made("NotEqual"), x, y)


def less(x: Any, y: Any) -> Any:
    """True where x < y."""
    return combined(made("Less"), x, y)


def greater(x: Any, y: Any) -> Any:
    """True where x > y."""
    return combined(made("Greater"), x, y)


def truth(what: str, x: Any) -> Any:
    """True where x is not 0."""
    x = operand(what, x)
    return convert(x, DType.I1)


def logical_and(x: Any, y: Any) -> Any:
    """True where both x and y are not 0.

    >>> mind.logical_and(np.array([True, True]), np.array([True, False]))
    array([ True, False])
    """
    return applied("And", (), truth("logical_and", x), truth("logical_and", y))


def logical_or(x: Any, y: Any) -> Any:
    """True where x or y is not 0.

    >>> mind.logical_or(np.array([True, False]), np.array([False, False]))
    array([ True, False])
    """
    return applied("Or", (), truth("logical_or", x), truth("logical_or", y))


def logical_xor(x: Any, y: Any) -> Any:
    """True where one of x and y is not 0, and the other one is.

    >>> mind.logical_xor(np.array([True, False]), np.array([True, True]))
    array([False,  True])
    """
    return applied("Xor", (), truth("logical_xor", x), truth("logical_xor", y))


def logical_not(x: Any) -> Any:
    """True where x is 0.

    >>> mind.logical_not(np.array([True, False]))
    array([False,  True])
    """
    return applied("Not", (), truth("logical_not", x))


def bitwise_and(x: Any, y: Any) -> Any:
    """The bits that both have; what x & y gives, also of truth values.

    >>> mind.bitwise_and(np.array([6, 7]), 3)
    array([2, 3])
    """
    return combined(made("And"), x, y)


def bitwise_or(x: Any, y: Any) -> Any:
    """The bits that one of both has; what x | y gives, also of truth values.

    >>> mind.bitwise_or(np.array([4, 5]), 3)
    array([7, 7])
    """
    return combined(made("Or"), x, y)


def bitwise_xor(x: Any, y: Any) -> Any:
    """The bits in which both differ; what x ^ y gives, also of truth values.

    >>> mind.bitwise_xor(np.array([6, 7]), 3)
    array([5, 4])
    """
    return combined(made("Xor"), x, y)


def bitwise_invert(x: Any) -> Any:
    """All bits the other way round; what ~x gives, also of truth values.

    >>> mind.bitwise_invert(np.array([0, 1]))
    array([-1, -2])
    """
    return applied("Not", (), operand("bitwise_invert", x))


def bitwise_count(x: Any) -> Any:
    """The number of bits that are 1 in an integer, in its element type.

    >>> mind.bitwise_count(np.array([7, 8]))
    array([3, 1])
    """
    return applied("PopCount", (), operand("bitwise_count", x))


def bitwise_left_shift(x: Any, y: Any) -> Any:
    """The bits of x, y positions higher; what x << y gives. docs/semantics.md, Bits and shifts.

    >>> mind.bitwise_left_shift(np.array([1, 3]), 2)
    array([ 4, 12])
    """
    return combined(made("ShiftLeft"), x, y)


def bitwise_right_shift(x: Any, y: Any) -> Any:
    """The bits of x, y positions lower, with copies of the sign above; what x >> y gives.

    docs/semantics.md, Bits and shifts.

    >>> mind.bitwise_right_shift(np.array([-4, 12]), 2)
    array([-1,  3])
    """
    x, y = common("bitwise_right_shift", x, y)
    return applied("ShiftRightArithmetic" if dtype_of(x).is_signed else "ShiftRightLogical", (), x, y)


def isnan(x: Any) -> Any:
    """True where x is NaN.

    >>> mind.isnan(np.float32([np.nan, 1]))
    array([ True, False])
    """
    x = operand("isnan", x)
    return not_equal(x, x)


def isinf(x: Any) -> Any:
    """True where x is an infinity.

    >>> mind.isinf(np.float32([-np.inf, 1]))
    array([ True, False])
    """
    x = operand("isinf", x)
    if not dtype_of(x).is_float:
        return broadcast_to(np.array(False), x.shape)
    return logical_or(equal(x, float("inf")), equal(x, float("-inf")))


def isfinite(x: Any) -> Any:
    """True where x is neither NaN nor an infinity.

    >>> mind.isfinite(np.float32([np.inf, 1]))
    array([False,  True])
    """
    x = operand("isfinite", x)
    return applied("IsFinite", (), x) if dtype_of(x).is_float else broadcast_to(np.array(True), x.shape)


def isclose(x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """True where x and y differ by `atol` + `rtol` · |y| at most; infinities where they are equal.

    >>> mind.isclose(np.float64([1, 2]), np.float64([1 + 1e-9, 3]))
    array([ True, False])
    """
    x, y = common("isclose", x, y)
    if not category(dtype_of(x)):
        return equal(x, y)
    if not dtype_of(x).is_float:
        x, y = convert(x, DType.F64), convert(y, DType.F64)
    size = function("abs")(y)
    distance = function("abs")(binary("Sub", x, y))
    near = combined(made("LessEqual"), distance, binary("Add", atol, binary("Mul", rtol, size)))
    found = logical_or(equal(x, y), logical_and(near, logical_and(isfinite(x), isfinite(y))))
    return logical_or(found, logical_and(isnan(x), isnan(y))) if equal_nan else found


def array_equal(x: Any, y: Any) -> Any:
    """True if x and y have one shape and equal elements.

    >>> mind.array_equal(np.array([1, 2]), np.array([1, 2]))
    array(True)
    """
    x, y = operand("array_equal", x), operand("array_equal", y)
    return function("all")(equal(x, y)) if x.shape == y.shape else np.array(False)
