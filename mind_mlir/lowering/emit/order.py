"""Emits loops that sort, and that find the largest elements.

Sorting counts digits, from the lowest to the highest (Knuth, The Art of Computer Programming 3, 5.2.5, Algorithm R): a
pass moves every element to the next free position of its digit, so equal elements keep their order, and what is done
depends on the number of elements alone. Elements are compared by keys, unsigned integers in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from mlir import ir

from ...ir import DType, TensorType
from .emission import Emission
from .rows import index
from .scalars import Scalars
from .tensor_ops import TensorOps
from .tensors import type_of

DIGITS = range(2, 17)
"""The bits that a digit may have; the counters of one with 16 take 256 KB."""

BLOCK = 64
"""Elements that are compared with the least of the largest ones at once."""

INSERTED = 128
"""The most elements that are kept in order one by one; more are sorted."""

Carried = tuple[Any, ...]
Along = Callable[[Any], Carried]
"""The position of the element of that number along an axis."""


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
            found = _Passes(t.dtype, n, descending)
            rooms = found.counted(rooms, lambda k: _element(x, along(k)))[0]

            def put(out: Any, _: Any, at: Any, to: Any) -> Any:
                return _put(i.op("arith.extsi", at), out, along(to))

            return found.moved(rooms, out, put)

        return self._rows(t, axis, out, row, DType.I32)

    def _sorted_values(self, x: Any, axis: int, descending: bool) -> Any:
        """The elements in order: found by their keys, from which all but NaNs and -0.0 are known again."""
        t = self._emission.type(x)

        def row(n: int, along: Along, carried: Carried) -> Carried:
            out, rooms = carried[0], carried[1:]
            found = _Passes(t.dtype, n, descending)
            rooms, special = found.counted(rooms, lambda k: _element(x, along(k)))

            def put(out: Any, key: Any, _: Any, to: Any) -> Any:
                return _put(_of_key(key, t.dtype, descending), out, along(to))

            out, *rest = found.moved(rooms, out, put)
            if t.dtype.is_float:
                out = _with_special(x, out, along, n, descending, special)
            return (out, *rest)

        return self._rows(t, axis, self._tensor.empty(t), row, None)

    def _rows(self, t: TensorType, axis: int, out: Any, row: Callable[..., Carried], indices: DType | None) -> Any:
        """`row` for the elements along `axis`, at every position of the others; with memory to count and to move."""
        n = t.shape[axis]
        if not t.size:
            return out
        found = _Passes(t.dtype, n, False)
        kinds = [_key_dtype(t.dtype), *([indices] if indices else [])]
        rooms = [self._tensor.empty(TensorType(d, (n,))) for _ in range(2) for d in kinds]
        counts = self._tensor.empty(TensorType(DType.I32, found.table))
        others = tuple([extent for a, extent in enumerate(t.shape) if a != axis])

        def at_row(at: Carried, carried: Carried) -> Carried:
            return row(n, lambda k: (*at[:axis], k, *at[axis:]), carried)

        return _nest(others, (out, counts, *rooms), at_row)[0]

    def _taken(self, x: Any, order: Any, axis: int) -> Any:
        """The elements at these indices along an axis."""
        t, i = TensorType(self._emission.type(x).dtype, type_of(order).shape), Scalars(DType.I64)
        if not t.size:
            return self._tensor.empty(t)

        def move(at: Carried, carried: Carried) -> Carried:
            k = i.to_index(_element(order, at))
            return (_put(_element(x, (*at[:axis], k, *at[axis + 1 :])), carried[0], at),)

        return _nest(t.shape, (self._tensor.empty(t),), move)[0]

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
        n, key_dtype = t.shape[-1], _key_dtype(t.dtype)
        best = self._tensor.empty(TensorType(key_dtype, (k,)))
        where = self._tensor.empty(TensorType(DType.I64, (k,)))
        u, i = Scalars(key_dtype), Scalars(DType.I64)

        def row(at: Carried, carried: Carried) -> Carried:
            def key(p: Any) -> Any:
                return _key(_element(x, (*at, p)), t.dtype, False)

            def first(p: Any, carried: Carried) -> Carried:
                found, at = key(p), i.from_index(p)
                best, where, found, at = _inserted(found, at, carried, p)
                return _put(found, best, (p,)), _put(at, where, (p,))

            best, where = _loop(index(0), index(k), carried[:2], first)

            def scan(first: Any, size: int, carried: Carried) -> Carried:
                least = _element(carried[0], (index(k - 1),))
                top = _loop(
                    index(0),
                    index(size),
                    (u.number(0),),
                    lambda j, c: (u.op("arith.maxui", c[0], key(_added(first, j))),),
                )[0]

                def each(j: Any, carried: Carried) -> Carried:
                    p = _added(first, j)
                    found = key(p)
                    above = _above(found, _element(carried[0], (index(k - 1),)))
                    return _inserted(found, i.from_index(p), carried, _many_if(above, k))[:2]

                return _loop(index(0), _many_if(_above(top, least), size), carried, each)

            blocks, rest = divmod(n - k, BLOCK)

            def block(b: Any, carried: Carried) -> Carried:
                return scan(_added(index(k), _times(b, BLOCK)), BLOCK, carried)

            best, where = _loop(index(0), index(blocks), (best, where), block)
            if rest:
                best, where = scan(index(k + blocks * BLOCK), rest, (best, where))

            def put(j: Any, outs: Carried) -> Carried:
                p = _element(where, (j,))
                return _put(_element(x, (*at, i.to_index(p))), outs[0], (*at, j)), _put(p, outs[1], (*at, j))

            return (best, where, *_loop(index(0), index(k), carried[2:], put))

        outs = self._tensor.empty(values), self._tensor.empty(indices)
        found = _nest(t.shape[:-1], (best, where, *outs), row)
        return found[2], found[3]


def _inserted(key: Any, at: Any, carried: Carried, count: Any) -> Carried:
    """A key and its index put among `count` in descending order, after those that are equal; and what is last then."""
    u, i = Scalars(_dtype(key)), Scalars(DType.I64)
    bit = Scalars(DType.I32)

    def step(j: Any, c: Carried) -> Carried:
        best, where, key, at, is_in = c
        old, old_at = _element(best, (j,)), _element(where, (j,))
        is_in = bit.op("arith.ori", is_in, bit.from_condition(_above(key, old)))
        here = bit.op("arith.cmpi", is_in, bit.number(0), type=ir.IntegerType.get_signless(1), predicate=_predicate(1))
        best = _put(u.select(here, key, old), best, (j,))
        where = _put(i.select(here, at, old_at), where, (j,))
        return best, where, u.select(here, old, key), i.select(here, old_at, at), is_in

    return _loop(index(0), count, (*carried, key, at, bit.number(0)), step)[:4]


# Keys


def _key_dtype(dtype: DType) -> DType:
    return DType.I32 if dtype.width <= 4 else DType.I64


def _bits(dtype: DType) -> int:
    """How many bits of a key differ."""
    return dtype.bits


def _key(x: Any, dtype: DType, descending: bool) -> Any:
    """An unsigned integer in the order of the elements: zeros are equal, and NaN is above all numbers."""
    s, u, width = Scalars(dtype), Scalars(_key_dtype(dtype)), _bits(dtype)
    sign = 1 << (width - 1)
    if s.is_float:
        n = Scalars(_integer_of(dtype))
        bits = n.op("arith.bitcast", x)
        bits = n.select(s.equal(x, s.number(0.0)), n.number(0), bits)
        flips = n.op("arith.ori", n.op("arith.shrsi", bits, n.number(width - 1)), n.number(-sign))
        key = n.op("arith.xori", bits, flips)
        key = n.select(s.unordered(x, x), n.number(-1), key)
    else:
        n = s
        key = n.op("arith.xori", x, n.number(sign)) if dtype.is_signed else x
    if descending:
        key = n.op("arith.xori", key, n.number(-1))
    return key if n.bits == u.bits else u.op("arith.extui", key)


def _of_key(key: Any, dtype: DType, descending: bool) -> Any:
    """The element that has a key."""
    s, width = Scalars(dtype), _bits(dtype)
    n = Scalars(_integer_of(dtype)) if s.is_float else s
    if _dtype(key).bits > n.bits:
        key = n.op("arith.trunci", key)
    if descending:
        key = n.op("arith.xori", key, n.number(-1))
    if not s.is_float:
        return n.op("arith.xori", key, n.number(n.smallest)) if dtype.is_signed else key
    flips = n.op(
        "arith.ori",
        n.op("arith.shrsi", n.op("arith.xori", key, n.number(-1)), n.number(width - 1)),
        n.number(n.smallest),
    )
    return s.op("arith.bitcast", n.op("arith.xori", key, flips))


def _integer_of(dtype: DType) -> DType:
    """The integers of a float's width."""
    return DType(f"i{_bits(dtype)}")


def _dtype(x: Any) -> DType:
    return DType(str(x.type))


class _Passes:
    """The passes over `n` keys, from the lowest digit on: an even number, as many as are the least work.

    Loops over passes are not written out: one-shot-bufferize takes time that doubles with each loop that follows.
    """

    def __init__(self, dtype: DType, n: int, descending: bool) -> None:
        self.dtype, self.n, self.descending = dtype, n, descending
        width = _bits(dtype)
        self.count = min(
            (2 * -(-width // (2 * bits)) for bits in DIGITS), key=lambda count: count * ((1 << -(-width // count)) + n)
        )
        self.bits = -(-width // self.count)
        self.last = width - self.bits  # where the highest digit begins; it may overlap the one before
        self.table = self.count, 1 << self.bits

    def counted(self, rooms: Carried, element: Callable[[Any], Any]) -> tuple[Carried, Carried]:
        """Writes the keys, and for every pass and digit how many keys have a lower digit there.

        Also how many elements are below 0, how many are 0, how many NaN, and whether there is a NaN or a -0.0.
        """
        counts, keys, *rest = rooms
        i, s, u = Scalars(DType.I32), Scalars(self.dtype), Scalars(_key_dtype(self.dtype))
        zero = i.number(0)

        def make(k: Any, carried: Carried) -> Carried:  # apart from counting, which keeps this from being vector code
            keys, *seen = carried
            x = element(k)
            flags = _below_zero_nan(s, x) if s.is_float else ()
            seen = [i.add(n, i.from_condition(flag)) for n, flag in zip(seen, flags)]
            return (_put(_key(x, self.dtype, self.descending), keys, (k,)), *seen)

        def count(k: Any, carried: Carried) -> Carried:
            (counts,), key = carried, _element(keys, (k,))
            for p in range(self.count):
                position = index(p), self._digit(key, u.number(min(p * self.bits, self.last)))
                counts = _put(i.add(_element(counts, position), i.number(1)), counts, position)
            return (counts,)

        def add(p: Any, carried: Carried) -> Carried:
            def lower(d: Any, c: Carried) -> Carried:
                counts, before = c
                here = _element(counts, (p, d))
                return _put(before, counts, (p, d)), i.add(before, here)

            return _loop(index(0), index(self.table[1]), (*carried, zero), lower)[:1]

        seen = (zero,) * 4 if s.is_float else ()
        keys, *found = _loop(index(0), index(self.n), (keys, *seen), make)
        (counts,) = _nest(self.table, (counts,), lambda at, c: (_put(zero, c[0], at),))
        (counts,) = _loop(index(0), index(self.n), (counts,), count)
        (counts,) = _loop(index(0), index(self.count), (counts,), add)
        return (counts, keys, *rest), tuple(found)

    def moved(self, rooms: Carried, out: Any, put: Callable[[Any, Any, Any, Any], Any]) -> Carried:
        """`out` and the rooms, after all passes: `put(out, key, index, position)` writes what is at a position."""
        width = (len(rooms) - 1) // 2
        u, i = Scalars(_key_dtype(self.dtype)), Scalars(DType.I32)
        if width > 1:
            number = _loop(index(0), index(self.n), (rooms[2],), lambda k, c: (_put(i.from_index(k), c[0], (k,)),))
            rooms = (*rooms[:2], *number, *rooms[3:])

        def two(pair: Any, carried: Carried) -> Carried:
            counts, both = carried[0], [carried[1 : 1 + width], carried[1 + width :]]
            for half in range(2):
                step, source = _added(_times(pair, 2), index(half)), both[half]
                shift = u.op("arith.minui", u.from_index(_times(step, self.bits)), u.number(self.last))

                def move(k: Any, carried: Carried, step=step, shift=shift, source=source) -> Carried:  # type: ignore[no-untyped-def]
                    counts, *target = carried
                    moved = [_element(room, (k,)) for room in source]
                    position = step, self._digit(moved[0], shift)
                    at = _element(counts, position)
                    counts = _put(i.add(at, i.number(1)), counts, position)
                    return (counts, *[_put(v, room, (i.to_index(at),)) for v, room in zip(moved, target)])

                counts, *target = _loop(index(0), index(self.n), (counts, *both[1 - half]), move)
                both[1 - half] = tuple(target)
            return (counts, *both[0], *both[1])

        rooms = _loop(index(0), index(self.count // 2), rooms, two)

        def write(k: Any, carried: Carried) -> Carried:
            key, at = [_element(room, (k,)) for room in rooms[1:3]] if width > 1 else (_element(rooms[1], (k,)), None)
            return (put(carried[0], key, at, k),)

        return (*_loop(index(0), index(self.n), (out,), write), *rooms)

    def _digit(self, key: Any, shift: Any) -> Any:
        u = Scalars(_dtype(key))
        return u.to_index(u.op("arith.andi", u.op("arith.shrui", key, shift), u.number(self.table[1] - 1)))


def _below_zero_nan(s: Scalars, x: Any) -> tuple[Any, Any, Any, Any]:
    """Whether an element is below 0, is 0, is NaN, and whether its key does not say which it is."""
    n = Scalars(_integer_of(s.dtype))
    is_nan = s.unordered(x, x)
    negative_zero = n.equal(n.op("arith.bitcast", x), n.number(n.smallest))
    zero = s.number(0.0)
    return s.less(x, zero), s.equal(x, zero), is_nan, s.either(is_nan, negative_zero)


def _with_special(x: Any, out: Any, along: Along, n: int, descending: bool, seen: Carried) -> Any:
    """NaNs and zeros once more, with their bits and in their order, if their keys do not say what they are."""
    s, i = Scalars(type_of(x).dtype), Scalars(DType.I32)
    below, zeros, nans, special = seen
    count = i.number(n)
    above = i.sub(i.sub(count, below), zeros)  # with NaNs
    first = (above, i.number(0)) if descending else (below, i.sub(count, nans))
    is_special = i.greater(special, i.number(0))

    def again(value: Any, at: Any, _: Any, carried: Carried) -> Carried:
        return (_put(value, carried[0], along(at)),)

    def look(k: Any, carried: Carried) -> Carried:
        out, *nexts = carried
        value = _element(x, along(k))
        found = s.equal(value, s.number(0.0)), s.unordered(value, value)
        for p, here in enumerate(found):
            at = i.to_index(nexts[p])
            (out,) = _loop(index(0), _many_if(here, 1), (out,), partial(again, value, at))
            nexts[p] = i.add(nexts[p], i.from_condition(here))
        return (out, *nexts)

    return _loop(index(0), _many_if(is_special, n), (out, *first), look)[0]


# MLIR


def _element(x: Any, at: Sequence[Any]) -> Any:
    element = ir.RankedTensorType(x.type).element_type
    return ir.Operation.create("tensor.extract", results=[element], operands=[x, *at]).result


def _put(value: Any, into: Any, at: Sequence[Any]) -> Any:
    return ir.Operation.create("tensor.insert", results=[into.type], operands=[value, into, *at]).result


def _added(x: Any, y: Any) -> Any:
    return ir.Operation.create("arith.addi", results=[x.type], operands=[x, y]).result


def _times(x: Any, n: int) -> Any:
    return ir.Operation.create("arith.muli", results=[x.type], operands=[x, index(n)]).result


def _predicate(n: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), n)


def _above(x: Any, y: Any) -> Any:
    """True if the unsigned integer x is larger than y."""
    ugt = _predicate(8)  # arith.CmpIPredicate
    bit = ir.IntegerType.get_signless(1)
    return ir.Operation.create("arith.cmpi", results=[bit], operands=[x, y], attributes={"predicate": ugt}).result


def _loop(low: Any, high: Any, carried: Carried, body: Callable[[Any, Carried], Sequence[Any]]) -> Carried:
    """`scf.for` from low to high, which carries values."""
    made = ir.Operation.create(
        "scf.for", results=[v.type for v in carried], operands=[low, high, index(1), *carried], regions=1
    )
    block = made.regions[0].blocks.append(ir.IndexType.get(), *[v.type for v in carried])
    with ir.InsertionPoint(block):
        at, *inner = block.arguments
        ir.Operation.create("scf.yield", operands=list(body(at, tuple(inner))))
    return tuple(made.results)


def _nest(extents: Sequence[int], carried: Carried, body: Callable[[Carried, Carried], Carried]) -> Carried:
    """`body(position, carried)` at every position in row-major order."""

    def loop(at: Carried, carried: Carried) -> Carried:
        if len(at) == len(extents):
            return body(at, carried)
        return _loop(index(0), index(extents[len(at)]), carried, lambda k, c: loop((*at, k), c))

    return loop((), carried)


def _many_if(condition: Any, n: int) -> Any:
    """A loop's end: n where the condition holds, else 0."""
    ends = [index(n), index(0)]
    return ir.Operation.create("arith.select", results=[ends[0].type], operands=[condition, *ends]).result
