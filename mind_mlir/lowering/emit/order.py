"""Emits loops that sort, and that find the largest elements.

Sorting counts digits, from the lowest to the highest (Knuth, The Art of Computer Programming 3, 5.2.5, Algorithm R): a
pass moves every element to the next free position of its digit, so equal elements keep their order, and what is done
depends on the number of elements alone. Elements are compared by keys, unsigned integers in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir

from ...ir import DType, TensorType
from .element_loops import (
    Carried,
    above,
    added,
    element_at,
    for_loop,
    loop_nest,
    many_if,
    predicate,
    put_element,
    times,
)
from .emission import Emission
from .radix import Along, Passes, with_special
from .rows import index
from .scalars import Scalars
from .sort_keys import dtype_of, key_dtype, key_of, of_key
from .tensor_ops import TensorOps
from .tensors import type_of

BLOCK = 64
"""Elements that are compared with the least of the largest ones at once."""

INSERTED = 128
"""The most elements that are kept in order one by one; more are sorted."""


class Order:
    """`e.order`."""

    def __init__(self, emission: Emission, tensor: TensorOps) -> None:
        self._emission, self._tensor = emission, tensor

    def sorted(self, parts: Sequence[Any], axis: int, descending: bool) -> tuple[Any, ...]:
        """Every part in the order of the first one's elements along `axis`."""
        self._emission.is_repeatable = False  # the loops read parts, which are not among their operands
        if len(parts) == 1:
            return (self._sorted_values(parts[0], axis, descending),)
        order = self.arg_sorted(parts[0], axis, descending)
        return tuple([self._taken(part, order, axis) for part in parts])

    def arg_sorted(self, x: Any, axis: int, descending: bool) -> Any:
        """The indices along `axis` in the order of the elements, i64."""
        self._emission.is_repeatable = False
        t = self._emission.type(x)
        out = self._tensor.empty(TensorType(DType.I64, t.shape))
        i = Scalars(DType.I64)

        def row(n: int, along: Along, carried: Carried) -> Carried:
            out, rooms = carried[0], carried[1:]
            found = Passes(t.dtype, n, descending)
            rooms = found.counted(rooms, lambda k: element_at(x, along(k)))[0]

            def put(out: Any, _: Any, at: Any, to: Any) -> Any:
                return put_element(i.op("arith.extsi", at), out, along(to))

            return found.moved(rooms, out, put)

        return self._rows(t, axis, out, row, DType.I32)

    def _sorted_values(self, x: Any, axis: int, descending: bool) -> Any:
        """The elements in order: found by their keys, from which all but NaNs and -0.0 are known again."""
        t = self._emission.type(x)

        def row(n: int, along: Along, carried: Carried) -> Carried:
            out, rooms = carried[0], carried[1:]
            found = Passes(t.dtype, n, descending)
            rooms, special = found.counted(rooms, lambda k: element_at(x, along(k)))

            def put(out: Any, key: Any, _: Any, to: Any) -> Any:
                return put_element(of_key(key, t.dtype, descending), out, along(to))

            out, *rest = found.moved(rooms, out, put)
            if t.dtype.is_float:
                out = with_special(x, out, along, n, descending, special)
            return (out, *rest)

        return self._rows(t, axis, self._tensor.empty(t), row, None)

    def _rows(self, t: TensorType, axis: int, out: Any, row: Callable[..., Carried], indices: DType | None) -> Any:
        """`row` for the elements along `axis`, at every position of the others; with memory to count and to move."""
        n = t.shape[axis]
        if not t.size:
            return out
        found = Passes(t.dtype, n, False)
        kinds = [key_dtype(t.dtype), *([indices] if indices else [])]
        rooms = [self._tensor.empty(TensorType(d, (n,))) for _ in range(2) for d in kinds]
        counts = self._tensor.empty(TensorType(DType.I32, found.table))
        others = tuple([extent for a, extent in enumerate(t.shape) if a != axis])

        def at_row(at: Carried, carried: Carried) -> Carried:
            return row(n, lambda k: (*at[:axis], k, *at[axis:]), carried)

        return loop_nest(others, (out, counts, *rooms), at_row)[0]

    def _taken(self, x: Any, order: Any, axis: int) -> Any:
        """The elements at these indices along an axis."""
        t, i = TensorType(self._emission.type(x).dtype, type_of(order).shape), Scalars(DType.I64)
        if not t.size:
            return self._tensor.empty(t)

        def move(at: Carried, carried: Carried) -> Carried:
            k = i.to_index(element_at(order, at))
            return (put_element(element_at(x, (*at[:axis], k, *at[axis + 1 :])), carried[0], at),)

        return loop_nest(t.shape, (self._tensor.empty(t),), move)[0]

    def largest(self, x: Any, k: int) -> tuple[Any, Any]:
        """The `k` largest elements along the last axis, and their indices."""
        t = self._emission.type(x)
        shape = (*t.shape[:-1], k)
        types = t.with_shape(shape), TensorType(DType.I64, shape)
        if not t.size or not k:
            return self._tensor.empty(types[0]), self._tensor.empty(types[1])
        if k > INSERTED:
            order = self.arg_sorted(x, t.rank - 1, descending=True)
            order = self._tensor.slice(order, [0] * t.rank, [1] * t.rank, types[1])
            return self._taken(x, order, t.rank - 1), order
        return self._kept_in_order(x, k, *types)

    # The largest

    def _kept_in_order(self, x: Any, k: int, values: TensorType, indices: TensorType) -> tuple[Any, Any]:
        """The largest so far, in descending order; a later element is put among them if it is larger than the last."""
        self._emission.is_repeatable = False  # the loops read `x`
        t = self._emission.type(x)
        n, keys = t.shape[-1], key_dtype(t.dtype)
        best = self._tensor.empty(TensorType(keys, (k,)))
        where = self._tensor.empty(TensorType(DType.I64, (k,)))
        u, i = Scalars(keys), Scalars(DType.I64)

        def row(at: Carried, carried: Carried) -> Carried:
            def key(p: Any) -> Any:
                return key_of(element_at(x, (*at, p)), t.dtype, False)

            def first(p: Any, carried: Carried) -> Carried:
                found, at = key(p), i.from_index(p)
                best, where, found, at = _inserted(found, at, carried, p)
                return put_element(found, best, (p,)), put_element(at, where, (p,))

            best, where = for_loop(index(0), index(k), carried[:2], first)

            def scan(first: Any, size: int, carried: Carried) -> Carried:
                least = element_at(carried[0], (index(k - 1),))
                top = for_loop(
                    index(0),
                    index(size),
                    (u.number(0),),
                    lambda j, c: (u.op("arith.maxui", c[0], key(added(first, j))),),
                )[0]

                def each(j: Any, carried: Carried) -> Carried:
                    p = added(first, j)
                    found = key(p)
                    is_above = above(found, element_at(carried[0], (index(k - 1),)))
                    return _inserted(found, i.from_index(p), carried, many_if(is_above, k))[:2]

                return for_loop(index(0), many_if(above(top, least), size), carried, each)

            blocks, rest = divmod(n - k, BLOCK)

            def block(b: Any, carried: Carried) -> Carried:
                return scan(added(index(k), times(b, BLOCK)), BLOCK, carried)

            best, where = for_loop(index(0), index(blocks), (best, where), block)
            if rest:
                best, where = scan(index(k + blocks * BLOCK), rest, (best, where))

            def put(j: Any, outs: Carried) -> Carried:
                p = element_at(where, (j,))
                return put_element(element_at(x, (*at, i.to_index(p))), outs[0], (*at, j)), put_element(
                    p, outs[1], (*at, j)
                )

            return (best, where, *for_loop(index(0), index(k), carried[2:], put))

        outs = self._tensor.empty(values), self._tensor.empty(indices)
        found = loop_nest(t.shape[:-1], (best, where, *outs), row)
        return found[2], found[3]


def _inserted(key: Any, at: Any, carried: Carried, count: Any) -> Carried:
    """A key and its index put among `count` in descending order, after those that are equal; and what is last then."""
    u, i = Scalars(dtype_of(key)), Scalars(DType.I64)
    bit = Scalars(DType.I32)

    def step(j: Any, c: Carried) -> Carried:
        best, where, key, at, is_in = c
        old, old_at = element_at(best, (j,)), element_at(where, (j,))
        is_in = bit.op("arith.ori", is_in, bit.from_condition(above(key, old)))
        here = bit.op("arith.cmpi", is_in, bit.number(0), type=ir.IntegerType.get_signless(1), predicate=predicate(1))
        best = put_element(u.select(here, key, old), best, (j,))
        where = put_element(i.select(here, at, old_at), where, (j,))
        return best, where, u.select(here, old, key), i.select(here, old_at, at), is_in

    return for_loop(index(0), count, (*carried, key, at, bit.number(0)), step)[:4]
