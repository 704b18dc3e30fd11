"""Writes kernels as loops and vectors: every function with a `mind.strategy` by the emitter of that strategy."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..emit.modes import numerics_of, threads_of
from ..kernels.open_code import OpenCode
from ..kernels.record import ATTRIBUTE
from ..kernels.strategies import written
from ..kernels.vector_code import Code
from ..mlir.failure import MlirPassFailed
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children
from ..targets.cpus import find_cpu
from .form_kernels import nests_of


@rewrite("expand-kernels")
def expand_kernels(r: Rewriter, *, cpu: str = "native") -> None:
    """Write the loops and vector operations of functions that name a strategy, for a kind of CPU.

    MlirPassFailed if a record does not fit its function.
    """
    target = find_cpu(cpu)
    for f in r.functions():
        if ATTRIBUTE in f.attributes:
            _expand(f, children(f), Code(f, target, numerics_of(f), threads_of(f)))


def expanded_open(f: Any, cpu: str = "native") -> OpenCode:
    """Replace the linalg operations of one kernel, with numbers left open. MlirPassFailed as above."""
    code, block = OpenCode(f, find_cpu(cpu), numerics_of(f), threads_of(f)), children(f)
    for op in block:
        op.location = ir.Location.unknown()  # its source location must not affect the code
    _expand(f, block, code)
    return code


def _expand(f: Any, block: list[Any], code: Code) -> None:
    """Replace the linalg operations of a kernel, if it still has any."""
    first = next((op for op in block if op.name.startswith("linalg.")), None)
    if first is None:
        return
    nests = nests_of(f)
    own, end = [op for op in block if op.name == "memref.alloc"], block[-1]
    try:
        if nests is None:
            raise ValueError("the function holds operations that no strategy reads")
        with Rewriter.before(first):
            written(code, nests, f.attributes[ATTRIBUTE])
    except ValueError as why:
        name = f.attributes["sym_name"].value
        raise MlirPassFailed("expand-kernels", [f"{name}: {why}"]) from None
    for op in reversed(block):
        if op.name.startswith("linalg."):
            op.erase()
    _free_memory(own, end)


def _free_memory(allocations: list[Any], end: Any) -> None:
    """Free memory for values between the kernel's operations, if the emitter has used it."""
    for op in allocations:
        if list(op.result.uses):
            with ir.InsertionPoint(end), op.location:
                ir.Operation.create("memref.dealloc", operands=[op.result])
        else:
            op.erase()
