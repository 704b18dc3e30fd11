"""The structured operations on tensors that `Op.lower` speaks.  Destination-passing: every linalg op names its init."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir
from mlir._mlir_libs import _mlirDialectsLinalg  # fill_builtin_region

from ..ir import DType, Shape, TensorType
from .scalars import Scalars, mlir_element
from .tensors import TensorEmitter

SUM_BLOCK = 128
"""Terms of one block of a float sum; see docs/deviations.md, Sums."""


class Emitter(TensorEmitter):
    """Computes on tensors with linalg, beside what every emitter does."""

    def filled(self, t: TensorType, value: float) -> Any:
        """A tensor with one value everywhere, as a destination to accumulate into."""
        number = Scalars(t.dtype).number(value)
        self.trace.append(number.owner)
        return self._with_builtin_region("linalg.fill", [number], self.empty(t), t, {})

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

    # Contractions

    def contract(self, dims: str, inputs: Sequence[Any], result: TensorType) -> Any:
        """`linalg.contract`: multiply and add over the dimensions that only inputs have.

        `dims` as in `Op.dims`; `...` are batch axes, of which those that broadcasting stretches are dropped first.
        """
        types = [self.type(v) for v in inputs]
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
            operands.append(self.dropped(v, t.with_shape(tuple(n for _, n in kept))))
            used.append([d for d, _ in kept])
        used.append(named[-1])
        loops = list(dict.fromkeys(d for term in (named[-1], *used) for d in term))
        maps = [ir.AffineMap.get(len(loops), 0, [ir.AffineDimExpr.get(loops.index(d)) for d in term]) for term in used]
        attributes = {"indexing_maps": ir.ArrayAttr.get([ir.AffineMapAttr.get(m) for m in maps])}
        return self._with_builtin_region("linalg.contract", operands, init, result, attributes)

    def convolved(self, input: Any, filter: Any, strides: Sequence[int], result: TensorType) -> Any:
        """`linalg.conv_2d_nhwc_hwcf` without padding."""
        pair = ir.RankedTensorType.get([2], ir.IntegerType.get_signless(64))
        attributes = {
            "strides": ir.Attribute.parse(f"dense<[{strides[0]}, {strides[1]}]> : {pair}"),
            "dilations": ir.Attribute.parse(f"dense<1> : {pair}"),
        }
        return self.named("linalg.conv_2d_nhwc_hwcf", (input, filter), result, init=0, attributes=attributes)

    # Reductions

    def sum(self, x: Any, axes: Sequence[int], result: TensorType) -> Any:
        """Sum over `axes` (ascending).  Floats are added in the order of docs/deviations.md, Sums."""
        if not axes:
            return x
        if not result.dtype.is_float:  # integers wrap: any order gives the same bits
            return self.reshaped(self._reduced(x, axes), result)
        for axis in reversed(axes):
            while self.type(x).shape[axis] > SUM_BLOCK:
                x = self._block_sums(x, axis)
            x = self._reduced(x, [axis])
        return self.reshaped(x, result)

    def _block_sums(self, x: Any, axis: int) -> Any:
        """The sum of every block of 128 along `axis`, whose new extent is the number of blocks."""
        t = self.type(x)
        n = t.shape[axis]

        def with_extent(*extents: int) -> TensorType:
            return t.with_shape(t.shape[:axis] + extents + t.shape[axis + 1 :])

        blocks, rest = divmod(n, SUM_BLOCK)
        whole = x if not rest else self._cut(x, axis, 0, blocks * SUM_BLOCK)
        sums = self._reduced(self.reshaped(whole, with_extent(blocks, SUM_BLOCK)), [axis + 1])
        if not rest:
            return sums
        last = self.reshaped(self._reduced(self._cut(x, axis, blocks * SUM_BLOCK, rest), [axis]), with_extent(1))
        out = with_extent(blocks + 1)
        start = [0] * t.rank
        joined = self.inserted(sums, self.empty(out), start, out)
        start[axis] = blocks
        return self.inserted(last, joined, start, out)

    def _cut(self, x: Any, axis: int, start: int, extent: int) -> Any:
        t = self.type(x)
        starts = [start if i == axis else 0 for i in range(t.rank)]
        return self.slice(x, starts, [1] * t.rank, t.with_shape(t.shape[:axis] + (extent,) + t.shape[axis + 1 :]))

    def _reduced(self, x: Any, axes: Sequence[int]) -> Any:
        """`linalg.reduce` with addition, from zero; the axes go."""
        t = self.type(x)
        out = t.with_shape(tuple(n for i, n in enumerate(t.shape) if i not in axes))
        init = self.filled(out, 0)
        if not t.size:
            return init  # nothing to add
        made = self.create("linalg.reduce", [x, init], out, {"dimensions": ir.DenseI64ArrayAttr.get(list(axes))}, 1)
        s = Scalars(t.dtype)
        self._body(made, [s.type] * 2, lambda element, acc: s.add(acc, element))
        return made.result

    # Shape

    def transposed(self, x: Any, permutation: Sequence[int], result: TensorType) -> Any:
        """`linalg.transpose`."""
        if not permutation:  # rank 0: linalg.transpose aborts on an empty permutation (MLIR 22)
            return x
        attributes = {"permutation": ir.DenseI64ArrayAttr.get(list(permutation))}
        made = self.create("linalg.transpose", [x, self.empty(result)], result, attributes, 1)
        element = mlir_element(result.dtype)
        self._body(made, [element] * 2, lambda x, _: x)
        return made.result

    def padded(self, x: Any, pads: Sequence[tuple[int, int]], interior: Sequence[int] | None = None) -> Any:
        """Zeros around `x`: `pads[i]` are the numbers before and after along axis i, `interior[i]` those between."""
        t = self.type(x)
        interior = interior or [0] * t.rank
        out = t.with_shape(
            tuple(low + n + max(n - 1, 0) * k + high for n, (low, high), k in zip(t.shape, pads, interior))
        )
        if out == t:
            return x
        zeros = self.filled(out, 0)
        starts = [low for low, _ in pads]
        return self.inserted(x, zeros, starts, out, [k + 1 for k in interior]) if t.size else zeros

    # Gather

    def gather(self, x: Any, indices: Any, result: TensorType, oob: str) -> Any:
        """Rows of `x`; with oob = error, an index out of bounds is reported and nothing is read outside."""
        self.repeatable = False  # the body of the loop reads `x`, which is not among its operands
        t, index_type = self.type(x), self.type(indices)
        extent, i = t.shape[0], Scalars(index_type.dtype)

        def bad(k: Any) -> Any:
            return i.either(i.less(k, i.number(0)), i.greater(k, i.number(extent - 1)))

        if oob == "error" and index_type.size:
            self.failures.append(self._any(indices, bad))
        if not result.size:
            return self.empty(result)
        if extent == 0:
            return self.filled(result, 0)
        index = ir.IndexType.get()
        s = Scalars(result.dtype)

        def row(k: Any, _: Any) -> Any:
            inside = i.select(i.less(k, i.number(0)), i.number(0), k)
            inside = i.select(i.greater(inside, i.number(extent - 1)), i.number(extent - 1), inside)
            at = [s.op("arith.index_cast", inside, type=index)]
            for d in range(index_type.rank, result.rank):
                at.append(s.op("linalg.index", type=index, dim=ir.IntegerAttr.get(ir.IntegerType.get_signless(64), d)))
            element = s.op("tensor.extract", x, *at)
            return s.select(bad(k), s.number(0), element) if oob == "fill" else element

        leading = ir.AffineMap.get(result.rank, 0, [ir.AffineDimExpr.get(d) for d in range(index_type.rank)])
        maps = [leading, ir.AffineMap.get_identity(result.rank)]
        return self._generic(maps, ["parallel"] * result.rank, [indices], self.empty(result), result, row)

    def _any(self, x: Any, condition: Callable[[Any], Any]) -> Any:
        """A rank-0 i64: 1 if the condition holds for any element."""
        t, s = self.type(x), Scalars(DType.I64)
        out = TensorType(DType.I64, ())
        maps = [ir.AffineMap.get_identity(t.rank), ir.AffineMap.get(t.rank, 0, [])]

        def body(element: Any, acc: Any) -> Any:
            return s.op("arith.ori", acc, s.op("arith.extui", condition(element)))

        return self._generic(maps, ["reduction"] * t.rank, [x], self.filled(out, 0), out, body)

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


def _expand(term: list[str], rank: int, batch_names: list[str]) -> list[str]:
    """Replace `...` by the names of the batch axes that an operand of this rank has, aligned from the right."""
    if "..." not in term:
        return term
    n = rank - (len(term) - 1)
    return batch_names[len(batch_names) - n :] + [d for d in term if d != "..."]
