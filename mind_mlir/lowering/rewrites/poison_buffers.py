"""Fills memory that a function allocates with garbage before it is used, so that tests find reads of unwritten memory.

It runs before `plan-arena`. Floats are NaN, integers 0x7f in every byte.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..memory.buffers import size_of, touched
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations


@rewrite("poison-buffers")
def poison_buffers(r: Rewriter) -> None:
    """Fill allocated memory with NaN before it is used; for tests, before plan-arena.

    It is filled by a linalg.fill before the first operation that uses it.
    """
    for f in r.functions():
        for op in operations(f):
            if len(op.regions):
                _poison(children(op))


def _poison(block: list[Any]) -> None:
    allocations = {op.result: op for op in block if op.name == "memref.alloc" and size_of(op)}
    for op, used in touched(block) if allocations else ():
        for v in used & allocations.keys():
            with Rewriter.before(op):
                _fill(allocations.pop(v).result)


def _fill(memref: Any) -> None:
    type = ir.MemRefType(memref.type).element_type
    garbage = Rewriter.constant(type, _garbage(type)).result
    Rewriter.linalg("linalg.fill", [garbage, memref])


def _garbage(type: Any) -> float:
    if isinstance(type, ir.FloatType):
        return float("nan")
    width = ir.IntegerType(type).width
    return int("7f" * (width // 8), 16) if width >= 8 else 1
