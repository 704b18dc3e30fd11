"""Loops that threads share, as OpenMP."""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir.passmanager import PassManager

from ..modes import threads_of
from ._walk import children, functions, operations

_CONSISTENT = 7
"""LLVM's AtomicOrdering seq_cst."""


def share_loops(module: Any) -> None:
    """scf.parallel to OpenMP teams of as many threads as the functions say, each thread a run of neighbouring turns."""
    threads = max((threads_of(f) for f in functions(module)), default=1)
    if any(op.name == "scf.parallel" for op in operations(module)):
        text = f"builtin.module(convert-scf-to-openmp{{num-threads={threads}}},canonicalize)"  # it inlines alloca_scope
        PassManager.parse(text, module.context).run(module.operation)
        _fence(module)


def _fence(module: Any) -> None:
    """A fence at the end of each shared turn with stores past the caches.

    x86 lets other stores overtake them, those as well by which a thread says that it has finished.
    """
    with module.context, ir.Location.unknown(module.context):
        ordering = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _CONSISTENT)
        for loop in operations(module):
            if loop.name == "omp.loop_nest" and any("nontemporal" in op.attributes for op in operations(loop)):
                with ir.InsertionPoint(children(loop)[-1]):
                    ir.Operation.create("llvm.fence", attributes={"ordering": ordering})
