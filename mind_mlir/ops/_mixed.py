"""Products whose elements are of a wider type than their operands'. docs/semantics.md, Products in a wider type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir import DType, Reject, TensorType, Value
from ._rules import numbers_only, same_numbers

if TYPE_CHECKING:
    import numpy


def product_dtype(
    name: str, lhs: TensorType, rhs: TensorType, stated: DType | None, called: Sequence[str] = ("lhs", "rhs")
) -> DType:
    """The element type of the sums and of the result: that of both operands, unless another one is stated.

    E2004 if the operands differ and none is stated, E2005 for truth values, and unless `stated` has all values of both.
    """
    if stated is None:
        same_numbers(name, lhs, rhs, called)
        return lhs.dtype
    for i, x in enumerate((lhs, rhs)):
        numbers_only(name, x)
        if not _has_all(stated, x.dtype):
            raise Reject(
                "E2005",
                f"{name} in {stated} does not hold every {x.dtype}: {called[i]} is {x}",
                help=_help(x.dtype),
                at="element_type",
            )
    return stated


def _help(dtype: DType) -> str:
    wider = DType.listed("or", lambda d: _has_all(d, dtype))
    return f"element_type is {wider}, or the operand is converted first"


def _has_all(dtype: DType, other: DType) -> bool:
    """True if `dtype` is of the kind of `other`, integers or floats, and has all of its values."""
    if dtype is other:
        return True
    if other.is_float:
        return dtype.is_float and dtype.bits > other.bits
    return dtype.is_integer and dtype.smallest <= other.smallest and dtype.largest >= other.largest


def array_in(dtype: DType | None, x: numpy.ndarray) -> numpy.ndarray:
    """The elements as `dtype`, if one is stated; floats of 16 bits are f32 by now, and stay it."""
    return x if dtype is None or dtype.is_half else x.astype(dtype.numpy)


def value_in(b: Any, x: Value, dtype: DType) -> Value:
    """The value with elements of that type."""
    return x if x.type.dtype is dtype else b.Convert(x, to=dtype)


def lowered_in(e: Any, x: Any, dtype: DType) -> Any:
    """The same in MLIR."""
    t = e.type(x)
    if t.dtype == dtype:
        return x
    to = TensorType(dtype, t.shape)
    return e.linalg.map(lambda s, v: s.converted(v, s.of(t.dtype)), (x,), to) if t.size else e.tensor.empty(to)
