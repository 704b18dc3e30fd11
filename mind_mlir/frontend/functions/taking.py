"""Elements by their positions."""

from __future__ import annotations

from typing import Any

from ...ir import np
from ..indexing import gathered, positions
from ..integers import axis_of, integer
from ..operands import dtype_of, operand
from ..place import error
from ._made import applied
from .manipulation import broadcast_to, expand_dims, moveaxis

__all__ = ["segment_sum", "take", "take_along_axis"]

ALIASES: dict[str, str] = {}


def take(x: Any, indices: Any, axis: int = 0, mode: str = "error") -> Any:
    """The parts of x at these positions of an axis, which the axes of `indices` replace.

    Out of bounds is E6001 in mode "error", the nearest part in "clip" and zeros in "fill". In mode "error" known
    indices may count from the end; traced ones, and those of the other modes, count from 0.

    >>> mind.take(np.float32([10, 20, 30]), [2, 0, -1])
    array([30., 10., 30.], dtype=float32)
    """
    x = operand("take", x)
    if mode not in ("error", "clip", "fill"):
        raise error("E4013", f'take has the modes "error", "clip" and "fill", found {mode!r}')
    axis = axis_of("take", axis, x.ndim)
    indices = positions("take", indices, x.shape[axis] if mode == "error" else None, axis)
    return gathered(x, [axis], [indices], axis, mode)


def take_along_axis(x: Any, indices: Any, axis: int = -1) -> Any:
    """The element of x at each position that `indices` names along an axis; their other axes are those of x.

    >>> mind.take_along_axis(np.float32([[10, 20], [30, 40]]), np.array([[1], [0]]))
    array([[20.],
           [30.]], dtype=float32)
    """
    x = operand("take_along_axis", x)
    a = axis_of("take_along_axis", axis, x.ndim)
    indices = positions("take_along_axis", indices, x.shape[a], a)
    if indices.ndim != x.ndim:
        raise error("E3002", f"take_along_axis takes indices of rank {x.ndim}, found rank {indices.ndim}")
    for n, (have, given) in enumerate(zip(x.shape, indices.shape)):
        if n != a and have != given and 1 not in (have, given):
            raise error("E3001", f"take_along_axis: axis {n} has extent {have} in x and {given} in the indices")
    shape = [given if n == a or have == 1 else have for n, (have, given) in enumerate(zip(x.shape, indices.shape))]
    x = broadcast_to(x, [have if n == a else extent for n, (have, extent) in enumerate(zip(x.shape, shape))])
    vectors = expand_dims(moveaxis(broadcast_to(indices, shape), a, -1), x.ndim)
    others = tuple(n for n in range(x.ndim) if n != a)
    return moveaxis(applied("GatherSlices", ((a,), others, ()), x, vectors), -1, a)


def segment_sum(data: Any, segment_ids: Any, num_segments: int) -> Any:
    """The sums of the parts of `data` along its first axis that belong to the same segment, for each segment.

    >>> mind.segment_sum(np.float32([1, 2, 3]), np.array([0, 1, 0]), 2)
    array([4., 2.], dtype=float32)
    """
    data, count = operand("segment_sum", data), integer("num_segments", num_segments)
    ids = positions("segment_sum", segment_ids, None, 0)
    zeros = np.zeros((count, *data.shape[ids.ndim :]), dtype_of(data).numpy)
    return applied("ScatterAdd", (), zeros, ids, data)
