"""One allocation for all intermediate results of a function, planned by when each of them is in use.

A call then takes memory once and gives it back once, and no more than about the peak of what is live.  LLVM does not
see that two parts of one allocation lie apart, so this comes after the operations have moved into functions whose
parameters say so.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..memory.buffers import allocated, freed, size_of, touched
from ..memory.offsets import Buffer, place
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children


@rewrite("plan-arena")
def plan_arena(r: Rewriter) -> None:
    """Make the buffers of a function views of one allocation, shared by those never live together.

    Only what is freed in the block that allocates it, and where there are several of such.
    """
    for f in r.functions():
        if len(f.regions[0].blocks) == 1:
            _plan(children(f))


def _plan(block: list[Any]) -> None:
    frees = freed(block)
    if len(frees) < 2:
        return
    first: dict[Any, int] = {}
    last: dict[Any, int] = {}
    for n, (_, used) in enumerate(touched(block)):
        for v in used:
            first.setdefault(v, n)
            last[v] = n
    allocations = [op for op in block if op.name == "memref.alloc" and op.result in frees]
    offsets, size = place([Buffer(size_of(op), first[op.result], last[op.result]) for op in allocations])
    with Rewriter.before(allocations[0]):
        arena = allocated(ir.MemRefType.get([size], ir.IntegerType.get_signless(8)))
    for op, offset in zip(allocations, offsets):
        with Rewriter.before(op):
            view = ir.Operation.create("memref.view", results=[op.result.type], operands=[arena, _index(offset)])
        op.result.replace_all_uses_with(view.result)
    *ends, end = sorted(frees, key=last.__getitem__)
    frees[end].operands[0] = arena
    for op in (*(frees[v] for v in ends), *allocations):
        op.erase()


def _index(n: int) -> Any:
    type = ir.IndexType.get()
    value = ir.IntegerAttr.get(type, n)
    return ir.Operation.create("arith.constant", results=[type], attributes={"value": value}).result
