"""Arrays joined, split, repeated and padded."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ...ir import Value, np
from ..indexing import gathered
from ..integers import axis_of, integer, integers
from ..operands import operand
from ..place import error
from ..promotion import common
from ._made import applied
from .manipulation import atleast_1d, atleast_2d, broadcast_to, expand_dims, ravel, reshape, sliced, squeeze

__all__ = [
    "array_split",
    "column_stack",
    "concat",
    "hsplit",
    "hstack",
    "pad",
    "repeat",
    "roll",
    "split",
    "stack",
    "tile",
    "unstack",
    "vsplit",
    "vstack",
]

ALIASES: dict[str, str] = {"concatenate": "concat"}


def concat(arrays: Sequence[Any], axis: int | None = 0) -> Any:
    """Arrays one after the other along an axis, in their common element type; all of their elements if it is None.

    >>> mind.concat([np.float32([1, 2]), np.float32([3])])
    array([1., 2., 3.], dtype=float32)
    """
    parts = _several("concat", arrays)
    if axis is None:
        parts, axis = [ravel(x) for x in parts], 0
    return applied("Concatenate", (axis_of("concat", axis, parts[0].ndim),), *parts)


def stack(arrays: Sequence[Any], axis: int = 0) -> Any:
    """Arrays of one shape along a new axis.

    >>> mind.stack([np.float32([1, 2]), np.float32([3, 4])])
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    parts = _several("stack", arrays)
    a = axis_of("stack", axis, parts[0].ndim + 1)
    return applied("Concatenate", (a,), *[expand_dims(x, a) for x in parts])


def _several(what: str, arrays: Any) -> list[Any]:
    """One array or more, of one element type."""
    if isinstance(arrays, (Value, np.ndarray)):
        arrays = unstack(arrays)
    if not isinstance(arrays, (list, tuple)) or not arrays:
        found = "nothing" if isinstance(arrays, (list, tuple)) else f"a {type(arrays).__name__}"
        raise error("E6009", f"{what} takes a list of one array or more, found {found}")
    return list(common(what, *arrays))


def vstack(arrays: Sequence[Any]) -> Any:
    """Arrays along their first axis; vectors are rows.

    >>> mind.vstack([np.array([1, 2]), np.array([3, 4])])
    array([[1, 2],
           [3, 4]])
    """
    return concat([atleast_2d(x) for x in arrays], 0)


def hstack(arrays: Sequence[Any]) -> Any:
    """Arrays along their second axis; vectors along their only one.

    >>> mind.hstack([np.array([1, 2]), np.array([3])])
    array([1, 2, 3])
    """
    parts = [atleast_1d(x) for x in arrays]
    return concat(parts, 0 if parts and parts[0].ndim == 1 else 1)


def column_stack(arrays: Sequence[Any]) -> Any:
    """Arrays along their second axis; vectors are columns.

    >>> mind.column_stack([np.array([1, 2]), np.array([3, 4])])
    array([[1, 3],
           [2, 4]])
    """
    parts: list[Any] = [operand("column_stack", x) for x in arrays]
    return concat([reshape(x, (x.size, 1)) if x.ndim < 2 else x for x in parts], 1)


def roll(x: Any, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Any:
    """The elements so many positions further along these axes; the last ones come first. In all, in order, if None.

    >>> mind.roll(np.array([1, 2, 3]), 1)
    array([3, 1, 2])
    """
    x = operand("roll", x)
    if axis is None:
        (by,) = integers("shift", shift)
        return reshape(roll(ravel(x), by, 0), x.shape)
    along, by_each = integers("axis", axis), integers("shift", shift)
    if len(by_each) not in (1, len(along)) and len(along) != 1:
        raise error("E4013", f"roll takes as many shifts as axes, found {len(by_each)} for {len(along)}")
    count = max(len(along), len(by_each))
    for a, by in zip(along * (count // len(along)), by_each * (count // len(by_each))):
        n = axis_of("roll", a, x.ndim)
        start = -by % x.shape[n] if x.shape[n] else 0
        if start:
            x = applied("Concatenate", (n,), sliced(x, n, start, x.shape[n]), sliced(x, n, 0, start))
    return x


def pad(x: Any, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Any:
    """x with elements before and after it along each axis: n, (before, after), or such a pair for each axis.

    They are `constant_values`, or in the modes "edge", "reflect", "symmetric" and "wrap" what NumPy's pad takes from x.

    >>> mind.pad(np.float32([1, 2]), (1, 2))
    array([0., 1., 2., 0., 0.], dtype=float32)
    """
    x = operand("pad", x)
    widths = _widths(pad_width, x.ndim)
    if mode == "constant":
        x, value = common("pad", x, constant_values)
        before, after = zip(*widths) if widths else ((), ())
        return applied("PadWith", (before, after, (0,) * x.ndim), x, value)
    for a, width in enumerate(widths):
        try:
            order = np.pad(np.arange(x.shape[a]), width, mode)  # type: ignore[call-overload]
        except (ValueError, NotImplementedError) as why:
            raise error("E4013", f"pad in mode {mode!r} of axis {a} with {width}: {why}") from None
        x = gathered(x, [a], [order], a) if any(width) else x
    return x


def _widths(given: Any, rank: int) -> list[tuple[int, int]]:
    """The numbers of elements before and after, for each axis."""
    try:
        pairs = np.broadcast_to(given, (rank, 2)).tolist()
    except ValueError:
        message = f"pad of rank {rank} takes n, (before, after) or {rank} pairs, found {given}"
        raise error("E4013", message) from None
    found = [(integer("pad_width", before), integer("pad_width", after)) for before, after in pairs]
    if any(n < 0 for pair in found for n in pair):
        raise error("E4013", f"pad takes numbers that are not negative, found {given}")
    return found


def repeat(x: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each element as often as `repeats` says, a number or one for each; along all axes as one if `axis` is None.

    >>> mind.repeat(np.array([1, 2]), 2)
    array([1, 1, 2, 2])
    """
    x = ravel(x) if axis is None else operand("repeat", x)
    a = axis_of("repeat", 0 if axis is None else axis, x.ndim)
    counts = [integer("repeats", n) for n in np.atleast_1d(repeats).tolist()]
    if len(counts) not in (1, x.shape[a]) or any(n < 0 for n in counts):
        message = f"repeat takes one count, or one for each of {x.shape[a]} elements, none negative; found {counts}"
        raise error("E4013", message)
    return gathered(x, [a], [np.repeat(np.arange(x.shape[a]), counts)], a)


def tile(x: Any, repetitions: int | Sequence[int]) -> Any:
    """The whole of x again and again, so often along each axis.

    >>> mind.tile(np.array([1, 2]), (2, 2))
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    x, counts = operand("tile", x), integers("repetitions", repetitions)
    if any(n < 0 for n in counts):
        raise error("E4013", f"tile takes counts that are not negative, found {list(counts)}")
    rank = max(x.ndim, len(counts))
    shape = (1,) * (rank - x.ndim) + x.shape
    counts = (1,) * (rank - len(counts)) + counts
    apart = broadcast_to(
        reshape(x, [k for n in shape for k in (1, n)]), [k for pair in zip(counts, shape) for k in pair]
    )
    return reshape(apart, [c * n for c, n in zip(counts, shape)])


def unstack(x: Any, axis: int = 0) -> tuple[Any, ...]:
    """The parts of x along an axis, without it.

    >>> mind.unstack(np.array([[1, 2], [3, 4]]))
    (array([1, 2]), array([3, 4]))
    """
    x = operand("unstack", x)
    a = axis_of("unstack", axis, x.ndim)
    return tuple(squeeze(part, a) for part in split(x, x.shape[a], a)) if x.shape[a] else ()


def split(x: Any, parts: int | Sequence[int], axis: int = 0) -> list[Any]:
    """So many equal parts of x along an axis, or the parts between these positions.

    >>> mind.split(np.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    x = operand("split", x)
    a = axis_of("split", axis, x.ndim)
    if hasattr(parts, "__iter__"):
        bounds = [min(max(n + x.shape[a] if n < 0 else n, 0), x.shape[a]) for n in integers("parts", parts)]
        return _between(x, a, [0, *bounds, x.shape[a]])
    count = integer("parts", parts)
    if count < 1 or x.shape[a] % count:
        help = "array_split takes parts of unequal extents"
        raise error("E4013", f"split: {count} equal parts of extent {x.shape[a]} do not exist", help=help)
    step = x.shape[a] // count
    return _between(x, a, [n * step for n in range(count + 1)])


def array_split(x: Any, parts: int | Sequence[int], axis: int = 0) -> list[Any]:
    """So many parts of x along an axis, the first of which are longer by one if the extent is no multiple.

    >>> mind.array_split(np.arange(3), 2)
    [array([0, 1]), array([2])]
    """
    if hasattr(parts, "__iter__"):
        return split(x, parts, axis)
    x, count = operand("array_split", x), integer("parts", parts)
    if count < 1:
        raise error("E4013", f"array_split takes one part or more, found {count}")
    a = axis_of("array_split", axis, x.ndim)
    step, longer = divmod(x.shape[a], count)
    return _between(x, a, [n * step + min(n, longer) for n in range(count + 1)])


def vsplit(x: Any, parts: int | Sequence[int]) -> list[Any]:
    """The parts of x along its first axis.

    >>> mind.vsplit(np.arange(4).reshape(2, 2), 2)
    [array([[0, 1]]), array([[2, 3]])]
    """
    return split(x, parts, 0)


def hsplit(x: Any, parts: int | Sequence[int]) -> list[Any]:
    """The parts of x along its second axis; of a vector along its only one.

    >>> mind.hsplit(np.arange(4), 2)
    [array([0, 1]), array([2, 3])]
    """
    x = operand("hsplit", x)
    return split(x, parts, 1 if x.ndim > 1 else 0)


def _between(x: Any, axis: int, bounds: Sequence[int]) -> list[Any]:
    """The parts of x between neighbours among these positions of an axis."""
    return [sliced(x, axis, first, max(first, last)) for first, last in itertools.pairwise(bounds)]
