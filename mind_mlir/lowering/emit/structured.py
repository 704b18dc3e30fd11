"""Structured operations on tensors: fills, formulas over elements, and linalg's named operations.

Destination-passing: every linalg operation names its init.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir
from mlir._mlir_libs import _mlirDialectsLinalg  # fill_builtin_region

from ...ir import Shape, TensorType
from .scalars import Scalars
from .tensors import TensorEmitter


class StructuredEmitter(TensorEmitter):
    """Computes on tensors with linalg."""

    def filled(self, t: TensorType, value: float) -> Any:
        """A tensor with one value everywhere, as a destination to accumulate into."""
        number = Scalars(t.dtype).number(value)
        self.trace.append(number.owner)
        return self._with_builtin_region("linalg.fill", [number], self.empty(t), t, {})

    def copied(self, x: Any) -> Any:
        """`linalg.copy`.  MLIR fuses no formula across it, so none is computed again in every turn of a loop."""
        t = self.type(x)
        return self._with_builtin_region("linalg.copy", [x], self.empty(t), t, {})

    # Element by element

    def map(self, formula: Callable[..., Any], inputs: Sequence[Any], result: TensorType) -> Any:
        """`formula(scalars, *elements)` at every position, operands broadcast as NumPy does."""
        maps = [self._broadcast_map(self.type(v).shape, result.shape) for v in inputs]
        maps.append(ir.AffineMap.get_identity(result.rank))
        scalars = Scalars(result.dtype)
        kinds = ["parallel"] * result.rank
        return self._generic(maps, kinds, inputs, self.empty(result), result, lambda *xs: formula(scalars, *xs[:-1]))

    def elementwise(self, name: str, formula: Callable[..., Any], inputs: Sequence[Any], result: TensorType) -> Any:
        """The named linalg operation where no operand is stretched, else `map` with the formula."""
        if all(self.type(v).shape == result.shape for v in inputs):
            return self.named(name, inputs, result)
        return self.map(formula, inputs, result)

    def named(
        self,
        name: str,
        inputs: Sequence[Any],
        result: TensorType,
        init: float | None = None,
        attributes: dict[str, Any] | None = None,
    ) -> Any:
        """`name ins(inputs) outs(…)`: onto an empty tensor, or onto one filled with `init`."""
        out = self.empty(result) if init is None else self.filled(result, init)
        if not all(self.type(v).size for v in inputs):
            return out  # nothing to add
        return self._with_builtin_region(name, inputs, out, result, attributes or {})

    # Parts

    def _broadcast_map(self, shape: Shape, to: Shape) -> Any:
        lead = len(to) - len(shape)
        return ir.AffineMap.get(
            len(to),
            0,
            [
                ir.AffineConstantExpr.get(0) if n == 1 and to[lead + i] != 1 else ir.AffineDimExpr.get(lead + i)
                for i, n in enumerate(shape)
            ],
        )

    def _generic(
        self,
        maps: Sequence[Any],
        kinds: Sequence[str],
        inputs: Sequence[Any],
        init: Any,
        result: TensorType,
        body: Callable[..., Any],
    ) -> Any:
        attributes = {
            "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps]),
            # one text: as attributes of their own they import mlir.dialects.linalg, 80 ms
            "iterator_types": ir.Attribute.parse(f"[{', '.join(f'#linalg.iterator_type<{k}>' for k in kinds)}]"),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
        }
        made = self.create("linalg.generic", [*inputs, init], result, attributes, 1)
        elements = [ir.RankedTensorType(v.type).element_type for v in (*inputs, init)]
        self._body(made, elements, body)
        return made.result

    def _body(self, made: Any, elements: Sequence[Any], body: Callable[..., Any]) -> None:
        block = made.regions[0].blocks.append(*elements)
        with ir.InsertionPoint(block):
            ir.Operation.create("linalg.yield", operands=[body(*block.arguments)])

    def _with_builtin_region(
        self, name: str, inputs: Sequence[Any], out: Any, result: TensorType, attributes: dict[str, Any]
    ) -> Any:
        segments = ir.DenseI32ArrayAttr.get([len(inputs), 1])
        made = self.create(name, [*inputs, out], result, {"operandSegmentSizes": segments, **attributes}, 1)
        _mlirDialectsLinalg.fill_builtin_region(made)
        relocate(made, made.location)  # MLIR gives the region the places, and so the names, of the operands
        return made.result


def relocate(made: Any, location: Any) -> None:
    """Let an operation, and all within it, come from `location`."""
    made.location = location
    if not len(made.regions):
        return

    def move(inner: Any) -> Any:
        inner.operation.location = location
        return ir.WalkResult.ADVANCE

    made.walk(move)
    for region in made.regions:
        for block in region.blocks:
            for a in block.arguments:
                a.set_location(location)
