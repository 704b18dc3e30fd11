"""The element type that operands of different ones have together. docs/functions.md, Element types.

Types of one kind promote as the Python array API standard says: to the narrowest that has all values of both. Of two
kinds the higher one wins, as in JAX and PyTorch: a truth value beside a number follows the number, an integer beside a
float the float. Python and NumPy numbers have no element type of their own beside a value of their kind or a higher
one. What a trace computes from numbers alone, `where(x > 1, 0.0, 1.0)`, is a number still: it is computed once more in
the type of what it meets.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable
from typing import Any

from ..ir import OPS, DType, Op, Value, np
from .operands import Operand, category, dtype_of, is_scalar, operand, own_dtype, scalar
from .place import error, line
from .trace_builder import PLAIN, TraceBuilder, apply
from .unknown import Unknown


class WideningWarning(UserWarning):
    """A NumPy array of f64 beside traced f32 makes the result f64."""


@functools.cache
def promoted(a: DType, b: DType) -> DType | None:
    """The element type of two together; None if no type has all values of both, as for i64 and u64."""
    if category(a) != category(b):
        return max(a, b, key=category)
    fitting = [d for d in DType if category(d) == category(a) and _has_all(d, a) and _has_all(d, b)]
    return min(fitting, key=lambda d: d.width, default=None)


def _has_all(wide: DType, narrow: DType) -> bool:
    """True if every value of one type is one of the other."""
    return wide is narrow or (wide.width > narrow.width and (wide.is_signed or not narrow.is_signed))


def common_dtype(what: str, operands: Iterable[Any]) -> DType:
    """The element type of traced values, arrays and numbers together. E2004 if there is none."""
    given = list(operands)
    free = [x for x in given if is_free(x)]
    dtype: DType | None = None
    for x in given:
        if not is_free(x):
            found = dtype_of(x)
            both = found if dtype is None else promoted(dtype, found)
            if both is None:
                help = "x.astype(np.float64) or another integer type makes them one"
                raise error("E2004", f"{what} mixes {dtype} and {found}, and no type has the values of both", help=help)
            dtype = both
    if dtype is not None:
        _warn_of_widening(what, dtype, given)
    if free and (dtype is None or max(category(own_dtype(what, [x])) for x in free) > category(dtype)):
        return own_dtype(what, free)
    assert dtype is not None, "an operation has operands"
    return dtype


def is_free(x: object) -> bool:
    """True for numbers, and for traced values that are computed from numbers alone."""
    return is_scalar(x) or (isinstance(x, Unknown) and x.id in _remade(x))


def _remade(x: Unknown) -> dict[int, Callable[[DType], Unknown]]:
    builder = x.builder
    assert isinstance(builder, TraceBuilder), "traced values are those of a trace"
    return builder.remade


def common(what: str, *operands: Any) -> list[Operand]:
    """Traced values and arrays of one element type, to which the others are converted.

    E2004 if there is none, E2002 and E6009 for anything but an operand.
    """
    given = [x if is_scalar(x) else operand(what, x) for x in operands]
    dtype = common_dtype(what, given)
    return [as_dtype(what, x, dtype) for x in given]


def as_dtype(what: str, x: Any, dtype: DType) -> Operand:
    """A traced value, an array or a number in another element type."""
    if is_scalar(x):
        return scalar(what, x, dtype)
    if dtype_of(x) is dtype:
        return x  # type: ignore[no-any-return]
    if isinstance(x, Unknown) and (again := _remade(x).get(x.id)) is not None:
        return again(dtype)
    return convert(x, dtype)  # type: ignore[no-any-return]


def convert(x: Operand, dtype: DType) -> Any:
    """A traced value or an array in another element type. docs/semantics.md, Conversions."""
    return x if dtype_of(x) is dtype else apply(OPS["Convert"](dtype), x)  # type: ignore[call-arg]


def combined(op: Op, *operands: Any, after: tuple[Operand, ...] = (), floats: bool = False) -> Any:
    """An operation on operands of one element type, to which the others are converted, after ones that are not.

    With `floats` integers and truth values are f32. The result is a number still if the operands are numbers, or truth
    values beside one, and if its element type is chosen here, by `floats`.
    """
    given = [x if is_scalar(x) else operand(op.opcode, x) for x in operands]
    dtype = common_dtype(op.opcode, given)
    is_chosen = floats and not dtype.is_float
    if is_chosen:
        dtype = DType.F32

    def made(dtype: DType) -> Any:
        return apply(op, *after, *[as_dtype(op.opcode, x, dtype) for x in given])

    result = made(dtype)
    if isinstance(result, Unknown) and (is_chosen or (_are_numbers(given) and category(dtype))):
        _remade(result)[result.id] = functools.cache(made)
    return result


def _are_numbers(given: list[Any]) -> bool:
    """True for numbers and truth values beside them, at least one of which is a number."""
    return any(map(is_free, given)) and all(is_free(x) or not category(dtype_of(x)) for x in given)


def binary(opcode: str, lhs: Any, rhs: Any) -> Any:
    """Apply an operation to two operands of one element type, which broadcast."""
    return combined(PLAIN[opcode], lhs, rhs)


def _warn_of_widening(what: str, dtype: DType, given: list[Any]) -> None:
    """Warn of an array that makes traced floats wider, once for each line."""
    traced = [dtype_of(x) for x in given if isinstance(x, Value) and not is_free(x)]
    if not dtype.is_float or not traced or dtype in traced or not any(t.is_float for t in traced):
        return
    if any(isinstance(x, np.ndarray) and dtype_of(x) is dtype for x in given):
        narrow = max((t for t in traced if t.is_float), key=lambda t: t.width)
        text = (
            f"{what} of traced {narrow} and an array of {dtype} is {dtype}, as the array API standard says; "
            f"np.ones(n, np.{narrow.numpy}), mind.ones(n) or x.astype(np.{narrow.numpy}) keeps {narrow}"
        )
        file, number = line()
        warnings.warn_explicit(text, WideningWarning, file, number)
