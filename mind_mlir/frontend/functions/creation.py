"""Arrays of zeros, of ones, of numbers in order. They are NumPy arrays, whose numbers are known in a trace too.

Floats are f32 and integers i64 unless `dtype` says otherwise; of NumPy's functions of these names floats are f64.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir import DType, np
from ..integers import integer, integers
from ..operands import DTYPES, Operand, array_type, dtype_of, is_scalar, operand, own_dtype, scalar
from ..place import error
from ..promotion import convert
from ..unknown import Unknown

__all__ = [
    "arange",
    "array",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "identity",
    "linspace",
    "logspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tri",
    "zeros",
    "zeros_like",
]

ALIASES: dict[str, str] = {}

Shape = int | Sequence[int]


def element_type(what: str, dtype: Any, otherwise: DType) -> DType:
    """The element type that a `dtype` argument names. E2002 for one that is none here."""
    if dtype is None:
        return otherwise
    try:
        return DType.of(dtype)
    except (ValueError, TypeError):
        raise error("E2002", f"{what} with dtype {dtype!r}", help=f"dtypes are {DTYPES}") from None


def asarray(x: Any, /, dtype: Any = None, *, device: Any = None, copy: bool | None = None) -> Any:
    """An array of a number, nested lists, an array or a traced value, converted to `dtype` if it is given.

    >>> mind.asarray([1.0, 2.0])
    array([1., 2.], dtype=float32)
    """
    _check_device(device)
    if isinstance(x, Unknown):
        return x if dtype is None else convert(x, element_type("asarray", dtype, x.type.dtype))
    if isinstance(x, (np.ndarray, np.generic)):
        given = np.asarray(x)
        if array_type(given) is None:
            raise error("E2002", f"asarray of an array of dtype {given.dtype}", help=f"dtypes are {DTYPES}")
        wanted = element_type("asarray", dtype, dtype_of(given))
        if wanted is not dtype_of(given):
            if copy is False:
                raise ValueError("a copy is needed for another dtype, and copy=False forbids it")
            return convert(given, wanted)
        return given.copy() if copy else given
    if copy is False:
        raise ValueError("a copy is needed for lists and numbers, and copy=False forbids it")
    return _of_numbers(x, dtype)


def _of_numbers(x: Any, dtype: Any) -> Any:
    """An array of a number or of nested lists of numbers."""
    if is_scalar(x):
        return np.array(scalar("asarray", x, element_type("asarray", dtype, own_dtype("asarray", [x]))))
    flat = _flattened(x)
    if any(isinstance(n, Unknown) for n in flat):
        raise error("E6010", "asarray of a list with traced values", help="mind.stack makes one value of several")
    try:
        found = np.asarray(x)
    except ValueError:
        raise error("E6009", "asarray of lists of different lengths") from None
    if found.dtype.kind not in "biuf" and array_type(found) is None:
        raise error("E6009", f"asarray takes numbers, arrays and lists of these, found a {type(x).__name__}")
    typed = any(isinstance(n, (np.ndarray, np.generic)) for n in flat)
    kind = found.dtype if typed else {"f": np.float32, "b": np.bool_}.get(found.dtype.kind, np.int64)
    wanted = element_type("asarray", dtype, element_type("asarray", kind if found.size else np.float32, DType.F32))
    return found.astype(wanted.numpy)


def _flattened(x: Any) -> list[Any]:
    return [n for part in x for n in _flattened(part)] if isinstance(x, (list, tuple)) else [x]


def array(x: Any, dtype: Any = None) -> Any:
    """The same as asarray, always in memory of its own.

    >>> mind.array([1, 2])
    array([1, 2])
    """
    return asarray(x, dtype, copy=None if isinstance(x, Unknown) else True)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    """The NumPy array of an array of another library, by DLPack.

    >>> mind.from_dlpack(np.arange(2))
    array([0, 1])
    """
    _check_device(device)
    found = np.from_dlpack(x)
    return found.copy() if copy else found


def zeros(shape: Shape, dtype: Any = None, *, device: Any = None) -> Any:
    """An array of zeros.

    >>> mind.zeros(2)
    array([0., 0.], dtype=float32)
    """
    _check_device(device)
    return np.zeros(integers("shape", shape), element_type("zeros", dtype, DType.F32).numpy)


def ones(shape: Shape, dtype: Any = None, *, device: Any = None) -> Any:
    """An array of ones.

    >>> mind.ones(2)
    array([1., 1.], dtype=float32)
    """
    _check_device(device)
    return np.ones(integers("shape", shape), element_type("ones", dtype, DType.F32).numpy)


def empty(shape: Shape, dtype: Any = None, *, device: Any = None) -> Any:
    """An array whose elements are not decided; they are zeros.

    >>> mind.empty((2, 3)).shape
    (2, 3)
    """
    return zeros(shape, dtype, device=device)


def full(shape: Shape, fill_value: Any, dtype: Any = None, *, device: Any = None) -> Any:
    """An array with one value everywhere, which may be traced; its element type is that of the value.

    >>> mind.full(2, 7)
    array([7, 7])
    """
    from .manipulation import broadcast_to

    _check_device(device)
    if is_scalar(fill_value) and dtype is not None:
        return broadcast_to(scalar("full", fill_value, element_type("full", dtype, DType.F32)), shape)
    value = operand("full", fill_value)
    return broadcast_to(convert(value, element_type("full", dtype, dtype_of(value))), shape)


def zeros_like(x: Any, /, dtype: Any = None, *, device: Any = None) -> Any:
    """Zeros in the shape and element type of x.

    >>> mind.zeros_like(np.float64([1, 2]))
    array([0., 0.])
    """
    x = operand("zeros_like", x)
    return zeros(x.shape, element_type("zeros_like", dtype, dtype_of(x)), device=device)


def ones_like(x: Any, /, dtype: Any = None, *, device: Any = None) -> Any:
    """Ones in the shape and element type of x.

    >>> mind.ones_like(np.float64([1, 2]))
    array([1., 1.])
    """
    x = operand("ones_like", x)
    return ones(x.shape, element_type("ones_like", dtype, dtype_of(x)), device=device)


def empty_like(x: Any, /, dtype: Any = None, *, device: Any = None) -> Any:
    """An array in the shape and element type of x, whose elements are not decided; they are zeros.

    >>> mind.empty_like(np.float64([1, 2])).shape
    (2,)
    """
    return zeros_like(x, dtype, device=device)


def full_like(x: Any, /, fill_value: Any, dtype: Any = None, *, device: Any = None) -> Any:
    """One value everywhere in the shape and element type of x.

    >>> mind.full_like(np.float64([1, 2]), 3)
    array([3., 3.])
    """
    x = operand("full_like", x)
    return full(x.shape, fill_value, element_type("full_like", dtype, dtype_of(x)), device=device)


def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    """The numbers start, start + step, … below `stop`; from 0 if only one bound is given.

    >>> mind.arange(1, 4)
    array([1, 2, 3])
    """
    _check_device(device)
    bounds = (0, start, step) if stop is None else (start, stop, step)
    for n in bounds:
        if not is_scalar(n) and not (isinstance(n, np.ndarray) and n.ndim == 0):
            raise error("E6009", f"arange takes numbers that are known, found a {type(n).__name__}")
    if not bounds[2]:
        raise error("E4013", "arange with the step 0")
    wanted = element_type(
        "arange", dtype, own_dtype("arange", [n[()] if isinstance(n, np.ndarray) else n for n in bounds])
    )
    return np.arange(*bounds).astype(wanted.numpy)


def linspace(
    start: float, stop: float, /, num: int = 50, *, dtype: Any = None, device: Any = None, endpoint: bool = True
) -> Any:
    """So many numbers from `start` to `stop` at equal distances; without `stop` itself if `endpoint` is false.

    >>> mind.linspace(0, 1, 3)
    array([0. , 0.5, 1. ], dtype=float32)
    """
    _check_device(device)
    count = _count("linspace", num)
    return np.linspace(start, stop, count, endpoint).astype(element_type("linspace", dtype, DType.F32).numpy)


def logspace(
    start: float, stop: float, num: int = 50, endpoint: bool = True, base: float = 10.0, dtype: Any = None
) -> Any:
    """The base to the power of so many exponents from `start` to `stop`.

    >>> mind.logspace(0, 2, 3)
    array([  1.,  10., 100.], dtype=float32)
    """
    found = np.power(float(base), np.linspace(start, stop, _count("logspace", num), endpoint))
    return found.astype(element_type("logspace", dtype, DType.F32).numpy)


def eye(n: int, m: int | None = None, /, *, k: int = 0, dtype: Any = None, device: Any = None) -> Any:
    """A matrix of n rows with ones in its k-th diagonal and zeros elsewhere.

    >>> mind.eye(2)
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    _check_device(device)
    columns = None if m is None else _count("eye", m)
    return np.eye(_count("eye", n), columns, integer("k", k), element_type("eye", dtype, DType.F32).numpy)


def identity(n: int, dtype: Any = None) -> Any:
    """A square matrix with ones in its diagonal.

    >>> mind.identity(2)
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return eye(n, dtype=dtype)


def tri(n: int, m: int | None = None, k: int = 0, dtype: Any = None) -> Any:
    """A matrix of n rows with ones on and below its k-th diagonal and zeros above.

    >>> mind.tri(2)
    array([[1., 0.],
           [1., 1.]], dtype=float32)
    """
    columns = None if m is None else _count("tri", m)
    return np.tri(_count("tri", n), columns, integer("k", k), element_type("tri", dtype, DType.F32).numpy)


def meshgrid(*arrays: Any, indexing: str = "xy") -> list[Any]:
    """The coordinates of a grid, each array along an axis of its own; "xy" swaps the first two axes, "ij" does not.

    >>> mind.meshgrid(np.array([1, 2]), np.array([3, 4]), indexing="ij")[0]
    array([[1, 1],
           [2, 2]])
    """
    from .manipulation import broadcast_to, reshape, swapaxes

    if indexing not in ("xy", "ij"):
        raise error("E4013", f'meshgrid has the indexings "xy" and "ij", found {indexing!r}')
    operands: list[Operand] = [operand("meshgrid", x) for x in arrays]
    lengths = [_length(x) for x in operands]
    found = []
    for n, x in enumerate(operands):
        along = [1] * len(operands)
        along[n] = lengths[n]
        grid = broadcast_to(reshape(x, along), lengths)
        found.append(swapaxes(grid, 0, 1) if indexing == "xy" and len(operands) > 1 else grid)
    return found


def _length(x: Any) -> int:
    if x.ndim > 1:
        raise error("E3002", f"meshgrid takes vectors, found rank {x.ndim}")
    return int(x.size)


def _count(what: str, n: Any) -> int:
    count = integer(what, n)
    if count < 0:
        raise error("E4013", f"{what} takes counts that are not negative, found {count}")
    return count


def _check_device(device: Any) -> None:
    if device not in (None, "cpu"):
        raise error("E6009", f'arrays are on the device "cpu", found {device!r}', help="target chooses where code runs")
