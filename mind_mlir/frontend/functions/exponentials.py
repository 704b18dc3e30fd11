"""Powers, logarithms and what is made of them, element by element."""

from __future__ import annotations

import math
from typing import Any

from ...ir import np
from ..operands import dtype_of, is_scalar, operand
from ..place import error
from ..promotion import binary, combined, common
from ..trace_builder import PLAIN, apply
from ._made import made
from .catalogue import function
from .creation import ones_like
from .logic import bitwise_and, equal, greater, isnan, logical_and, not_equal
from .manipulation import broadcast_arrays
from .searching import where

__all__ = [
    "deg2rad",
    "exp2",
    "logaddexp",
    "logit",
    "pow",
    "rad2deg",
    "xlogy",
]

ALIASES: dict[str, str] = {
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "degrees": "rad2deg",
    "float_power": "pow",
    "power": "pow",
    "radians": "deg2rad",
}


def pow(x: Any, y: Any) -> Any:
    """x to the power of y; what x ** y gives. A known integer is an exponent by products, 0.5 the square root.

    >>> mind.pow(np.float32([1, 2, 3]), 2)
    array([1., 4., 9.], dtype=float32)
    """
    if not is_scalar(y) or is_scalar(x):
        x, y = common("pow", x, y)
        return combined(made("Pow"), x, y) if dtype_of(x).is_float else _by_bits(x, y)
    x = operand("pow", x)
    if float(y).is_integer() and abs(y) <= _LARGEST_BY_PRODUCTS:
        if isinstance(y, (float, np.floating)) and not dtype_of(x).is_float:
            x = binary("Mul", x, 1.0)
        return _by_products(x, int(y))
    return function("sqrt")(x) if y == 0.5 else combined(made("Pow"), x, y, floats=True)


_LARGEST_BY_PRODUCTS = 1 << 10
"""More than 20 products lose more digits than Pow."""


def _by_products(x: Any, n: int) -> Any:
    """x to the power of an integer."""
    if n < 0:
        dtype = dtype_of(x)
        if not dtype.is_float:
            raise error("E2005", f"** of {dtype} with the exponent {n}", help="negative powers take floats")
        return _by_products(apply(PLAIN["Reciprocal"], x), -n)
    result = None
    while n:  # by squaring: x⁶ = x⁴ · x²
        if n & 1:
            result = x if result is None else binary("Mul", result, x)
        n >>= 1
        if n:
            x = binary("Mul", x, x)
    return ones_like(x) if result is None else result


def _by_bits(x: Any, y: Any) -> Any:
    """x to the power of y, of integers, by the bits of y; what an exponent below 0 gives has no meaning."""
    x, y = broadcast_arrays(x, y)
    result = ones_like(x)
    for n in range(dtype_of(y).bits):
        is_set = not_equal(bitwise_and(y, np.array(1 << n, np.uint64).astype(dtype_of(y).numpy)), 0)
        result = where(is_set, binary("Mul", result, x), result)
        x = binary("Mul", x, x)
    return result


def exp2(x: Any) -> Any:
    """2 to the power of x.

    >>> mind.exp2(np.float32([0, 3]))
    array([1., 8.], dtype=float32)
    """
    return combined(made("Pow"), 2.0, x, floats=True)


def logaddexp(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)), without overflow on the way.

    >>> mind.logaddexp(np.float32([0, 100]), np.float32([0, 0]))
    array([  0.6931472, 100.       ], dtype=float32)
    """
    # log(eˣ + eʸ) = a + log1p(e^(b - a)) for the larger a and the smaller b. Chosen instead of computed, they have the
    # derivatives of x and y, and the sum is symmetric in both: so are its derivatives, where they are equal too.
    x, y = common("logaddexp", x, y)
    is_larger = greater(x, y)
    large, small = where(is_larger, x, y), where(is_larger, y, x)
    distance = binary("Sub", small, large)
    distance = where(logical_and(isnan(distance), equal(small, large)), 0, distance)  # of two equal infinities
    return binary("Add", large, function("log1p")(function("exp")(distance)))


def xlogy(x: Any, y: Any) -> Any:
    """x · log(y), and 0 where x is 0.

    >>> mind.xlogy(np.float32([0, 1]), np.float32([0, 1]))
    array([0., 0.], dtype=float32)
    """
    x, y = common("xlogy", x, y)
    is_zero = logical_and(equal(x, 0), equal(y, y))
    return where(is_zero, 0, binary("Mul", x, function("log")(where(is_zero, 1, y))))


def logit(x: Any) -> Any:
    """The logarithm of x / (1 - x), the inverse of the logistic function.

    >>> mind.logit(np.float32(0.5))
    array(0., dtype=float32)
    """
    # around its zero 2·atanh(2x - 1), which has all digits there; each gets a number that has a derivative elsewhere
    x = operand("logit", x)
    is_near = logical_and(greater(x, 0.25), greater(0.75, x))
    centred = binary("Sub", binary("Mul", x, 2.0), 1.0)
    near = binary("Mul", function("atanh")(where(is_near, centred, 0)), 2.0)
    x = where(is_near, 0.25, x)
    return where(is_near, near, binary("Sub", function("log")(x), function("log1p")(apply(PLAIN["Neg"], x))))


def deg2rad(x: Any) -> Any:
    """Degrees as radians.

    >>> mind.deg2rad(np.float32(180))
    array(3.1415927, dtype=float32)
    """
    return binary("Mul", x, math.pi / 180)


def rad2deg(x: Any) -> Any:
    """Radians as degrees.

    >>> mind.rad2deg(np.float32(np.pi))
    array(180., dtype=float32)
    """
    return binary("Mul", x, 180 / math.pi)
