"""Convolutions of images, and their adjoints: products added over seven loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import TensorType
from .linalg_ops import LinalgOps
from .scalars import Scalars
from .tensors import type_of


class Convolutions:
    """`e.convolution`."""

    def __init__(self, linalg: LinalgOps) -> None:
        self._linalg = linalg

    def convolved(self, input: Any, filter: Any, strides: Sequence[int], result: TensorType) -> Any:
        """`linalg.conv_2d_nhwc_hwcf` without padding."""
        pair = ir.RankedTensorType.get([2], ir.IntegerType.get_signless(64))
        attributes = {
            "strides": ir.Attribute.parse(f"dense<[{strides[0]}, {strides[1]}]> : {pair}"),
            "dilations": ir.Attribute.parse(f"dense<1> : {pair}"),
        }
        return self._linalg.named("linalg.conv_2d_nhwc_hwcf", (input, filter), result, init=0, attributes=attributes)

    def convolved_back(self, cotangent: Any, filter: Any, strides: Sequence[int], result: TensorType) -> Any:
        """The adjoint of `convolved` in its input: every element of `cotangent` goes back to the window it came from.

        The element (y, x) of `result` has terms for the pairs (i, oy) and (j, ox) with oy · s + i = y and ox · s + j =
        x, in ascending (i, j, f): the loop over i is outside of that over oy, j outside of ox, and f inside of all.
        """
        t = type_of(filter)
        if not t.size or not type_of(cotangent).size:
            return self._linalg.filled(result, 0)  # nothing to add
        kh, kw, channels, filters = t.shape
        turned = self._linalg.transposed(filter, (0, 1, 3, 2), t.with_shape((kh, kw, filters, channels)))
        n, i, oy, j, ox, f, c = map(ir.AffineDimExpr.get, range(7))  # c, the inner loop, is contiguous in `turned` too
        target = [n, oy * strides[0] + i, ox * strides[1] + j, c]
        indices = [[n, oy, ox, f], [i, j, f, c], target]
        return self._multiplied_and_added(indices, {n, c}, (self._linalg.copied(cotangent), turned), result)

    def correlated(
        self, input: Any, pads: Sequence[tuple[int, int]], cotangent: Any, strides: Sequence[int], result: TensorType
    ) -> Any:
        """The adjoint of `convolved` in its filter: products of padded input and cotangent, in ascending (n, oy, ox).

        The loops over the filter are inside those over n and oy, so that rows of both operands are used while cached.
        """
        x = self._linalg.padded(input, pads)
        if not type_of(x).size or not type_of(cotangent).size:
            return self._linalg.filled(result, 0)  # nothing to add
        x = self._linalg.copied(input) if x is input else x
        n, oy, i, j, c, ox, f = map(ir.AffineDimExpr.get, range(7))
        indices = [[n, oy * strides[0] + i, ox * strides[1] + j, c], [n, oy, ox, f], [i, j, c, f]]
        return self._multiplied_and_added(indices, {i, j, c, f}, (x, self._linalg.copied(cotangent)), result)

    def over_windows(self, dims: str, sums: str, inputs: Sequence[Any], result: TensorType) -> Any:
        """Products of two tensors, from zeros on added over the loops `sums`, outermost first.

        `dims` says for each axis where loops are on it: `"n 2*y+i c, i c f -> n y f"`. Loops named for the result are
        outside of the others.
        """
        if not all(type_of(v).size for v in inputs):
            return self._linalg.filled(result, 0)  # nothing to add
        terms = [term.split() for term in dims.replace("->", ",").split(",")]
        loops = [*terms[-1], *sums.split()]
        maps = [ir.AffineMap.get(len(loops), 0, [_position(axis, loops) for axis in term]) for term in terms]
        kinds = ["parallel"] * len(terms[-1]) + ["reduction"] * (len(loops) - len(terms[-1]))
        s = Scalars(result.dtype)
        init = self._linalg.filled(result, 0)
        return self._linalg.generic(maps, kinds, inputs, init, result, lambda x, y, acc: s.add(acc, s.mul(x, y)))

    def _multiplied_and_added(
        self, indices: Sequence[Sequence[Any]], parallel: set[Any], inputs: Sequence[Any], result: TensorType
    ) -> Any:
        """`result[…] += x[…] · y[…]` from zeros; `indices` of x, y and result are over seven loops, outermost first."""
        maps = [ir.AffineMap.get(7, 0, list(i)) for i in indices]
        kinds = ["parallel" if ir.AffineDimExpr.get(d) in parallel else "reduction" for d in range(7)]
        s = Scalars(result.dtype)
        init = self._linalg.filled(result, 0)
        return self._linalg.generic(maps, kinds, inputs, init, result, lambda x, y, acc: s.add(acc, s.mul(x, y)))


def _position(axis: str, loops: Sequence[str]) -> Any:
    """A sum of loops, multiples of loops and numbers: `2*y+i`, `0`."""
    total = ir.AffineConstantExpr.get(0)
    for piece in axis.split("+"):
        factor, _, name = piece.rpartition("*")
        if name in loops:
            total = total + ir.AffineDimExpr.get(loops.index(name)) * int(factor or 1)
        else:
            total = total + int(name)
    return total
