"""The order of elements, as integers: what sorting and the largest of several compare.

A NaN is above every number. -0.0 and +0.0 are equal for sorting, which keeps their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir import Builder, Reject, TensorType, Value, np
from ._rules import one_axis

if TYPE_CHECKING:
    import numpy


def keys(a: numpy.ndarray, *, nan_first: bool = False) -> numpy.ndarray:
    """Integers in the order of the elements; -0.0 is below +0.0, and NaN above or below all others."""
    if a.dtype.kind in "biu":
        return a.astype(np.uint8) if a.dtype.kind == "b" else a
    bits = _flipped(np.ascontiguousarray(a).reshape(a.shape).view(f"i{a.dtype.itemsize}"))
    return np.where(np.isnan(a), nan_key(bits.dtype, nan_first), bits)


def elements(found: numpy.ndarray, dtype: Any, *, nan_first: bool = False) -> numpy.ndarray:
    """The elements that have these keys."""
    if dtype.kind in "biu":
        return found.astype(dtype)
    is_nan = found == nan_key(found.dtype, nan_first)
    return np.where(is_nan, np.asarray(np.nan, dtype), _flipped(found).view(dtype))


def nan_key(dtype: Any, nan_first: bool) -> Any:
    """The key of every NaN."""
    limits = np.iinfo(dtype)
    return dtype.type(limits.min if nan_first else limits.max)


def _flipped(bits: numpy.ndarray) -> numpy.ndarray:
    """The bits of negative floats but for the sign, flipped: integers in their order, and back."""
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


def sorted_order(a: numpy.ndarray, axis: int, descending: bool) -> numpy.ndarray:
    """The indices that sort `a` along an axis; equal elements, and both zeros are equal, keep their order."""
    found = keys(a)
    if a.dtype.kind not in "biu":
        found = np.where(a == 0, np.zeros((), found.dtype), found)
    return np.argsort(~found if descending else found, axis=axis, kind="stable")


def check_axis(name: str, axis: int, input: TensorType) -> None:
    """E3004 for an axis that there is not, E3006 for more elements along it than an index can name."""
    one_axis(name, axis, input)
    if input.shape[axis] >= 2**31:
        raise Reject("E3006", f"{name} takes less than 2^31 elements, input is {input}", at="operand 0")


def taken(b: Builder, x: Value, indices: Value, axis: int) -> Value:
    """`x` at these indices along an axis, at the same position of every other axis."""
    rank = x.type.rank
    others = [a for a in range(rank) if a != axis]
    order = [*others, axis]
    vectors = b.ExpandDims(b.Transpose(indices, permutation=order), [rank])
    found = b.GatherSlices(x, vectors, [axis], others, [])
    return b.Transpose(found, permutation=sorted(range(rank), key=order.__getitem__))
