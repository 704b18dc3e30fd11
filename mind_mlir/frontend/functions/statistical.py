"""Sums, means, extremes and variances along axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...ir import DType
from ..integers import axes_of, axis_of, integer, integers
from ..operands import category, dtype_of, operand
from ..place import error
from ..promotion import binary, common, convert
from ._made import applied
from .catalogue import function
from .creation import element_type
from .joining import concat
from .logic import truth
from .manipulation import reshape, sliced, squeeze

__all__ = [
    "all",
    "any",
    "average",
    "count_nonzero",
    "diff",
    "max",
    "mean",
    "min",
    "prod",
    "ptp",
    "std",
    "sum",
    "var",
]

ALIASES: dict[str, str] = {
    "amax": "max",
    "amin": "min",
}

Axis = int | Sequence[int] | None


def sum(x: Any, axis: Axis = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The sum along `axis`: an integer, several, or None for all. docs/semantics.md, Sums, has the order.

    Integers are summed as i64 or u64, and truth values are counted, unless `dtype` says otherwise.

    >>> mind.sum(np.float32([[1, 2], [3, 4]]), axis=0)
    array([4., 6.], dtype=float32)
    """
    return reduced("Sum", widened("sum", x, dtype), axis, keepdims)


def prod(x: Any, axis: Axis = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The product along `axis`; integers as for `sum`.

    >>> mind.prod(np.float32([2, 3, 4]))
    array(24., dtype=float32)
    """
    x = widened("prod", x, dtype)
    axes = tuple(range(x.ndim)) if axis is None else axes_of("prod", axis, x.ndim)
    for a in axes:
        x = _product(x, a)
    return x if keepdims or not axes else squeeze(x, axes)


def _product(x: Any, axis: int) -> Any:
    """The product along an axis, which stays with extent 1: by halves, so that its derivative has no quotient."""
    if not x.shape[axis]:
        return function("ones")([1 if n == axis else e for n, e in enumerate(x.shape)], dtype_of(x))
    while (count := x.shape[axis]) > 1:
        half = count // 2
        both = binary("Mul", sliced(x, axis, 0, half), sliced(x, axis, half, 2 * half))
        x = concat([both, sliced(x, axis, 2 * half, count)], axis) if count % 2 else both
    return x


def max(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The largest element along `axis`; NaN if one is NaN. Equal ones share the derivative.

    >>> mind.max(np.float32([[1, 2], [3, 0]]), axis=1)
    array([2., 3.], dtype=float32)
    """
    return _extreme("Max", "max", x, axis, keepdims)


def min(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The smallest element along `axis`; NaN if one is NaN. Equal ones share the derivative.

    >>> mind.min(np.float32([[1, 2], [3, 0]]), axis=1)
    array([1., 0.], dtype=float32)
    """
    return _extreme("Min", "min", x, axis, keepdims)


def _extreme(opcode: str, name: str, x: Any, axis: Axis, keepdims: bool) -> Any:
    x = operand(name, x)
    axes = range(x.ndim) if axis is None else axes_of(name, axis, x.ndim)
    if 0 in [x.shape[a] for a in axes]:
        raise error("E3006", f"{name} of no elements: axes {list(axes)} of shape {list(x.shape)} have extent 0")
    return reduced(opcode, x, axis, keepdims)


def ptp(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The distance from the smallest to the largest element along `axis`.

    >>> mind.ptp(np.float32([1, 5, 3]))
    array(4., dtype=float32)
    """
    return binary("Sub", max(x, axis, keepdims), min(x, axis, keepdims))


def all(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """True where no element along `axis` is 0.

    >>> mind.all(np.array([True, False]))
    array(False)
    """
    return _of_truth("Min", truth("all", x), axis, keepdims)


def any(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """True where an element along `axis` is not 0.

    >>> mind.any(np.array([True, False]))
    array(True)
    """
    return _of_truth("Max", truth("any", x), axis, keepdims)


def _of_truth(opcode: str, x: Any, axis: Axis, keepdims: bool) -> Any:
    """The extreme of truth values as numbers, 0 or 1; over nothing the largest or the smallest number."""
    return convert(reduced(opcode, convert(x, DType.U8), axis, keepdims), DType.I1)


def count_nonzero(x: Any, axis: Axis = None, keepdims: bool = False) -> Any:
    """The number of elements along `axis` that are not 0.

    >>> mind.count_nonzero(np.array([1, 0, 2]))
    array(2)
    """
    return sum(truth("count_nonzero", x), axis, keepdims)


def mean(x: Any, axis: Axis = None, keepdims: bool = False, *, dtype: Any = None) -> Any:
    """The arithmetic mean along `axis`; NaN over nothing. Integers and truth values are f32.

    >>> mind.mean(np.float32([[1, 2], [3, 4]]), axis=1, keepdims=True)
    array([[1.5],
           [3.5]], dtype=float32)
    """
    return reduced("Mean", floats("mean", x, dtype), axis, keepdims)


def average(x: Any, axis: Axis = None, weights: Any = None, keepdims: bool = False) -> Any:
    """The mean along `axis`, each element counted as often as its weight says.

    >>> mind.average(np.float32([1, 3]), weights=np.float32([3, 1]))
    array(1.5, dtype=float32)
    """
    if weights is None:
        return mean(x, axis, keepdims)
    x, weights = common("average", floats("average", x), weights)
    if weights.shape != x.shape:
        if weights.ndim != 1 or not isinstance(axis, int):
            raise error("E3001", f"average of shape {list(x.shape)} with weights of shape {list(weights.shape)}")
        a = axis_of("average", axis, x.ndim)
        weights = reshape(weights, [-1 if n == a else 1 for n in range(x.ndim)])
        weights = binary("Mul", weights, function("ones_like")(x))
    return binary("Div", sum(binary("Mul", x, weights), axis, keepdims), sum(weights, axis, keepdims))


def var(x: Any, axis: Axis = None, keepdims: bool = False, *, correction: float = 0.0, ddof: float = 0.0) -> Any:
    """The mean of the squared distances from the mean along `axis`; n - `correction` divides. `ddof` is NumPy's name.

    >>> mind.var(np.float32([1, 2, 3, 4]))
    array(1.25, dtype=float32)
    """
    x = floats("var", x)
    centred = binary("Sub", x, mean(x, axis, keepdims=True))
    squares = binary("Mul", centred, centred)
    if not (less := correction or ddof):
        return mean(squares, axis, keepdims)
    axes = range(x.ndim) if axis is None else axes_of("var", axis, x.ndim)
    count = math.prod(x.shape[a] for a in axes) - less
    return binary("Div", sum(squares, axis, keepdims), float(count if count > 0 else 0))


def std(x: Any, axis: Axis = None, keepdims: bool = False, *, correction: float = 0.0, ddof: float = 0.0) -> Any:
    """The square root of the variance along `axis`.

    >>> mind.std(np.float32([1, 3]))
    array(1., dtype=float32)
    """
    return function("sqrt")(var(x, axis, keepdims, correction=correction, ddof=ddof))


def diff(x: Any, n: int = 1, axis: int = -1, *, prepend: Any = None, append: Any = None) -> Any:
    """The differences of neighbours along an axis, n times.

    >>> mind.diff(np.float32([1, 4, 9]))
    array([3., 5.], dtype=float32)
    """
    x = operand("diff", x)
    a, count = axis_of("diff", axis, x.ndim), integer("n", n)
    if count < 0:
        raise error("E4013", f"diff takes a number of times that is not negative, found {count}")
    x = concat([part for part in (prepend, x, append) if part is not None], a) if count else x
    for _ in range(count):
        end = x.shape[a]
        later, earlier = sliced(x, a, 1 if end else 0, end), sliced(x, a, 0, end - 1 if end else 0)
        x = function("not_equal")(later, earlier) if not category(dtype_of(x)) else binary("Sub", later, earlier)
    return x


def reduced(opcode: str, x: Any, axis: Any, keepdims: bool) -> Any:
    """A reduction along `axis`: an integer, several, or None for all."""
    if axis is None:
        axes = tuple(range(x.ndim)) if keepdims else ()  # no axes: all are reduced, whatever keepdims says
    elif not (axes := integers("axis", axis)):
        return reshape(x, x.shape)  # as in NumPy, () reduces no axis
    return applied(opcode, (axes, bool(keepdims)), x)


def floats(what: str, x: Any, dtype: Any = None) -> Any:
    """x as it is if it is of floats, else as f32; or in an element type that is stated."""
    x = operand(what, x)
    return convert(x, element_type(what, dtype, dtype_of(x) if dtype_of(x).is_float else DType.F32))


def widened(what: str, x: Any, dtype: Any) -> Any:
    """x in the element type in which it is summed: i64 or u64 for integers, unless one is stated."""
    x = operand(what, x)
    own = dtype_of(x)
    if not own.is_float:
        own = DType.U64 if own.kind == "unsigned" else DType.I64
    return convert(x, element_type(what, dtype, own))
