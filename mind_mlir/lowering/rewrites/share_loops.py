"""Lets threads share loops, by OpenMP."""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir.passmanager import PassManager

from ..emit.modes import THREADS, threads_of
from ..kernels.record import ATTRIBUTE
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations

_CONSISTENT = 7
"""LLVM's AtomicOrdering seq_cst."""


@rewrite("share-loops")
def share_loops(r: Rewriter) -> None:
    """Make scf.parallel OpenMP teams of as many threads as the functions say.

    Each thread takes a run of neighbouring iterations.
    """
    threads = max((threads_of(f) for f in r.functions()), default=1)
    may_share = [f for f in r.functions() if THREADS in f.attributes or ATTRIBUTE not in f.attributes]
    if not any(op.name == "scf.parallel" for f in may_share for op in operations(f)):
        return
    text = f"builtin.module(convert-scf-to-openmp{{num-threads={threads}}})"
    PassManager.parse(text, r.module.context).run(r.module.operation)
    for op in r.operations("memref.alloca_scope"):
        _open(op)
    for f in r.functions():
        if 1 < threads_of(f) < threads:
            for op in [op for op in operations(f) if op.name == "omp.parallel"]:
                _limit(op, threads_of(f))
    for op in r.operations():
        if op.name == "omp.wsloop":
            op.attributes["nowait"] = ir.UnitAttr.get()  # they wait for each other at the end of the team anyway
        elif op.name == "omp.parallel":
            _fence(op)


def _open(scope: Any) -> None:
    """Replace a scope by its operations: it would end the lifetime of memory on the stack, and there is none."""
    *body, _ = children(scope)
    for op in body:
        op.move_before(scope)
    scope.erase()


def _limit(team: Any, threads: int) -> None:
    """Set the number of threads of a team: the conversion gives all teams of a module the same number."""
    number = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), threads)
    made = ir.Operation.create(
        "llvm.mlir.constant", results=[number.type], attributes={"value": number}, ip=ir.InsertionPoint(team)
    )
    team.operands[0] = made.result


def _fence(team: Any) -> None:
    """Add a fence at the end of a team's work with stores past the caches.

    x86 lets other stores overtake them, also those by which a thread reports that it has finished.
    """
    if any("nontemporal" in op.attributes for op in operations(team)):
        ordering = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _CONSISTENT)
        with ir.InsertionPoint(children(team)[-1]):
            ir.Operation.create("llvm.fence", attributes={"ordering": ordering})
