"""`x[...]`: NumPy's indexing by Slice, Index, Gather and changes of shape.

An index has integers, slices, `...`, None, arrays of integers, and masks whose elements are known, which are the
positions of what is true. Integers beside an array are taken with it, as in NumPy: axes of arrays and integers that are
adjacent are replaced by the new axes; otherwise the new axes are the first ones.
"""

from __future__ import annotations

import math
from typing import Any

from ..ir import OPS, np
from .place import error
from .promotion import binary
from .trace_builder import apply
from .unknown import Unknown


def indexed(x: Unknown, index: Any) -> Unknown:
    """The part of a traced array that `index` names.

    E6001 out of bounds, E4006 for too many indices, E4008 for the step 0, E2005 for truth values that are not known.
    """
    written = _without_masks(x, [_item(i) for i in (index if isinstance(index, tuple) else (index,))])
    items = _complete(x, written)
    if all(i is None or isinstance(i, (int, slice)) for i in items):
        return _basic(x, items)
    # as in NumPy, integers beside an array are taken with it; `...` separates them even if it is no axis
    places = [n for n, i in enumerate(written) if not (i is None or i is ... or isinstance(i, slice))]
    side_by_side = places[-1] - places[0] == len(places) - 1
    taken = [n for n, i in enumerate(items) if not (i is None or isinstance(i, slice))]
    # ranges first; the axes that integers and arrays remove stay whole until then
    x = _basic(x, [slice(None) if n in taken else i for n, i in enumerate(items)])
    indices = [np.asarray(items[n]) if isinstance(items[n], int) else items[n] for n in taken]
    return gathered(x, taken, indices, taken[0] if side_by_side else 0)  # type: ignore[no-any-return]


def gathered(x: Any, axes: list[int], indices: list[Any], place: int, oob: str = "error") -> Any:
    """x without `axes`, and with the axes of the broadcast `indices` from the position `place` on.

    Indices are arrays or traced values, one for each of the axes, counted from 0.
    """
    others = [a for a in range(x.ndim) if a not in axes]
    if (order := [*axes, *others]) != sorted(order):
        x = _apply("Transpose", order, x)
    flat = indices[0]
    if len(axes) > 1:
        extents = x.shape[: len(axes)]
        x = _apply("Reshape", (math.prod(extents), *x.shape[len(axes) :]), x)
        flat = _flattened(indices, extents)
    x = apply(OPS["Gather"](oob), x, flat)  # type: ignore[call-arg]
    new = flat.ndim
    order = [*range(new, new + place), *range(new), *range(new + place, x.ndim)]
    return x if order == sorted(order) else _apply("Transpose", order, x)


def positions(what: str, indices: Any, extent: int | None, axis: int) -> Any:
    """Indices counted from 0, if they are known; unchanged if the extent is None.

    E2005 unless they are integers, E6001 out of bounds.
    """
    if isinstance(indices, Unknown):
        if indices.dtype.kind != "i":
            raise error("E2005", f"{what} takes integers as indices, found {indices.type}")
        return indices
    if isinstance(indices, int):
        indices = max(-(2**63), min(indices, 2**63 - 1))  # what does not fit i64 is out of bounds of every axis
    try:
        indices = np.asarray(indices)
    except ValueError:
        raise error("E2005", f"{what} takes integers as indices, found lists of different lengths") from None
    if not indices.size and indices.dtype == np.float64:  # as in NumPy, [] has no indices
        indices = indices.astype(np.int64)
    if indices.dtype.kind not in "iu":
        help = "mind.where chooses by a mask" if indices.dtype.kind == "b" else ""
        raise error("E2005", f"{what} takes integers as indices, found {indices.dtype}", help=help)
    dtype = np.int32 if indices.dtype == np.int32 and (extent or 0) < 2**31 else np.int64
    if extent is None:
        if indices.dtype == np.uint64:
            indices = np.minimum(indices, np.uint64(2**63 - 1))
        return indices.astype(dtype)
    bad = (indices < -extent) | (indices >= extent)
    if bad.any():
        found = indices[bad][0]
        message = f"{what}: index {found} is out of bounds for axis {axis} of extent {extent}"
        raise error("E6001", message, help=f"indices run from {-extent} to {extent - 1}" if extent else "")
    indices = indices.astype(dtype)
    return np.where(indices < 0, indices + extent, indices)


def _complete(x: Unknown, written: list[Any]) -> list[Any]:
    """Integers, slices, None and arrays: one for each axis, and the Nones."""
    items = list(written)
    dots = [n for n, i in enumerate(items) if i is ...]
    if len(dots) > 1:
        raise error("E4006", "an index has more than one `...`")
    given = sum(i is not None and i is not ... for i in items)
    if given > x.ndim:
        raise error("E4006", f"{given} indices for {x.type}, which has {x.ndim} axes")
    at = dots[0] if dots else len(items)
    items[at : at + 1] = [slice(None)] * (x.ndim - given)
    axis = 0
    for n, item in enumerate(items):
        if item is not None:
            if isinstance(item, slice):
                items[n] = _range(item, x.shape[axis])
            else:
                items[n] = positions("x[…]", item, x.shape[axis], axis)
                if isinstance(item, int):
                    items[n] = int(items[n])
            axis += 1
    return items


def _without_masks(x: Unknown, written: list[Any]) -> list[Any]:
    """The index with the positions of what is true instead of each mask, one array for each of its axes.

    E3001 for a mask whose extents are not those of its axes.
    """
    taken = [0 if i is None or i is ... else i.ndim if _is_mask(i) else 1 for i in written]
    found: list[Any] = []
    for n, i in enumerate(written):
        if not _is_mask(i):
            found.append(i)
            continue
        first = x.ndim - sum(taken[n:]) if any(i is ... for i in written[:n]) else sum(taken[:n])
        if i.shape != x.shape[first : first + i.ndim]:
            raise error("E3001", f"x[…]: a mask of shape {list(i.shape)} for axis {first} of {x.type}")
        found += np.nonzero(i)
    return found


def _is_mask(i: object) -> bool:
    return isinstance(i, np.ndarray) and i.dtype.kind == "b" and i.ndim > 0


def _item(i: Any) -> Any:
    if isinstance(i, Unknown) and i.dtype.kind == "b":
        help = "mind.where(mask, x, y) chooses by a mask"
        raise error("E2005", f"x[…] takes positions, found {i.type}: the shape would depend on numbers", help=help)
    if i is None or i is ... or isinstance(i, (slice, Unknown)):
        return i
    if isinstance(i, (bool, np.bool_)):
        raise error("E2005", f"x[…] takes integers as indices, found {i}", help="mind.where chooses by a mask")
    if isinstance(i, (int, np.integer)):
        return int(i)
    if isinstance(i, list):
        mask = _mask(i)
        return positions("x[…]", i, None, 0) if mask is None else mask
    if isinstance(i, np.ndarray):
        return int(i) if i.ndim == 0 and i.dtype.kind in "iu" else i
    raise error("E2005", f"x[…] takes integers, slices, None, ... and arrays of integers, found a {type(i).__name__}")


def _mask(i: list[Any]) -> Any:
    """A list of truth values as an array; None for another list."""
    try:
        found = np.asarray(i)
    except ValueError:  # lists of different lengths
        return None
    return found if _is_mask(found) else None


def _range(s: slice, extent: int) -> slice:
    try:
        start, stop, step = s.indices(extent)
    except TypeError:
        raise error("E4013", f"x[…] takes integers as the bounds of a range, found {s}") from None
    except ValueError:
        raise error("E4008", "x[…] with the step 0") from None
    longest = max(extent, 1)  # a longer step gives the same, and this fits i64
    return slice(start, max(start, stop) if step > 0 else min(start, stop), max(-longest, min(step, longest)))


def _basic(x: Unknown, items: list[Any]) -> Unknown:
    """Index by integers, ranges and None."""
    axes = [i for i in items if i is not None]
    if axes and len(axes) == len(items) and all(isinstance(i, int) for i in axes):
        return _apply("Index", axes, x)  # type: ignore[no-any-return]
    ranges = [(i, i + 1, 1) if isinstance(i, int) else _upwards(i, n) for i, n in zip(axes, x.shape)]
    if ranges != [(0, n, 1) for n in x.shape]:
        x = apply(OPS["Slice"](*map(tuple, zip(*ranges))), x)  # type: ignore[call-arg]
    down = [n for n, i in enumerate(axes) if isinstance(i, slice) and (i.step or 1) < 0]
    x = _apply("Reverse", down, x) if down else x
    gone = [n for n, i in enumerate(axes) if isinstance(i, int)]
    if gone:
        x = _apply("Squeeze", gone, x)
    new = [n for n, i in enumerate(i for i in items if not isinstance(i, int)) if i is None]
    return _apply("ExpandDims", new, x) if new else x


def _upwards(s: slice, extent: int) -> tuple[int, int, int]:
    """The positions of a range from the first one up: start, limit, step."""
    if s == slice(None):
        return 0, extent, 1
    if s.step > 0:
        return s.start, s.stop, s.step
    found = range(s.start, s.stop, s.step)
    return (found[-1], found[0] + 1, -s.step) if found else (0, 0, 1)


def _flattened(indices: list[Any], extents: tuple[int, ...]) -> Any:
    """Indices into the merged axes: (i₀ · n₁ + i₁) · n₂ + i₂ …, as i64."""
    total: Any = None
    for i, n in zip(indices, extents):
        i = _checked(i, n) if isinstance(i, Unknown) else i.astype(np.int64)
        total = i if total is None else binary("Add", binary("Mul", total, n), i)
    return total


def _checked(i: Unknown, extent: int) -> Any:
    """Traced indices as i64. E6001 out of bounds, since an index beyond its axis must not reach the next row."""
    return gathered(np.arange(extent), [0], [i], 0)


def _apply(opcode: str, attribute: Any, x: Any) -> Any:
    return apply(OPS[opcode](tuple(attribute)), x)  # type: ignore[call-arg]
