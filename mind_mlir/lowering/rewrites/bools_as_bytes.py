"""Stores truth values as bytes: tensors of i1 become tensors of i8 whose elements are 0 or 1, as NumPy's arrays have.

LLVM packs vectors of i1 into bits, so a vector that is loaded from memory of i1 would be wrong. In arithmetic, truth
values stay i1: a byte becomes one where it is read, and the other way round where it is written, so operations that
have been fused before pass on masks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir

from ...ir import np
from ..mlir.retyping import retype
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children

_SCALARS_IN = ("linalg.fill", "tensor.from_elements", "tensor.insert", "tensor.splat")
"""They put elements into tensors."""


@rewrite("bools-as-bytes")
def bools_as_bytes(r: Rewriter) -> None:
    """Make tensors of i1 tensors of i8, 0 or 1, because LLVM would pack vectors of i1 into bits."""
    bytes_ = _Bytes()
    every = r.operations()
    touched = [op for op in every if any(bytes_.changes(v.type) for v in (*op.operands, *op.results))]
    functions = [op for op in every if op.name == "func.func" and _has_bools(op, bytes_)]
    if not touched and not functions:
        return
    retype((*touched, *functions), bytes_.type)
    for op in touched:
        if op.name == "arith.constant":
            op.attributes["value"] = bytes_.constant(op.attributes["value"])
        elif op.name.startswith("linalg.") and len(op.regions):
            _convert_body(op, bytes_)
        elif op.name == "tensor.extract":
            _convert_result(op, bytes_)
        elif op.name in ("tensor.pad", "tensor.generate"):
            _write_bytes(children(op)[-1], bytes_)
        if op.name in _SCALARS_IN:
            _write_bytes(op, bytes_)


class _Bytes:
    """The types of truth values in arithmetic and in memory, and the way from one to the other."""

    def __init__(self) -> None:
        self.bit, self.byte = ir.IntegerType.get_signless(1), ir.IntegerType.get_signless(8)
        self._types: dict[Any, Any] = {}

    def type(self, t: Any) -> Any:
        """The type in memory: that of a tensor or a memref of i1 is one of i8."""
        if (found := self._types.get(t)) is None:
            found = self._types[t] = self._with_bytes(t)
        return found

    def _with_bytes(self, t: Any) -> Any:
        if isinstance(t, ir.RankedTensorType) and t.element_type == self.bit:
            return ir.RankedTensorType.get(t.shape, self.byte, t.encoding)
        if isinstance(t, ir.MemRefType) and t.element_type == self.bit:
            return ir.MemRefType.get(t.shape, self.byte, t.layout, t.memory_space)
        return t

    def changes(self, t: Any) -> bool:
        return self.type(t) is not t and self.type(t) != t

    def constant(self, data: Any) -> Any:
        """The elements of a constant as bytes."""
        type = ir.RankedTensorType.get(data.type.shape, self.byte)
        if data.is_splat:
            one = ir.IntegerAttr.get(self.byte, int(bool(data.get_splat_value().value)))
            return ir.DenseElementsAttr.get_splat(type, one)
        elements = np.array([bool(x) for x in data], np.int8).reshape(data.type.shape)
        return ir.DenseElementsAttr.get(elements, type=self.byte)

    def read(self, byte: Any) -> Any:
        """A byte as a truth value; any but 0 is true."""
        zero = Rewriter.constant(self.byte, 0).result
        not_equal = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 1)
        return ir.Operation.create(
            "arith.cmpi", results=[self.bit], operands=[byte, zero], attributes={"predicate": not_equal}
        )

    def written(self, bit: Any) -> Any:
        """A truth value as a byte."""
        return ir.Operation.create("arith.extui", results=[self.byte], operands=[bit]).result


def _has_bools(f: Any, bytes_: _Bytes) -> bool:
    t = f.attributes["function_type"].value
    return any(bytes_.changes(x) for x in (*t.inputs, *t.results))


def _convert_body(op: Any, bytes_: _Bytes) -> None:
    """Let the body of a linalg operation read and write bytes."""
    block = op.regions[0].blocks[0]
    body = children(op)
    from_tensors = [
        a for a, v in zip(block.arguments, op.operands) if a.type == bytes_.bit and v.type == bytes_.type(v.type)
    ]
    for a in from_tensors:
        a.set_type(bytes_.byte)
    if len(body) == 1 and all(v.type != bytes_.bit for v in body[0].operands):
        return  # a move
    for a in from_tensors:
        _replaced_by(a, lambda: ir.InsertionPoint(body[0]), bytes_)
    _write_bytes(body[-1], bytes_)


def _convert_result(op: Any, bytes_: _Bytes) -> None:
    """Let an operation that takes an element out of a tensor give a byte."""
    op.result.set_type(bytes_.byte)
    _replaced_by(op.result, lambda: ir.InsertionPoint.after(op), bytes_)


def _replaced_by(byte: Any, at: Callable[[], Any], bytes_: _Bytes) -> None:
    """Let users of what has become a byte use the truth value instead."""
    with at():
        made = bytes_.read(byte)
    byte.replace_all_uses_except(made.result, made)


def _write_bytes(op: Any, bytes_: _Bytes) -> None:
    """Let an operation that puts elements into tensors take bytes for its truth values."""
    found: Sequence[Any] = list(op.operands)
    with ir.InsertionPoint(op):
        for i, v in enumerate(found):
            if v.type == bytes_.bit:
                op.operands[i] = bytes_.written(v)
