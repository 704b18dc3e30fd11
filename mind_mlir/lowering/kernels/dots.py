"""Contractions with few sums: dot products, and matrices times one vector, with vectors along the terms.

Each sum is held in the lanes of some vectors, which take the terms cyclically; at the end the lanes are added by
halves. The order differs from that of `interpret`, so this is not for strict numerics on floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from math import prod
from typing import Any

from ..emit.scalars import Scalars
from ..rules.choice import Choice
from ..rules.product_rules import DotsRecord, choose_dots
from ..rules.sharing import ELEMENT, best_loop
from ..targets.cpus import Cpu
from . import product_roles
from .chain import Ref, evaluated
from .nest import Access, Nest
from .product_roles import Problem
from .vector_code import Code, Index

PART = 1 << 14
"""Terms that are added up first, before their sum is added to the total, where there are more."""


def match(nests: Sequence[Nest]) -> Problem | None:
    """A contraction both of whose operands are contiguous along the terms, as few are: see `product_roles.match`."""
    if not any(_lies_along_terms(nest) for nest in nests):
        return None
    p = product_roles.match(nests)
    return p if p is not None and p.product.runs_along_terms else None


def _lies_along_terms(nest: Nest) -> bool:
    """True if the inputs are contiguous along a loop that adds up; they stay so however loops are merged."""
    steps = [[a.strides[d] for a in nest.inputs] for d, adds in enumerate(nest.reduction) if adds]
    return any(all(s == 1 for s in along) for along in steps)


def choose(p: Problem, cpu: Cpu, numerics: str) -> Choice[DotsRecord]:
    """The record for a problem."""
    return choose_dots(p.product, cpu, numerics)


def emit(code: Code, p: Problem, r: DotsRecord) -> None:
    """Write the loops."""
    _Emitter(code, p, r).write()


class _Emitter:
    """Rows are along the problem's `n`: there the second operand moves, and the first does not."""

    def __init__(self, code: Code, p: Problem, r: DotsRecord) -> None:
        self.code, self.p, self.r = code, p, r
        self.v = code.vectors(p.dtype)
        self.lanes = self.v.lanes or 1
        self.flats = {a.value: code.flat(a.value) for a in p.nest.accesses if a.is_memory}
        self.others = tuple(d for d in (*p.outer, p.m) if d is not None)
        self.parts = p.depth // PART if len(p.ks) == 1 and p.depth > PART else 0
        turns = [*(p.extent(d) for d in self.others), p.extent(p.n) // r.rows, self.parts]
        self.shared = best_loop(turns, code.threads, prod(p.nest.extents) * ELEMENT)

    def place(self, a: Access, at: dict[int, Index]) -> Index:
        """The offset of an operand's element."""
        return self.code.place(a.strides, [at.get(d, 0) for d in range(len(a.strides))], a.offset)

    def write(self) -> None:
        self._others(0, {})

    def _loop(self, number: int, low: int, high: int, step: int = 1) -> AbstractContextManager[Index]:
        """A loop, which threads share if it is the one with this number that they do best to share."""
        return (self.code.parallel if number == self.shared else self.code.loop)(low, high, step)

    def _others(self, number: int, at: dict[int, Index]) -> None:
        if number < len(self.others):
            d = self.others[number]
            with self._loop(number, 0, self.p.extent(d)) as i:
                self._others(number + 1, {**at, d: i})
            return
        n, rows = self.p.extent(self.p.n), self.r.rows
        whole = n // rows * rows
        with self._loop(number, 0, whole, rows) as i:
            self._sums(at, i, rows)
        if n - whole:
            self._sums(at, whole, n - whole)

    def _sums(self, at: dict[int, Index], i: Index, rows: int) -> None:
        p = self.p
        if p.n is not None:
            at = {**at, p.n: i}
        for row, value in enumerate(self._by_parts(at, rows) if self.parts else self._added(at, rows, p.depth)):
            self._finish(at, row, value)

    def _by_parts(self, at: dict[int, Index], rows: int) -> list[Any]:
        """The sums of PART terms each, added in order: whoever computes which of them, the bits are the same."""
        code, p, s, end = self.code, self.p, Scalars(self.p.dtype), self.parts * PART
        (k,) = p.ks
        zero = s.number(0)

        def part(i: Index, count: int = PART) -> list[Any]:
            return self._added({**at, k: i}, rows, count)

        def more(sums: Sequence[Any], ends: Sequence[Any]) -> list[Any]:
            return [s.add(x, y) for x, y in zip(sums, ends)]

        if self.shared == len(self.others) + 1 and code.threads > 1:
            ends = code.scratch(p.dtype, self.parts * rows)
            with code.parallel(0, self.parts) as i:
                for row, value in enumerate(part(code.times(i, PART))):
                    code.write(value, ends, code.add(code.times(i, rows), row))

            def read(i: Index) -> list[Any]:
                return [code.read(ends, code.add(code.times(i, rows), row)) for row in range(rows)]

            sums = code.carried(0, self.parts, 1, [zero] * rows, lambda i, sums: more(sums, read(i)))
            code.free(ends)
        else:
            sums = code.carried(0, end, PART, [zero] * rows, lambda i, sums: more(sums, part(i)))
        return more(sums, part(end, p.depth - end)) if p.depth - end else sums

    def _added(self, at: dict[int, Index], rows: int, count: int) -> list[Any]:
        """The sums of `count` terms from `at` on, one for each row."""
        code, v, vectors = self.code, self.v, self.r.vectors
        totals = self._terms(self.p.ks, at, rows, count, [code.zeros(v)] * (rows * vectors))
        ends = []
        for row in range(rows):
            parts = totals[row * vectors : (row + 1) * vectors]
            while len(parts) > 1:
                parts = [v.add(parts[n], parts[n + 1]) for n in range(0, len(parts), 2)]
            ends.append(code.total(v, parts[0]))
        return ends

    def _terms(self, ks: Sequence[int], at: dict[int, Index], rows: int, count: int, sums: list[Any]) -> list[Any]:
        """Add terms: all along `ks`, or `count` of them if that is one loop."""
        code = self.code
        k, *rest = ks
        if rest:
            return code.carried(
                0, self.p.extent(k), 1, sums, lambda i, s: self._terms(rest, {**at, k: i}, rows, count, list(s))
            )
        x, y = self.p.nest.inputs[:2]
        x0, y0 = self.place(x, at), self.place(y, at)
        down = y.strides[self.p.n] if self.p.n is not None else 0
        count, step = count if len(self.p.ks) == 1 else self.p.extent(k), self.lanes * self.r.vectors

        def add(i: Index, sums: Sequence[Any], n: int, width: int) -> list[Any]:
            """Vector number n of an iteration."""
            out = list(sums)
            a = code.load(self.v, self.flats[x.value], code.add(x0, i), width)
            for row in range(rows):
                b = code.load(self.v, self.flats[y.value], code.add(y0, i, row * down), width)
                cell = row * self.r.vectors + n
                out[cell] = code.multiply_add(self.v, a, b, out[cell], self.r.fused)
            return out

        def turn(i: Index, sums: list[Any]) -> list[Any]:
            for n in range(self.r.vectors):
                sums = add(code.add(i, n * self.lanes), sums, n, self.lanes)
            return sums

        whole = count // step * step
        sums = code.carried(0, whole, step, sums, turn)
        for n, i in enumerate(range(whole, count, self.lanes)):
            sums = add(i, sums, n, min(self.lanes, count - i))
        return sums

    def _finish(self, at: dict[int, Index], row: int, value: Any) -> None:
        """Add what was there before, and store the sum and what the steps make of it."""
        code, p = self.code, self.p
        if p.n is not None:
            at = {**at, p.n: code.add(at[p.n], row)}
        out = p.nest.output
        start = self._read(out, at) if p.initial is None else p.initial
        elements: dict[Ref, Any] = {("sum", 0): Scalars(p.dtype).add(start, value)}
        elements.update((("input", n), self._read(a, at)) for n, a in enumerate(p.reads))
        known = evaluated(code, p.steps, elements, None)
        for ref, a in zip(p.stores, p.targets):
            code.write(known[ref], self.flats[a.value], self.place(a, at))

    def _read(self, a: Access, at: dict[int, Index]) -> Any:
        return self.code.read(self.flats[a.value], self.place(a, at)) if a.is_memory else a.value
