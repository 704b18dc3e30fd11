"""Products of vectors, matrices and images, and what else is known of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..integers import axes_of, axis_of, integer, integers
from ..operands import operand
from ..place import error
from ..promotion import binary, common
from ._made import applied
from .manipulation import expand_dims, moveaxis, reshape, squeeze, transpose

__all__ = [
    "conv2d",
    "dot",
    "inner",
    "kron",
    "matmul",
    "outer",
    "tensordot",
    "vdot",
    "vecdot",
]

ALIASES: dict[str, str] = {}


def matmul(x: Any, y: Any) -> Any:
    """The matrix product over the last axis of x and the last but one of y; what x @ y gives.

    A vector on the left is a row, on the right a column, and the result lacks its axis; leading axes are batches and
    broadcast.

    >>> mind.matmul(np.float32([[1, 2], [3, 4]]), np.float32([1, 1]))
    array([3., 7.], dtype=float32)
    """
    x, y = common("matmul", x, y)
    if x.ndim == 0 or y.ndim == 0:
        raise error("E3002", "matmul takes rank 1 or more, found a scalar", help="* multiplies by a scalar")
    if x.ndim <= 2 and y.ndim <= 2 and x.ndim + y.ndim < 4:
        return applied("Dot", (), x, y)
    row, column = x.ndim == 1, y.ndim == 1
    x = expand_dims(x, 0) if row else x
    y = expand_dims(y, 1) if column else y
    result = applied("MatMul", (), x, y)
    return squeeze(result, -2 if row else -1) if row or column else result


def dot(x: Any, y: Any) -> Any:
    """The sum of products over the last axis of x and the first of y, which have rank 1 or 2; a scalar multiplies.

    >>> mind.dot(np.float32([1, 2]), np.float32([3, 4]))
    array(11., dtype=float32)
    """
    x, y = common("dot", x, y)
    if x.ndim == 0 or y.ndim == 0:
        return binary("Mul", x, y)
    return applied("Dot", (), x, y)


def tensordot(x: Any, y: Any, axes: int | Sequence[Any] = 2) -> Any:
    """The sum of products over pairs of axes: the last n of x and the first n of y, or those of two lists.

    >>> mind.tensordot(np.ones((2, 3, 4), np.float32), np.ones((4, 3, 5), np.float32), axes=((1, 2), (1, 0))).shape
    (2, 5)
    """
    x, y = common("tensordot", x, y)
    left, right = _pairs_of_axes(axes, x, y)
    for a, b in zip(left, right):
        if x.shape[a] != y.shape[b]:
            message = f"tensordot contracts extent {x.shape[a]} of axis {a} against {y.shape[b]} of axis {b}"
            raise error("E3003", message)
    free_x, free_y = [a for a in range(x.ndim) if a not in left], [a for a in range(y.ndim) if a not in right]
    shape = [x.shape[a] for a in free_x] + [y.shape[a] for a in free_y]
    inner = math.prod(x.shape[a] for a in left)
    rows = reshape(transpose(x, [*free_x, *left]), (math.prod(x.shape[a] for a in free_x), inner))
    columns = reshape(transpose(y, [*right, *free_y]), (inner, math.prod(y.shape[a] for a in free_y)))
    return reshape(matmul(rows, columns), shape)


def _pairs_of_axes(axes: Any, x: Any, y: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if hasattr(axes, "__iter__"):
        if len(axes) != 2:
            raise error("E4013", f"tensordot takes a number of axes or two lists of axes, found {axes}")
        left, right = axes_of("tensordot", axes[0], x.ndim), axes_of("tensordot", axes[1], y.ndim)
        if len(left) != len(right):
            raise error("E4013", f"tensordot takes two lists of as many axes, found {len(left)} and {len(right)}")
        return left, right
    n = integer("axes", axes)
    if not 0 <= n <= min(x.ndim, y.ndim):
        raise error("E3004", f"tensordot contracts {n} axes of rank {x.ndim} and rank {y.ndim}")
    return tuple(range(x.ndim - n, x.ndim)), tuple(range(n))


def vecdot(x: Any, y: Any, axis: int = -1) -> Any:
    """The sum of products along an axis of both, over which the others broadcast.

    >>> mind.vecdot(np.float32([[1, 2], [3, 4]]), np.float32([1, 10]))
    array([21., 43.], dtype=float32)
    """
    x, y = common("vecdot", x, y)
    a, b = axis_of("vecdot", axis, x.ndim), axis_of("vecdot", axis, y.ndim)
    if x.shape[a] != y.shape[b]:
        raise error("E3003", f"vecdot contracts {x.shape[a]} against {y.shape[b]}")
    x, y = moveaxis(x, a, -1), moveaxis(y, b, -1)
    return squeeze(matmul(expand_dims(x, -2), expand_dims(y, -1)), (-2, -1))


def vdot(x: Any, y: Any) -> Any:
    """The sum of products of all elements.

    >>> mind.vdot(np.float32([[1, 2]]), np.float32([[3], [4]]))
    array(11., dtype=float32)
    """
    return dot(reshape(operand("vdot", x), -1), reshape(operand("vdot", y), -1))


def inner(x: Any, y: Any) -> Any:
    """The sum of products over the last axis of both; a scalar multiplies.

    >>> mind.inner(np.float32([[1, 2], [3, 4]]), np.float32([1, 10]))
    array([21., 43.], dtype=float32)
    """
    x, y = common("inner", x, y)
    return binary("Mul", x, y) if 0 in (x.ndim, y.ndim) else tensordot(x, y, axes=((-1,), (-1,)))


def outer(x: Any, y: Any) -> Any:
    """The product of every element of x with every one of y: [m] and [n] to [m, n]; others are flattened.

    >>> mind.outer(np.float32([1, 2]), np.float32([3, 4]))
    array([[3., 4.],
           [6., 8.]], dtype=float32)
    """
    x, y = operand("outer", x), operand("outer", y)
    return binary("Mul", reshape(x, (-1, 1)), reshape(y, (1, -1)))


def kron(x: Any, y: Any) -> Any:
    """The Kronecker product: y, times each element of x, in blocks.

    >>> mind.kron(np.float32([1, 10]), np.float32([1, 2]))
    array([ 1.,  2., 10., 20.], dtype=float32)
    """
    x, y = common("kron", x, y)
    rank = max(x.ndim, y.ndim)
    xs, ys = (1,) * (rank - x.ndim) + x.shape, (1,) * (rank - y.ndim) + y.shape
    blocks = binary("Mul", reshape(x, [n for e in xs for n in (e, 1)]), reshape(y, [n for e in ys for n in (1, e)]))
    return reshape(blocks, [m * n for m, n in zip(xs, ys)])


def conv2d(x: Any, w: Any, strides: int | Sequence[int] = (1, 1), padding: Any = "Valid") -> Any:
    """The convolution of images x [N, H, W, C] with filters w [height, width, C, F]: [N, height, width, F].

    `padding` is "Valid", "Same" or ((top, bottom), (left, right)). docs/semantics.md, Conv2d.

    >>> image = np.arange(9, dtype=np.float32).reshape(1, 3, 3, 1)
    >>> mind.conv2d(image, np.ones((2, 2, 1, 1), np.float32)).reshape(2, 2)
    array([[ 8., 12.],
           [20., 24.]], dtype=float32)
    """
    x, w = common("conv2d", x, w)
    steps = integers("strides", strides)
    return applied("Conv2d", (steps if hasattr(strides, "__iter__") else steps * 2, padding), x, w)
