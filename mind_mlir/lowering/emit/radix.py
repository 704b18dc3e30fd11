"""Emits the passes of a sort that counts digits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...ir import DType
from .element_loops import Carried, added, element_at, for_loop, loop_nest, many_if, put_element, times
from .rows import index
from .scalars import Scalars
from .sort_keys import FloatBits, dtype_of, key_dtype, key_of
from .tensors import type_of

DIGITS = range(2, 17)
"""The bits that a digit may have; the counters of one with 16 take 256 KB."""

Along = Callable[[Any], Carried]
"""The position of the element of that number along an axis."""


class Passes:
    """The passes over `n` keys, from the lowest digit on: an even number, as many as are the least work.

    Loops over passes are not written out: one-shot-bufferize takes time that doubles with each loop that follows.
    """

    def __init__(self, dtype: DType, n: int, descending: bool) -> None:
        self.dtype, self.n, self.descending = dtype, n, descending
        width = dtype.bits
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
        i, u = Scalars(DType.I32), Scalars(key_dtype(self.dtype))
        zero = i.number(0)

        def make(k: Any, carried: Carried) -> Carried:  # apart from counting, which keeps this from being vector code
            keys, *seen = carried
            x = element(k)
            flags = _below_zero_nan(self.dtype, x) if self.dtype.is_float else ()
            seen = [i.add(n, i.from_condition(flag)) for n, flag in zip(seen, flags)]
            return (put_element(key_of(x, self.dtype, self.descending), keys, (k,)), *seen)

        def count(k: Any, carried: Carried) -> Carried:
            (counts,), key = carried, element_at(keys, (k,))
            for p in range(self.count):
                position = index(p), self._digit(key, u.number(min(p * self.bits, self.last)))
                counts = put_element(i.add(element_at(counts, position), i.number(1)), counts, position)
            return (counts,)

        def add(p: Any, carried: Carried) -> Carried:
            def lower(d: Any, c: Carried) -> Carried:
                counts, before = c
                here = element_at(counts, (p, d))
                return put_element(before, counts, (p, d)), i.add(before, here)

            return for_loop(index(0), index(self.table[1]), (*carried, zero), lower)[:1]

        seen = (zero,) * 4 if self.dtype.is_float else ()
        keys, *found = for_loop(index(0), index(self.n), (keys, *seen), make)
        (counts,) = loop_nest(self.table, (counts,), lambda at, c: (put_element(zero, c[0], at),))
        (counts,) = for_loop(index(0), index(self.n), (counts,), count)
        (counts,) = for_loop(index(0), index(self.count), (counts,), add)
        return (counts, keys, *rest), tuple(found)

    def moved(self, rooms: Carried, out: Any, put: Callable[[Any, Any, Any, Any], Any]) -> Carried:
        """`out` and the rooms, after all passes: `put(out, key, index, position)` writes what is at a position."""
        width = (len(rooms) - 1) // 2
        u, i = Scalars(key_dtype(self.dtype)), Scalars(DType.I32)
        if width > 1:
            number = for_loop(
                index(0), index(self.n), (rooms[2],), lambda k, c: (put_element(i.from_index(k), c[0], (k,)),)
            )
            rooms = (*rooms[:2], *number, *rooms[3:])

        def two(pair: Any, carried: Carried) -> Carried:
            counts, both = carried[0], [carried[1 : 1 + width], carried[1 + width :]]
            for half in range(2):
                step, source = added(times(pair, 2), index(half)), both[half]
                shift = u.op("arith.minui", u.from_index(times(step, self.bits)), u.number(self.last))

                def move(k: Any, carried: Carried, step=step, shift=shift, source=source) -> Carried:  # type: ignore[no-untyped-def]
                    counts, *target = carried
                    moved = [element_at(room, (k,)) for room in source]
                    position = step, self._digit(moved[0], shift)
                    at = element_at(counts, position)
                    counts = put_element(i.add(at, i.number(1)), counts, position)
                    return (counts, *[put_element(v, room, (i.to_index(at),)) for v, room in zip(moved, target)])

                counts, *target = for_loop(index(0), index(self.n), (counts, *both[1 - half]), move)
                both[1 - half] = tuple(target)
            return (counts, *both[0], *both[1])

        rooms = for_loop(index(0), index(self.count // 2), rooms, two)

        def write(k: Any, carried: Carried) -> Carried:
            key, at = (
                [element_at(room, (k,)) for room in rooms[1:3]] if width > 1 else (element_at(rooms[1], (k,)), None)
            )
            return (put(carried[0], key, at, k),)

        return (*for_loop(index(0), index(self.n), (out,), write), *rooms)

    def _digit(self, key: Any, shift: Any) -> Any:
        u = Scalars(dtype_of(key))
        return u.to_index(u.op("arith.andi", u.op("arith.shrui", key, shift), u.number(self.table[1] - 1)))


def _below_zero_nan(dtype: DType, x: Any) -> tuple[Any, Any, Any, Any]:
    """Whether an element is below 0, is 0, is NaN, and whether its key does not say which it is."""
    of = FloatBits(dtype, x)
    is_nan = of.is_nan()
    return of.is_below_zero(), of.is_zero(), is_nan, of.integers.either(is_nan, of.is_negative_zero())


def with_special(x: Any, out: Any, along: Along, n: int, descending: bool, seen: Carried) -> Any:
    """NaNs and zeros once more, with their bits and in their order, if their keys do not say what they are."""
    dtype, i = type_of(x).dtype, Scalars(DType.I32)
    below, zeros, nans, special = seen
    count = i.number(n)
    above = i.sub(i.sub(count, below), zeros)  # with NaNs
    first = (above, i.number(0)) if descending else (below, i.sub(count, nans))
    is_special = i.greater(special, i.number(0))

    def again(value: Any, at: Any, _: Any, carried: Carried) -> Carried:
        return (put_element(value, carried[0], along(at)),)

    def look(k: Any, carried: Carried) -> Carried:
        out, *nexts = carried
        value = element_at(x, along(k))
        of = FloatBits(dtype, value)
        found = of.is_zero(), of.is_nan()
        for p, here in enumerate(found):
            at = i.to_index(nexts[p])
            (out,) = for_loop(index(0), many_if(here, 1), (out,), partial(again, value, at))
            nexts[p] = i.add(nexts[p], i.from_condition(here))
        return (out, *nexts)

    return for_loop(index(0), many_if(is_special, n), (out, *first), look)[0]
