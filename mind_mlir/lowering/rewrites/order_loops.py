"""Orders the loops of a contraction: the last parallel dimension is innermost if memory is contiguous along it.

`C[i, j] += A[i, k] · B[k, j]` runs as i, k, j instead of i, j, k. Every element of C still gets its terms in ascending
k, so no bit changes; but the inner loop is now over neighbours and becomes vector code.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..kernels.record import operations_to_lower
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import operations


@rewrite("order-loops")
def order_loops(r: Rewriter) -> None:
    """Order the loops of contractions so that the innermost one runs over neighbours; no bit changes."""
    for op in operations_to_lower(r.module):
        if op.name == "linalg.generic":
            _order(op)


def _order(op: Any) -> None:
    maps = [a.value for a in op.attributes["indexing_maps"]]
    # read and written as one text: as attributes of their own they import mlir.dialects.linalg, 80 ms
    kinds = str(op.attributes["iterator_types"]).strip("[]").split(", ")
    reductions = [i for i, k in enumerate(kinds) if "reduction" in k]
    parallel = [i for i in range(len(kinds)) if i not in reductions]
    if not reductions or not parallel or parallel[-1] == len(kinds) - 1:  # a parallel loop is innermost already
        return
    if not _contiguous(maps, parallel[-1]):
        return
    order = [*parallel[:-1], *reductions, parallel[-1]]
    renamed = [ir.AffineDimExpr.get(order.index(i)) for i in range(len(order))]
    new = ir.AffineMap.get(len(order), 0, renamed)
    op.attributes["indexing_maps"] = ir.ArrayAttr.get(
        [ir.AffineMapAttr.get(ir.AffineMap.get(len(order), 0, [r.compose(new) for r in m.results])) for m in maps]
    )
    op.attributes["iterator_types"] = ir.Attribute.parse(f"[{', '.join(kinds[i] for i in order)}]")
    for inner in operations(op):
        if inner.name == "linalg.index":  # a Gather that was fused into the contraction
            dim = inner.attributes["dim"]
            inner.attributes["dim"] = ir.IntegerAttr.get(dim.type, order.index(dim.value))


def _contiguous(maps: list[Any], d: int) -> bool:
    """True if dimension `d` is the last index of the result and of every operand that it indexes.

    Every index of the result must be a dimension, too: else permuting would change the order in which elements add.
    """
    dim = ir.AffineExpr.get_dim(d)
    indices = [list(m.results) for m in maps]
    if not all(isinstance(index, ir.AffineDimExpr) for index in indices[-1]):
        return False
    return not any(dim in results[:-1] for results in indices) and indices[-1][-1:] == [dim]
