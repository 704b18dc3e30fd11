"""Products of arrays under their NumPy names: thin functions over DotGeneral. `einsum.py` has the general one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir import OPS
from .einsum import einsum
from .functions import integers
from .operands import common, operand
from .place import error
from .trace_builder import apply, binary

__all__ = ["inner", "matrix_transpose", "outer", "tensordot", "vecdot"]


def tensordot(x: Any, y: Any, axes: int | Sequence[Any] = 2) -> Any:
    """The sum of products over axes of x and of y: the last `axes` of x and the first of y, or those of two lists.

    >>> x = np.arange(6, dtype=np.float32).reshape(2, 3)
    >>> mind.tensordot(x, x, axes=((1,), (1,)))
    array([[ 5., 14.],
           [14., 50.]], dtype=float32)
    """
    x, y = common("tensordot", x, y)
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
    return apply(OPS["DotGeneral"]((), (), left, right), x, y)  # type: ignore[call-arg]


def vecdot(x: Any, y: Any, axis: int = -1) -> Any:
    """The sum of products along one axis of both; the other axes broadcast.

    >>> mind.vecdot(np.float32([[1, 2], [3, 4]]), np.float32([1, 1]))
    array([3., 7.], dtype=float32)
    """
    x, y = common("vecdot", x, y)
    (axis,) = integers("axis", axis)
    for v in (x, y):
        if not -v.ndim <= axis < 0 and not (0 <= axis < v.ndim and x.ndim == y.ndim):
            help = "the axis is counted from the last one, or the ranks are equal"
            raise error("E3004", f"vecdot axis {axis} is out of range for ranks {x.ndim} and {y.ndim}", help=help)
    x, y = (_axis_last(v, axis % v.ndim) for v in (x, y))
    return einsum("...k,...k->...", x, y)


def inner(x: Any, y: Any) -> Any:
    """The sum of products over the last axes of both; a scalar multiplies.

    >>> mind.inner(np.float32([1, 2]), np.float32([3, 4]))
    array(11., dtype=float32)
    """
    x, y = common("inner", x, y)
    if x.ndim == 0 or y.ndim == 0:
        return binary("Mul", x, y)
    return apply(OPS["DotGeneral"]((), (), (-1,), (-1,)), x, y)  # type: ignore[call-arg]


def outer(x: Any, y: Any) -> Any:
    """The products of all elements of x with all of y: [m] and [n] give [m, n]. Of other ranks the elements in order.

    >>> mind.outer(np.float32([1, 2]), np.float32([3, 4]))
    array([[3., 4.],
           [6., 8.]], dtype=float32)
    """
    x, y = common("outer", x, y)
    return apply(OPS["DotGeneral"](), _flat(x), _flat(y))


def matrix_transpose(x: Any) -> Any:
    """x with its last two axes swapped; what x.mT gives.

    >>> mind.matrix_transpose(np.float32([[1, 2], [3, 4]]))
    array([[1., 3.],
           [2., 4.]], dtype=float32)
    """
    x = operand("matrix_transpose", x)
    if x.ndim < 2:
        raise error("E3002", f"matrix_transpose takes rank 2 or more, found rank {x.ndim}")
    order = list(range(x.ndim))
    order[-2:] = order[:-3:-1]
    return apply(OPS["Transpose"](order), x)  # type: ignore[call-arg]


def _flat(x: Any) -> Any:
    return x if x.ndim == 1 else apply(OPS["Reshape"]((-1,)), x)  # type: ignore[call-arg]


def _axis_last(x: Any, axis: int) -> Any:
    if axis == x.ndim - 1:
        return x
    return apply(OPS["Transpose"]([*(a for a in range(x.ndim) if a != axis), axis]), x)  # type: ignore[call-arg]
