"""Emits loops that read and write slices at positions that are known when they run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import DType, TensorType
from .emission import Emission
from .linalg_ops import LinalgOps, position
from .rows import OnFailure, index, loops, nearest, outside
from .scalars import Scalars
from .tensor_ops import TensorOps
from .tensors import type_of

COMBINED = {
    "add": lambda s, old, new: s.add(old, new),
    "set": lambda s, old, new: new,
    "max": lambda s, old, new: s.maximum(old, new),
    "min": lambda s, old, new: s.minimum(old, new),
}
"""How an element and an update become the new element."""


class Slices:
    """`e.slices`: slices that begin where scalars or an index tensor say."""

    def __init__(
        self, emission: Emission, tensor: TensorOps, linalg: LinalgOps, on_failure: OnFailure | None = None
    ) -> None:
        self._emission, self._tensor, self._linalg = emission, tensor, linalg
        self._on_failure = on_failure

    def read(self, x: Any, starts: Sequence[Any], result: TensorType) -> Any:
        """The slice of `x` whose begin along each axis is a scalar, moved to where it fits."""
        self._emission.is_repeatable = False  # the body of the loop reads `x`, which is not among its operands
        shape = type_of(x).shape

        def element(*elements: Any) -> Any:
            at = [
                _sum(nearest(self._emission.type(start).dtype, k, n - size + 1), position(d))
                for d, (start, k, n, size) in enumerate(zip(starts, elements, shape, result.shape))
            ]
            return Scalars(result.dtype).op("tensor.extract", x, *at)

        maps = [ir.AffineMap.get(result.rank, 0, [])] * len(starts) + [ir.AffineMap.get_identity(result.rank)]
        kinds = ["parallel"] * result.rank
        return self._linalg.generic(maps, kinds, starts, self._tensor.empty(result), result, element)

    def written(self, x: Any, update: Any, starts: Sequence[Any]) -> Any:
        """`x` with `update` instead of the slice whose begin along each axis is a scalar, moved to where it fits."""
        self._emission.is_repeatable = False  # the loops read `starts` and `update`
        t, sizes = type_of(x), type_of(update).shape
        s = Scalars(t.dtype)
        begins = []
        for start, n, size in zip(starts, t.shape, sizes):
            i = Scalars(self._emission.type(start).dtype)
            begins.append(nearest(i.dtype, i.op("tensor.extract", start), n - size + 1))

        def put(place: tuple[Any, ...], carried: Any) -> Any:
            at = [_sum(begin, p) for begin, p in zip(begins, place)]
            new = s.op("tensor.extract", update, *place)
            return s.op("tensor.insert", new, carried, *at, type=carried.type)

        return loops(sizes, x, put)

    def gathered(
        self,
        x: Any,
        indices: Any,
        axes: Sequence[int],
        batch_axes: Sequence[int],
        sizes: Sequence[int],
        oob: str,
        result: TensorType,
    ) -> Any:
        """For each index vector the slice of `x` that begins there: of `sizes` along `axes`, or without them."""
        self._emission.is_repeatable = False  # the body of the loop reads `x`, which is not among its operands
        shape, index_type = type_of(x).shape, self._emission.type(indices)
        spans = _spans(shape, axes, sizes)
        self._report("GatherSlices", indices, spans, oob)
        if not result.size:
            return self._tensor.empty(result)
        if 0 in spans:
            return self._linalg.filled(result, 0)
        s, dtype, lead = Scalars(result.dtype), index_type.dtype, index_type.rank - 1

        def element(*elements: Any) -> Any:
            *vector, _ = elements
            begins = [nearest(dtype, k, span) for k, span in zip(vector, spans)]
            window = [position(d) for d in range(lead, result.rank)]
            batch = [position(d) for d in range(len(batch_axes))]
            found = s.op("tensor.extract", x, *_place(len(shape), axes, batch_axes, sizes, begins, batch, window))
            if oob != "fill":
                return found
            return s.select(_any_outside(dtype, vector, spans), s.number(0), found)

        maps = [*_entries(result.rank, lead, len(axes)), ir.AffineMap.get_identity(result.rank)]
        kinds, init = ["parallel"] * result.rank, self._tensor.empty(result)
        return self._linalg.generic(maps, kinds, [indices] * len(axes), init, result, element)

    def scattered(
        self,
        x: Any,
        indices: Any,
        updates: Any,
        axes: Sequence[int],
        batch_axes: Sequence[int],
        sizes: Sequence[int],
        oob: str,
        kind: str,
        opcode: str,
    ) -> Any:
        """`x` with updates for the slices that `gathered` reads, one after the other: loops that carry the tensor."""
        self._emission.is_repeatable = False  # the loops read `indices` and `updates`
        t, update_type, index_type = self._emission.type(x), type_of(updates), self._emission.type(indices)
        spans = _spans(t.shape, axes, sizes)
        self._report(opcode, indices, spans, oob)
        if not update_type.size or 0 in spans:
            return x
        s, i, lead = Scalars(t.dtype), Scalars(index_type.dtype), index_type.rank - 1

        def put_slice(at: tuple[Any, ...], carried: Any) -> Any:
            vector = [i.op("tensor.extract", indices, *at, index(k)) for k in range(len(axes))]
            begins = [nearest(i.dtype, k, span) for k, span in zip(vector, spans)]
            beyond = _any_outside(i.dtype, vector, spans) if oob == "fill" else None

            def put(window: tuple[Any, ...], carried: Any) -> Any:
                place = _place(t.rank, axes, batch_axes, sizes, begins, at, window)
                new = s.op("tensor.extract", updates, *at, *window)
                if kind != "set" or beyond is not None:
                    old = s.op("tensor.extract", carried, *place)
                    new = COMBINED[kind](s, old, new)
                    if beyond is not None:
                        new = s.select(beyond, old, new)
                return s.op("tensor.insert", new, carried, *place, type=carried.type)

            return loops(update_type.shape[lead:], carried, put)

        return loops(index_type.shape[:-1], x, put_slice)

    def _report(self, opcode: str, indices: Any, spans: Sequence[int], oob: str) -> None:
        """With oob = error, let an index out of bounds be a failure of the function."""
        t = self._emission.type(indices)
        if oob != "error" or not t.size:
            return
        lead, s, out = t.rank - 1, Scalars(DType.I64), TensorType(DType.I64, ())
        maps = [*_entries(lead, lead, len(spans)), ir.AffineMap.get(lead, 0, [])]

        def body(*elements: Any) -> Any:
            *vector, found = elements
            return s.op("arith.ori", found, s.op("arith.extui", _any_outside(t.dtype, vector, spans)))

        inputs, init = [indices] * len(spans), self._linalg.filled(out, 0)
        flag = self._linalg.generic(maps, ["reduction"] * lead, inputs, init, out, body)
        self._emission.failures.append(flag)
        if self._on_failure is not None:
            self._on_failure(opcode, flag)


def _spans(shape: Sequence[int], axes: Sequence[int], sizes: Sequence[int]) -> list[int]:
    """How many positions along each of `axes` a slice may begin at."""
    return [shape[a] - size + 1 for a, size in zip(axes, sizes or [1] * len(axes))]


def _entries(rank: int, lead: int, count: int) -> list[Any]:
    """For a loop of this rank, the maps to each entry of the index vector; its first `lead` dimensions are those."""
    dims = [ir.AffineDimExpr.get(d) for d in range(lead)]
    return [ir.AffineMap.get(rank, 0, [*dims, ir.AffineConstantExpr.get(k)]) for k in range(count)]


def _any_outside(dtype: DType, vector: Sequence[Any], spans: Sequence[int]) -> Any:
    """True if an entry of the index vector names no position where a slice may begin."""
    found = None
    for k, span in zip(vector, spans):
        here = outside(dtype, k, span)
        found = here if found is None else Scalars(dtype).either(found, here)
    return found


def _place(
    rank: int,
    axes: Sequence[int],
    batch_axes: Sequence[int],
    sizes: Sequence[int],
    begins: Sequence[Any],
    batch: Sequence[Any],
    window: Sequence[Any],
) -> list[Any]:
    """Where an element of a slice is in the whole."""
    place, inner = [], iter(window)
    for a in range(rank):
        if a in batch_axes:
            place.append(batch[list(batch_axes).index(a)])
        elif a not in axes:
            place.append(next(inner))
        else:
            begin = begins[list(axes).index(a)]
            place.append(_sum(begin, next(inner)) if sizes else begin)
    return place


def _sum(x: Any, y: Any) -> Any:
    """The sum of two of MLIR's indices."""
    return ir.Operation.create("arith.addi", results=[x.type], operands=[x, y]).result
