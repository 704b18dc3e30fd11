"""Sums, products, quotients and remainders, signs, bounds and roundings, element by element."""

from __future__ import annotations

from typing import Any

from ...ir import DType, np
from ..integers import integer
from ..operands import dtype_of, operand
from ..place import error
from ..promotion import binary, combined, common
from ..trace_builder import PLAIN, apply
from ._made import applied, made
from .catalogue import function
from .creation import zeros_like
from .data_types import astype, finfo
from .logic import equal, greater, isfinite, isinf, less, logical_and, logical_or, not_equal
from .searching import where

__all__ = [
    "add",
    "ceil",
    "clip",
    "conj",
    "copysign",
    "divide",
    "divmod",
    "floor",
    "floor_divide",
    "fmod",
    "hypot",
    "imag",
    "multiply",
    "nan_to_num",
    "negative",
    "nextafter",
    "positive",
    "real",
    "remainder",
    "round",
    "signbit",
    "square",
    "subtract",
    "trunc",
]

ALIASES: dict[str, str] = {
    "absolute": "abs",
    "around": "round",
    "conjugate": "conj",
    "fabs": "abs",
    "fix": "trunc",
    "mod": "remainder",
    "rint": "round",
    "true_divide": "divide",
}


def add(x: Any, y: Any) -> Any:
    """x + y.

    >>> mind.add(np.float32([1, 2]), 3)
    array([4., 5.], dtype=float32)
    """
    return binary("Add", x, y)


def subtract(x: Any, y: Any) -> Any:
    """x - y.

    >>> mind.subtract(np.float32([1, 2]), 3)
    array([-2., -1.], dtype=float32)
    """
    return binary("Sub", x, y)


def multiply(x: Any, y: Any) -> Any:
    """x * y.

    >>> mind.multiply(np.float32([1, 2]), 3)
    array([3., 6.], dtype=float32)
    """
    return binary("Mul", x, y)


def divide(x: Any, y: Any) -> Any:
    """x / y.

    >>> mind.divide(np.float32([1, 2]), 4)
    array([0.25, 0.5 ], dtype=float32)
    """
    return combined(PLAIN["Div"], x, y, floats=True)


def negative(x: Any) -> Any:
    """-x.

    >>> mind.negative(np.float32([1, -2]))
    array([-1.,  2.], dtype=float32)
    """
    return apply(PLAIN["Neg"], operand("negative", x))


def positive(x: Any) -> Any:
    """+x, which is x.

    >>> mind.positive(np.float32([1, -2]))
    array([ 1., -2.], dtype=float32)
    """
    return operand("positive", x)


def real(x: Any) -> Any:
    """The real part of x, which is x: there are no complex numbers.

    >>> mind.real(np.float32([1]))
    array([1.], dtype=float32)
    """
    return operand("real", x)


def imag(x: Any) -> Any:
    """The imaginary part of x, which is 0: there are no complex numbers.

    >>> mind.imag(np.float32([1]))
    array([0.], dtype=float32)
    """
    return zeros_like(x)


def conj(x: Any) -> Any:
    """The conjugate of x, which is x: there are no complex numbers.

    >>> mind.conj(np.float32([1]))
    array([1.], dtype=float32)
    """
    return operand("conj", x)


def square(x: Any) -> Any:
    """x * x.

    >>> mind.square(np.float32([1, -2]))
    array([1., 4.], dtype=float32)
    """
    return binary("Mul", x, x)


def clip(x: Any, min: Any = None, max: Any = None) -> Any:
    """x, but `min` where it is less and `max` where it is greater; None is no bound.

    >>> mind.clip(np.float32([-2, 0.5, 3]), 0, 1)
    array([0. , 0.5, 1. ], dtype=float32)
    """
    if min is not None:
        x = combined(made("Maximum"), x, min)
    if max is not None:
        x = combined(made("Minimum"), x, max)
    return operand("clip", x)


def floor_divide(x: Any, y: Any) -> Any:
    """x / y, rounded down: what x // y gives. An integer divided by 0 is -1, as in docs/semantics.md, Div.

    >>> mind.floor_divide(np.array([7, -7]), 2)
    array([ 3, -4])
    """
    x, y = common("floor_divide", x, y)
    return _quotient(x, y, remainder(x, y))


def remainder(x: Any, y: Any) -> Any:
    """What is left of x after x // y times y: what x % y gives. It has the sign of y.

    >>> mind.remainder(np.array([7, -7]), 2)
    array([1, 1])
    """
    return combined(made("Remainder"), x, y)


def divmod(x: Any, y: Any) -> tuple[Any, Any]:
    """The pair of x // y and x % y.

    >>> mind.divmod(np.array([7, -7]), 2)
    (array([ 3, -4]), array([1, 1]))
    """
    x, y = common("divmod", x, y)
    left = remainder(x, y)
    return _quotient(x, y, left), left


def _quotient(x: Any, y: Any, left: Any) -> Any:
    """x // y, from x % y."""
    if not dtype_of(x).is_float:  # x - left may wrap, and toward zero is too high where it is no multiple below 0
        is_high = logical_and(not_equal(left, 0), not_equal(less(x, 0), less(y, 0)))
        return binary("Sub", binary("Div", x, y), astype(is_high, dtype_of(x)))
    quotient = binary("Div", binary("Sub", x, left), y)
    plain = binary("Div", x, y)
    quotient = applied("Round", (), quotient)  # integral, but for the rounding of the quotient
    quotient = where(equal(quotient, 0), copysign(zeros_like(quotient), plain), quotient)
    below = where(less(plain, 0), -1.0, plain)  # of infinite y: -1 or a zero
    quotient = where(logical_and(isinf(y), isfinite(x)), below, quotient)
    return where(equal(y, 0), plain, quotient)


def fmod(x: Any, y: Any) -> Any:
    """What is left of x after its quotient by y, rounded toward zero, times y. It has the sign of x.

    >>> mind.fmod(np.float32([7, -7]), 2)
    array([ 1., -1.], dtype=float32)
    """
    x, y = common("fmod", x, y)
    left = remainder(function("abs")(x), function("abs")(y))
    return copysign(left, x) if dtype_of(x).is_float else where(less(x, 0), negative(left), left)


def round(x: Any, decimals: int = 0) -> Any:
    """x, rounded to the nearest integer, and to the even one of two; or to so many decimals.

    >>> mind.round(np.float32([0.5, 1.5, 2.4]))
    array([0., 2., 2.], dtype=float32)
    """
    x, places = operand("round", x), integer("decimals", decimals)
    if not dtype_of(x).is_float:
        if places < 0:
            raise error("E2005", f"round of {dtype_of(x)} to {places} decimals", help="convert it to floats first")
        return x
    if not places:
        return applied("Round", (), x)
    scale = 10.0 ** abs(places)
    if places > 0:
        return binary("Div", applied("Round", (), binary("Mul", x, scale)), scale)
    return binary("Mul", applied("Round", (), binary("Div", x, scale)), scale)


def floor(x: Any) -> Any:
    """x, rounded down.

    >>> mind.floor(np.float32([-1.5, 1.5]))
    array([-2.,  1.], dtype=float32)
    """
    return _rounded("Floor", x)


def ceil(x: Any) -> Any:
    """x, rounded up.

    >>> mind.ceil(np.float32([-1.5, 1.5]))
    array([-1.,  2.], dtype=float32)
    """
    return _rounded("Ceil", x)


def _rounded(opcode: str, x: Any) -> Any:
    """Floats rounded by an operation, and integers as they are."""
    x = operand(opcode, x)
    return applied(opcode, (), x) if dtype_of(x).is_float else x


def trunc(x: Any) -> Any:
    """x, rounded toward zero.

    >>> mind.trunc(np.float32([-1.5, 1.5]))
    array([-1.,  1.], dtype=float32)
    """
    return where(less(x, 0), ceil(x), floor(x))


def signbit(x: Any) -> Any:
    """True where the sign of a float is set, that of -0.0 and of NaN too.

    >>> mind.signbit(np.float32([-0.0, 0.0]))
    array([ True, False])
    """
    x = operand("signbit", x)
    dtype = dtype_of(x)
    if not dtype.is_float:
        raise error("E2005", f"signbit takes floats, found {dtype}", help="write x < 0")
    return less(applied("BitCast", (_bits_of(dtype),), x), 0)


def _bits_of(dtype: DType) -> DType:
    """The signed integers of a float's width."""
    return next(d for d in DType if d.kind == "signed" and d.width == dtype.width)


def copysign(x: Any, y: Any) -> Any:
    """x with the sign of y.

    >>> mind.copysign(np.float32([1, 2]), np.float32([-3, -0.0]))
    array([-1., -2.], dtype=float32)
    """
    x, y = common("copysign", x, y)
    return where(not_equal(signbit(x), signbit(y)), negative(x), x)


def nextafter(x: Any, y: Any) -> Any:
    """The float next to x in the direction of y.

    >>> mind.nextafter(np.float32([0]), np.float32([1]))
    array([1.e-45], dtype=float32)
    """
    x, y = common("nextafter", x, y)
    bits = _bits_of(dtype_of(x))
    number = applied("BitCast", (bits,), x)
    away = equal(greater(y, x), greater(x, 0))  # the magnitude grows
    moved = applied("BitCast", (dtype_of(x),), where(away, binary("Add", number, 1), binary("Sub", number, 1)))
    smallest = applied("BitCast", (dtype_of(x),), np.ones((), bits.numpy))
    found = where(equal(x, 0), copysign(smallest, y), moved)
    found = where(equal(x, y), y, found)
    return where(not_equal(x, x), x, where(not_equal(y, y), y, found))


def hypot(x: Any, y: Any) -> Any:
    """The square root of x² + y², without overflow on the way.

    >>> mind.hypot(np.float32(3), np.float32(4))
    array(5., dtype=float32)
    """
    x, y = function("abs")(x), function("abs")(y)
    large, small = combined(made("Maximum"), x, y), combined(made("Minimum"), x, y)
    is_plain = logical_and(greater(large, 0), applied("IsFinite", (), large))
    ratio = binary("Div", small, where(is_plain, large, 1))
    found = binary("Mul", large, function("sqrt")(binary("Add", 1, binary("Mul", ratio, ratio))))
    is_infinite = logical_or(equal(x, float("inf")), equal(y, float("inf")))
    return where(is_infinite, float("inf"), where(equal(large, 0), large, found))


def nan_to_num(x: Any, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    """x with a number instead of NaN, and the greatest and the smallest float instead of infinities, or other numbers.

    >>> mind.nan_to_num(np.float32([np.nan, 1]))
    array([0., 1.], dtype=float32)
    """
    x = operand("nan_to_num", x)
    if not dtype_of(x).is_float:
        return x
    limits = finfo(dtype_of(x))
    found = where(not_equal(x, x), nan, x)
    found = where(equal(x, float("inf")), limits.max if posinf is None else posinf, found)
    return where(equal(x, float("-inf")), limits.min if neginf is None else neginf, found)
