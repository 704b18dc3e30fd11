"""Passes numbers that one kernel computes and another one uses through memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import DType
from ..mlir.rewriter import Rewriter
from ..mlir.walk import operations
from ._outline import used_from_outside


def pass_through_memory(runs: Sequence[list[Any]]) -> list[Any]:
    """Store what a run of operations computes and later runs use, and load it there; the runs get these operations.

    Returns the allocations, which come before the runs.
    """
    used = [[(op, set(used_from_outside(op))) for op in run] for run in runs]
    made = []
    for n, run in enumerate(runs):
        for v in [v for op in run for v in op.results]:
            later = [k for k in range(n + 1, len(runs)) if any(v in values for _, values in used[k])]
            if later:
                place = _stored(v, run)
                made.append(place)
                for k in later:
                    _loaded(v, place.result, runs[k], [op for op, values in used[k] if v in values])
    return made


def _stored(v: Any, run: list[Any]) -> Any:
    """Memory that holds a value after the run."""
    held = v.type if _is_plain(v.type) else ir.IntegerType.get_signless(64)
    segments = ir.DenseI32ArrayAttr.get([0, 0])
    with Rewriter.before(run[0]):
        attributes = {"operandSegmentSizes": segments}
        place = ir.Operation.create("memref.alloc", results=[ir.MemRefType.get([], held)], attributes=attributes)
    with Rewriter.after(run[-1]):
        value = v
        if held != v.type:
            cast = "arith.index_cast" if isinstance(v.type, ir.IndexType) else "arith.extui"
            run.append(ir.Operation.create(cast, results=[held], operands=[v]))
            value = run[-1].result
        run.append(ir.Operation.create("memref.store", operands=[value, place.result]))
    return place


def _loaded(v: Any, place: Any, run: list[Any], users: Sequence[Any]) -> None:
    """Load a value before the first of its users, and give it to all of them."""
    first = run.index(users[0])
    with Rewriter.before(users[0]):
        held = ir.MemRefType(place.type).element_type
        new = [ir.Operation.create("memref.load", results=[held], operands=[place])]
        if held != v.type:
            cast = "arith.index_cast" if isinstance(v.type, ir.IndexType) else "arith.trunci"
            new.append(ir.Operation.create(cast, results=[v.type], operands=[new[0].result]))
    run[first:first] = new
    for op in users:
        for inner in operations(op):
            for i, operand in enumerate(inner.operands):
                if operand == v:
                    inner.operands[i] = new[-1].result


def _is_plain(type: Any) -> bool:
    return DType.named(str(type)) is not None
