"""Keeps reshapes beside contractions from MLIR's fusion.

linalg-fuse-elementwise-ops folds a reshape into the operation that reads or makes what is reshaped, which makes a
generic of a contraction. It is then fused with an element-wise operation that makes its operand, and no kernel of
products takes that. A tensor.reshape is not folded.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from mlir import ir

from ..mlir.rewriter import Rewriter
from ..mlir.walk import operations

KEPT = "mind.kept"
"""The attribute of a tensor.reshape with the name of the operation that it stands for, whose attributes it has."""

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


def _keep(reshape: Any) -> None:
    result = ir.RankedTensorType(reshape.result.type)
    of_shape = ir.RankedTensorType.get([result.rank], ir.IndexType.get())
    value = ir.Attribute.parse(f"dense<[{', '.join(map(str, result.shape))}]> : {of_shape}")
    with Rewriter.before(reshape):
        shape = ir.Operation.create("arith.constant", results=[of_shape], attributes={"value": value}).result
        made = ir.Operation.create(
            "tensor.reshape",
            results=[result],
            operands=[reshape.operands[0], shape],
            attributes={**_attributes(reshape), KEPT: ir.StringAttr.get(reshape.name)},
        ).result
    Rewriter.replace(reshape, made)


def _attributes(reshape: Any) -> dict[str, Any]:
    return {n: reshape.attributes[n] for n in ("reassociation", "static_output_shape") if n in reshape.attributes}


def restore_reshapes(module: Any) -> None:
    """Undo `keep_reshapes`."""
    for op in operations(module):
        if op.name != "tensor.reshape" or KEPT not in op.attributes:
            continue
        name = op.attributes[KEPT].value
        with Rewriter.before(op):
            result = ir.Operation.create(
                name, results=[op.result.type], operands=[op.operands[0]], attributes=_attributes(op)
            ).result
        Rewriter.replace(op, result)
