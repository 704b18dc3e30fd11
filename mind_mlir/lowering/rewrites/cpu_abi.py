"""The calling convention of native code.  docs/architecture.md, The ABI.

`@main(%x: memref<…>, …, %out0: memref<…>, …) -> i64`: bare pointers that do not alias, inputs first and read-only,
outputs allocated by the caller, the status as the one result.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import MindError
from ._walk import children, functions


def cpu_abi(module: Any) -> None:
    """Turn functions on tensors into functions on memrefs with outputs passed by the caller."""
    with module.context, ir.Location.unknown(module.context):
        for f in functions(module):
            _convert(f)


def _convert(f: Any) -> None:
    block = f.regions[0].blocks[0]
    operations = children(f)
    ret = _return(f, operations)
    makers = _unshare_fills(operations)
    unit = ir.UnitAttr.get()
    with ir.InsertionPoint.at_block_begin(block):
        for a in list(block.arguments):
            tensor = a.type
            a.set_type(_memref(tensor))
            if _is_empty(tensor):
                made = ir.Operation.create("tensor.empty", results=[tensor])
            else:
                made = ir.Operation.create(
                    "bufferization.to_tensor", results=[tensor], operands=[a], attributes={"restrict": unit}
                )
            a.replace_all_uses_except(made.result, made)
    status_type = ir.IntegerType.get_signless(64)
    outputs, status = list(ret.operands), None
    if outputs and outputs[-1].type == status_type:
        *outputs, status = outputs
    placed: set[Any] = set()
    with ir.InsertionPoint(ret):
        for n, v in enumerate(outputs):
            out = block.add_argument(_memref(v.type), ir.Location.name(f"out{n}"))
            if _is_empty(v.type):
                continue
            if v not in placed and _place(v, out, makers):
                placed.add(v)
            ir.Operation.create(
                "bufferization.materialize_in_destination",
                operands=[v, out],
                attributes={"restrict": unit, "writable": unit},
            )
        if status is None:
            zero = ir.IntegerAttr.get(status_type, 0)
            status = ir.Operation.create("arith.constant", results=[status_type], attributes={"value": zero}).result
        ir.Operation.create("func.return", operands=[status])
    ret.erase()
    types = [a.type for a in block.arguments]
    f.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, [status_type]))
    f.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get({"llvm.noalias": unit})] * len(types))
    if "res_attrs" in f.attributes:
        del f.attributes["res_attrs"]


def _unshare_fills(operations: list[Any]) -> dict[Any, Any]:
    """Give every user of a linalg.fill one of its own: where `cse` has merged several, bufferization makes copies.

    Returns the operation that makes each tensor.
    """
    makers = {r: op for op in operations for r in op.results}
    taken = set()
    for op in operations:
        for n, v in enumerate(op.operands):
            if (fill := makers.get(v)) is None or fill.name != "linalg.fill":
                continue
            if v in taken:
                with ir.InsertionPoint(op):
                    own = fill.clone()
                makers[own.results[0]] = own
                op.operands[n] = v = own.results[0]
            taken.add(v)
    return makers


def _place(v: Any, out: Any, makers: dict[Any, Any]) -> bool:
    """Let the linalg operation that makes `v` write into the memref `out` at once, if it has no destination yet.

    MLIR's eliminate-empty-tensors does this too, but overwrites an output whose zeros `cse` has merged with those of
    another operation (MLIR 22), and takes time quadratic in the length of the function.
    """
    op = makers.get(v)
    if op is None or not op.name.startswith("linalg."):
        return False
    last = len(op.operands) - 1
    if (filled := makers.get(op.operands[last])) is not None and filled.name == "linalg.fill":
        op, last = filled, 1
    if (empty := makers.get(op.operands[last])) is None or empty.name != "tensor.empty":
        return False
    unit = ir.UnitAttr.get()
    with ir.InsertionPoint(op):
        made = ir.Operation.create(
            "bufferization.to_tensor",
            results=[v.type],
            operands=[out],
            attributes={"restrict": unit, "writable": unit},
        )
    op.operands[last] = made.result
    return True


def _return(f: Any, operations: list[Any]) -> Any:
    if len(f.regions[0].blocks) != 1 or operations[-1].name != "func.return":
        raise MindError.of("E7008", "cpu-abi takes functions of one block that ends in func.return")
    return operations[-1]


def _memref(tensor: Any) -> Any:
    if not isinstance(tensor, ir.RankedTensorType) or not tensor.has_static_shape:
        raise MindError.of("E7008", f"cpu-abi takes functions on tensors of static shape, found {tensor}")
    # MLIR cannot convert a memref such as 3x0 to a bare pointer; nothing is read through it
    shape = [0] if _is_empty(tensor) else tensor.shape
    return ir.MemRefType.get(shape, tensor.element_type)


def _is_empty(tensor: Any) -> bool:
    return 0 in tensor.shape
