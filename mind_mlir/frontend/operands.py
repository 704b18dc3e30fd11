"""Operands beside a traced value: arrays, which keep their dtype, and scalars, which take the value's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ..ir import DType, Literal, Reject, TensorType, Value, np
from .place import error, located

if TYPE_CHECKING:
    import numpy

Operand: TypeAlias = "Value | numpy.ndarray"
"""A traced value, or an array of one of the element types."""

DTYPES = DType.listed()


def is_scalar(x: object) -> bool:
    """True for Python and NumPy numbers, which have no dtype of their own beside a value that has one."""
    return isinstance(x, (int, float)) or (isinstance(x, np.generic) and x.dtype.kind in "fiubV")


def array_type(a: numpy.ndarray) -> TensorType | None:
    """The type of an array; None if Core IR has no such dtype."""
    try:
        return TensorType.of_array(a)
    except ValueError:
        return None


def operand(what: str, x: Any) -> Operand:
    """A traced value or an array unchanged, a scalar in its own dtype. E2002 for another dtype, else E6009."""
    if isinstance(x, Value):
        return x
    if isinstance(x, np.ndarray):
        if type(x) is not np.ndarray and isinstance(x, (np.matrix, np.ma.MaskedArray)):
            raise error("E6009", f"{what} takes plain arrays, found a {type(x).__name__}", help="np.asarray makes one")
        if array_type(x) is None:
            help = f"dtypes are {DTYPES}; x.astype(np.float32) makes one of f32"
            raise error("E2002", f"{what} of an array of dtype {x.dtype}", help=help)
        return x if x.dtype.isnative else x.astype(x.dtype.newbyteorder("="))
    if is_scalar(x):
        return scalar(what, x, own_dtype(what, [x]))
    help = "np.asarray(x, np.float32) makes an array" if isinstance(x, (list, tuple)) else ""
    raise error("E6009", f"{what} takes arrays and numbers, found a {type(x).__name__}", help=help)


def dtype_of(x: Operand) -> DType:
    """The element type of a traced value or an array."""
    return x.type.dtype if isinstance(x, Value) else DType.of(x.dtype)


def scalar(what: str, x: Any, dtype: DType) -> numpy.ndarray:
    """A number as a rank-0 array. E2004 for a float beside integers, E4005 if the dtype has no such value."""
    number = _number(what, x)
    if isinstance(number, float) and not dtype.is_float:
        help = f"write {int(number)}" if number.is_integer() else "make the integers floats first: x.astype(np.float32)"
        raise error("E2004", f"{what} of the float {number} and {dtype}", help=help)
    try:
        return Literal.scalar(dtype, number).to_numpy(())
    except Reject as why:
        raise located(why) from None


def own_dtype(what: str, free: Sequence[Any]) -> DType:
    """The element type of numbers without another operand: f32 or i64, unless NumPy's among them have another.

    Of traced values that are numbers still, as they are.
    """
    highest = max(category(_own(what, x)) for x in free)
    stated = [_own(what, x) for x in free if isinstance(x, (np.generic, Value))]
    stated = [d for d in stated if category(d) == highest]
    if stated:
        return max(stated, key=lambda d: d.width)
    return max((_own(what, x) for x in free), key=category)


def _own(what: str, x: Any) -> DType:
    """The element type of a number, or of a traced value."""
    if isinstance(x, Value):
        return x.type.dtype
    number = _number(what, x)
    try:
        if isinstance(x, np.generic):
            return DType.of(x.dtype)
        if isinstance(number, bool):
            return DType.I1
    except ValueError:  # a number of NumPy's that has no element type here
        pass
    return DType.F32 if isinstance(number, float) else DType.I64


def category(dtype: DType) -> int:
    """0 for truth values, 1 for integers, 2 for floats."""
    return 2 if dtype.is_float else int(not dtype.is_bool)


def _number(what: str, x: Any) -> bool | int | float:
    """A Python number."""
    if isinstance(x, np.generic):
        return float(x) if x.dtype.kind in "fV" else bool(x) if x.dtype.kind == "b" else int(x)
    return x  # type: ignore[no-any-return]
