"""Sums of long rows: partial sums of strips of columns in scratch memory."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..rules.sum_rules import SumRecord
from .sum_problem import Problem
from .sums import At
from .sums_columns import Columns
from .vector_code import Code, Index

TURN = 128
"""Bytes of a row that one turn of a loop adds where rows are read one by one: from memory, less are slower."""


class Wide(Columns):
    """A line of scratch memory for each level of runs, as wide as a strip; it is zeros but while its level is at work.

    Short rows are read one by one: the processor reads ahead in one long piece of memory.  Of long rows a run is read
    together, which loads and stores partial sums less often.
    """

    def write(self) -> None:
        p, r = self.p, self.r
        n = p.extent(p.v)
        self.width = min(r.strip, -(-n // r.lanes) * r.lanes)
        turns = -(-n // r.strip) * prod(p.extent(d) for d in p.kept)
        outer, part = self.outermost()
        if self.few(turns) and outer >= 2 * part and not r.in_order:
            self._in_parts(outer, part)
            return
        lines = 1 + self._lines(p.ks)
        alone = self.code.threads == 1
        scratch = self.code.scratch(p.dtype, lines * self.width) if alone else None
        with self.strips() as (at, c0):
            self.scratch = scratch or self.code.scratch(p.dtype, lines * self.width)
            self._begin(lines, at, c0)
            top = self._down(p.ks, at, c0, 1)
            self.over_columns(c0, lambda c, x, count: self.finish(self._get(top, x), {**at, p.v: c}, p.v, count))
            if not alone:
                self.code.free(self.scratch)
        if alone:
            self.code.free(scratch)

    # Lines of scratch memory; line 0 is for the rows of one run

    def _lines(self, ks: Sequence[int]) -> int:
        """Lines that sums over `ks` take."""
        if self.r.in_order:
            return 1
        *outer, t = (self.p.extent(k) for k in ks)
        return self.levels(t // self.r.run) + sum(map(self.levels, outer))

    def _begin(self, lines: int, at: At, c0: Index) -> None:
        def start(c: Index, x: Index, count: int) -> None:
            for line in range(1, lines):
                (value,) = self.begun({**at, self.p.v: c}, [(0, count)])
                self._put(value, line, x)

        self.over_columns(c0, start)

    def _get(self, line: int, x: Index) -> Any:
        return self.code.load(self.v, self.scratch, self.code.add(x, line * self.width))

    def _put(self, value: Any, line: int, x: Index) -> None:
        self.code.store(self.v, value, self.scratch, self.code.add(x, line * self.width))

    def _fold(self, line: int, into: int, c0: Index) -> None:
        """Add a line to another one; it is zeros then."""

        def add(c: Index, x: Index, count: int) -> None:
            self._put(self.v.add(self._get(into, x), self._get(line, x)), into, x)
            self._put(self.code.zeros(self.v), line, x)

        self.over_columns(c0, add)

    # Sums

    def _down(self, ks: Sequence[int], at: At, c0: Index, line: int) -> int:
        """Sums over `ks` of terms at `at`, with lines from `line` on; gives the one in which they are."""
        k, *rest = ks
        if rest:
            inner = line + self._lines(rest) - 1
            first = inner + 1

            def one(i: Index) -> None:
                self._down(rest, {**at, k: i}, c0, line)
                self._fold(inner, first, c0)

            count = self.p.extent(k)
            self._up(0, count, count, self.levels(count), first, one, c0)
            return first + self.levels(count) - 1
        many, left = divmod(self.p.extent(k), self.r.run)
        levels = 1 if self.r.in_order else self.levels(many)
        self._up(0, many, many, levels, line, lambda i: self._run(k, at, c0, i, self.r.run, line), c0)
        if left:
            self._run(k, at, c0, many, left, line + levels - 1)
        return line + levels - 1

    def _up(
        self, low: Index, high: Index, count: int, level: int, line: int, one: Callable[[Index], None], c0: Index
    ) -> None:
        """Turns of `one`, which add to `line`, in runs; the sum is in `line + level - 1`."""
        step = self.r.run ** (level - 1)
        if not count:
            return
        with self.code.loop(low, high, 1 if self.r.in_order else step) as i:
            if level == 1:
                one(i)
            else:
                self._up(i, self.end(i, step, count), count, level - 1, line, one, c0)
                self._fold(line + level - 2, line + level - 1, c0)

    def _run(self, k: int, at: At, c0: Index, run: Index, count: int, line: int) -> None:
        """A run of rows is added to a line: `rows` of them at a time, and until the last ones are there to line 0."""
        code, step, first = self.code, self.r.rows, self.code.times(run, self.r.run)

        def some(row: Index, rows: int, begins: bool, ends: bool) -> None:
            def add(c: Index, x: Index, used: int) -> None:
                bases = self.bases({**at, k: code.add(first, row), self.p.v: c})
                terms = [[self.term(bases, {k: n}, used)] for n in range(rows)]
                if self.r.in_order:
                    terms.insert(0, [self._get(line, x)])
                elif not begins:
                    terms.insert(0, [self._get(0, x)])
                (total,) = functools.reduce(self.added, terms)
                if ends and not self.r.in_order:
                    total = self.v.add(self._get(line, x), total)
                self._put(total, line if ends else 0, x)

            together = max(1, TURN // (self.r.lanes * self.p.dtype.width)) if step == 1 else 1
            self.over_columns(c0, add, together)

        if self.r.in_order:
            with code.loop(0, count - count % step, step) as row:
                some(row, step, False, True)
            if count % step:
                some(count - count % step, count % step, False, True)
            return
        last = (count - 1) // step * step
        if last:
            some(0, step, True, False)
            if last > step:
                with code.loop(step, last, step) as row:
                    some(row, step, False, False)
        some(last, count - last, not last, True)

    # Parts, for threads

    def _in_parts(self, outer: int, part: int) -> None:
        """Few sums of many rows: threads add up `part` turns of the outermost loop each, and these sums are added."""
        code, p, r = self.code, self.p, self.r
        k, *rest = p.ks
        strips, parts = -(-p.extent(p.v) // r.strip), -(-outer // part)
        levels = self.levels(part)
        first = 1 + (self._lines(rest) if rest else 0)
        lines, wide = first + levels, strips * self.width
        with self.one_by_one([p.extent(d) for d in p.kept]) as places:
            at = dict(zip(p.kept, places))
            sums = code.scratch(p.dtype, parts * wide)
            with self.turns([parts, strips]) as (i, strip):
                c0 = code.times(strip, r.strip)
                self.scratch = code.scratch(p.dtype, lines * self.width)
                self._begin(lines, at, c0)

                def one(j: Index) -> None:
                    if rest:
                        self._fold(self._down(rest, {**at, k: j}, c0, 1), first, c0)
                    else:
                        self._run(k, at, c0, j, r.run, first)

                low = code.times(i, part)
                self._up(low, self.end(low, part, outer), outer, levels, first, one, c0)
                to = code.add(code.times(i, wide), code.times(strip, self.width))
                self.over_columns(
                    c0, lambda c, x, count: code.store(self.v, self._get(lines - 1, x), sums, code.add(to, x))
                )
                code.free(self.scratch)
            self._add_parts(at, sums, parts, wide)
            code.free(sums)

    def _add_parts(self, at: At, sums: Any, parts: int, wide: int) -> None:
        """The sums of the parts, and of the rows that are left, make the whole."""
        code, p, r = self.code, self.p, self.r
        many, left = divmod(p.extent(p.ks[0]), r.run) if len(p.ks) == 1 else (0, 0)
        with self.turns([wide // self.width]) as (strip,):

            def one(c: Index, x: Index, count: int) -> None:
                source = code.add(code.times(strip, self.width), x)

                def turn(i: Index, totals: list[Any]) -> list[Any]:
                    place = code.add(code.times(i, wide), source)
                    return self.added(totals, [code.load(self.v, sums, place)])

                totals = self.runs(parts, turn, [code.zeros(self.v)])
                here = {**at, p.v: c}
                if left:
                    bases = self.bases({**here, p.ks[0]: many * r.run})
                    totals = self.rows(totals, lambda n: [self.term(bases, {p.ks[0]: n}, count)], left)
                self.finish(totals[0], here, p.v, count)

            self.over_columns(code.times(strip, r.strip), one)


def by_columns(code: Code, p: Problem, r: SumRecord) -> Columns:
    """What writes sums whose lanes are neighbouring sums: in registers where they fit, else through scratch memory."""
    return (Columns if Columns.fits(p, r) else Wide)(code, p, r)
