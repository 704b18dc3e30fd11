"""Sums of long rows: partial sums of strips of columns in scratch memory.

Rows are added up in runs of `run`, runs in runs of runs, and so on up, a level each. Each level has a line of scratch
memory, as wide as a strip, that holds what the level below has added so far. See docs/kernels.md, Levels of a sum.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ..emit.scalars import Scalars
from ..rules.sum_rules import SumRecord
from .sum_problem import Problem
from .sums import At
from .sums_columns import Columns
from .vector_code import Code, Index

TURN = 128
"""Bytes of a row that one iteration adds where rows are read one by one: fewer are slower, if read from memory."""


@dataclass(frozen=True)
class Levels:
    """The lines of scratch memory of so many levels of runs: the lowest is `first`, and each level is one line more."""

    first: int
    count: int

    @property
    def top(self) -> int:
        """The line that holds the sum in the end."""
        return self.first + self.count - 1

    @property
    def below(self) -> Levels:
        """All but the highest level."""
        return Levels(self.first, self.count - 1)


class Lines:
    """Lines of scratch memory, one after the other."""

    def __init__(self, code: Code, v: Scalars, memory: Any, width: int) -> None:
        self.code, self.v, self.memory, self.width = code, v, memory, width

    def load(self, line: int, x: Index) -> Any:
        """The vector at column x of the strip."""
        return self.code.load(self.v, self.memory, self.code.add(x, line * self.width))

    def store(self, value: Any, line: int, x: Index) -> None:
        """Store a vector at column x of the strip."""
        self.code.store(self.v, value, self.memory, self.code.add(x, line * self.width))


RUN_LINE = 0
"""The line in which the rows of a run are added up, where they are not read all together."""


class Wide(Columns):
    """A line of scratch memory for each level of runs, as wide as a strip, neutral but while its level is at work.

    Short rows are read one by one: the processor reads ahead in one long piece of memory. Of long rows a run is read
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
        lines = 1 + self._lines_for(p.ks)
        alone = self.code.threads == 1
        scratch = self._scratch(lines) if alone else None
        with self.strips() as (at, c0):
            self.lines = scratch or self._scratch(lines)
            self._start_lines(lines, at, c0)
            top = self._sum_over(p.ks, at, c0, RUN_LINE + 1)
            self.over_columns(c0, lambda c, x, count: self.finish(self.lines.load(top, x), {**at, p.v: c}, p.v, count))
            if not alone:
                self.code.free(self.lines.memory)
        if scratch is not None:
            self.code.free(scratch.memory)

    # Lines

    def _scratch(self, lines: int) -> Lines:
        """Memory for so many lines."""
        return Lines(self.code, self.v, self.code.scratch(self.p.dtype, lines * self.width), self.width)

    def _lines_for(self, ks: Sequence[int]) -> int:
        """Lines that sums over `ks` take, beside that of a run."""
        if self.r.in_order:
            return 1
        *outer, t = (self.p.extent(k) for k in ks)
        return self.levels(t // self.r.run) + sum(map(self.levels, outer))

    def _start_lines(self, lines: int, at: At, c0: Index) -> None:
        """Let the lines hold what sums start from."""

        def start(c: Index, x: Index, count: int) -> None:
            for line in range(RUN_LINE + 1, lines):
                (value,) = self.begun({**at, self.p.v: c}, [(0, count)])
                self.lines.store(value, line, x)

        self.over_columns(c0, start)

    def _add_line(self, line: int, into: int, c0: Index) -> None:
        """Add a line to another one; it is neutral then."""

        def add(c: Index, x: Index, count: int) -> None:
            self.lines.store(self.join(self.lines.load(into, x), self.lines.load(line, x)), into, x)
            self.lines.store(self.neutral, line, x)

        self.over_columns(c0, add)

    # Sums

    def _sum_over(self, ks: Sequence[int], at: At, c0: Index, first: int) -> int:
        """Sums over `ks` of terms at `at`, with lines from `first` on; gives the line that holds them."""
        k, *rest = ks
        if rest:
            inner = first + self._lines_for(rest) - 1  # holds the sums over the other loops
            count = self.p.extent(k)
            levels = Levels(inner + 1, self.levels(count))

            def one(i: Index) -> None:
                self._sum_over(rest, {**at, k: i}, c0, first)
                self._add_line(inner, levels.first, c0)

            self._in_runs(0, count, count, levels, one, c0)
            return levels.top
        many, left = divmod(self.p.extent(k), self.r.run)
        levels = Levels(first, 1 if self.r.in_order else self.levels(many))
        self._in_runs(0, many, many, levels, lambda i: self._add_rows(k, at, c0, i, self.r.run, first), c0)
        if left:
            self._add_rows(k, at, c0, many, left, levels.top)
        return levels.top

    def _in_runs(
        self, low: Index, high: Index, count: int, levels: Levels, one: Callable[[Index], None], c0: Index
    ) -> None:
        """Iterations of `one`, which add to the lowest level, in runs; the sum is at the top."""
        step = self.r.run ** (levels.count - 1)
        if not count:
            return
        with self.code.loop(low, high, 1 if self.r.in_order else step) as i:
            if levels.count == 1:
                one(i)
            else:
                self._in_runs(i, self.end(i, step, count), count, levels.below, one, c0)
                self._add_line(levels.below.top, levels.top, c0)

    def _add_rows(self, k: int, at: At, c0: Index, run: Index, count: int, line: int) -> None:
        """Add a run of rows to a line. `rows` are read at a time, and their sum is in the line of a run meanwhile."""
        code, step, first = self.code, self.r.rows, self.code.times(run, self.r.run)

        def some(row: Index, rows: int, begins: bool, ends: bool) -> None:
            def add(c: Index, x: Index, used: int) -> None:
                bases = self.bases({**at, k: code.add(first, row), self.p.v: c})
                terms = [[self.term(bases, {k: n}, used)] for n in range(rows)]
                if self.r.in_order:
                    terms.insert(0, [self.lines.load(line, x)])
                elif not begins:
                    terms.insert(0, [self.lines.load(RUN_LINE, x)])
                (total,) = functools.reduce(self.added, terms)
                if ends and not self.r.in_order:
                    total = self.join(self.lines.load(line, x), total)
                self.lines.store(total, line if ends else RUN_LINE, x)

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
        """Few sums of many rows: threads add `part` iterations of the outermost loop each; these sums are added."""
        code, p, r = self.code, self.p, self.r
        k, *rest = p.ks
        strips, parts = -(-p.extent(p.v) // r.strip), -(-outer // part)
        levels = Levels(1 + (self._lines_for(rest) if rest else 0), self.levels(part))
        wide = strips * self.width
        with self.one_by_one([p.extent(d) for d in p.kept]) as places:
            at = dict(zip(p.kept, places))
            sums = code.scratch(p.dtype, parts * wide)
            with self.turns([parts, strips]) as (i, strip):
                c0 = code.times(strip, r.strip)
                self.lines = self._scratch(levels.top + 1)
                self._start_lines(levels.top + 1, at, c0)

                def one(j: Index) -> None:
                    if rest:
                        self._add_line(self._sum_over(rest, {**at, k: j}, c0, RUN_LINE + 1), levels.first, c0)
                    else:
                        self._add_rows(k, at, c0, j, r.run, levels.first)

                low = code.times(i, part)
                self._in_runs(low, self.end(low, part, outer), outer, levels, one, c0)
                to = code.add(code.times(i, wide), code.times(strip, self.width))
                self.over_columns(
                    c0, lambda c, x, count: code.store(self.v, self.lines.load(levels.top, x), sums, code.add(to, x))
                )
                code.free(self.lines.memory)
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

                totals = self.runs(parts, turn, [self.neutral])
                here = {**at, p.v: c}
                if left:
                    bases = self.bases({**here, p.ks[0]: many * r.run})
                    totals = self.rows(totals, lambda n: [self.term(bases, {p.ks[0]: n}, count)], left)
                self.finish(totals[0], here, p.v, count)

            self.over_columns(code.times(strip, r.strip), one)


def by_columns(code: Code, p: Problem, r: SumRecord) -> Columns:
    """What writes sums whose lanes are neighbouring sums: in registers where they fit, else through scratch memory."""
    return (Columns if Columns.fits(p, r) else Wide)(code, p, r)
