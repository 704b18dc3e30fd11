"""Making, cutting and reshaping tensors: the part of the emitter that computes nothing.

Operations are made through `ir.Operation.create` rather than the dialect modules, which cost 100 ms to import.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import DType, Literal, TensorType
from .scalars import mlir_element


def mlir_type(t: TensorType) -> Any:
    """The MLIR type of a Core type."""
    return ir.RankedTensorType.get(t.shape, mlir_element(t.dtype))


def elements_attribute(data: Literal, t: TensorType) -> Any:
    """`dense<…>`, bit for bit."""
    type = mlir_type(t)
    if data.is_splat and t.size:
        return ir.Attribute.parse(f"dense<{_bits(data)}> : {type}")
    return ir.DenseElementsAttr.get(data.to_numpy(t.shape), type=type.element_type, shape=list(t.shape))


def number_attribute(data: Literal) -> Any:
    """`… : f32`, bit for bit."""
    return ir.Attribute.parse(f"{_bits(data)} : {data.dtype}")


def _bits(data: Literal) -> str:
    """One element as MLIR reads it without rounding."""
    if data.dtype.is_float:
        return f"0x{int.from_bytes(data.bits, 'little'):0{2 * data.dtype.width}X}"
    return data.texts()[0]


class TensorEmitter:
    """Emits at the insertion point in force.  Values are MLIR values of ranked tensor type with static shapes."""

    def __init__(self, arguments: dict[str, Any], numerics: str = "default") -> None:
        self.arguments = arguments
        self.numerics = numerics  # strict, default or fast; see docs/numerics.md
        self.trace: list[Any] = []  # operations emitted, in order
        self.repeatable = True  # False once an operation used a value that is not among its operands
        self.failures: list[Any] = []  # rank-0 i64 tensors, non-zero if an index was out of bounds

    def type(self, v: Any) -> TensorType:
        """The Core type of a tensor value."""
        t = ir.RankedTensorType(v.type)
        return TensorType(DType(str(t.element_type)), tuple(t.shape))

    def mlir_type(self, t: TensorType) -> Any:
        """The MLIR type of a Core type."""
        return mlir_type(t)

    def create(
        self,
        name: str,
        operands: Sequence[Any],
        result: TensorType,
        attributes: dict[str, Any] | None = None,
        regions: int = 0,
    ) -> Any:
        """Any MLIR operation with one tensor result; returns the operation."""
        made = ir.Operation.create(
            name,
            results=[self.mlir_type(result)],
            operands=list(operands),
            attributes=attributes or {},
            regions=regions,
        )
        self.trace.append(made)
        return made

    # Sources

    def argument(self, name: str) -> Any:
        """The function argument for the Input of that name."""
        return self.arguments[name]

    def literal(self, data: Literal, t: TensorType) -> Any:
        """`arith.constant`, bit for bit."""
        return self.create("arith.constant", [], t, {"value": elements_attribute(data, t)}).result

    def empty(self, t: TensorType) -> Any:
        """A destination without a value."""
        return self.create("tensor.empty", [], t).result

    # Shape

    def reshaped(self, x: Any, result: TensorType) -> Any:
        """The same elements in row-major order: collapse to one axis, then expand."""
        t = self.type(x)
        if t == result:
            return x
        if not t.size:  # no element to move, and MLIR's reassociations do not hold for extents of 0
            return self.empty(result)
        flat = t.with_shape((t.size,))
        if t.rank != 1:
            x = self._reassociated("collapse" if t.rank else "expand", x, flat, t.rank)
        if result.rank != 1:
            x = self._reassociated("expand" if result.rank else "collapse", x, result, result.rank)
        return x

    def _reassociated(self, way: str, x: Any, result: TensorType, rank: int) -> Any:
        """`tensor.collapse_shape` or `tensor.expand_shape` between one axis and `rank` axes; rank 0 is a scalar."""
        index = ir.IntegerType.get_signless(64)
        group = ir.ArrayAttr.get([ir.IntegerAttr.get(index, i) for i in range(rank)])
        attributes = {"reassociation": ir.ArrayAttr.get([group] if rank else [])}
        if way == "expand":
            attributes["static_output_shape"] = ir.DenseI64ArrayAttr.get(list(result.shape))
        return self.create(f"tensor.{way}_shape", [x], result, attributes).result

    def slice(self, x: Any, starts: Sequence[int], steps: Sequence[int], result: TensorType) -> Any:
        """`tensor.extract_slice` with constant bounds."""
        if self.type(x) == result:
            return x
        return self._extracted(x, starts, result.shape, steps, result)

    def inserted(
        self, x: Any, into: Any, starts: Sequence[int], result: TensorType, steps: Sequence[int] | None = None
    ) -> Any:
        """`into` with `x` at `starts`, its elements `steps` apart."""
        shape = self.type(x).shape
        attributes = _bounds(starts, shape, steps or [1] * len(shape), [1, 1, 0, 0, 0])
        return self.create("tensor.insert_slice", [x, into], result, attributes).result

    def element(self, x: Any, position: Sequence[int], result: TensorType) -> Any:
        """One element, as a rank-0 tensor."""
        if not position:
            return x
        ones = [1] * len(position)
        return self._extracted(x, position, ones, ones, result)

    def dropped(self, x: Any, result: TensorType) -> Any:
        """`x` without some axes of extent 1: a slice, because MLIR moves other operations across reshapes."""
        shape = self.type(x).shape
        if shape == result.shape:
            return x
        return self._extracted(x, [0] * len(shape), shape, [1] * len(shape), result)

    def _extracted(
        self, x: Any, starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int], result: TensorType
    ) -> Any:
        """`tensor.extract_slice`; the result may lack axes of extent 1."""
        return self.create("tensor.extract_slice", [x], result, _bounds(starts, sizes, steps, [1, 0, 0, 0])).result


def _bounds(
    starts: Sequence[int], sizes: Sequence[int], steps: Sequence[int], segments: Sequence[int]
) -> dict[str, Any]:
    return {
        "static_offsets": ir.DenseI64ArrayAttr.get(list(starts)),
        "static_sizes": ir.DenseI64ArrayAttr.get(list(sizes)),
        "static_strides": ir.DenseI64ArrayAttr.get(list(steps)),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get(list(segments)),
    }
