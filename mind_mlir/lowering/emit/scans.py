"""Cumulative sums and their kind: each element joined with all before it along an axis, one after the other.

Along the last axis several rows go together, since each of them waits for its own elements alone. Where there are few
rows and numerics are not strict, a long row of floats is summed in as many parts, each from the sum of those before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from mlir import ir

from ...ir import TensorType
from .block_sums import Reductions
from .element_loops import Carried, for_loop
from .emission import Emission
from .rows import index
from .scalars import Scalars
from .tensor_ops import TensorOps
from .tensors import type_of

TOGETHER = 8
"""Rows that go together: as many as hide the latency of an addition."""

LONG = 256
"""The fewest elements of a row that is cut into parts."""


class Scans:
    """`e.scan`."""

    def __init__(self, emission: Emission, tensor: TensorOps, reduction: Reductions, numerics: str) -> None:
        self._emission, self._tensor, self._reduction = emission, tensor, reduction
        self._numerics = numerics

    def cumulative(self, kind: str, x: Any, axis: int, reverse: bool, result: TensorType) -> Any:
        """Elements joined with all before them along an axis, or all after them, by a kind: sum, prod, max, min."""
        self._emission.is_repeatable = False  # the loops read `x`, which is not among their operands
        n, rows, inner = result.shape[axis], prod(result.shape[:axis]), prod(result.shape[axis + 1 :])
        s = Scalars(result.dtype)

        def join(total: Any, element: Any) -> Any:
            return s.joined(kind, total, element)

        if inner > 1:
            whole = result.with_shape((rows, n, inner))
            found = _along_rows(s, self._tensor.reshaped(x, whole), whole, reverse, join, self._tensor.empty(whole))
            return self._tensor.reshaped(found, result)
        flat = result.with_shape((rows, n))
        x = self._tensor.reshaped(x, flat)
        if kind == "sum" and s.is_float and self._numerics != "strict" and rows < TOGETHER and n >= LONG:
            return self._tensor.reshaped(self._in_parts(s, x, reverse, join), result)
        together, left = rows // TOGETHER, rows % TOGETHER
        found = self._tensor.empty(flat)
        for count, first, size in ((together, 0, TOGETHER), (1, together * TOGETHER, left)):
            if count * size:
                found = _rows(s, x, found, n, (count, first, size), reverse, join)
        return self._tensor.reshaped(found, result)

    def _in_parts(self, s: Scalars, x: Any, reverse: bool, join: Callable[[Any, Any], Any]) -> Any:
        """Sums of few long rows: of parts of a row together, which begin at the sums of the parts before them."""
        t = type_of(x)
        rows, n = t.shape
        extent = n // TOGETHER
        left = n - extent * TOGETHER  # the elements that are in no part, the last ones to be added
        start = left if reverse else 0
        found = self._tensor.empty(t)
        for row in range(rows):
            cut = t.with_shape((TOGETHER, extent))
            there = self._tensor.slice(x, [row, start], [1, 1], t.with_shape((1, TOGETHER * extent)))
            parts = self._tensor.reshaped(there, cut)
            sums = self._reduction.sum(parts, [1], t.with_shape((TOGETHER,)))
            before: list[Any] = [None] * TOGETHER
            total = None
            for part in reversed(range(TOGETHER)) if reverse else range(TOGETHER):
                before[part] = total
                element = s.op("tensor.extract", sums, index(part))
                total = element if total is None else join(total, element)
            done = _rows(s, parts, self._tensor.empty(cut), extent, (1, 0, TOGETHER), reverse, join, before)
            done = self._tensor.reshaped(done, t.with_shape((1, TOGETHER * extent)))
            found = self._tensor.inserted(done, found, [row, start], t)
            for k in range(left):
                at = left - 1 - k if reverse else TOGETHER * extent + k
                position = [index(row), index(at)]
                total = join(total, s.op("tensor.extract", x, *position))
                found = s.op("tensor.insert", total, found, *position, type=found.type)
        return found


def _rows(
    s: Scalars,
    x: Any,
    out: Any,
    n: int,
    groups: tuple[int, int, int],
    reverse: bool,
    join: Callable[[Any, Any], Any],
    before: Sequence[Any] = (),
) -> Any:
    """`out` with what becomes of `count` groups of `size` rows, from row `first` on; they are `groups`.

    `before` are totals from which the rows of a group begin, None for those that begin at their first element.
    """
    count, first, size = groups

    def group(b: Any, carried: Carried) -> Sequence[Any]:
        start = _calculated("arith.muli", b, index(size))
        rows = [_calculated("arith.addi", start, index(first + g)) for g in range(size)]
        at = index(n - 1 if reverse else 0)
        totals: list[Any] = []
        (out,) = carried
        for g, row in enumerate(rows):
            element = s.op("tensor.extract", x, row, at)
            given = before[g] if before else None
            totals.append(element if given is None else join(given, element))
            out = s.op("tensor.insert", totals[g], out, row, at, type=out.type)

        def step(i: Any, carried: Carried) -> Sequence[Any]:
            out, *totals = carried
            at = _calculated("arith.subi", index(n - 1), i) if reverse else i
            for g, row in enumerate(rows):
                totals[g] = join(totals[g], s.op("tensor.extract", x, row, at))
                out = s.op("tensor.insert", totals[g], out, row, at, type=out.type)
            return [out, *totals]

        return [for_loop(index(1), index(n), (out, *totals), step)[0]]

    return for_loop(index(0), index(count), (out,), group)[0]


def _along_rows(s: Scalars, x: Any, whole: TensorType, reverse: bool, join: Callable[[Any, Any], Any], out: Any) -> Any:
    """Along the middle axis of three: a row of the last one at a time, each joined with the one before it."""
    rows, n, inner = whole.shape

    def row(r: Any, carried: Carried) -> Sequence[Any]:
        at = index(n - 1 if reverse else 0)

        def begin(j: Any, carried: Carried) -> Sequence[Any]:
            element = s.op("tensor.extract", x, r, at, j)
            return [s.op("tensor.insert", element, carried[0], r, at, j, type=carried[0].type)]

        def step(i: Any, carried: Carried) -> Sequence[Any]:
            here = _calculated("arith.subi", index(n - 1), i) if reverse else i
            before = _calculated("arith.addi" if reverse else "arith.subi", here, index(1))

            def one(j: Any, carried: Carried) -> Sequence[Any]:
                total = s.op("tensor.extract", carried[0], r, before, j)
                total = join(total, s.op("tensor.extract", x, r, here, j))
                return [s.op("tensor.insert", total, carried[0], r, here, j, type=carried[0].type)]

            return for_loop(index(0), index(inner), carried, one)

        first = for_loop(index(0), index(inner), carried, begin)
        return for_loop(index(1), index(n), first, step)

    return for_loop(index(0), index(rows), (out,), row)[0]


def _calculated(name: str, x: Any, y: Any) -> Any:
    """Arithmetic on indices."""
    return ir.Operation.create(name, results=[ir.IndexType.get()], operands=[x, y]).result
