"""Stores floats of 16 bits as their bits, i16, and writes their conversions as arithmetic on integers.

Operations compute in f32, so that of narrow floats there are moves, choices, constants and conversions alone. LLVM
would call functions of a library for conversions that a CPU has not, one element after the other.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import DType, np
from ..emit.scalars import Scalars
from ..emit.tensors import literal_of_halves
from ..formulas.halves import narrowed, widened
from ..mlir.retyping import retype
from ..mlir.rewriter import Rewriter, rewrite

_CONVERSIONS = [f"arith.{name}" for name in ("extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui")]


@rewrite("halves-as-bits")
def halves_as_bits(r: Rewriter) -> None:
    """Make floats of 16 bits i16, and their conversions arithmetic: LLVM would call functions for each element."""
    narrow = _Narrow()
    every = r.operations()
    found = [op for op in every if any(narrow.has(v.type) for v in (*op.operands, *op.results)) or narrow.names(op)]
    if not found:
        return
    conversions = [_Conversion(op, narrow) for op in found if op.name in _CONVERSIONS]
    retype(found, narrow.type)
    for op in found:
        if op.name == "arith.constant":
            op.attributes["value"] = narrow.bits_of(op.attributes["value"])
        elif op.name == "arith.bitcast" and op.operands[0].type == op.result.type:
            Rewriter.replace(op, op.operands[0])
    for conversion in conversions:
        conversion.write()


class _Conversion:
    """A conversion from or to a float of 16 bits. MLIR makes one of two, where we convert by way of f32."""

    def __init__(self, op: Any, narrow: _Narrow) -> None:
        self.op = op
        self.source, self.to = narrow.dtype(op.operands[0].type), narrow.dtype(op.result.type)
        """The narrow types, before they are replaced by those of bits."""
        self.result = op.result.type

    def write(self) -> None:
        f32 = Scalars(DType.F32)
        with Rewriter.before(self.op):
            value = self.op.operands[0]
            if self.source is not None:
                value = widened(self.source, f32, value)
            end = f32.type if self.to is not None else self.result
            if value.type != end:
                name = self.op.name
                if name in ("arith.extf", "arith.truncf"):
                    name = "arith.extf" if end == ir.F64Type.get() else "arith.truncf"
                value = f32.op(name, value, type=end)
            if self.to is not None:
                value = narrowed(self.to, f32, value)
        Rewriter.replace(self.op, value)


class _Narrow:
    """Types of 16-bit floats, and those of their bits."""

    def __init__(self) -> None:
        self._bits = ir.IntegerType.get_signless(16)
        self._elements = {Scalars(d).element: d for d in DType if d.is_half}
        self._types: dict[Any, Any] = {}

    def type(self, t: Any) -> Any:
        """The type of the bits; any other type is itself."""
        if (found := self._types.get(t)) is None:
            found = self._types[t] = self._with_bits(t)
        return found

    def _with_bits(self, t: Any) -> Any:
        if t in self._elements:
            return self._bits
        if isinstance(t, ir.RankedTensorType) and t.element_type in self._elements:
            return ir.RankedTensorType.get(t.shape, self._bits, t.encoding)
        if isinstance(t, ir.MemRefType) and t.element_type in self._elements:
            return ir.MemRefType.get(t.shape, self._bits, t.layout, t.memory_space)
        return t

    def has(self, t: Any) -> bool:
        return self.type(t) is not t and self.type(t) != t

    def names(self, op: Any) -> bool:
        """True for a function whose signature has such types."""
        if op.name != "func.func":
            return False
        t = op.attributes["function_type"].value
        return any(self.has(x) for x in (*t.inputs, *t.results))

    def dtype(self, t: Any) -> DType | None:
        """The narrow type of an element; None for another one."""
        return self._elements.get(t)

    def bits_of(self, value: Any) -> Any:
        """A constant as bits."""
        element = getattr(value.type, "element_type", value.type)
        data = literal_of_halves(value, self._elements[element])
        if not isinstance(value, ir.DenseElementsAttr):
            return ir.IntegerAttr.get(self._bits, int.from_bytes(data.bits, "little", signed=True))
        elements = np.frombuffer(data.bits, "<i2")
        if data.is_splat and value.type.shape != [1]:
            one = ir.IntegerAttr.get(self._bits, int(elements[0]))
            return ir.DenseElementsAttr.get_splat(self.type(value.type), one)
        return ir.DenseElementsAttr.get(elements, type=self._bits, shape=value.type.shape)
