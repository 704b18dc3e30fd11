"""Functions that choose and find elements."""

from __future__ import annotations

from typing import Any

from ...ir import np
from ..integers import axis_of
from ..operands import operand
from ..place import error
from ..promotion import combined, common
from ._made import applied, made
from .catalogue import function
from .logic import truth
from .manipulation import expand_dims, ravel, reshape

__all__ = ["argmax", "argmin", "isin", "searchsorted", "select", "where"]

ALIASES: dict[str, str] = {}


def where(condition: Any, x: Any, y: Any) -> Any:
    """x where the condition is true, or not 0, else y; broadcasting.

    Elements that are not chosen have no influence on the result. But they are differentiated too, with the cotangent 0,
    and 0 times an infinite derivative is NaN: mind.where(x > 0, mind.log(x), 0) has the gradient NaN at 0. Choose the
    operand too: mind.log(mind.where(x > 0, x, 1)).

    >>> mind.where(np.array([True, False]), np.float32([1, 2]), 0)
    array([1., 0.], dtype=float32)
    """
    return combined(made("Select"), x, y, after=(truth("where", condition),))


def select(conditions: Any, choices: Any, default: Any = 0) -> Any:
    """For each element, the first of the choices whose condition is true, else `default`.

    >>> mind.select([np.array([True, False])], [np.float32([1, 2])], 7)
    array([1., 7.], dtype=float32)
    """
    if len(conditions) != len(choices):
        raise error("E6009", f"select takes as many choices as conditions, found {len(choices)} for {len(conditions)}")
    found = default
    for condition, choice in reversed(list(zip(conditions, choices))):
        found = where(condition, choice, found)
    return found


def argmax(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The position of the first largest element along an axis, or among all; of the first NaN if there is one.

    >>> mind.argmax(np.float32([[1, 3], [5, 2]]), axis=1)
    array([1, 0])
    """
    return _position("ArgMax", "argmax", x, axis, keepdims)


def argmin(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The position of the first smallest element along an axis, or among all; of the first NaN if there is one.

    >>> mind.argmin(np.float32([[1, 3], [5, 2]]), axis=1)
    array([0, 1])
    """
    return _position("ArgMin", "argmin", x, axis, keepdims)


def _position(opcode: str, name: str, x: Any, axis: int | None, keepdims: bool) -> Any:
    x = operand(name, x)
    if axis is None:
        found = applied(opcode, (0, False), ravel(x))
        return reshape(found, (1,) * x.ndim) if keepdims else found
    return applied(opcode, (axis_of(name, axis, x.ndim), bool(keepdims)), x)


def searchsorted(x: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where each of v belongs among the sorted x: how many of these are less, or not greater for side "right".

    Each of v is compared with all of x.

    >>> mind.searchsorted(np.float32([1, 2, 3]), np.float32([2, 9]))
    array([1, 3])
    """
    if side not in ("left", "right"):
        raise error("E4013", f'searchsorted has the sides "left" and "right", found {side!r}')
    if sorter is not None:
        x = function("take")(x, sorter)
    x, v = common("searchsorted", x, v)
    if x.ndim != 1:
        raise error("E3002", f"searchsorted takes a vector that is sorted, found rank {x.ndim}")
    column = expand_dims(v, v.ndim)
    is_before = combined(made("Less" if side == "left" else "LessEqual"), x, column)
    if v.dtype.kind == "f":  # NaNs come last
        is_nan = function("isnan")(column)
        after = np.array(side == "right") if side == "right" else function("logical_not")(function("isnan")(x))
        is_before = function("logical_or")(is_before, function("logical_and")(is_nan, after))
    return function("sum")(is_before, -1)


def isin(x: Any, y: Any, invert: bool = False) -> Any:
    """True where an element of x is one of y; each is compared with all of them.

    >>> mind.isin(np.array([1, 2, 3]), np.array([3, 1]))
    array([ True, False,  True])
    """
    x, y = common("isin", x, y)
    found = function("any")(function("equal")(expand_dims(x, x.ndim), ravel(y)), -1)
    return function("logical_not")(found) if invert else found
