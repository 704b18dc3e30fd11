"""Gives functions the calling convention of native code. docs/architecture.md, The ABI.

`@main(%x: memref<…>, …, %out0: memref<…>, …) -> i64` takes bare pointers that do not alias, inputs first and read-only,
and outputs that the caller allocates; its one result is the status.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import MindError
from ..mlir.copies import copied
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children


@rewrite("cpu-abi")
def cpu_abi(r: Rewriter) -> None:
    """Make functions on tensors take caller-allocated, non-aliasing memrefs and return a status."""
    for f in r.functions():
        _convert(f)


def _convert(f: Any) -> None:
    block = f.regions[0].blocks[0]
    operations = children(f)
    ret = _return(f, operations)
    makers = _own_fills(operations)
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
            status = Rewriter.constant(status_type, 0).result
        ir.Operation.create("func.return", operands=[status])
    ret.erase()
    types = [a.type for a in block.arguments]
    f.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, [status_type]))
    f.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get({"llvm.noalias": unit})] * len(types))
    if "res_attrs" in f.attributes:
        del f.attributes["res_attrs"]


def _own_fills(operations: list[Any]) -> dict[Any, Any]:
    """Give every user of a linalg.fill one of its own: if `cse` has merged several, bufferization makes copies.

    An operation that writes on or returns a constant with one value everywhere gets a fill too, since the constant
    would be copied from memory. Returns tensor -> the operation that makes it.
    """
    makers = {r: op for op in operations for r in op.results}
    taken = set()
    for op in operations:
        for n, v in enumerate(op.operands):
            if (maker := makers.get(v)) is None:
                continue
            made: list[Any] = []
            with Rewriter.before(op):
                if maker.name in ("linalg.fill", "tensor.empty") and v in taken:
                    made = [copied(maker, {})]
                elif maker.name == "arith.constant" and (op.name == "func.return" or n == _destination(op)):
                    made = _filled(maker)
            makers.update((own.result, own) for own in made)
            if made:
                op.operands[n] = v = made[-1].result
                if not list(maker.result.uses):  # unused constants too would be in memory
                    del makers[maker.result]
                    maker.erase()
            if makers[v].name in ("linalg.fill", "tensor.empty"):
                taken.add(v)
    return makers


def _destination(op: Any) -> int | None:
    """The operand whose tensor the operation changes and returns, as bufferization sees it."""
    if op.name.startswith("linalg."):
        return len(op.operands) - 1
    if op.name == "scf.for" and len(op.results) == 1:
        return 3
    return 1 if op.name in ("tensor.insert", "tensor.insert_slice") else None


def _filled(constant: Any) -> list[Any]:
    """The operations of a linalg.fill with the value of a tensor constant; none if it has several."""
    value = constant.attributes["value"]
    if not isinstance(value, ir.DenseElementsAttr) or not value.is_splat or _is_empty(constant.result.type):
        return []
    element = value.get_splat_value()
    scalar = ir.Operation.create("arith.constant", results=[element.type], attributes={"value": element})
    empty = ir.Operation.create("tensor.empty", results=[constant.result.type])
    fill = Rewriter.linalg("linalg.fill", [scalar.result, empty.result], [empty.result.type])
    return [scalar, empty, fill]


def _place(v: Any, out: Any, makers: dict[Any, Any]) -> bool:
    """Let the operation that makes `v`, and those whose results it writes on, write into the memref `out`.

    The first of them must have no destination yet, and the results in between no other use. MLIR's
    eliminate-empty-tensors does this too, but it overwrites an output whose zeros `cse` has merged with those of
    another operation (MLIR 22), and takes time quadratic in the length of the function.
    """
    op = makers.get(v)
    while op is not None and (n := _destination(op)) is not None:
        before = op.operands[n]
        maker = makers.get(before)
        if maker is not None and maker.name == "tensor.empty":
            break
        if len(list(before.uses)) > 1:
            return False
        op = maker
    else:
        return False
    unit = ir.UnitAttr.get()
    with ir.InsertionPoint(op):
        made = ir.Operation.create(
            "bufferization.to_tensor",
            results=[v.type],
            operands=[out],
            attributes={"restrict": unit, "writable": unit},
        )
    op.operands[n] = made.result
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
