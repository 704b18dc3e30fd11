"""What is known of all elements up to each one along an axis: sums, products, extremes."""

from __future__ import annotations

from typing import Any

from ..integers import axis_of
from ..operands import dtype_of, operand
from ._made import applied
from .catalogue import function
from .exponentials import logaddexp
from .joining import concat
from .manipulation import ravel, sliced
from .statistical import floats, widened

__all__ = [
    "cumlogsumexp",
    "cummax",
    "cummin",
    "cumulative_max",
    "cumulative_min",
    "cumulative_prod",
    "cumulative_sum",
]

ALIASES: dict[str, str] = {
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
}


def cumulative_sum(
    x: Any, axis: int | None = None, *, dtype: Any = None, include_initial: bool = False, reverse: bool = False
) -> Any:
    """The sums of all elements up to each one along an axis; from 0 on with `include_initial`. Integers as for `sum`.

    With `reverse` those from each one on, as for all cumulative functions.

    >>> mind.cumulative_sum(np.float32([1, 2, 3]))
    array([1., 3., 6.], dtype=float32)
    >>> mind.cumulative_sum(np.float32([1, 2, 3]), reverse=True)
    array([6., 5., 3.], dtype=float32)
    """
    x = widened("cumulative_sum", x, dtype)
    return _cumulative("CumSum", x, axis, reverse, 0 if include_initial else None)


def cumulative_prod(
    x: Any, axis: int | None = None, *, dtype: Any = None, include_initial: bool = False, reverse: bool = False
) -> Any:
    """The products of all elements up to each one along an axis; from 1 on with `include_initial`.

    >>> mind.cumulative_prod(np.float32([1, 2, 3]))
    array([1., 2., 6.], dtype=float32)
    """
    x = widened("cumulative_prod", x, dtype)
    return _cumulative("CumProd", x, axis, reverse, 1 if include_initial else None)


def cumulative_max(x: Any, axis: int | None = None, reverse: bool = False) -> Any:
    """The largest of all elements up to each one along an axis, that of all elements in order without one.

    >>> mind.cumulative_max(np.float32([1, 3, 2]))
    array([1., 3., 3.], dtype=float32)
    """
    return _cumulative("CumMax", operand("cumulative_max", x), axis, reverse)


def cumulative_min(x: Any, axis: int | None = None, reverse: bool = False) -> Any:
    """The smallest of all elements up to each one along an axis, that of all elements in order without one.

    >>> mind.cumulative_min(np.float32([3, 1, 2]))
    array([3., 1., 1.], dtype=float32)
    """
    return _cumulative("CumMin", operand("cumulative_min", x), axis, reverse)


def cummax(x: Any, axis: int = 0, reverse: bool = False) -> Any:
    """As `cumulative_max`, along the first axis if none is named: `jax.lax.cummax`.

    >>> mind.cummax(np.float32([1, 3, 2]), reverse=True)
    array([3., 3., 2.], dtype=float32)
    """
    return _cumulative("CumMax", operand("cummax", x), axis, reverse)


def cummin(x: Any, axis: int = 0, reverse: bool = False) -> Any:
    """As `cumulative_min`, along the first axis if none is named: `jax.lax.cummin`.

    >>> mind.cummin(np.float32([3, 1, 2]), reverse=True)
    array([1., 1., 2.], dtype=float32)
    """
    return _cumulative("CumMin", operand("cummin", x), axis, reverse)


def _cumulative(opcode: str, x: Any, axis: int | None, reverse: bool, first: int | None = None) -> Any:
    """What runs along an axis, that of all elements in order if there is None."""
    x = ravel(x) if axis is None else x
    a = axis_of("axis", 0 if axis is None else axis, x.ndim)
    x = applied(opcode, (a, bool(reverse)), x)
    if first is None:
        return x
    shape = [1 if n == a else e for n, e in enumerate(x.shape)]
    initial = function("full")(shape, first, dtype_of(x))
    return concat([x, initial] if reverse else [initial, x], a)


def cumlogsumexp(x: Any, axis: int = 0, reverse: bool = False) -> Any:
    """The logarithm of the sum of exp(x) of all elements up to each one along an axis, without overflow on the way.

    >>> mind.cumlogsumexp(np.float32([1000, 1000, -1000]))
    array([1000.    , 1000.6932, 1000.6932], dtype=float32)
    """
    # after each level an element has the twice as many that end there: 1, 2, 4, … of them
    x = floats("cumlogsumexp", x)
    a = axis_of("axis", axis, x.ndim)
    count, distance = x.shape[a], 1
    while distance < count:
        both = logaddexp(sliced(x, a, 0, count - distance), sliced(x, a, distance, count))
        if reverse:
            x = concat([both, sliced(x, a, count - distance, count)], a)
        else:
            x = concat([sliced(x, a, 0, distance), both], a)
        distance *= 2
    return x
