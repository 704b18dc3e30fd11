"""Other shapes and other orders of axes and elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir import np
from ..integers import axes_of, axis_of, integer, integers
from ..operands import operand
from ..place import error
from ._made import applied

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "ravel",
    "reshape",
    "rot90",
    "squeeze",
    "swapaxes",
    "transpose",
]

ALIASES: dict[str, str] = {}


def reshape(x: Any, shape: int | Sequence[int]) -> Any:
    """The same elements, row by row, in another shape, of which one entry may be -1 and is computed.

    >>> mind.reshape(np.arange(6), (2, -1))
    array([[0, 1, 2],
           [3, 4, 5]])
    """
    return applied("Reshape", (integers("shape", shape),), operand("reshape", x))


def ravel(x: Any) -> Any:
    """All elements, row by row, along one axis.

    >>> mind.ravel(np.float32([[1, 2], [3, 4]]))
    array([1., 2., 3., 4.], dtype=float32)
    """
    x = operand("ravel", x)
    return reshape(x, x.size)


def transpose(x: Any, axes: Sequence[int] | None = None) -> Any:
    """The axes in another order; reversed if `axes` is None.

    >>> mind.transpose(np.float32([[1, 2], [3, 4]]))
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """
    x = operand("transpose", x)
    if axes is None:
        order: tuple[int, ...] = tuple(reversed(range(x.ndim)))
    else:
        order = tuple(a + x.ndim if -x.ndim <= a < 0 else a for a in integers("axes", axes))
    return applied("Transpose", (order,), x)


def permute_dims(x: Any, axes: Sequence[int]) -> Any:
    """The axes in another order: axis i of the result is axis `axes[i]` of x.

    >>> mind.permute_dims(np.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return transpose(x, axes)


def matrix_transpose(x: Any) -> Any:
    """The last two axes swapped; what x.mT gives.

    >>> mind.matrix_transpose(np.zeros((2, 3, 4))).shape
    (2, 4, 3)
    """
    x = operand("matrix_transpose", x)
    if x.ndim < 2:
        raise error("E3002", f"matrix_transpose takes rank 2 or more, found rank {x.ndim}")
    return swapaxes(x, -1, -2)


def swapaxes(x: Any, axis1: int, axis2: int) -> Any:
    """Two axes swapped.

    >>> mind.swapaxes(np.zeros((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    x = operand("swapaxes", x)
    order = list(range(x.ndim))
    a, b = axis_of("swapaxes", axis1, x.ndim), axis_of("swapaxes", axis2, x.ndim)
    order[a], order[b] = b, a
    return transpose(x, order)


def moveaxis(x: Any, source: int | Sequence[int], destination: int | Sequence[int]) -> Any:
    """Axes moved to other positions; the rest keep their order.

    >>> mind.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = operand("moveaxis", x)
    moved, to = axes_of("moveaxis", source, x.ndim), axes_of("moveaxis", destination, x.ndim)
    if len(moved) != len(to):
        raise error("E4013", f"moveaxis takes as many positions as axes, found {len(to)} for {len(moved)}")
    order = [a for a in range(x.ndim) if a not in moved]
    for position, a in sorted(zip(to, moved)):
        order.insert(position, a)
    return transpose(x, order)


def expand_dims(x: Any, axis: int | Sequence[int] = 0) -> Any:
    """x with new axes of extent 1, at these positions of the result.

    >>> mind.expand_dims(np.float32([1, 2]), 0).shape
    (1, 2)
    """
    return applied("ExpandDims", (integers("axis", axis),), operand("expand_dims", x))


def squeeze(x: Any, axis: int | Sequence[int] | None = None) -> Any:
    """x without these axes of extent 1; None removes all of them.

    >>> mind.squeeze(np.zeros((1, 2, 1))).shape
    (2,)
    """
    x = operand("squeeze", x)
    axes = tuple(i for i, n in enumerate(x.shape) if n == 1) if axis is None else integers("axis", axis)
    return applied("Squeeze", (axes,), x) if axes else applied("Reshape", (x.shape,), x)


def broadcast_to(x: Any, shape: int | Sequence[int]) -> Any:
    """x stretched to a shape, as in NumPy.

    >>> mind.broadcast_to(np.float32([1, 2]), (2, 2))
    array([[1., 2.],
           [1., 2.]], dtype=float32)
    """
    return applied("Broadcast", (integers("shape", shape),), operand("broadcast_to", x))


def broadcast_shapes(*shapes: int | Sequence[int]) -> tuple[int, ...]:
    """The shape to which these shapes broadcast.

    >>> mind.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    found = [integers("shape", s) for s in shapes]
    try:
        return tuple(np.broadcast_shapes(*found))
    except ValueError:
        raise error("E3001", f"shapes {', '.join(map(str, found))} do not broadcast") from None


def broadcast_arrays(*arrays: Any) -> list[Any]:
    """The arrays, stretched to one shape.

    >>> [x.shape for x in mind.broadcast_arrays(np.zeros((2, 1)), np.zeros(3))]
    [(2, 3), (2, 3)]
    """
    operands = [operand("broadcast_arrays", x) for x in arrays]
    shape = broadcast_shapes(*[x.shape for x in operands])
    return [broadcast_to(x, shape) for x in operands]


def atleast_1d(x: Any) -> Any:
    """x, with an axis if it has none.

    >>> mind.atleast_1d(np.float32(3))
    array([3.], dtype=float32)
    """
    x = operand("atleast_1d", x)
    return x if x.ndim else reshape(x, 1)


def atleast_2d(x: Any) -> Any:
    """x, with axes in front up to two.

    >>> mind.atleast_2d(np.float32([1, 2])).shape
    (1, 2)
    """
    x = atleast_1d(x)
    return x if x.ndim > 1 else expand_dims(x, 0)


def atleast_3d(x: Any) -> Any:
    """x, with axes up to three: one on each side of a vector, one after those of a matrix.

    >>> mind.atleast_3d(np.float32([1, 2])).shape
    (1, 2, 1)
    """
    x = atleast_2d(x)
    return x if x.ndim > 2 else expand_dims(x, 2)


def rot90(x: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> Any:
    """x, rotated k times by 90 degrees from the first of these axes to the second.

    >>> mind.rot90(np.array([[1, 2], [3, 4]]))
    array([[2, 4],
           [1, 3]])
    """
    x = operand("rot90", x)
    a, b = axes_of("rot90", axes, x.ndim)
    times = integer("k", k) % 4
    if times == 2:
        return flip(x, (a, b))
    if times == 1:
        return swapaxes(flip(x, b), a, b)
    return flip(swapaxes(x, a, b), b) if times else x


def flip(x: Any, axis: int | Sequence[int] | None = None) -> Any:
    """The elements in reversed order along these axes, or along all.

    >>> mind.flip(np.float32([1, 2, 3]))
    array([3., 2., 1.], dtype=float32)
    """
    x = operand("flip", x)
    axes = tuple(range(x.ndim)) if axis is None else axes_of("flip", axis, x.ndim)
    return applied("Reverse", (axes,), x)


def flipud(x: Any) -> Any:
    """The rows in reversed order.

    >>> mind.flipud(np.arange(2))
    array([1, 0])
    """
    return flip(x, 0)


def fliplr(x: Any) -> Any:
    """The columns in reversed order.

    >>> mind.fliplr(np.array([[1, 2]]))
    array([[2, 1]])
    """
    return flip(x, 1)


def sliced(x: Any, axis: int, first: int, last: int, step: int = 1) -> Any:
    """The positions first, first + step, … below `last` of an axis, counted from 0."""
    starts, limits, steps = [0] * x.ndim, list(x.shape), [1] * x.ndim
    starts[axis], limits[axis], steps[axis] = first, last, step
    return applied("Slice", (tuple(starts), tuple(limits), tuple(steps)), x)
