"""Writes chains of element-wise operations in the form that MLIR fuses."""

from __future__ import annotations

from collections import Counter
from math import prod
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..formulas import function_of, unfolded
from ..mlir.linalg_names import CONTRACTIONS, ELEMENTWISE
from ..mlir.rewriter import Rewriter, rewrite
from ._reshapes import keep_operands, keep_reshapes

NAMED = ELEMENTWISE - {"linalg.div"}
"""What `Op.lower` makes. Contractions stay named: as generics they would be fused with, and recompute, producers."""


@rewrite("generalize-elementwise")
def generalize_elementwise(r: Rewriter, *, least: int = 0) -> None:
    """Make named element-wise linalg operations in chains, on at least so many elements, linalg.generic, for fusion.

    They are in a chain if one is the only user of another's result. linalg-fuse-elementwise-ops takes generics alone.
    An operation that is in no chain keeps its name. Reshapes beside contractions are hidden from that pass until
    `group-kernels`.
    """
    for op in [op for op in r.operations() if op.name == "linalg.generic"]:
        _keep_from_folding(op)
    found = r.operations()
    maps = {op.result: op for op in found if (op.name in NAMED or _is_generic_map(op)) and _size(op) >= least}
    uses = Counter(v for op in found for v in op.operands)
    in_chains = set()
    for result, op in maps.items():
        for v in op.operands:
            if v in maps and uses[v] == 1:
                in_chains |= {v, result}
    keep_operands(found, set(maps))
    keep_reshapes(found, CONTRACTIONS, set(maps))
    for result, op in maps.items():
        if result in in_chains and op.name in NAMED:
            _generalize(op)


def _size(op: Any) -> int:
    """The number of elements of the result."""
    return prod(ir.RankedTensorType(op.result.type).shape)


def _is_generic_map(op: Any) -> bool:
    return op.name == "linalg.generic" and "reduction" not in str(op.attributes["iterator_types"])


def _generalize(named: Any) -> None:
    rank = ir.RankedTensorType(named.result.type).rank
    identity = ir.AffineMapAttr.get(ir.AffineMap.get_identity(rank, named.context))
    kinds = ", ".join(["#linalg.iterator_type<parallel>"] * rank)
    attributes = {
        "indexing_maps": ir.ArrayAttr.get([identity] * len(named.operands), named.context),
        # one text: as attributes of their own they import mlir.dialects.linalg, 80 ms
        "iterator_types": ir.Attribute.parse(f"[{kinds}]", named.context),
        "operandSegmentSizes": named.attributes["operandSegmentSizes"],
    }
    with Rewriter.before(named):
        generic = ir.Operation.create(
            "linalg.generic",
            results=[named.result.type],
            operands=list(named.operands),
            attributes=attributes,
            regions=1,
        )
    named.regions[0].blocks[0].append_to(generic.regions[0])
    _keep_from_folding(generic)
    Rewriter.replace(named, generic.result)


def _keep_from_folding(generic: Any) -> None:
    """Write functions such that on constants fused into the body they are not folded, but computed by their steps."""
    for op in [inner.operation for inner in generic.regions[0].blocks[0]]:
        if op.name.startswith("math.") and (function := function_of(op)) is not None:
            with Rewriter.before(op):
                kept = unfolded(function, Scalars(DType(str(op.result.type))), list(op.operands))
            op.result.replace_all_uses_with(kept)
            op.erase()
