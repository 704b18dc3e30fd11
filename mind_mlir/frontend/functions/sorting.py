"""Elements in order, and what is found by it."""

from __future__ import annotations

from typing import Any

from ...ir import np
from ..integers import axis_of, integer
from ..operands import operand
from ..place import error
from ..promotion import binary
from ._made import applied
from .catalogue import function
from .manipulation import expand_dims, moveaxis, ravel, reshape, sliced, squeeze
from .searching import where
from .statistical import floats

__all__ = ["argsort", "median", "quantile", "sort", "top_k"]

ALIASES: dict[str, str] = {}


def sort(x: Any, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Any:
    """The elements in ascending order along an axis, or in descending order. NaN is above every number.

    >>> mind.sort(np.float32([3, 1, 2]))
    array([1., 2., 3.], dtype=float32)
    """
    x = operand("sort", x)
    (found,) = applied("Sort", (axis_of("sort", axis, x.ndim), bool(descending)), x)
    return found


def argsort(x: Any, axis: int = -1, *, descending: bool = False, stable: bool = True) -> Any:
    """The positions along an axis of the elements in order. Those of equal ones keep theirs.

    >>> mind.argsort(np.float32([3, 1, 2]))
    array([1, 2, 0])
    """
    x = operand("argsort", x)
    return applied("ArgSort", (axis_of("argsort", axis, x.ndim), bool(descending)), x)


def top_k(x: Any, k: int) -> tuple[Any, Any]:
    """The k largest elements along the last axis, the largest first, and their positions.

    >>> mind.top_k(np.float32([3, 1, 2]), 2)
    (array([3., 2.], dtype=float32), array([0, 2]))
    """
    values, positions = applied("TopK", (integer("k", k),), operand("top_k", x))
    return values, positions


def median(x: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """The element in the middle of the order along an axis, or the mean of two; NaN if one is NaN.

    >>> mind.median(np.float32([3, 1, 2]))
    array(2., dtype=float32)
    """
    return quantile(x, 0.5, axis, keepdims)


def quantile(x: Any, q: float, axis: int | None = None, keepdims: bool = False) -> Any:
    """The element at q of the way through the order along an axis, between two in proportion; NaN if one is NaN.

    >>> mind.quantile(np.float32([3, 1, 2]), 0.25)
    array(1.5, dtype=float32)
    """
    x = floats("quantile", x)
    if not 0 <= q <= 1:
        raise error("E4013", f"quantile is from 0 to 1, found {q}")
    shape = [1] * x.ndim if axis is None else [1 if n == axis % x.ndim else e for n, e in enumerate(x.shape)]
    x = expand_dims(ravel(x), 0) if axis is None else moveaxis(x, axis, -1)
    if not (count := x.shape[-1]):
        raise error("E3006", "quantile of no elements")
    ordered = sort(x)
    at, part = np.divmod(q * (count - 1), 1)
    low = sliced(ordered, x.ndim - 1, int(at), int(at) + 1)
    high = sliced(ordered, x.ndim - 1, min(int(at) + 1, count - 1), min(int(at) + 2, count))
    found = low if not part else binary("Add", low, binary("Mul", binary("Sub", high, low), float(part)))
    found = where(function("any")(function("isnan")(x), -1, keepdims=True), float("nan"), found)
    if keepdims:
        return reshape(found, shape) if axis is None else moveaxis(found, -1, axis)
    return reshape(found, ()) if axis is None else squeeze(found, -1)
