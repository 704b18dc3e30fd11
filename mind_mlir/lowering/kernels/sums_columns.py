"""Sums whose lanes are neighbouring sums, held in registers: along other axes than the minor one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from ..rules.sum_rules import SumRecord
from .sum_problem import Problem
from .sums import At, Column, Sums
from .vector_code import Index

IN_REGISTERS = 256
"""Bytes of neighbouring sums up to which they stay in registers."""


def is_narrow(p: Problem) -> bool:
    """True if all neighbouring sums are held in registers at once."""
    return p.extent(p.v) * p.dtype.width <= IN_REGISTERS


class Columns(Sums):
    """Rows are read one after the other; their partial sums are in registers."""

    @staticmethod
    def fits(p: Problem, r: SumRecord) -> bool:
        """True if partial sums stay in registers: of few neighbours, or of few rows."""
        return is_narrow(p) or (len(p.ks) <= 1 and prod(p.extent(k) for k in p.ks) <= r.run)

    def write(self) -> None:
        if is_narrow(self.p):
            self._narrow()
            return
        with self.strips() as (at, c0):
            self.over_columns(c0, lambda c, x, count: self._one(at, c, count))

    def _one(self, at: At, c: Index, count: int) -> None:
        """One vector of sums of few rows."""
        at = {**at, self.p.v: c}
        (sums,) = self.down(self.p.ks, at, [(0, count)], self.begun(at, [(0, count)]))
        self.finish(sums, at, self.p.v, count)

    def _narrow(self) -> None:
        """All sums of neighbours at once."""
        p = self.p
        columns = self.columns(p.extent(p.v))
        extents = [p.extent(d) for d in p.kept]
        outer, part = self.outermost()
        shared = self.few(prod(extents)) and outer >= 2 * part and not self.r.in_order
        with self.one_by_one(extents) if shared else self.turns(extents) as places:
            at = dict(zip(p.kept, places))
            sums = self.down(p.ks, at, columns, self.begun(at, columns), part if shared else 0)
            for (c, count), s in zip(columns, sums):
                self.finish(s, {**at, p.v: c}, p.v, count)

    def begun(self, at: At, columns: Sequence[Column]) -> list[Any]:
        """What vectors of sums are before anything is added."""
        if not self.r.in_order:
            return [self.neutral] * len(columns)
        v = self.p.v
        return [self.start({**at, v: self.code.add(at.get(v, 0), c)}, v, count) for c, count in columns]

    def outermost(self) -> tuple[int, int]:
        """Iterations of the outermost loop that adds up, or runs of its rows if it is the only one, and of a part."""
        p = self.p
        if not p.ks:
            return 0, 1
        k, *rest = p.ks
        rows = prod(p.extent(d) for d in rest) if rest else self.r.run
        turns = p.extent(k) // (1 if rest else self.r.run)
        return turns, self.part(rows * p.extent(p.v), turns)

    def down(self, ks: Sequence[int], at: At, columns: Sequence[Column], sums: list[Any], part: int = 0) -> list[Any]:
        """Sums over the loops `ks` of terms at `at`, added to `sums`; threads share it if `part` is not 0."""
        p, n = self.p, len(columns)
        if not ks:
            return self.rows(sums, lambda _: self.row(self.bases(at), {}, columns), 1)
        k, *rest = ks
        neutral = [self.neutral] * n

        def runs(count: int, add: Callable[[Index, list[Any]], list[Any]]) -> list[Any]:
            return self.shared_runs(count, part, add, n) if part else self.runs(count, add, sums)

        if rest:
            return runs(p.extent(k), lambda i, s: self.added(s, self.down(rest, {**at, k: i}, columns, neutral)))
        many, left = divmod(p.extent(k), self.r.run)

        def one(first: Index, sums: list[Any], count: int) -> list[Any]:
            bases = self.bases({**at, k: first})
            return self.rows(sums, lambda row: self.row(bases, {k: row}, columns), count)

        if many:
            sums = runs(many, lambda i, s: one(self.code.times(i, self.r.run), s, self.r.run))
        return one(many * self.r.run, sums, left) if left else sums

    # Strips

    @contextlib.contextmanager
    def strips(self) -> Iterator[tuple[At, Index]]:
        """For every strip: the indices of the outer loops, and its first column."""
        p = self.p
        strips = -(-p.extent(p.v) // self.r.strip)
        with self.turns([*(p.extent(d) for d in p.kept), strips]) as (*places, strip):
            yield dict(zip(p.kept, places)), self.code.times(strip, self.r.strip)

    def over_columns(self, c0: Index, body: Callable[[Index, Index, int], None], together: int = 1) -> None:
        """`body(column, its position in the strip, lanes used)` for all vectors of the strip that begins at `c0`.

        So many vectors `together` are one iteration of a loop, those at the end of a strip one each.
        """
        code, lanes, strip = self.code, self.r.lanes, self.r.strip
        n = self.p.extent(self.p.v)
        whole = n // lanes * lanes
        end = whole if n <= strip else code.least(strip, code.add(whole, code.times(c0, -1)))
        low: Index = 0
        for vectors in sorted({together, 1}, reverse=True):
            high = end if vectors == 1 else code.times(code.quotient(end, vectors * lanes), vectors * lanes)
            if not (isinstance(high, int) and high == low):
                with code.loop(low, high, vectors * lanes) as x:
                    for y in range(0, vectors * lanes, lanes):
                        body(code.add(c0, x, y), code.add(x, y), lanes)
            low = high
        if n > whole:
            last = (n - 1) // strip * strip
            with code.when_equal(c0, last):
                body(whole, whole - last, n - whole)
