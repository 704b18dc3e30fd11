"""Finds the memory that a block allocates: what uses it, how large it is, where it is freed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from mlir import ir

from ..mlir.walk import operations
from .offsets import ALIGNMENT


def touched(block: list[Any]) -> Iterator[tuple[Any, set[Any]]]:
    """Each operation of a block, with those of the block's allocations that it may use, also through views."""
    shows: dict[Any, set[Any]] = {}  # memref -> the allocations whose memory it may be
    for op in block:
        used = {alloc for inner in operations(op) for v in inner.operands for alloc in shows.get(v, ())}
        if op.name == "memref.alloc":
            shows[op.result] = {op.result}
        else:
            shows.update((v, used) for v in op.results if isinstance(v.type, ir.MemRefType))
        yield op, used


def freed(block: list[Any]) -> dict[Any, Any]:
    """Allocation in this block, of a plain type of known size -> the one operation that frees it."""
    plain = {op.result for op in block if op.name == "memref.alloc" and size_of(op)}
    found: dict[Any, Any] = {}
    for op in block if plain else ():
        for inner in operations(op):
            if inner.name == "memref.dealloc" and inner.operands[0] in plain:
                v = inner.operands[0]
                if inner != op or v in found:  # freed in a loop or on a condition, or twice
                    plain.discard(v)
                found[v] = inner
    return {v: op for v, op in found.items() if v in plain}


def size_of(op: Any) -> int:
    """The bytes of a memref.alloc; 0 if its size, layout or element is not known, or its space or alignment special."""
    type = ir.MemRefType(op.result.type)
    element = type.element_type
    if not type.has_static_shape or type != ir.MemRefType.get(type.shape, element):
        return 0
    if "alignment" in op.attributes and op.attributes["alignment"].value > ALIGNMENT:
        return 0
    if not isinstance(element, (ir.IntegerType, ir.FloatType)):
        return 0
    count: int = math.prod(type.shape)
    return count * -(-int(element.width) // 8)


def allocated(type: Any) -> Any:
    """Write a memref.alloc at the insertion point."""
    attributes = {
        "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), ALIGNMENT),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
    }
    return ir.Operation.create("memref.alloc", results=[type], attributes=attributes).result
