"""What `Op.lower` speaks: contractions, convolutions, reductions and shapes, beside formulas and rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mlir import ir

from ...ir import Function, TensorType
from .collectives import RankEmitter
from .scalars import Scalars, mlir_element

SUM_BLOCK = 128
"""Terms of one block of a float sum in strict numerics; see docs/semantics.md, Sums."""


class Emitter(RankEmitter):
    """All that operations are lowered with.  Every linalg operation names its destination."""

    inline: Callable[[Function, Sequence[Any]], tuple[Any, ...]]
    """The results of a function on operands: its body's operations, emitted at the insertion point."""

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

    def convolved_back(self, cotangent: Any, filter: Any, strides: Sequence[int], result: TensorType) -> Any:
        """The adjoint of `convolved` in its input: every element of `cotangent` goes back to the window it came from.

        An element of `result` meets of the pairs (i, oy) and (j, ox) those with oy · s + i = y and ox · s + j = x, so
        its terms come in ascending (i, j, f): i stands before oy, j before ox, and f behind both.
        """
        t = self.type(filter)
        if not t.size or not self.type(cotangent).size:
            return self.filled(result, 0)  # nothing to add
        kh, kw, channels, filters = t.shape
        turned = self.transposed(filter, (0, 1, 3, 2), t.with_shape((kh, kw, filters, channels)))
        n, i, oy, j, ox, f, c = map(ir.AffineDimExpr.get, range(7))  # c, the inner loop, is contiguous in `turned` too
        target = [n, oy * strides[0] + i, ox * strides[1] + j, c]
        indices = [[n, oy, ox, f], [i, j, f, c], target]
        return self._multiplied_and_added(indices, {n, c}, (self.copied(cotangent), turned), result)

    def correlated(
        self, input: Any, pads: Sequence[tuple[int, int]], cotangent: Any, strides: Sequence[int], result: TensorType
    ) -> Any:
        """The adjoint of `convolved` in its filter: products of padded input and cotangent, in ascending (n, oy, ox).

        The loops over the filter stand within those over n and oy, so that rows of both operands are used while near.
        """
        x = self.padded(input, pads)
        if not self.type(x).size or not self.type(cotangent).size:
            return self.filled(result, 0)  # nothing to add
        x = self.copied(input) if x is input else x
        n, oy, i, j, c, ox, f = map(ir.AffineDimExpr.get, range(7))
        indices = [[n, oy * strides[0] + i, ox * strides[1] + j, c], [n, oy, ox, f], [i, j, c, f]]
        return self._multiplied_and_added(indices, {i, j, c, f}, (x, self.copied(cotangent)), result)

    def _multiplied_and_added(
        self, indices: Sequence[Sequence[Any]], parallel: set[Any], inputs: Sequence[Any], result: TensorType
    ) -> Any:
        """`result[…] += x[…] · y[…]` from zeros; `indices` of x, y and result are over seven loops, outermost first."""
        maps = [ir.AffineMap.get(7, 0, list(i)) for i in indices]
        kinds = ["parallel" if ir.AffineDimExpr.get(d) in parallel else "reduction" for d in range(7)]
        s = Scalars(result.dtype)
        init = self.filled(result, 0)
        return self._generic(maps, kinds, inputs, init, result, lambda x, y, acc: s.add(acc, s.mul(x, y)))

    # Reductions

    def sum(self, x: Any, axes: Sequence[int], result: TensorType) -> Any:
        """Sum over `axes` (ascending), in any order unless numerics are strict: docs/semantics.md, Sums."""
        if not axes:
            return x
        if not result.dtype.is_float or self.numerics != "strict" or not self.type(x).size:
            return self.reshaped(self._reduced(x, axes, in_order=False), result)
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

    def _reduced(self, x: Any, axes: Sequence[int], in_order: bool = True) -> Any:
        """`linalg.reduce` with addition, from zero; the axes go.  Floats carry `reassoc` unless they go in order."""
        t = self.type(x)
        out = t.with_shape(tuple(n for i, n in enumerate(t.shape) if i not in axes))
        init = self.filled(out, 0)
        if not t.size:
            return init  # nothing to add
        made = self.create("linalg.reduce", [x, init], out, {"dimensions": ir.DenseI64ArrayAttr.get(list(axes))}, 1)
        s = Scalars(t.dtype)
        if in_order or not s.is_float:
            add = s.add
        else:
            flags = ir.Attribute.parse("#arith.fastmath<reassoc>")
            add = partial(s.op, "arith.addf", fastmath=flags)
        self._body(made, [s.type] * 2, lambda element, acc: add(acc, element))
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
        steps = [k + 1 if n > 1 else 1 for n, k in zip(t.shape, interior)]  # a gap between no neighbours may be large
        return self.inserted(x, zeros, starts, out, steps) if t.size else zeros


def _expand(term: list[str], rank: int, batch_names: list[str]) -> list[str]:
    """Replace `...` by the names of the batch axes that an operand of this rank has, aligned from the right."""
    if "..." not in term:
        return term
    n = rank - (len(term) - 1)
    return batch_names[len(batch_names) - n :] + [d for d in term if d != "..."]
