"""Reductions over axes. Sums are in blocks under strict numerics, else in any order. docs/semantics.md, Sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from mlir import ir

from ...ir import DType, TensorType
from .emission import Emission
from .linalg_ops import LinalgOps
from .scalars import Scalars
from .tensor_ops import TensorOps
from .tensors import mlir_type, type_of

SUM_BLOCK = 128
"""The terms in one block of a float sum in strict numerics; see docs/semantics.md, Sums."""

POSITIONS = 1024
"""The most positions along an axis that are in one constant."""


class Reductions:
    """`e.reduction`."""

    def __init__(self, emission: Emission, tensor: TensorOps, linalg: LinalgOps, numerics: str) -> None:
        self._emission, self._tensor, self._linalg = emission, tensor, linalg
        self._numerics = numerics

    def sum(self, x: Any, axes: Sequence[int], result: TensorType) -> Any:
        """Sum over `axes` (ascending), in any order unless numerics are strict: docs/semantics.md, Sums."""
        if not axes:
            return x
        if not result.dtype.is_float or self._numerics != "strict" or not type_of(x).size:
            return self._tensor.reshaped(self._summed(x, axes, in_order=False), result)
        for axis in reversed(axes):
            while type_of(x).shape[axis] > SUM_BLOCK:
                x = self._block_sums(x, axis)
            x = self._summed(x, [axis])
        return self._tensor.reshaped(x, result)

    def reduced(self, kind: str, x: Any, axes: Sequence[int], result: TensorType) -> Any:
        """Elements along `axes` (ascending) joined by a kind: max, min, prod. The neutral number over nothing."""
        if not axes:
            return x
        s = Scalars(result.dtype)
        joined = self._reduction(x, axes, s.neutral(kind), lambda acc, element: s.joined(kind, acc, element))
        return self._tensor.reshaped(joined, result)

    def arg_extreme(self, kind: str, x: Any, axis: int, result: TensorType) -> Any:
        """The position along an axis of the first element that is the extreme, max or min, or NaN.

        Long axes are in blocks, so that the constants with the positions are short.
        """
        t = self._emission.type(x)
        v = Scalars(t.dtype)
        extreme = self._reduction(x, [axis], v.neutral(kind), lambda acc, element: v.joined(kind, acc, element))
        n = t.shape[axis]
        i = Scalars(DType.I32 if n <= Scalars(DType.I32).largest else DType.I64)
        found = [
            self._first(self._cut(x, axis, start, prod(blocks)), extreme, axis, blocks, start, i)
            for start, blocks in _in_blocks(n)
        ]
        first = found[0]
        for other in found[1:]:
            first = self._linalg.map(lambda s, a, b: s.minimum(a, b), (first, other), type_of(first))
        first = self._tensor.reshaped(first, TensorType(i.dtype, result.shape))
        return self._linalg.map(lambda s, k: k if i.dtype is s.dtype else s.op("arith.extsi", k), (first,), result)

    def _first(self, x: Any, extreme: Any, axis: int, blocks: Sequence[int], start: int, i: Scalars) -> Any:
        """The first position, counted from `start`, at which `x` is the extreme or NaN; the largest number if none."""
        t, rank = type_of(x), len(blocks)
        before, after = t.shape[:axis], t.shape[axis + 1 :]
        v = Scalars(t.dtype)
        x = self._tensor.reshaped(x, t.with_shape((*before, *blocks, *after)))
        extreme = self._tensor.reshaped(extreme, t.with_shape((*before, *[1] * rank, *after)))
        steps = [
            self._positions(
                i, 0 if k else start, extent, prod(blocks[k + 1 :]), (extent, *[1] * (rank - 1 - k), *[1] * len(after))
            )
            for k, extent in enumerate(blocks)
        ]

        def position(s: Scalars, element: Any, extreme: Any, first: Any, *more: Any) -> Any:
            reached = v.equal(element, extreme)
            if v.is_float:
                reached = v.either(reached, v.unordered(element, element))
            at = first
            for step in more:
                at = s.add(at, step)
            return s.select(reached, at, s.number(s.largest))

        positions = self._linalg.map(position, (x, extreme, *steps), TensorType(i.dtype, type_of(x).shape))
        axes = range(axis, axis + rank)
        return self._reduction(positions, axes, i.largest, lambda acc, k: i.minimum(acc, k))

    def _positions(self, i: Scalars, start: int, count: int, step: int, shape: tuple[int, ...]) -> Any:
        """`count` numbers from `start`, `step` apart."""
        flat = TensorType(i.dtype, (count,))
        numbers = ", ".join(str(start + n * step) for n in range(count))
        value = ir.Attribute.parse(f"dense<[{numbers}]> : {mlir_type(flat)}")
        made = self._emission.create("arith.constant", [], flat, {"value": value}).result
        return self._tensor.reshaped(made, flat.with_shape(shape))

    def _block_sums(self, x: Any, axis: int) -> Any:
        """The sum of every block of 128 along `axis`, whose new extent is the number of blocks."""
        t = type_of(x)
        n = t.shape[axis]

        def with_extent(*extents: int) -> TensorType:
            return t.with_shape(t.shape[:axis] + extents + t.shape[axis + 1 :])

        blocks, rest = divmod(n, SUM_BLOCK)
        whole = x if not rest else self._cut(x, axis, 0, blocks * SUM_BLOCK)
        sums = self._summed(self._tensor.reshaped(whole, with_extent(blocks, SUM_BLOCK)), [axis + 1])
        if not rest:
            return sums
        last = self._tensor.reshaped(self._summed(self._cut(x, axis, blocks * SUM_BLOCK, rest), [axis]), with_extent(1))
        out = with_extent(blocks + 1)
        start = [0] * t.rank
        joined = self._tensor.inserted(sums, self._tensor.empty(out), start, out)
        start[axis] = blocks
        return self._tensor.inserted(last, joined, start, out)

    def _cut(self, x: Any, axis: int, start: int, extent: int) -> Any:
        t = type_of(x)
        starts = [start if i == axis else 0 for i in range(t.rank)]
        return self._tensor.slice(
            x, starts, [1] * t.rank, t.with_shape(t.shape[:axis] + (extent,) + t.shape[axis + 1 :])
        )

    def _summed(self, x: Any, axes: Sequence[int], in_order: bool = True) -> Any:
        """Sums from zero. Unless in order, additions of floats carry `reassoc`."""
        s = Scalars(type_of(x).dtype)
        if in_order or not s.is_float:
            add = s.add
        else:
            flags = ir.Attribute.parse("#arith.fastmath<reassoc>")
            add = partial(s.op, "arith.addf", fastmath=flags)
        return self._reduction(x, axes, 0, add)

    def _reduction(self, x: Any, axes: Sequence[int], initial: float, join: Callable[[Any, Any], Any]) -> Any:
        """`linalg.reduce` from an initial value, which removes the axes; `join` gets what there is, and an element."""
        t = type_of(x)
        out = t.with_shape(tuple(n for i, n in enumerate(t.shape) if i not in axes))
        init = self._linalg.filled(out, initial)
        if not t.size:
            return init  # nothing to join
        made = self._emission.create(
            "linalg.reduce", [x, init], out, {"dimensions": ir.DenseI64ArrayAttr.get(list(axes))}, 1
        )
        s = Scalars(t.dtype)
        self._linalg.body(made, [s.type] * 2, lambda element, acc: join(acc, element))
        return made.result


def _in_blocks(n: int) -> list[tuple[int, tuple[int, ...]]]:
    """`n` positions as few rows: where each begins, and the extents, none above POSITIONS, as which it is cut."""
    depth = 1
    while POSITIONS ** (depth + 1) <= n:
        depth += 1
    parts, start = [], 0
    for d in range(depth, -1, -1):
        if count := (n - start) // POSITIONS**d:
            parts.append((start, (count, *[POSITIONS] * d) if d else (1, count)))
            start += count * POSITIONS**d
    return parts
