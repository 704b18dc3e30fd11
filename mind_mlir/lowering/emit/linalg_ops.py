"""Emits structured operations of MLIR's dialect `linalg`: fills, formulas over elements, contractions, moves.

Destination-passing: every linalg operation names its init.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir
from mlir._mlir_libs import _mlirDialectsLinalg  # fill_builtin_region

from ...ir import Shape, TensorType
from .emission import Emission
from .scalars import Scalars, mlir_element
from .tensor_ops import TensorOps
from .tensors import type_of


class LinalgOps:
    """`e.linalg`."""

    __slots__ = ("_emission", "_tensor")

    def __init__(self, emission: Emission, tensor: TensorOps) -> None:
        self._emission, self._tensor = emission, tensor

    def filled(self, t: TensorType, value: float) -> Any:
        """A tensor with one value everywhere, as a destination to accumulate into."""
        number = Scalars(t.dtype).number(value)
        self._emission.made.append(number.owner)
        return self._with_builtin_region("linalg.fill", [number], self._tensor.empty(t), t, {})

    def copied(self, x: Any) -> Any:
        """`linalg.copy`. MLIR fuses no formula across it, so none is computed again in every iteration of a loop."""
        t = type_of(x)
        return self._with_builtin_region("linalg.copy", [x], self._tensor.empty(t), t, {})

    # Element by element

    def map(self, formula: Callable[..., Any], inputs: Sequence[Any], result: TensorType) -> Any:
        """`formula(scalars, *elements)` at every position, operands broadcast as NumPy does."""
        maps = [_broadcast_map(type_of(v).shape, result.shape) for v in inputs]
        maps.append(ir.AffineMap.get_identity(result.rank))
        scalars = Scalars(result.dtype)
        kinds = ["parallel"] * result.rank
        return self.generic(
            maps, kinds, inputs, self._tensor.empty(result), result, lambda *xs: formula(scalars, *xs[:-1])
        )

    def elementwise(self, name: str, formula: Callable[..., Any], inputs: Sequence[Any], result: TensorType) -> Any:
        """The named linalg operation if no operand is stretched, else `map` with the formula."""
        if all(type_of(v).shape == result.shape for v in inputs):
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
        out = self._tensor.empty(result) if init is None else self.filled(result, init)
        if not all(type_of(v).size for v in inputs):
            return out  # nothing to add
        return self._with_builtin_region(name, inputs, out, result, attributes or {})

    # Contractions

    def contract(self, dims: str, inputs: Sequence[Any], result: TensorType, sums: str = "") -> Any:
        """`linalg.contract`: multiply and add over the dimensions that only inputs have.

        `dims` as in `Op.dims`; `...` are batch axes, of which those that broadcasting stretches are dropped first.
        `sums` names dimensions that are added up, outermost first; others follow as inputs have them.
        """
        types = [type_of(v) for v in inputs]
        init = self.filled(result, 0)
        if not all(t.size for t in types):
            return init  # nothing to add
        terms = [term.split() for term in dims.replace("->", ",").split(",")]
        batch = [f"batch{i}" for i in range(result.rank - sum(d != "..." for d in terms[-1]))]
        named = [_expand(term, t.rank, batch) for term, t in zip(terms, [*types, result])]
        extent = {d: n for term, t in zip(named, [*types, result]) for d, n in zip(term, t.shape) if n != 1}
        operands, used = [], []
        for v, t, term in zip(inputs, types, named):
            kept = [(d, n) for d, n in zip(term, t.shape) if n == extent.get(d, 1)]
            operands.append(self._tensor.dropped(v, t.with_shape(tuple(n for _, n in kept))))
            used.append([d for d, _ in kept])
        used.append(named[-1])
        loops = list(dict.fromkeys(d for term in (named[-1], sums.split(), *used) for d in term))
        maps = [ir.AffineMap.get(len(loops), 0, [ir.AffineDimExpr.get(loops.index(d)) for d in term]) for term in used]
        attributes = {"indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps])}
        return self._with_builtin_region("linalg.contract", operands, init, result, attributes)

    # Moves

    def transposed(self, x: Any, permutation: Sequence[int], result: TensorType) -> Any:
        """`linalg.transpose`."""
        if not permutation:  # rank 0: linalg.transpose aborts on an empty permutation (MLIR 22)
            return x
        attributes = {"permutation": ir.DenseI64ArrayAttr.get(list(permutation))}
        made = self._emission.create("linalg.transpose", [x, self._tensor.empty(result)], result, attributes, 1)
        element = mlir_element(result.dtype)
        self.body(made, [element] * 2, lambda x, _: x)
        return made.result

    def reversed(self, x: Any, axes: Sequence[int], result: TensorType) -> Any:
        """The elements of `x` in the opposite order along `axes`."""
        ends = [ir.AffineExpr.get_constant(n - 1) for n in result.shape]
        dims = [ir.AffineExpr.get_dim(d) for d in range(result.rank)]
        turned = [end - d if i in axes else d for i, (end, d) in enumerate(zip(ends, dims))]
        maps = [ir.AffineMap.get(result.rank, 0, turned), ir.AffineMap.get_identity(result.rank)]
        kinds = ["parallel"] * result.rank
        return self.generic(maps, kinds, [x], self._tensor.empty(result), result, lambda x, _: x)

    def counted(self, axis: int, result: TensorType) -> Any:
        """The position along `axis` of every element, as a number of its type."""
        s = Scalars(result.dtype)
        kinds = ["parallel"] * result.rank
        maps = [ir.AffineMap.get_identity(result.rank)]
        return self.generic(maps, kinds, [], self._tensor.empty(result), result, lambda _: s.from_index(position(axis)))

    def padded(self, x: Any, pads: Sequence[tuple[int, int]], interior: Sequence[int] | None = None) -> Any:
        """Zeros around `x`: `pads[i]` are the numbers before and after along axis i, `interior[i]` those between."""
        t = type_of(x)
        interior = interior or [0] * t.rank
        out = t.with_shape(
            tuple(low + n + max(n - 1, 0) * k + high for n, (low, high), k in zip(t.shape, pads, interior))
        )
        if out == t:
            return x
        zeros = self.filled(out, 0)
        starts = [low for low, _ in pads]
        steps = [k + 1 if n > 1 else 1 for n, k in zip(t.shape, interior)]  # a gap between no neighbours may be large
        return self._tensor.inserted(x, zeros, starts, out, steps) if t.size else zeros

    # Parts

    def generic(
        self,
        maps: Sequence[Any],
        kinds: Sequence[str],
        inputs: Sequence[Any],
        init: Any,
        result: TensorType,
        body: Callable[..., Any],
    ) -> Any:
        """`linalg.generic` of these indexing maps and kinds of loops; `body` gets the elements, init's last."""
        attributes = {
            "indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps]),
            # one text: as attributes of their own they import mlir.dialects.linalg, 80 ms
            "iterator_types": ir.Attribute.parse(f"[{', '.join(f'#linalg.iterator_type<{k}>' for k in kinds)}]"),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(inputs), 1]),
        }
        made = self._emission.create("linalg.generic", [*inputs, init], result, attributes, 1)
        elements = [ir.RankedTensorType(v.type).element_type for v in (*inputs, init)]
        self.body(made, elements, body)
        return made.result

    def body(self, made: Any, elements: Sequence[Any], body: Callable[..., Any]) -> None:
        """Fill the region of an operation; `elements` are the types of its arguments."""
        block = made.regions[0].blocks.append(*elements)
        with ir.InsertionPoint(block):
            ir.Operation.create("linalg.yield", operands=[body(*block.arguments)])

    def _with_builtin_region(
        self, name: str, inputs: Sequence[Any], out: Any, result: TensorType, attributes: dict[str, Any]
    ) -> Any:
        segments = ir.DenseI32ArrayAttr.get([len(inputs), 1])
        made = self._emission.create(name, [*inputs, out], result, {"operandSegmentSizes": segments, **attributes}, 1)
        _mlirDialectsLinalg.fill_builtin_region(made)
        relocate(made, made.location)  # MLIR gives the region the locations, and so the names, of the operands
        return made.result


def position(axis: int) -> Any:
    """In the body of a linalg operation: where its loops are along an axis, as MLIR's index."""
    dim = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axis)
    index = ir.IndexType.get()
    return ir.Operation.create("linalg.index", results=[index], attributes={"dim": dim}).result


def _broadcast_map(shape: Shape, to: Shape) -> Any:
    lead = len(to) - len(shape)
    return ir.AffineMap.get(
        len(to),
        0,
        [
            ir.AffineConstantExpr.get(0) if n == 1 and to[lead + i] != 1 else ir.AffineDimExpr.get(lead + i)
            for i, n in enumerate(shape)
        ],
    )


def _expand(term: list[str], rank: int, batch_names: list[str]) -> list[str]:
    """Replace `...` by the names of the batch axes that an operand of this rank has, aligned from the right."""
    if "..." not in term:
        return term
    n = rank - (len(term) - 1)
    return batch_names[len(batch_names) - n :] + [d for d in term if d != "..."]


def relocate(made: Any, location: Any) -> None:
    """Set the location of an operation and all within it."""
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
