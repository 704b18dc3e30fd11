"""The parts that all schedules of sums share: terms in vectors, runs of them, and what is done with the sums."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from ..rules.sum_rules import SumRecord
from .chain import evaluated
from .nest import Access
from .sum_problem import Problem
from .vector_code import Code, Index

At = dict[int, Index]
"""Loop -> its index; loops left out are at 0."""

Column = tuple[int, int]
"""A vector in a row: its offset along the loop of vectors, and how many of its lanes are used."""


class Sums(ABC):
    """Writes a sum in one way."""

    def __init__(self, code: Code, p: Problem, r: SumRecord) -> None:
        self.code, self.p, self.r = code, p, r
        self.v = code.vectors(p.dtype, r.lanes)
        used = [*p.terms, *p.extras, *(a for _, a in p.stores), *([p.nest.output] if p.initial is None else [])]
        self._flats = {a.value: code.flat(a.value) for a in used if a.is_memory}

    @abstractmethod
    def write(self) -> None:
        """Write all of it."""

    # Memory

    def flat(self, memref: Any) -> Any:
        """A memref as one row of elements; scratch memory is one already."""
        return self._flats.get(memref, memref)

    def place(self, a: Access, at: At) -> Index:
        """The offset of an access."""
        return self.code.place(a.strides, [at.get(d, 0) for d in range(len(a.strides))], a.offset)

    def loaded(self, a: Access, place: Index, step: int, count: int) -> Any:
        """`count` elements, `step` apart, as a vector."""
        code, lanes = self.code, self.r.lanes
        v = code.vectors(a.dtype, lanes)
        if not a.is_memory:
            return code.splat(v, a.value)
        flat = self.flat(a.value)
        if step == 0 or count == 1:
            element = code.read(flat, place)
            return code.splat(v, element) if step == 0 else code.first(v, element)
        return code.load(v, flat, place, count) if step == 1 else code.load_apart(v, flat, place, step, count)

    def stored(self, value: Any, a: Access, place: Index, step: int, count: int) -> None:
        """Store the first `count` lanes, `step` apart."""
        code = self.code
        v = code.vectors(a.dtype, self.r.lanes)
        flat = self.flat(a.value)
        if step == 1 and count > 1:
            code.store(v, value, flat, place, count)
            return
        for n in range(count):
            code.write(code.lane(v, value, n), flat, code.add(place, n * step))

    @property
    def neutral(self) -> Any:
        """A vector that changes none: zeros for sums."""
        return self.code.neutral(self.v, self.p.kind)

    def join(self, x: Any, y: Any) -> Any:
        """Two vectors as one: their sum, or what else the reduction makes of them."""
        return self.v.joined(self.p.kind, x, y)

    # Terms

    def bases(self, at: At) -> list[Index]:
        """The offset of each access that terms are computed from."""
        return [self.place(a, at) if a.is_memory else 0 for a in self.p.terms]

    def term(self, bases: Sequence[Index], moved: At, count: int) -> Any:
        """The vector of terms at `bases`, moved by `moved` along some loops; lanes beyond `count` are neutral."""
        code, p, v = self.code, self.p, self.v
        known = {}
        for n, (a, base) in enumerate(zip(p.terms, bases)):
            place = code.add(base, *(code.times(by, a.strides[d]) for d, by in moved.items()))
            known["input", n] = self.loaded(a, place, a.strides[p.v], count)
        value = evaluated(code, p.before, known, self.r.lanes)[p.term]
        plain = p.term[0] == "input" and p.terms[p.term[1]].is_memory and p.terms[p.term[1]].strides[p.v]
        if count == self.r.lanes or (plain and p.kind == "sum"):  # a load of fewer lanes gives zeros in the others
            return value
        return code.op("arith.select", code.mask(v, count), value, self.neutral, type=v.type)

    def row(self, bases: Sequence[Index], moved: At, columns: Sequence[Column]) -> list[Any]:
        """The vectors of a row of terms."""
        v = self.p.v
        return [self.term(bases, {**moved, v: self.code.add(moved.get(v, 0), c)}, count) for c, count in columns]

    # Orders

    def added(self, x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
        """Sums of vectors, one by one."""
        return [self.join(a, b) for a, b in zip(x, y, strict=True)]

    def rows(self, sums: list[Any], row: Callable[[Index], list[Any]], count: int) -> list[Any]:
        """`count` rows of vectors, at most a run, are added up one after the other, and then to `sums`."""
        first, total = 0, sums
        if not self.r.in_order:
            first, total = (1, row(0)) if self.r.unrolled else (0, [self.neutral] * len(sums))
        if self.r.unrolled:
            for n in range(first, count):
                total = self.added(total, row(n))
        else:
            total = self.code.carried(0, count, 1, total, lambda n, total: self.added(total, row(n)))
        return total if self.r.in_order else self.added(sums, total)

    def halved(self, vectors: Sequence[Any]) -> Any:
        """The sum of some vectors: the upper half is added to the lower one until one is left."""
        while len(vectors) > 1:
            half = 1 << (len(vectors) - 1).bit_length() - 1
            pairs = zip(vectors, vectors[half:])
            vectors = [*(self.join(x, y) for x, y in pairs), *vectors[len(vectors) - half : half]]
        return vectors[0]

    def levels(self, count: int) -> int:
        """How often runs are taken of runs, until one is left."""
        n = 1
        while self.r.run**n < count:
            n += 1
        return n

    def runs(self, count: int, add: Callable[[Index, list[Any]], list[Any]], sums: list[Any]) -> list[Any]:
        """Iteration i of `count` adds to what it is given, in runs: sums of some iterations, sums of such sums, …"""
        if self.r.in_order:
            return self.code.carried(0, count, 1, sums, add)
        return self._runs(0, count, count, self.levels(count), add, sums)

    def _runs(
        self,
        low: Index,
        high: Index,
        count: int,
        level: int,
        add: Callable[[Index, list[Any]], list[Any]],
        sums: list[Any],
    ) -> list[Any]:
        code, step = self.code, self.r.run ** (level - 1)
        if level == 1:
            return code.carried(low, high, 1, sums, add)
        neutral = [self.neutral] * len(sums)

        def turn(i: Index, sums: list[Any]) -> list[Any]:
            more = self._runs(i, self.end(i, step, count), count, level - 1, add, neutral)
            return self.added(sums, more)

        return code.carried(low, high, step, sums, turn)

    def end(self, i: Index, step: int, count: int) -> Index:
        """The end of the iterations of a run that starts at i: after `step` of them, and not beyond `count`."""
        end = self.code.add(i, step)
        return end if count % step == 0 else self.code.least(end, count)

    def shared_runs(
        self, count: int, part: int, add: Callable[[Index, list[Any]], list[Any]], columns: int
    ) -> list[Any]:
        """As `runs` from neutral vectors; threads take `part` iterations, a power of `run`. The order is the same."""
        code, lanes = self.code, self.r.lanes
        parts = -(-count // part)
        scratch = code.scratch(self.p.dtype, parts * columns * lanes)
        neutral = [self.neutral] * columns
        level = self.levels(part)
        with code.parallel(0, parts) as n:
            low = code.times(n, part)
            for c, s in enumerate(self._runs(low, self.end(low, part, count), count, level, add, neutral)):
                code.store(self.v, s, scratch, code.add(code.times(n, columns * lanes), c * lanes))

        def turn(n: Index, sums: list[Any]) -> list[Any]:
            place = code.times(n, columns * lanes)
            loads = [code.load(self.v, scratch, code.add(place, c * lanes)) for c in range(columns)]
            return self.added(sums, loads)

        sums = self.runs(parts, turn, neutral)
        code.free(scratch)
        return sums

    # What becomes of sums

    def start(self, at: At, loop: int | None, count: int) -> Any:
        """What sums along `loop` start from."""
        if self.p.initial is not None:
            return self.code.splat(self.v, self.p.initial)
        out = self.p.nest.output
        return self.loaded(out, self.place(out, at), self._step(out, loop), count)

    def finish(self, sums: Any, at: At, loop: int | None, count: int) -> None:
        """Store `count` sums along `loop`, which began neutral, or the results that are computed from them."""
        if not self.r.in_order:
            sums = self.join(self.start(at, loop, count), sums)
        known = {("sum", 0): sums}
        for n, a in enumerate(self.p.extras):
            known["input", n] = self.loaded(a, self.place(a, at), self._step(a, loop), count)
        known = evaluated(self.code, self.p.after, known, self.r.lanes)
        for ref, a in self.p.stores:
            self.stored(known[ref], a, self.place(a, at), self._step(a, loop), count)

    def _step(self, a: Access, loop: int | None) -> int:
        return 0 if loop is None else a.strides[loop]

    # Threads

    @contextlib.contextmanager
    def one_by_one(self, extents: Sequence[int]) -> Iterator[list[Index]]:
        """Nested loops within which threads may share others."""
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(self.code.loop(0, n)) for n in extents]

    @contextlib.contextmanager
    def turns(self, extents: Sequence[int]) -> Iterator[list[Index]]:
        """Nested loops whose iterations are independent, shared by threads as one loop."""
        code = self.code
        if code.threads == 1 or not extents:
            with self.one_by_one(extents) as places:
                yield places
            return
        with code.parallel(0, prod(extents)) as i:
            found: list[Index] = []
            for n in reversed(extents):
                found.append(code.remainder(i, n))
                i = code.quotient(i, n)
            yield found[::-1]

    def part(self, terms: int, turns: int) -> int:
        """How many of `turns` iterations, of `terms` each, a thread takes at a time: a power of `run`.

        As many as leave each thread some parts: every part needs memory for its sums.
        """
        part, run = 1, self.r.run
        while part * terms * self.p.dtype.width < self.r.part or turns >= 4 * self.code.threads * part * run:
            part *= run
        return part

    def columns(self, n: int) -> list[Column]:
        """The vectors of a row of n elements."""
        return [(c, min(self.r.lanes, n - c)) for c in range(0, n, self.r.lanes)]

    def few(self, turns: int) -> bool:
        """True if so few iterations leave threads without work."""
        return self.code.threads > 1 and turns < 4 * self.code.threads
