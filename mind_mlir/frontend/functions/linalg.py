"""What NumPy has in np.linalg, as far as it needs no factorisation.

>>> mind.linalg.norm(np.float32([3, 4]))
array(5., dtype=float32)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..integers import axes_of, axis_of
from ..operands import dtype_of, operand
from ..place import error
from ..promotion import binary, common, convert
from .catalogue import function
from .exponentials import pow
from .joining import stack, unstack
from .linear_algebra import matmul, outer, tensordot, vecdot
from .manipulation import matrix_transpose, moveaxis, squeeze
from .matrices import diagonal
from .statistical import floats, max as _max, min as _min, sum as _sum

__all__ = [
    "cross",
    "diagonal",
    "matmul",
    "matrix_norm",
    "matrix_transpose",
    "norm",
    "outer",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]

Axis = int | Sequence[int] | None


def trace(x: Any, offset: int = 0, axis1: int = -2, axis2: int = -1) -> Any:
    """The sum of the elements x[i, i + offset] of two axes, the last ones unless they are stated.

    >>> mind.linalg.trace(np.float32([[1, 2], [3, 4]]))
    array(5., dtype=float32)
    """
    return _sum(diagonal(x, offset, axis1, axis2), -1)


def vector_norm(x: Any, axis: Axis = None, keepdims: bool = False, ord: float = 2) -> Any:
    """The norm of vectors along `axis`: the root of the sum of squares, or that of another order.

    >>> mind.linalg.vector_norm(np.float32([3, 4]))
    array(5., dtype=float32)
    """
    x = floats("vector_norm", x)
    size = function("abs")(x)
    if abs(ord) == float("inf"):
        return (_max if ord > 0 else _min)(size, axis, keepdims)
    if ord == 0:
        return _sum(convert(function("not_equal")(x, 0), dtype_of(x)), axis, keepdims)
    if ord == 1:
        return _sum(size, axis, keepdims)
    if ord == 2:
        return function("sqrt")(_sum(binary("Mul", x, x), axis, keepdims))
    return pow(_sum(pow(size, ord), axis, keepdims), 1 / ord)


def matrix_norm(x: Any, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of matrices: the root of the sum of squares, or the largest sum of a column (1) or of a row (inf).

    >>> mind.linalg.matrix_norm(np.float32([[3, 4]]))
    array(5., dtype=float32)
    """
    x = floats("matrix_norm", x)
    if x.ndim < 2:
        raise error("E3002", f"matrix_norm takes rank 2 or more, found rank {x.ndim}")
    if ord == "fro":
        return vector_norm(x, (-2, -1), keepdims)
    if ord not in (1, -1, float("inf"), float("-inf")):
        help = "the norms of singular values need a factorisation"
        raise error("E4013", f'matrix_norm has the orders "fro", 1, -1, inf and -inf, found {ord!r}', help=help)
    summed, other = (-2, -1) if abs(ord) == 1 else (-1, -2)
    sums = _sum(function("abs")(x), summed, keepdims=True)
    found = (_max if ord > 0 else _min)(sums, other, keepdims=True)
    return found if keepdims else squeeze(found, (-2, -1))


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """NumPy's norm: of vectors along one axis, of matrices along two; of all elements if neither is stated.

    >>> mind.linalg.norm(np.float32([[3], [4]]))
    array(5., dtype=float32)
    """
    x = operand("norm", x)
    if ord is None:
        return vector_norm(x, axis, keepdims)
    axes = tuple(range(x.ndim)) if axis is None else axes_of("norm", axis, x.ndim)
    if len(axes) == 1:
        return vector_norm(x, axes, keepdims, ord)
    if len(axes) != 2:
        raise error("E4013", f"norm of order {ord} along one axis or two, found {len(axes)}")
    found = matrix_norm(moveaxis(x, axes, (-2, -1)), keepdims, ord)
    return moveaxis(found, (-2, -1), axes) if keepdims else found


def cross(x: Any, y: Any, axis: int = -1) -> Any:
    """The cross product of vectors of three elements along an axis.

    >>> mind.linalg.cross(np.float32([1, 0, 0]), np.float32([0, 1, 0]))
    array([0., 0., 1.], dtype=float32)
    """
    x, y = common("cross", x, y)
    a, b = axis_of("cross", axis, x.ndim), axis_of("cross", axis, y.ndim)
    if x.shape[a] != 3 or y.shape[b] != 3:
        raise error("E3003", f"cross takes vectors of three elements, found {x.shape[a]} and {y.shape[b]}")
    first, second = unstack(x, a), unstack(y, b)
    parts = [
        binary("Sub", binary("Mul", first[i], second[j]), binary("Mul", first[j], second[i]))
        for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    return stack(parts, axis if axis < 0 else a)
