"""Sums whose lanes are neighbouring terms: along the minor axis, and over everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..rules.sum_rules import SumRecord
from .sum_problem import Problem
from .sums import At, Sums
from .vector_code import Code, Index


class Minor(Sums):
    """Lines of terms, folded into rows of partial sums that are added by halves; of short lines several together."""

    def __init__(self, code: Code, p: Problem, r: SumRecord) -> None:
        super().__init__(code, p, r)
        self.q = p.sum.output_loop
        self.others = tuple(d for d in p.kept if d != self.q)

    def write(self) -> None:
        p, lanes = self.p, self.r.lanes
        others = [p.extent(d) for d in self.others]
        blocks, left = divmod(p.extent(self.q), lanes)
        if self.few(prod(others) * -(-p.extent(self.q) // lanes)) and self.write_shared():
            return
        for first, turns, count in ((0, blocks, lanes), (blocks, 1, left)):
            if not turns or not count:
                continue
            with self.turns([*others, turns]) as (*places, block):
                at = dict(zip(self.others, places))
                if self.q is not None:
                    at[self.q] = self.code.times(self.code.add(first, block), lanes)
                self.finish(self.block(at, count), at, self.q, count)

    def block(self, at: At, count: int) -> Any:
        """The sums of `count` lines from `at` on."""
        p, lanes = self.p, self.r.lanes
        n = p.extent(p.v)
        width = 1 << (n - 1).bit_length()
        if width < lanes and not p.ks and count > 1 and self._is_packed():
            return self._lanes_added(self._packed(at, count, width), width)
        if n <= min(self.r.wide, 2 * lanes) and not p.ks and count > 1:
            bases = self.bases(at)
            moved: list[At] = [{self.q: i} if self.q is not None else {} for i in range(count)]
            lines = [self.halved(self.row(bases, m, self.columns(n))) for m in moved]
            return self._lanes_added(lines + [self.neutral] * (lanes - count), lanes)
        if count == 1:
            return self.code.first(self.v, self._total(p.ks, at))

        def line(i: Index, sums: list[Any]) -> list[Any]:
            assert self.q is not None, "several sums are along a loop"
            total = self._total(p.ks, {**at, self.q: self.code.add(at[self.q], i)})
            return [self.code.with_lane(self.v, sums[0], i, total)]

        return self.code.carried(0, count, 1, [self.neutral], line)[0]

    # Lines

    def _total(self, ks: Sequence[int], at: At, part: int = 0) -> Any:
        """The sum at `at`, as an element."""
        return self.code.total(self.v, self.halved(self.line(ks, at, part)), self.p.kind)

    def line(self, ks: Sequence[int], at: At, part: int = 0) -> list[Any]:
        """A row of partial sums at `at`; threads share it if `part` is not 0."""
        p, code, r = self.p, self.code, self.r
        columns = self.columns(min(p.extent(p.v), r.wide))
        neutral = [self.neutral] * len(columns)

        def runs(count: int, add: Callable[[Index, list[Any]], list[Any]]) -> list[Any]:
            return self.shared_runs(count, part, add, len(columns)) if part else self.runs(count, add, neutral)

        if ks:
            k, *rest = ks
            return runs(p.extent(k), lambda i, s: self.added(s, self.line(rest, {**at, k: i})))
        rows, last = divmod(p.extent(p.v), r.wide)
        many, left = divmod(rows, r.run)

        def one(run: Index, sums: list[Any], count: int) -> list[Any]:
            bases = self.bases({**at, p.v: code.times(run, r.run * r.wide)})
            return self.rows(sums, lambda row: self.row(bases, {p.v: code.times(row, r.wide)}, columns), count)

        sums = runs(many, lambda i, s: one(i, s, r.run)) if many else neutral
        if left:
            sums = one(many, sums, left)
        if last:
            more = self.row(self.bases({**at, p.v: rows * r.wide}), {}, self.columns(last))
            sums = [*self.added(sums[: len(more)], more), *sums[len(more) :]]
        return sums

    def write_shared(self) -> bool:
        """Let threads share each line, where there are few and long ones; False where there are not."""
        p, r = self.p, self.r
        terms = r.run * r.wide
        outer = p.extent(p.ks[0]) if p.ks else p.extent(p.v) // terms
        part = self.part(prod(p.extent(d) for d in (*p.ks[1:], p.v)) if p.ks else terms, outer)
        if outer < 2 * part:
            return False
        with self.one_by_one([p.extent(d) for d in p.kept]) as places:
            at = dict(zip(p.kept, places))
            self.finish(self.code.first(self.v, self._total(p.ks, at, part)), at, self.q, 1)
        return True

    # Several short lines together

    def _is_packed(self) -> bool:
        """True if lines follow each other without gaps in everything that terms are computed from."""
        p = self.p
        n, q = p.extent(p.v), self.q
        return q is not None and all(a.strides[p.v] in (0, 1) and a.strides[q] == n * a.strides[p.v] for a in p.terms)

    def _packed(self, at: At, count: int, width: int) -> list[Any]:
        """Vectors of several lines, each padded to `width` lanes."""
        code, lanes, n = self.code, self.r.lanes, self.p.extent(self.p.v)
        assert self.q is not None, "several sums are along a loop"
        lines = lanes // width
        spread = [line * n + i if i < n else lanes for line in range(lines) for i in range(width)]
        bases = self.bases(at)
        vectors = []
        for first in range(0, lanes, lines):
            terms = min(lines, count - first) * n
            if terms <= 0:
                vectors.append(self.neutral)
                continue
            x = self.term(bases, {self.q: first}, terms)
            vectors.append(x if n == width else code.shuffle(self.v, x, self.neutral, spread))
        return vectors

    def _lanes_added(self, vectors: Sequence[Any], width: int) -> Any:
        """Sums of neighbouring `width` lanes of some vectors, all in one: the upper half is added to the lower one."""
        code, v, lanes = self.code, self.v, self.r.lanes
        while width > 1:
            half = width // 2
            low = [block + i for block in range(0, 2 * lanes, width) for i in range(half)]
            high = [i + half for i in low]
            vectors = [
                self.join(code.shuffle(v, x, y, low), code.shuffle(v, x, y, high))
                for x, y in zip(vectors[::2], vectors[1::2])
            ]
            width = half
        return vectors[0]
