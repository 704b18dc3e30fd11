"""Triangles and diagonals of matrices."""

from __future__ import annotations

from typing import Any

from ...ir import np
from ..integers import axes_of, integer
from ..operands import dtype_of, operand
from ..place import error
from ._made import applied
from .joining import pad
from .manipulation import expand_dims, moveaxis, reshape
from .searching import where

__all__ = ["diag", "diagflat", "diagonal", "tril", "triu"]

ALIASES: dict[str, str] = {}


def tril(x: Any, k: int = 0) -> Any:
    """The elements on and below the k-th diagonal of matrices, and 0 above.

    >>> mind.tril(np.float32([[1, 2], [3, 4]]))
    array([[1., 0.],
           [3., 4.]], dtype=float32)
    """
    x = _matrices("tril", x)
    return where(_below(x, integer("k", k)), x, np.zeros((), dtype_of(x).numpy))


def triu(x: Any, k: int = 0) -> Any:
    """The elements on and above the k-th diagonal of matrices, and 0 below.

    >>> mind.triu(np.float32([[1, 2], [3, 4]]))
    array([[1., 2.],
           [0., 4.]], dtype=float32)
    """
    x = _matrices("triu", x)
    return where(_below(x, integer("k", k) - 1), np.zeros((), dtype_of(x).numpy), x)


def diag(x: Any, k: int = 0) -> Any:
    """The k-th diagonal of a matrix, or the matrix that has a vector as its k-th diagonal.

    >>> mind.diag(np.array([1, 2]))
    array([[1, 0],
           [0, 2]])
    """
    x, k = operand("diag", x), integer("k", k)
    if x.ndim == 2:
        return diagonal(x, k)
    if x.ndim != 1:
        raise error("E3002", f"diag takes a vector or a matrix, found rank {x.ndim}")
    rows = expand_dims(pad(x, (max(-k, 0), max(k, 0))), 1)
    return where(np.eye(rows.shape[0], k=k, dtype=bool), rows, np.zeros((), dtype_of(x).numpy))


def diagflat(x: Any, k: int = 0) -> Any:
    """The matrix that has all elements of x, in order, as its k-th diagonal.

    >>> mind.diagflat(np.array([[1, 2]]))
    array([[1, 0],
           [0, 2]])
    """
    x = operand("diagflat", x)
    return diag(reshape(x, x.size), k)


def diagonal(x: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The elements x[i, i + offset] of two axes, along a new last axis.

    >>> mind.diagonal(np.arange(4).reshape(2, 2))
    array([0, 3])
    """
    x, k = _matrices("diagonal", x), integer("offset", offset)
    a, b = axes_of("diagonal", (axis1, axis2), x.ndim)
    rows, columns = x.shape[a], x.shape[b]
    flat = moveaxis(x, (a, b), (-2, -1))
    flat = reshape(flat, (*flat.shape[:-2], rows * columns))
    count = max(min(rows + min(k, 0), columns - max(k, 0)), 0)
    first = max(k, 0) - min(k, 0) * columns if count else 0
    last = first + (count - 1) * (columns + 1) + 1 if count else 0
    starts, steps = (0,) * (flat.ndim - 1), (1,) * (flat.ndim - 1)
    return applied("Slice", ((*starts, first), (*flat.shape[:-1], last), (*steps, columns + 1)), flat)


def _below(x: Any, k: int) -> Any:
    """A mask of the elements on and below the k-th diagonal of matrices."""
    rows, columns = x.shape[-2:]
    return np.tri(rows, columns, k, dtype=np.bool_)


def _matrices(what: str, x: Any) -> Any:
    x = operand(what, x)
    if x.ndim < 2:
        raise error("E3002", f"{what} takes rank 2 or more, found rank {x.ndim}")
    return x
