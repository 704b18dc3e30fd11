"""Operands of products, and the element type of sums and result that `preferred_element_type` asks for."""

from __future__ import annotations

from typing import Any

from ...ir import DType
from ..operands import category, dtype_of, operand
from ..place import error
from ..promotion import as_dtype, common, convert, is_free, promoted
from .creation import element_type


def preferred(what: str, dtype: Any, *operands: Any) -> tuple[list[Any], DType | None]:
    """Operands of a product and the element type of its sums, or, if that is None, operands of one element type.

    E2005 for a type that has not all values of an operand's.
    """
    if dtype is None:
        return list(common(what, *operands)), None
    wanted = element_type(what, dtype, DType.F32)
    given = [as_dtype(what, x, wanted) if is_free(x) else operand(what, x) for x in operands]
    for n, x in enumerate(given):
        own = dtype_of(x)
        if category(own) != category(wanted) or promoted(own, wanted) is not wanted:
            found = f"{what} with preferred_element_type {wanted} of an operand of {own}, operand {n}"
            help = f"it is a type that has all values of {own}; .astype({wanted.in_numpy}) converts the operand"
            raise error("E2005", found, help=help)
    return given, wanted


def converted(what: str, dtype: Any, *operands: Any) -> list[Any]:
    """Operands of one element type: the preferred one, if there is one."""
    given, wanted = preferred(what, dtype, *operands)
    return given if wanted is None else [convert(x, wanted) for x in given]
