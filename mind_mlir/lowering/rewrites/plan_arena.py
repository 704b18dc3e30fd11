"""Makes one allocation for all intermediate results of a function, at offsets planned by when each is live.

A call then allocates and frees memory once, and not much more than the peak of what is live. LLVM cannot tell that two
parts of one allocation do not overlap, so this pass runs after operations have been moved into functions whose
parameters are declared so.
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

    These are buffers that are freed in the block that allocates them, if a function has several.
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
