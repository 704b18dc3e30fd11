"""Rows picked and rows added by an index tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlir import ir

from ..ir import DType, TensorType
from .scalars import Scalars
from .structured import StructuredEmitter


class RowEmitter(StructuredEmitter):
    """Gathers and scatters along the first axis, beside what every structured emitter does."""

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
