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
    return isinstance(x, (int, float)) or (isinstance(x, np.generic) and x.dtype.kind in "fiub")


def array_type(a: numpy.ndarray) -> TensorType | None:
    """The type of an array; None if Core IR has no such dtype."""
    try:
        return TensorType.of_array(a)
    except ValueError:
        return None


def common(what: str, *operands: Any) -> list[Operand]:
    """Traced values and arrays of one dtype: scalars take that of the others, or their own if there are none.

    E2004 for another dtype, and for a float beside integers; E2002 and E6009 for anything but an operand.
    """
    dtype: DType | None = None
    out = []
    for x in operands:
        if not is_scalar(x):
            x = operand(what, x)
            found = dtype_of(x)
            if dtype is None:
                dtype = found
            elif found is not dtype:
                raise _mixed(what, dtype, found, operands)
        out.append(x)
    if dtype is None:
        dtype = _own_dtype(what, operands)
    return [scalar(what, x, dtype) if is_scalar(x) else x for x in out]


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
        return scalar(what, x, _own_dtype(what, [x]))
    help = "np.asarray(x, np.float32) makes an array" if isinstance(x, (list, tuple)) else ""
    raise error("E6009", f"{what} takes arrays and numbers, found a {type(x).__name__}", help=help)


def dtype_of(x: Operand) -> DType:
    """The element type of a traced value or an array."""
    return x.type.dtype if isinstance(x, Value) else DType.of(x.dtype)


def scalar(what: str, x: Any, dtype: DType) -> numpy.ndarray:
    """A number as a rank-0 array. E2004 for a float beside integers, E4005 if the dtype has no such value.

    E2002 for a truth value beside numbers.
    """
    number = bool(x) if dtype.is_bool and _is_truth(x) else _number(what, x)
    if isinstance(number, float) and not dtype.is_float:
        help = f"write {int(number)}" if number.is_integer() else "make the integers floats first: x.astype(np.float32)"
        raise error("E2004", f"{what} of the float {number} and {dtype}", help=help)
    try:
        return Literal.scalar(dtype, number).to_numpy(())
    except Reject as why:
        raise located(why) from None


def _own_dtype(what: str, scalars: Sequence[Any]) -> DType:
    """The dtype of scalars without another operand: that of NumPy's among them, if they have one; else f32 or i64."""
    if all(map(_is_truth, scalars)):
        return DType.I1
    kinds = {x.dtype for x in scalars if isinstance(x, np.generic)}
    if any(isinstance(_number(what, x), float) for x in scalars):
        return DType.F64 if np.dtype(np.float64) in kinds else DType.F32
    return DType.of(kinds.pop()) if len(kinds) == 1 else DType.I64


def _is_truth(x: object) -> bool:
    return isinstance(x, (bool, np.bool_))


def _number(what: str, x: Any) -> int | float:
    """A Python number. E2002 for truth values."""
    if _is_truth(x):
        raise error("E2002", f"{what} of the truth value {x}", help="float(x) or int(x) makes it a number")
    if isinstance(x, np.generic):
        return float(x) if x.dtype.kind == "f" else int(x)
    return x  # type: ignore[no-any-return]


def _mixed(what: str, a: DType, b: DType, operands: tuple[Any, ...]) -> Exception:
    array = next((x for x in operands if isinstance(x, np.ndarray)), None)
    help = "operands share one dtype; nothing is converted by itself"
    if array is not None:
        other = a if DType.of(array.dtype) is b else b
        help = f"{help}: .astype({other.in_numpy}) converts an array"
    elif a.is_float and b.is_float:
        help = (
            f"{help}: convert an argument before the call; a Python float is f32 as an argument, np.float64(x) is f64"
        )
    return error("E2004", f"{what} mixes {a} and {b}", help=help)
