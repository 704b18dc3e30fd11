"""Loops that carry a tensor and change elements of it, as loops that write into one buffer.

`%r = scf.for … iter_args(%t = %x)` with tensor.extract and tensor.insert becomes a loop with memref.load and
memref.store on a copy of %x, or on %x itself if nothing else uses it.  one-shot-bufferize does the same where it may
analyse the function; without analysis it copies the whole tensor for every element.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ._walk import children, functions, operations


def loops_on_buffers(module: Any) -> None:
    """Rewrite every loop at the top of a function that carries one tensor through single elements."""
    with module.context, ir.Location.unknown(module.context):
        for f in functions(module):
            block = children(f)
            makers = {r: op for op in block for r in op.results}
            for op in block:
                if op.name == "scf.for" and len(op.results) == 1 and _is_threaded(op):
                    _convert(op, makers)


def _is_threaded(loop: Any) -> bool:
    """True if each turn takes the carried tensor, reads and replaces elements, and hands on what it then has."""
    carried = loop.regions[0].blocks[0].arguments[1]
    if not isinstance(carried.type, ir.RankedTensorType) or not carried.type.has_static_shape:
        return False
    seen = {carried}
    for op in children(loop):
        used = {v for inner in operations(op) for v in inner.operands} & seen
        if not used:
            continue
        if used != {carried} or (n := _PLACES.get(op.name)) is None or op.operands[n] != carried:
            return False
        if op.name == "scf.for" and (len(op.results) != 1 or _captures(op, carried) or not _is_threaded(op)):
            return False
        if op.name in ("scf.for", "tensor.insert"):
            carried = op.result
            seen.add(carried)
    return True


_PLACES = {"tensor.extract": 0, "tensor.insert": 1, "scf.for": 3, "scf.yield": 0}
"""The operand of each operation that may be the carried tensor."""


def _captures(loop: Any, v: Any) -> bool:
    return any(v in list(inner.operands) for inner in operations(loop)[1:])


def _convert(loop: Any, makers: dict[Any, Any]) -> None:
    init = loop.operands[3]
    t = init.type
    maker = makers.get(init)
    with ir.InsertionPoint(loop), loop.location:
        if maker is None or not maker.name.startswith("linalg.") or len(list(init.uses)) > 1:
            segments = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 1, 0])}
            init = ir.Operation.create(
                "bufferization.alloc_tensor", results=[t], operands=[init], attributes=segments
            ).result
        memref = ir.MemRefType.get(t.shape, t.element_type)
        buffer = ir.Operation.create("bufferization.to_buffer", results=[memref], operands=[init]).result
        _rewrite(loop, buffer)
        value = ir.Operation.create(
            "bufferization.to_tensor", results=[t], operands=[buffer], attributes={"restrict": ir.UnitAttr.get()}
        ).result
    loop.result.replace_all_uses_with(value)
    del makers[loop.result]
    loop.erase()


def _rewrite(loop: Any, buffer: Any) -> None:
    """The same loop on `buffer`, at the insertion point; what is left of `loop` has no use."""
    place, carried = loop.regions[0].blocks[0].arguments
    made = ir.Operation.create("scf.for", operands=list(loop.operands)[:3], regions=1)
    body = made.regions[0].blocks.append(place.type)
    place.replace_all_uses_with(body.arguments[0])
    tensors = {carried}
    with ir.InsertionPoint(body):
        last = ir.Operation.create("scf.yield")
    for op in children(loop):
        if op.name == "scf.yield":
            continue
        if not tensors & set(op.operands):
            op.move_before(last)
            continue
        with ir.InsertionPoint(last), op.location:
            if op.name == "tensor.extract":
                indices = list(op.operands)[1:]
                read = ir.Operation.create("memref.load", results=[op.result.type], operands=[buffer, *indices])
                op.result.replace_all_uses_with(read.result)
                continue
            if op.name == "tensor.insert":
                value, _, *indices = op.operands
                ir.Operation.create("memref.store", operands=[value, buffer, *indices])
            else:
                _rewrite(op, buffer)
            tensors.add(op.result)
