"""Frees memory as soon as it is no longer needed: adds a memref.dealloc after the last use of every memref.alloc.

MLIR's buffer-deallocation-pipeline frees at the end of a block, which keeps every intermediate result until then, and
takes time quadratic in the length of the block.
"""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir.passmanager import PassManager

from ..memory.buffers import touched
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations


@rewrite("free-buffers")
def free_buffers(r: Rewriter) -> None:
    """Add a memref.dealloc after the last use of every memref.alloc.

    Uses of views count, and memory that is returned or freed already is left alone. Functions with control flow, which
    Core IR never has, are left to MLIR's own pipeline.
    """
    found = r.functions()
    if all(map(_is_straight, found)):
        for f in found:
            _free(children(f))
    else:
        text = "builtin.module(buffer-deallocation-pipeline,convert-bufferization-to-memref)"
        PassManager.parse(text, r.module.context).run(r.module.operation)


def _is_straight(f: Any) -> bool:
    """True for one block whose allocations are all at its top level."""
    nested = [o for top in children(f) for o in operations(top)[1:] if o.name == "memref.alloc"]
    return len(f.regions[0].blocks) == 1 and not nested


def _free(block: list[Any]) -> None:
    last: dict[Any, Any] = {}  # allocation -> the last operation that uses it
    for op, used in touched(block):
        last.update(dict.fromkeys(used, op))
        if op.name == "memref.alloc":
            last[op.result] = op
    for alloc, op in last.items():
        if op.name not in ("func.return", "memref.dealloc"):
            with Rewriter.after(op):
                ir.Operation.create("memref.dealloc", operands=[alloc])
