"""Memory that a function allocates, filled with garbage before it is touched: what nothing wrote shows if it is read.

For tests, in front of `plan-arena`.  Floats are NaN, integers 0x7f in every byte.
"""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir._mlir_libs import _mlirDialectsLinalg

from ..memory.buffers import size_of, touched
from ..mlir.walk import children, functions, operations


def poison_buffers(module: Any) -> None:
    """Put a linalg.fill in front of the first operation that touches what a block allocates."""
    with module.context, ir.Location.unknown(module.context):
        for f in functions(module):
            for op in operations(f):
                if len(op.regions):
                    _poison(children(op))


def _poison(block: list[Any]) -> None:
    allocations = {op.result: op for op in block if op.name == "memref.alloc" and size_of(op)}
    for op, used in touched(block) if allocations else ():
        for v in used & allocations.keys():
            with ir.InsertionPoint(op), op.location:
                _fill(allocations.pop(v).result)


def _fill(memref: Any) -> None:
    type = ir.MemRefType(memref.type).element_type
    garbage = ir.Operation.create("arith.constant", results=[type], attributes={"value": _garbage(type)}).result
    segments = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])}
    fill = ir.Operation.create("linalg.fill", operands=[garbage, memref], attributes=segments, regions=1)
    _mlirDialectsLinalg.fill_builtin_region(fill)


def _garbage(type: Any) -> Any:
    if isinstance(type, ir.FloatType):
        return ir.FloatAttr.get(type, float("nan"))
    width = ir.IntegerType(type).width
    return ir.IntegerAttr.get(type, int("7f" * (width // 8), 16) if width >= 8 else 1)
