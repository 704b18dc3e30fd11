"""Joins the search for an extreme along an axis and that for its position, where a kernel finds both in one pass.

`Reductions.arg_extreme` reads the elements twice, by operations that every target takes. Of these a CPU needs one:

    out[d…] = k, if x[d…, k] is beyond x[d…, out[d…]], for k in order
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.block_sums import EXTREME, POSITION
from ..emit.scalars import Scalars
from ..kernels.positions import JOINED
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations
from ..rules.position_rules import in_one_pass


@rewrite("join-arg-extremes")
def join_arg_extremes(r: Rewriter) -> None:
    """Find the position of an extreme along the last axis in one pass over its elements, where a kernel does."""
    for f in r.functions():
        found = operations(f)
        makers = {v: op for op in found for v in op.results}
        extremes = [op for op in found if EXTREME in op.attributes]
        for op in [op for op in found if POSITION in op.attributes]:
            del op.attributes[POSITION]
            extreme = _extreme_of(op, makers)
            if extreme is not None and (joined := _joined(extreme)) is not None:
                with Rewriter.before(op):
                    position = _position(extreme.operands[0], *joined, ir.RankedTensorType(op.result.type))
                Rewriter.replace(op, position)
        for op in extremes:
            del op.attributes[EXTREME]


def _extreme_of(op: Any, makers: Mapping[Any, Any]) -> Any:
    """The reduction that an operation on positions comes from; None over no elements."""
    waiting = [op]
    while waiting:
        op = waiting.pop()
        if EXTREME in op.attributes:
            return op if op.name == "linalg.reduce" else None
        waiting += [makers[v] for v in op.operands if v in makers]
    return None


def _joined(extreme: Any) -> tuple[str, DType] | None:
    """max or min, and the type of the elements, if a kernel finds extremes and positions of such lines at once."""
    t = ir.RankedTensorType(extreme.operands[0].type)
    dtype = DType.named(str(t.element_type))
    if dtype is None or list(extreme.attributes["dimensions"]) != [t.rank - 1]:
        return None
    if not in_one_pass(dtype, t.shape[t.rank - 1]):
        return None
    name = children(extreme)[0].name.removeprefix("arith.")
    return name[:3], DType(f"u{dtype.bits}") if name.endswith("ui") else dtype


def _position(x: Any, kind: str, dtype: DType, out: Any) -> Any:
    """The operation, on the elements `x`; `out` is the type of its result, with or without the axis."""
    rank, v, i = ir.RankedTensorType(x.type).rank, Scalars(dtype), Scalars(DType.I64)
    empty = ir.Operation.create("tensor.empty", results=[out]).result
    zeros = Rewriter.linalg("linalg.fill", [Rewriter.constant(i.type, 0).result, empty], [out]).result
    kinds = ", ".join(f"#linalg.iterator_type<{k}>" for k in ["parallel"] * (rank - 1) + ["reduction"])
    places = [ir.AffineExpr.get_dim(d) for d in range(rank - 1)] + [ir.AffineExpr.get_constant(0)]
    maps = [ir.AffineMap.get_identity(rank), ir.AffineMap.get(rank, 0, places[: out.rank])]
    attributes = {
        "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps]),
        "iterator_types": ir.Attribute.parse(f"[{kinds}]"),  # one text: the others import mlir.dialects.linalg
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1]),
        JOINED: ir.StringAttr.get(f"{kind} {dtype}"),
    }
    made = ir.Operation.create("linalg.generic", results=[out], operands=[x, zeros], attributes=attributes, regions=1)
    block = made.regions[0].blocks.append(v.type, i.type)
    with ir.InsertionPoint(block):
        element, first = block.arguments
        *at, k = [i.op("linalg.index", type=ir.IndexType.get(), dim=_dim(d)) for d in range(rank)]
        best = v.op("tensor.extract", x, *at, i.op("arith.index_cast", first, type=ir.IndexType.get()))
        beyond = v.greater(element, best) if kind == "max" else v.less(element, best)
        if v.is_float:
            beyond = v.either(beyond, v.both(v.unordered(element, element), v.equal(best, best)))
        found = i.select(beyond, i.op("arith.index_cast", k), first)
        ir.Operation.create("linalg.yield", operands=[found])
    return made.result


def _dim(d: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), d)
