"""Element types: their names, what is known of them, and conversion. They are NumPy's, and those of ml_dtypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ir import DType, np
from ..operands import DTYPES, category, dtype_of, operand
from ..place import error
from ..promotion import common_dtype, convert, promoted
from .creation import element_type

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

ALIASES: dict[str, str] = {"promote_types": "result_type"}


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """x in another element type. docs/semantics.md, Conversions, has what becomes of values that it lacks.

    >>> mind.astype(np.float32([1.5, -2.5]), np.float64)
    array([ 1.5, -2.5])
    """
    x = operand("astype", x)
    wanted = element_type("astype", dtype, dtype_of(x))
    if wanted is dtype_of(x) and copy and isinstance(x, np.ndarray):
        return x.copy()
    return convert(x, wanted)


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The element type of these arrays, numbers and element types together.

    >>> mind.result_type(np.float32([1]), 2, np.float64)
    dtype('float64')
    """
    if not arrays_and_dtypes:
        raise error("E6009", "result_type takes at least one array, number or dtype")
    given = [np.zeros((), d.numpy) if (d := _as_dtype(x)) is not None else x for x in arrays_and_dtypes]
    return common_dtype("result_type", [x if _is_number(x) else operand("result_type", x) for x in given]).numpy


def _is_number(x: Any) -> bool:
    return isinstance(x, (bool, int, float, np.generic))


def _as_dtype(x: Any) -> DType | None:
    """The element type that an argument names; None for arrays and numbers."""
    if not isinstance(x, (type, str, np.dtype, DType)):
        return None
    return element_type("result_type", x, DType.F32)


def can_cast(from_: Any, to: Any, /) -> bool:
    """True if promotion converts the one element type, or that of an array, to the other.

    >>> mind.can_cast(np.float32, np.float64), mind.can_cast(np.float64, np.float32)
    (True, False)
    """
    given, wanted = _as_dtype(from_), _as_dtype(to)
    if given is None:
        given = dtype_of(operand("can_cast", from_))
    if wanted is None:
        raise error("E2002", f"can_cast to {to!r}", help=f"dtypes are {DTYPES}")
    return promoted(given, wanted) is wanted


def isdtype(dtype: Any, kind: Any) -> bool:
    """True if an element type is of a kind: "bool", "integral", "real floating", "numeric", …, or one of several.

    >>> mind.isdtype(np.float32, "real floating"), mind.isdtype(np.int64, ("bool", np.int64))
    (True, True)
    """
    found = element_type("isdtype", dtype, DType.F32)
    return any(_is_of_kind(found, k) for k in (kind if isinstance(kind, tuple) else (kind,)))


def _is_of_kind(dtype: DType, kind: Any) -> bool:
    unsigned = dtype.numpy.kind == "u"
    kinds = {
        "bool": category(dtype) == 0,
        "signed integer": category(dtype) == 1 and not unsigned,
        "unsigned integer": category(dtype) == 1 and unsigned,
        "integral": category(dtype) == 1,
        "real floating": dtype.is_float,
        "complex floating": False,
        "numeric": category(dtype) > 0,
    }
    if isinstance(kind, str) and kind in kinds:
        return kinds[kind]
    try:
        return DType.of(kind) is dtype
    except (ValueError, TypeError):
        help = f"kinds are {', '.join(kinds)}, and dtypes"
        raise error("E2002", f"isdtype of the kind {kind!r}", help=help) from None


@dataclass(frozen=True)
class FloatInfo:
    """The limits of a float type, as Python floats."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: Any

    @property
    def tiny(self) -> float:
        """NumPy's name of `smallest_normal`."""
        return self.smallest_normal


def finfo(dtype: Any, /) -> Any:
    """The limits of a float type, or of an array's: bits, eps, max, min, smallest_normal, dtype.

    >>> mind.finfo(np.float32).eps
    1.1920928955078125e-07
    """
    import ml_dtypes

    limits_of: Any = ml_dtypes.finfo
    found = _as_dtype(dtype) or dtype_of(operand("finfo", dtype))
    if not found.is_float:
        raise error("E2005", f"finfo of {found}, which is no float type", help="iinfo has the limits of integers")
    known = limits_of(found.numpy)
    eps, most, least, normal = (float(getattr(known, name)) for name in ("eps", "max", "min", "smallest_normal"))
    return FloatInfo(known.bits, eps, most, least, normal, found.numpy)


def iinfo(dtype: Any, /) -> Any:
    """The limits of an integer type, or of an array's: bits, max, min, dtype.

    >>> mind.iinfo(np.int32).max
    2147483647
    """
    found = _as_dtype(dtype) or dtype_of(operand("iinfo", dtype))
    if category(found) != 1:
        raise error("E2005", f"iinfo of {found}, which is no integer type", help="finfo has the limits of floats")
    return np.iinfo(found.numpy)
