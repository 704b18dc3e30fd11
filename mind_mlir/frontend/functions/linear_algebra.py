"""Products of vectors, matrices and images, and what else is known of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..integers import integers
from ..operands import operand
from ..place import error
from ..promotion import binary, common
from ._made import applied
from ._preferred import converted, preferred
from .einsum import einsum
from .manipulation import expand_dims, moveaxis, ravel, reshape, squeeze

__all__ = [
    "conv2d",
    "dot",
    "dot_general",
    "inner",
    "kron",
    "matmul",
    "outer",
    "tensordot",
    "vdot",
    "vecdot",
]

ALIASES: dict[str, str] = {}


def matmul(x: Any, y: Any, *, preferred_element_type: Any = None) -> Any:
    """The matrix product over the last axis of x and the last but one of y; what x @ y gives.

    A vector on the left is a row, on the right a column, and the result lacks its axis; leading axes are batches and
    broadcast. Sums and result are of the `preferred_element_type`, if there is one: the product of converted operands.

    >>> mind.matmul(np.float32([[1, 2], [3, 4]]), np.float32([1, 1]))
    array([3., 7.], dtype=float32)
    """
    x, y = converted("matmul", preferred_element_type, x, y)
    if x.ndim == 0 or y.ndim == 0:
        raise error("E3002", "matmul takes rank 1 or more, found a scalar", help="* multiplies by a scalar")
    if x.ndim <= 2 and y.ndim <= 2 and x.ndim + y.ndim < 4:
        return applied("Dot", (), x, y)
    row, column = x.ndim == 1, y.ndim == 1
    x = expand_dims(x, 0) if row else x
    y = expand_dims(y, 1) if column else y
    result = applied("MatMul", (), x, y)
    return squeeze(result, -2 if row else -1) if row or column else result


def dot(x: Any, y: Any, *, preferred_element_type: Any = None) -> Any:
    """The sum of products over the last axis of x and the first of y, which have rank 1 or 2; a scalar multiplies.

    >>> mind.dot(np.float32([1, 2]), np.float32([3, 4]))
    array(11., dtype=float32)
    """
    x, y = converted("dot", preferred_element_type, x, y)
    if x.ndim == 0 or y.ndim == 0:
        return binary("Mul", x, y)
    return applied("Dot", (), x, y)


def dot_general(
    lhs: Any, rhs: Any, dimension_numbers: Any, precision: Any = None, preferred_element_type: Any = None
) -> Any:
    """The product over any dimensions, as `jax.lax.dot_general`; docs/semantics.md, DotGeneral.

    `dimension_numbers` is ((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch)). The result has the batches,
    what is left of lhs, and what is left of rhs. `precision` changes nothing: products are as exact as elements are.
    Sums and result are of the `preferred_element_type`, if there is one.

    >>> x = np.int8([[100, 100], [1, 2]])
    >>> mind.dot_general(x, x, (((1,), (1,)), ((), ())), preferred_element_type=np.int32)
    array([[20000,   300],
           [  300,     5]], dtype=int32)
    """
    (x, y), dtype = preferred("dot_general", preferred_element_type, lhs, rhs)
    try:
        (left, right), (batch, others) = dimension_numbers
    except (TypeError, ValueError):
        help = "((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch)), such as (((1,), (0,)), ((), ()))"
        raise error("E4013", f"dot_general with dimension_numbers {dimension_numbers!r}", help=help) from None
    return applied("DotGeneral", (batch, others, left, right, dtype), x, y)


def tensordot(x: Any, y: Any, axes: int | Sequence[Any] = 2, *, preferred_element_type: Any = None) -> Any:
    """The sum of products over axes of x and of y: the last `axes` of x and the first of y, or those of two lists.

    >>> x = np.arange(6, dtype=np.float32).reshape(2, 3)
    >>> mind.tensordot(x, x, axes=((1,), (1,)))
    array([[ 5., 14.],
           [14., 50.]], dtype=float32)
    """
    (x, y), dtype = preferred("tensordot", preferred_element_type, x, y)
    if isinstance(axes, Sequence):
        if len(axes) != 2:
            raise error("E4013", f"tensordot takes the axes of two operands, found {len(axes)} lists")
        left, right = (integers("axes", a) for a in axes)
    else:
        (count,) = integers("axes", axes)
        if not 0 <= count <= min(x.ndim, y.ndim):
            found = f"tensordot over {count} axes of operands of rank {x.ndim} and {y.ndim}"
            raise error("E3004", found, help=f"the number of axes is from 0 to {min(x.ndim, y.ndim)}")
        left, right = tuple(range(x.ndim - count, x.ndim)), tuple(range(count))
    return applied("DotGeneral", ((), (), left, right, dtype), x, y)


def vecdot(x: Any, y: Any, axis: int = -1, *, preferred_element_type: Any = None) -> Any:
    """The sum of products along one axis of both; the other axes broadcast.

    >>> mind.vecdot(np.float32([[1, 2], [3, 4]]), np.float32([1, 1]))
    array([3., 7.], dtype=float32)
    """
    x, y = converted("vecdot", preferred_element_type, x, y)
    (axis,) = integers("axis", axis)
    for v in (x, y):
        if not -v.ndim <= axis < 0 and not (0 <= axis < v.ndim and x.ndim == y.ndim):
            help = "the axis is counted from the last one, or the ranks are equal"
            raise error("E3004", f"vecdot axis {axis} is out of range for ranks {x.ndim} and {y.ndim}", help=help)
    return einsum("...k,...k->...", *(moveaxis(v, axis % v.ndim, -1) for v in (x, y)))


def inner(x: Any, y: Any, *, preferred_element_type: Any = None) -> Any:
    """The sum of products over the last axes of both; a scalar multiplies.

    >>> mind.inner(np.float32([1, 2]), np.float32([3, 4]))
    array(11., dtype=float32)
    """
    x, y = converted("inner", preferred_element_type, x, y)
    if x.ndim == 0 or y.ndim == 0:
        return binary("Mul", x, y)
    return applied("DotGeneral", ((), (), (-1,), (-1,)), x, y)


def outer(x: Any, y: Any) -> Any:
    """The products of all elements of x with all of y: [m] and [n] give [m, n]. Of other ranks the elements in order.

    >>> mind.outer(np.float32([1, 2]), np.float32([3, 4]))
    array([[3., 4.],
           [6., 8.]], dtype=float32)
    """
    x, y = common("outer", x, y)
    return applied("DotGeneral", (), ravel(x), ravel(y))


def vdot(x: Any, y: Any, *, preferred_element_type: Any = None) -> Any:
    """The sum of products of all elements.

    >>> mind.vdot(np.float32([[1, 2]]), np.float32([[3], [4]]))
    array(11., dtype=float32)
    """
    x, y = reshape(operand("vdot", x), -1), reshape(operand("vdot", y), -1)
    return dot(x, y, preferred_element_type=preferred_element_type)


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
