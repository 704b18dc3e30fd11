"""Any operation of Core IR as a function."""

from __future__ import annotations

from typing import Any

from ...ir import Op, Reject, check_operand_count
from ..operands import operand
from ..place import error, located
from ..trace_builder import apply as _apply

__all__ = ["apply"]

ALIASES: dict[str, str] = {}


def apply(op: Op, *operands: Any) -> Any:
    """Apply an operation of Core IR, or a user-defined one; `op` is an instance, which has the attributes.

    >>> from mind_mlir.ops.pad import Pad
    >>> mind.apply(Pad(low=(1,), high=(2,), interior=(0,)), np.float32([1, 2]))
    array([0., 1., 2., 0., 0.], dtype=float32)
    """
    if not isinstance(op, Op):
        what = op.__name__ if isinstance(op, type) else f"a {type(op).__name__}"
        made = (
            f"{op.__name__}(…) with its attributes" if isinstance(op, type) else "Pad(…), say, from mind_mlir.ops.pad"
        )
        raise error("E6009", f"apply takes an operation, found {what}", help=f"pass an instance: {made}")
    try:
        check_operand_count(op, len(operands))
    except Reject as why:
        raise located(why) from None
    return _apply(op, *[operand(op.opcode, x) for x in operands])
