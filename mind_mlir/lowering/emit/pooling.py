"""Windows that move over a tensor: their elements joined, or one of them picked or added to. docs/semantics.md.

Windows of few elements are one formula over slices of the tensor, one for each position in a window. Of others, whose
formula would be long, neighbours are joined axis by axis in pairs, then pairs of pairs, and so on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from mlir import ir

from ...ir import TensorType
from .emission import Emission
from .linalg_ops import LinalgOps
from .scalars import Scalars
from .tensor_ops import TensorOps
from .tensors import mlir_type, type_of

FEW = 16
"""The most elements of a window that are joined by one formula."""

Ints = Sequence[int]

Part = tuple[Any, ...]
"""What elements have become: the value, and its position in the window where that is wanted."""


class Windows:
    """`e.window`. `window`, `strides`, `low`, `high` and `dilation` have an entry for each axis."""

    def __init__(self, emission: Emission, tensor: TensorOps, linalg: LinalgOps) -> None:
        self._emission, self._tensor, self._linalg = emission, tensor, linalg

    def pooled(
        self,
        kind: str,
        x: Any,
        window: Ints,
        strides: Ints,
        low: Ints,
        high: Ints,
        dilation: Ints,
        result: TensorType,
    ) -> Any:
        """The elements of each window joined by a kind of reduction, in the order of docs/semantics.md, Windows."""
        s = Scalars(result.dtype)
        x = self._padded(x, low, high, s.neutral(kind))
        if prod(window) <= FEW:
            slices = self._slices(x, window, strides, dilation, result)

            def formula(s: Scalars, *elements: Any) -> Any:
                return _tree(elements, window, lambda a, b: s.joined(kind, a, b))

            return slices[0] if len(slices) == 1 else self._linalg.map(formula, slices, result)
        for axis in reversed(range(len(window))):
            (x,) = self._along(axis, (x,), window, strides, dilation, lambda a, b, _: (self._join(kind, a[0], b[0]),))
        return x

    def _join(self, kind: str, a: Any, b: Any) -> Any:
        return self._linalg.map(lambda s, x, y: s.joined(kind, x, y), (a, b), type_of(a))

    def arg_max(
        self, x: Any, window: Ints, strides: Ints, low: Ints, high: Ints, dilation: Ints, result: TensorType
    ) -> Any:
        """The position in each window of its first largest element, in row-major order."""
        values = Scalars(self._emission.type(x).dtype)
        x = self._padded(x, low, high, values.neutral("max"))
        if prod(window) <= FEW:
            slices = self._slices(x, window, strides, dilation, result)

            def formula(s: Scalars, *elements: Any) -> Any:
                pairs = [(v, s.number(n)) for n, v in enumerate(elements)]
                _, found = _tree(pairs, window, lambda a, b: _larger(values, s, a, b))
                return found

            return self._linalg.map(formula, slices, result)

        def join(a: Part, b: Part, distance: int) -> Part:
            return self._larger_of(values, a, b, distance)

        parts: Part = (x, self._linalg.filled(TensorType(result.dtype, type_of(x).shape), 0))
        apart = 1
        for axis in reversed(range(len(window))):
            parts = self._along(axis, parts, window, strides, dilation, join, apart)
            apart *= window[axis]
        return parts[1]

    def _larger_of(self, v: Scalars, a: Part, b: Part, distance: int) -> Part:
        values, at = type_of(a[0]), type_of(a[1])

        def position(s: Scalars, x: Any, i: Any, y: Any, j: Any) -> Any:
            return _larger(v, s, (x, i), (y, s.add(j, s.number(distance))))[1]

        value = self._linalg.map(lambda s, x, y: _larger(v, s, (x, x), (y, y))[0], (a[0], b[0]), values)
        return value, self._linalg.map(position, (*a, *b), at)

    def _along(
        self,
        axis: int,
        parts: Part,
        window: Ints,
        strides: Ints,
        dilation: Ints,
        join: Callable[[Part, Part, int], Part],
        apart: int = 1,
    ) -> Part:
        """The elements of each window along one axis as one; `join` gets their distance times `apart`, too."""
        step = dilation[axis]
        extent = type_of(parts[0]).shape[axis]
        spans = {1: parts}

        def span(n: int) -> Part:
            if n not in spans:
                p = _half(n)
                first, other = span(p), span(n - p)
                left = extent - (n - 1) * step
                head = tuple(self._cut(x, axis, 0, left) for x in first)
                spans[n] = join(head, tuple(self._cut(x, axis, p * step, left) for x in other), p * apart)
            return spans[n]

        count = (extent - (window[axis] - 1) * step - 1) // strides[axis] + 1
        return tuple(self._cut(x, axis, 0, count, strides[axis]) for x in span(window[axis]))

    def _cut(self, x: Any, axis: int, start: int, extent: int, step: int = 1) -> Any:
        t = type_of(x)
        starts, steps, shape = [0] * t.rank, [1] * t.rank, list(t.shape)
        starts[axis], steps[axis], shape[axis] = start, step, extent
        return self._tensor.slice(x, starts, steps, t.with_shape(tuple(shape)))

    # One element of each window

    def gathered(
        self,
        x: Any,
        indices: Any,
        window: Ints,
        strides: Ints,
        low: Ints,
        high: Ints,
        dilation: Ints,
        result: TensorType,
    ) -> Any:
        """The element of each window at its position; the nearest position where there is none."""
        x = self._padded(x, low, high, 0)
        kinds = ["parallel"] * result.rank + ["reduction"] * result.rank
        elements, windows, numbers = self._loops(strides, dilation)
        i, s = Scalars(type_of(indices).dtype), Scalars(result.dtype)

        def body(element: Any, index: Any, number: Any, found: Any) -> Any:
            return s.select(i.equal(_nearest(i, index, prod(window)), number), element, found)

        inputs = (x, indices, self._numbers(i, window))
        return self._linalg.generic(
            [elements, windows, numbers, windows], kinds, inputs, self._linalg.filled(result, 0), result, body
        )

    def scattered(
        self,
        updates: Any,
        indices: Any,
        window: Ints,
        strides: Ints,
        low: Ints,
        high: Ints,
        dilation: Ints,
        result: TensorType,
    ) -> Any:
        """Zeros, with updates added to the element of each window at its position, in row-major order of windows."""
        padded = result.with_shape(tuple(l + n + h for l, n, h in zip(low, result.shape, high)))
        zeros = self._linalg.filled(padded, 0)
        if not type_of(updates).size:
            return self._tensor.slice(zeros, low, [1] * result.rank, result)
        alone = ["parallel" if n == 1 else "reduction" for n in window]
        elements, windows, numbers = self._loops(strides, dilation)
        i, s = Scalars(type_of(indices).dtype), Scalars(result.dtype)

        def body(update: Any, index: Any, number: Any, total: Any) -> Any:
            return s.select(i.equal(_nearest(i, index, prod(window)), number), s.add(total, update), total)

        inputs = (updates, indices, self._numbers(i, window))
        maps = [windows, windows, numbers, elements]
        added = self._linalg.generic(maps, alone + ["reduction"] * result.rank, inputs, zeros, padded, body)
        return self._tensor.slice(added, low, [1] * result.rank, result)

    def _loops(self, strides: Ints, dilation: Ints) -> tuple[Any, Any, Any]:
        """Over windows and positions in them: the indices of elements, of windows, and of positions."""
        rank = len(strides)
        dims = [ir.AffineDimExpr.get(d) for d in range(2 * rank)]
        first, within = dims[:rank], dims[rank:]
        elements = [o * s + k * d for o, s, k, d in zip(first, strides, within, dilation)]
        return tuple(ir.AffineMap.get(2 * rank, 0, list(indices)) for indices in (elements, first, within))  # type: ignore[return-value]

    def _numbers(self, i: Scalars, window: Ints) -> Any:
        """The numbers of the positions in a window, in row-major order."""
        t = TensorType(i.dtype, tuple(window))
        count = ", ".join(map(str, range(t.size)))
        flat = TensorType(i.dtype, (t.size,))
        value = ir.Attribute.parse(f"dense<[{count}]> : {mlir_type(flat)}")
        return self._tensor.reshaped(self._emission.create("arith.constant", [], flat, {"value": value}).result, t)

    # Parts

    def _padded(self, x: Any, low: Ints, high: Ints, value: float) -> Any:
        t = type_of(x)
        out = t.with_shape(tuple(l + n + h for l, n, h in zip(low, t.shape, high)))
        if out == t:
            return x
        around = self._linalg.filled(out, value)
        return self._tensor.inserted(x, around, low, out) if t.size else around

    def _slices(self, x: Any, window: Ints, strides: Ints, dilation: Ints, result: TensorType) -> list[Any]:
        """For each position in a window, in row-major order, the elements there of all windows."""
        t = type_of(x).with_shape(result.shape)
        found = []
        for position in itertools.product(*map(range, window)):
            starts = [k * d for k, d in zip(position, dilation)]
            found.append(self._tensor.slice(x, starts, strides, t))
        return found


def _nearest(i: Scalars, index: Any, count: int) -> Any:
    """The position in a window of `count` elements that is nearest to an index."""
    last = i.number(min(count - 1, i.largest))
    return i.minimum(i.maximum(index, i.number(0)), last)


def _half(n: int) -> int:
    """How many of n elements are joined first: the largest power of 2 below n."""
    return 1 << (n - 1).bit_length() - 1


def _tree(items: Sequence[Any], window: Ints, join: Callable[[Any, Any], Any]) -> Any:
    """The elements of a window, in row-major order, as one: axis by axis, from the last to the first."""
    found = list(items)
    for n in reversed(window):
        found = [_joined(found[at : at + n], join) for at in range(0, len(found), n)]
    return found[0]


def _joined(items: Sequence[Any], join: Callable[[Any, Any], Any]) -> Any:
    if len(items) == 1:
        return items[0]
    p = _half(len(items))
    return join(_joined(items[:p], join), _joined(items[p:], join))


def _larger(v: Scalars, s: Scalars, a: Part, b: Part) -> Part:
    """Of two values with their positions the first, unless the other is larger, or is NaN and the first is not."""
    later = v.greater(b[0], a[0])
    if v.is_float:
        later = v.either(later, v.both(v.unordered(b[0], b[0]), v.equal(a[0], a[0])))
    return v.select(later, b[0], a[0]), s.select(later, b[1], a[1])
