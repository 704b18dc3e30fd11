"""Floats of 16 bits: operations on them compute in f32, and round once.

A sum or a product adds in f32 too, and is rounded at the end. docs/semantics.md, Floats of 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from .lazy import np
from .types import DType, TensorType

if TYPE_CHECKING:
    import numpy


def widened_type(t: TensorType) -> TensorType:
    """The type in which an operation computes: f32 for floats of 16 bits, else itself."""
    return TensorType(DType.F32, t.shape) if t.dtype.is_half else t


def is_half(a: numpy.ndarray) -> bool:
    """True for an array of 16-bit floats."""
    return a.dtype.itemsize == 2 and a.dtype.kind in "fV"


def widened(a: numpy.ndarray) -> numpy.ndarray:
    """16-bit floats as f32, which is exact; other arrays as they are."""
    return a.astype(np.float32) if is_half(a) else a


def narrowed(a: numpy.ndarray, dtype: DType) -> numpy.ndarray:
    """f32 rounded to 16-bit floats, to nearest even, where that is the dtype; else the array itself."""
    if not dtype.is_half or a.dtype != np.float32:
        return a
    with np.errstate(over="ignore"):
        return a.astype(dtype.numpy)


def in_f32(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    """`evaluate` of an operation, computed in f32 where it takes 16-bit floats."""

    @wraps(evaluate)
    def run(self: Any, *operands: Any) -> Any:
        if not any(map(is_half, operands)):
            return evaluate(self, *operands)
        found = evaluate(self, *map(widened, operands))
        types = self.result_types(*map(TensorType.of_array, operands))
        if isinstance(found, tuple):
            return tuple([narrowed(a, t.dtype) for a, t in zip(found, types)])
        return narrowed(np.asarray(found), types[0].dtype)

    return run
