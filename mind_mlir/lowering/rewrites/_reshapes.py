"""Keeps contractions from MLIR's fusion with what makes their operands, which no kernel of products would take.

linalg-fuse-elementwise-ops folds a reshape into the operation that reads or makes what is reshaped, which makes a
generic of a contraction. It is then fused with an element-wise operation that makes its operand. A tensor.reshape is
not folded. A product over windows is a generic from the beginning, and reads operands through one to the same shape.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from mlir import ir

from ..mlir.rewriter import Rewriter
from ..mlir.walk import children, operations

KEPT = "mind.kept"
"""The attribute of a tensor.reshape with the name of the operation that it is for, whose attributes it has.

It is empty for one to the same shape.
"""

_RESHAPES = ("tensor.collapse_shape", "tensor.expand_shape")


def keep_reshapes(found: list[Any], contractions: Collection[str], made: set[Any]) -> None:
    """Write reshapes beside contractions as tensor.reshape, if `made` has an operand or what is reshaped into one."""
    makers = {op.result: op for op in found if op.name == "tensor.collapse_shape"}
    expanded: dict[Any, list[Any]] = {}
    for op in found:
        if op.name == "tensor.expand_shape":
            expanded.setdefault(op.operands[0], []).append(op)
    kept: set[Any] = set()
    for op in [op for op in found if op.name in contractions]:
        before = [makers[v] for v in dict.fromkeys(op.operands) if v in makers]
        if made.isdisjoint([*op.operands, *(reshape.operands[0] for reshape in before)]):
            continue
        kept.update(reshape.result for reshape in [*before, *expanded.get(op.result, ())])
    for op in [op for op in found if op.name in _RESHAPES and op.result in kept]:
        _keep(op)


def keep_operands(found: list[Any], made: set[Any]) -> None:
    """Let products over windows read their operands through tensor.reshape, if `made` has what is read or reshaped."""
    reshaped = {op.result: op.operands[0] for op in found if op.name in _RESHAPES}
    for op in found:
        if not is_over_windows(op):
            continue
        for n in (0, 1):
            x = source = op.operands[n]
            while source in reshaped:
                source = reshaped[source]
            if source in made:
                with Rewriter.before(op):
                    op.operands[n] = _reshape(x, ir.RankedTensorType(x.type), {KEPT: ir.StringAttr.get("")})


def is_over_windows(op: Any) -> bool:
    """True for a linalg.generic of two operands that multiplies and adds."""
    if op.name != "linalg.generic" or len(op.operands) != 3 or "reduction" not in str(op.attributes["iterator_types"]):
        return False
    return [inner.name[:9] for inner in children(op)] == ["arith.mul", "arith.add", "linalg.yi"]


def _keep(reshape: Any) -> None:
    with Rewriter.before(reshape):
        attributes = {**_attributes(reshape), KEPT: ir.StringAttr.get(reshape.name)}
        made = _reshape(reshape.operands[0], ir.RankedTensorType(reshape.result.type), attributes)
    Rewriter.replace(reshape, made)


def _reshape(x: Any, result: Any, attributes: dict[str, Any]) -> Any:
    of_shape = ir.RankedTensorType.get([result.rank], ir.IndexType.get())
    value = ir.Attribute.parse(f"dense<[{', '.join(map(str, result.shape))}]> : {of_shape}")
    shape = ir.Operation.create("arith.constant", results=[of_shape], attributes={"value": value}).result
    made = ir.Operation.create("tensor.reshape", results=[result], operands=[x, shape], attributes=attributes)
    return made.result


def _attributes(reshape: Any) -> dict[str, Any]:
    return {n: reshape.attributes[n] for n in ("reassociation", "static_output_shape") if n in reshape.attributes}


def restore_reshapes(module: Any) -> None:
    """Undo `keep_reshapes` and `keep_operands`."""
    for op in operations(module):
        if op.name != "tensor.reshape" or KEPT not in op.attributes:
            continue
        name = op.attributes[KEPT].value
        if not name:
            Rewriter.replace(op, op.operands[0])
            continue
        with Rewriter.before(op):
            result = ir.Operation.create(
                name, results=[op.result.type], operands=[op.operands[0]], attributes=_attributes(op)
            ).result
        Rewriter.replace(op, result)
