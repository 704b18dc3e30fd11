"""Operations by opcode and attributes, whose errors are at the user's line."""

from __future__ import annotations

from typing import Any

from ...ir import OPS, Reject
from ..place import located
from ..trace_builder import apply


def made(opcode: str, *attributes: Any) -> Any:
    """An operation with these attributes. MindError with the rule's code for wrong ones."""
    try:
        return OPS[opcode](*attributes)
    except Reject as why:
        raise located(why) from None


def applied(opcode: str, attributes: tuple[Any, ...], *operands: Any) -> Any:
    """An operation with these attributes, applied to operands."""
    return apply(made(opcode, *attributes), *operands)
