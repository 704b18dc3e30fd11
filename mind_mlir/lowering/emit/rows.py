"""Emits loops that pick or add rows by an index tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from mlir import ir

from ...ir import DType, TensorType
from .emission import Emission
from .linalg_ops import LinalgOps
from .scalars import Scalars
from .tensor_ops import TensorOps
from .tensors import type_of

OnFailure: TypeAlias = Callable[[str, Any], None]
"""Called with an opcode and a rank-0 i64 tensor, which is not zero if an index was out of bounds."""


class Rows:
    """`e.rows`: gathers and scatters along the first axis."""

    def __init__(
        self, emission: Emission, tensor: TensorOps, linalg: LinalgOps, on_failure: OnFailure | None = None
    ) -> None:
        self._emission, self._tensor, self._linalg = emission, tensor, linalg
        self._on_failure = on_failure

    def gather(self, x: Any, indices: Any, result: TensorType, oob: str) -> Any:
        """Pick rows of `x`; with oob = error, an index out of bounds is reported and nothing is read outside."""
        self._emission.is_repeatable = False  # the body of the loop reads `x`, which is not among its operands
        index_type, extent = self._emission.type(indices), type_of(x).shape[0]
        self._report("Gather", indices, extent, oob)
        if not result.size:
            return self._tensor.empty(result)
        if extent == 0:
            return self._linalg.filled(result, 0)
        s = Scalars(result.dtype)

        def row(k: Any, _: Any) -> Any:
            at = [nearest(index_type.dtype, k, extent)]
            for d in range(index_type.rank, result.rank):
                dim = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), d)
                at.append(s.op("linalg.index", type=ir.IndexType.get(), dim=dim))
            element = s.op("tensor.extract", x, *at)
            return s.select(outside(index_type.dtype, k, extent), s.number(0), element) if oob == "fill" else element

        leading = ir.AffineMap.get(result.rank, 0, [ir.AffineDimExpr.get(d) for d in range(index_type.rank)])
        maps = [leading, ir.AffineMap.get_identity(result.rank)]
        return self._linalg.generic(
            maps, ["parallel"] * result.rank, [indices], self._tensor.empty(result), result, row
        )

    def scatter_add(self, x: Any, indices: Any, updates: Any, oob: str) -> Any:
        """Add rows to `x`, in row-major order of `indices`, by loops that carry the tensor.

        With oob = error, an index out of bounds is reported and nothing is written outside.
        """
        self._emission.is_repeatable = (
            False  # the loops read `indices` and `updates`, which are not among their operands
        )
        t, index_type = type_of(x), self._emission.type(indices)
        self._report("ScatterAdd", indices, t.shape[0], oob)
        if not t.size or not type_of(updates).size:
            return x
        s, i = Scalars(t.dtype), Scalars(index_type.dtype)

        def add_row(position: tuple[Any, ...], carried: Any) -> Any:
            k = i.op("tensor.extract", indices, *position)
            row = nearest(i.dtype, k, t.shape[0])
            beyond = outside(i.dtype, k, t.shape[0]) if oob == "fill" else None

            def add(column: tuple[Any, ...], carried: Any) -> Any:
                old = s.op("tensor.extract", carried, row, *column)
                new = s.add(old, s.op("tensor.extract", updates, *position, *column))
                if beyond is not None:
                    new = s.select(beyond, old, new)
                return s.op("tensor.insert", new, carried, row, *column, type=carried.type)

            return loops(t.shape[1:], carried, add)

        return loops(index_type.shape, x, add_row)

    def _report(self, opcode: str, indices: Any, extent: int, oob: str) -> None:
        """With oob = error, let an index out of bounds be a failure of the function."""
        t = self._emission.type(indices)
        if oob != "error" or not t.size:
            return
        flag = self._any(indices, lambda k: outside(t.dtype, k, extent))
        self._emission.failures.append(flag)
        if self._on_failure is not None:
            self._on_failure(opcode, flag)

    def _any(self, x: Any, condition: Callable[[Any], Any]) -> Any:
        """A rank-0 i64: 1 if the condition holds for any element."""
        t, s = type_of(x), Scalars(DType.I64)
        out = TensorType(DType.I64, ())
        maps = [ir.AffineMap.get_identity(t.rank), ir.AffineMap.get(t.rank, 0, [])]

        def body(element: Any, acc: Any) -> Any:
            return s.op("arith.ori", acc, s.op("arith.extui", condition(element)))

        return self._linalg.generic(maps, ["reduction"] * t.rank, [x], self._linalg.filled(out, 0), out, body)


def _last(i: Scalars, extent: int) -> Any:
    """The last of `extent` rows, or of those that an index can name."""
    return i.number(min(extent - 1, i.largest))


def outside(dtype: DType, k: Any, extent: int) -> Any:
    """True if the index `k` names none of `extent` rows."""
    i = Scalars(dtype)
    return i.either(i.less(k, i.number(0)), i.greater(k, _last(i, extent)))


def nearest(dtype: DType, k: Any, extent: int) -> Any:
    """The row nearest to the index `k`, as MLIR's index."""
    i = Scalars(dtype)
    k = i.select(i.less(k, i.number(0)), i.number(0), k)
    k = i.select(i.greater(k, _last(i, extent)), _last(i, extent), k)
    return i.op(f"arith.index_cast{'' if dtype.is_signed else 'ui'}", k, type=ir.IndexType.get())


def loops(extents: Sequence[int], carried: Any, body: Callable[[tuple[Any, ...], Any], Any]) -> Any:
    """`body(position, carried)` at every position in row-major order: nested scf.for that carry a tensor."""
    zero, one = index(0), index(1)
    ends = [index(n) for n in extents]

    def loop(position: tuple[Any, ...], carried: Any) -> Any:
        if len(position) == len(ends):
            return body(position, carried)
        operands = [zero, ends[len(position)], one, carried]
        made = ir.Operation.create("scf.for", results=[carried.type], operands=operands, regions=1)
        block = made.regions[0].blocks.append(ir.IndexType.get(), carried.type)
        with ir.InsertionPoint(block):
            place, inner = block.arguments
            ir.Operation.create("scf.yield", operands=[loop((*position, place), inner)])
        return made.result

    return loop((), carried)


def index(n: int) -> Any:
    """A constant of MLIR's type index."""
    type = ir.IndexType.get()
    return ir.Operation.create(
        "arith.constant", results=[type], attributes={"value": ir.IntegerAttr.get(type, n)}
    ).result
