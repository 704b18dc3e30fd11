"""What NumPy has in np.linalg, as far as it needs no factorisation: `mind.linalg.norm`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..integers import axes_of
from ..operands import operand
from ..place import error
from ..promotion import binary, common, convert
from .catalogue import function
from .exponentials import pow
from .linear_algebra import matmul, outer, tensordot, vecdot
from .manipulation import matrix_transpose
from .matrices import diagonal
from .searching import where
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
    """The norm of vectors: the root of the sum of squares along `axis`, or that of another order.

    >>> mind.linalg.vector_norm(np.float32([3, 4]))
    array(5., dtype=float32)
    """
    x = floats("vector_norm", x)
    size = function("abs")(x)
    if ord == float("inf"):
        return _max(size, axis, keepdims)
    if ord == float("-inf"):
        return _min(size, axis, keepdims)
    if ord == 0:
        return _sum(convert_to(function("not_equal")(x, 0), x), axis, keepdims)
    if ord == 1:
        return _sum(size, axis, keepdims)
    if ord == 2:
        return function("sqrt")(_sum(binary("Mul", x, x), axis, keepdims))
    return pow(_sum(pow(size, ord), axis, keepdims), 1 / ord)


def convert_to(x: Any, like: Any) -> Any:
    """x in the element type of another value."""
    return convert(x, like.type.dtype if hasattr(like, "type") else floats("norm", like).dtype)
