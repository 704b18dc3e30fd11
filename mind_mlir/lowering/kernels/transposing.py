"""Transposes: results and operands that are contiguous along different loops, by squares of vectors.

A square is as many vectors as one has lanes. Vectors of the operand are read along its rows, transposed in registers,
and the results are stored along the rows of the result: every vector is whole on both sides. Of few rows, such as the
colours of an image, vectors hold all, and their lanes are dealt out.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ...ir.kept import kept_property
from ..rules.choice import Choice
from ..rules.sharing import EVEN, evenness
from ..rules.transpose_rules import (
    TransposeRecord,
    Turned,
    choose_transpose,
    is_dealt,
    lies_across,
    loop_across,
    with_squares,
)
from ..targets.cpus import Cpu
from .element_program import Computed, Given, Program, Read, blocks, read_program
from .nest import Access, Nest
from .replay import given, repeat
from .vector_code import Code, Index


@dataclass(frozen=True)
class Problem:
    """A program whose last loop runs along the rows of results, and the last but one along those of some reads."""

    program: Program
    turned: frozenset[int]  # those reads

    @kept_property
    def plain(self) -> Turned:
        """What the rules see of it."""
        reads = [i for i, n in enumerate(self.program.nodes) if isinstance(n, Read)]
        return Turned(self.program.elements, frozenset(reads.index(i) for i in self.turned))


def match(nests: Sequence[Nest]) -> Problem | None:
    """Element-wise operations without gathers, one of whose operands is transposed against the results; else None."""
    p = read_program(nests)
    if p is None or p.frame or len(p.extents) < 2 or any(s.access.strides[-1] != 1 for s in p.stores):
        return None
    reads = [n for n in p.nodes if isinstance(n, Read)]
    along = loop_across([n.access.strides for n in reads])
    if along is None or any(n.rows for n in reads):
        return None
    p = p.with_loops(with_squares(len(p.extents), along))
    turned = {i for i, n in enumerate(p.nodes) if isinstance(n, Read) and lies_across(n.access.strides)}
    return Problem(p, frozenset(turned))


def choose(p: Problem, cpu: Cpu, numerics: str) -> Choice[TransposeRecord]:
    """The record for a transpose."""
    return choose_transpose(p.plain, cpu, numerics)


def emit(code: Code, problem: Problem, r: TransposeRecord) -> None:
    """Write the loops."""
    _Emitter(code, problem, r).write()


@dataclass(frozen=True)
class _Span:
    """Indices from `low` up to `high`, of which squares take `count` each; if that is not known, all or none."""

    low: Index
    high: Index
    count: Index
    squares: int = 1


class _Emitter:
    def __init__(self, code: Code, problem: Problem, r: TransposeRecord) -> None:
        self.code, self.r, self.turned = code, r, problem.turned
        self.p = problem.program
        self.flats = {a.value: code.flat(a.value) for a in self.p.accesses}
        # threads that write into the same rows wait for each other's lines where rows begin within one
        self.order = r.order if code.threads == 1 or r.streaming else "rows"

    def write(self) -> None:
        """All loops; threads share the outer ones if those keep them busy, else blocks or squares as well."""
        outer = self._outer([])
        if evenness(prod(high for _, high, _ in outer), self.code.threads) >= EVEN:
            with self.code.parallel_nest(*outer) as at:
                self._blocks(at)
        else:
            self._blocks([])

    def _outer(self, at: list[Index]) -> list[tuple[int, int, int]]:
        """The loops outside of squares that `at` says nothing of."""
        return [(0, n, 1) for n in self.p.extents[len(at) : -2]]

    def _blocks(self, at: list[Index]) -> None:
        rows, columns = self.p.extents[-2:]
        if self.r.streaming:
            self._squares(at, self._spans(0, rows), self._lines(columns))
            return
        for i0, i1, ni in blocks(rows, self.r.rows):
            for j0, j1, nj in blocks(columns, self.r.columns):
                with self.code.parallel_nest(*self._outer(at), (i0, i1, ni), (j0, j1, nj)) as (*more, i, j):
                    self._squares([*at, *more], self._spans(i, ni), self._spans(j, nj))

    def _spans(self, start: Index, n: int) -> list[_Span]:
        """`n` indices in squares, and what is left."""
        parts = blocks(n, self.r.lanes)
        add = self.code.add
        return [_Span(add(start, low), add(start, high), size, (high - low) // size) for low, high, size in parts]

    def _lines(self, n: int) -> list[_Span]:
        """The `n` indices of a row in squares between borders of vectors, and the ends of the row."""
        code, lanes, a = self.code, self.r.lanes, self.p.stores[0].access
        head = code.misaligned(self.flats[a.value], a.offset, lanes * a.dtype.width)
        head = code.least(head, n)
        whole = code.times(code.quotient(code.add(n, code.times(head, -1)), lanes), lanes)
        end = code.add(head, whole)
        return [_Span(0, head, head), _Span(head, end, lanes), _Span(end, n, code.add(n, code.times(end, -1)))]

    def _squares(self, at: list[Index], rows: list[_Span], columns: list[_Span]) -> None:
        """All squares of some rows and columns of the result."""
        if self.order == "diagonals" and not self.r.streaming and len(at) == len(self.p.extents) - 2:
            self._diagonals(at, rows, columns)
            return
        down = self.order == "columns"
        outer, inner = (columns, rows) if down else (rows, columns)
        for first in outer:
            with self._walk(first, self._outer(at)) as (*more, x):
                for second in inner:
                    with self._walk(second, []) as (y,):
                        if down:
                            self._square([*at, *more, y, x], second.count, first.count)
                        else:
                            self._square([*at, *more, x, y], first.count, second.count)

    def _diagonals(self, at: list[Index], rows: list[_Span], columns: list[_Span]) -> None:
        """Whole squares from the lower left to the upper right, then what is left.

        Rows whose starts are a power of 2 apart share a few sets of a cache: neighbours on a diagonal share none.
        """
        code, lanes = self.code, self.r.lanes
        for down in rows:
            for across in columns:
                if down.count == across.count == lanes:
                    m, n = down.squares, across.squares
                    with code.loop(0, n) as d, code.loop(0, m) as x:
                        y = code.remainder(code.add(d, code.times(x, -1), -(-m // n) * n), n)
                        i, j = (code.add(s.low, code.times(k, lanes)) for s, k in ((down, x), (across, y)))
                        self._square([*at, i, j], lanes, lanes)
                else:
                    with self._walk(down, []) as (i,), self._walk(across, []) as (j,):
                        self._square([*at, i, j], down.count, across.count)

    @contextlib.contextmanager
    def _walk(self, span: _Span, outer: list[tuple[int, int, int]]) -> Iterator[list[Index]]:
        """The loops `outer`, and in them one over the squares of a span."""
        if isinstance(span.count, int):
            with self.code.parallel_nest(*outer, (span.low, span.high, span.count)) as turns:
                yield turns
        else:
            with self.code.when_positive(span.count), self.code.parallel_nest(*outer) as turns:
                yield [*turns, span.low]

    def _square(self, at: list[Index], rows: Index, columns: Index) -> None:
        """A square of the result, or the part of it that there is, from the indices `at` on; `rows` are known."""
        assert isinstance(rows, int), "only columns depend on the address of memory"
        code, p, lanes = self.code, self.p, self.r.lanes
        start = {a: code.place(a.strides, at, a.offset) for a in p.accesses}
        turned = {k: self._turned(p.nodes[k].access, at, rows, columns) for k in self.turned}  # type: ignore[union-attr]
        for x in range(rows):
            env: list[Any] = []
            for k, n in enumerate(p.nodes):
                if k in turned:
                    env.append(turned[k][x])
                elif isinstance(n, Read):
                    env.append(self._row(n.access, code.add(start[n.access], x * n.access.strides[-2]), columns))
                elif isinstance(n, Given):
                    env.append(given(code, n.value, lanes))
                elif isinstance(n, Computed):
                    env.append(repeat(code, n.op, [env[s] for s in n.sources], lanes))
            for s in p.stores:
                a = s.access
                v, place = code.vectors(a.dtype, lanes), code.add(start[a], x * a.strides[-2])
                if self.r.streaming and columns == lanes and s is p.stores[0]:
                    code.store_streaming(v, env[s.node], self.flats[a.value], place)
                else:
                    code.store(v, env[s.node], self.flats[a.value], place, columns)

    def _turned(self, a: Access, at: list[Index], rows: int, columns: Index) -> list[Any]:
        """The elements of a transposed operand, along rows of the result."""
        code, v = self.code, self.code.vectors(a.dtype, self.r.lanes)
        if is_dealt(a.strides, self.p.extents[-2]):
            place = code.place(a.strides, at, a.offset)
            return code.load_dealt(v, self.flats[a.value], place, a.strides[-1], rows, columns)
        found = []
        for y in range(self.r.lanes):
            if isinstance(columns, int) and y >= columns:
                found.append(code.zeros(v))
                continue
            j = code.add(at[-1], y)
            if not isinstance(columns, int):  # lanes that are not stored read the last column, nothing beyond it
                j = code.least(j, self.p.extents[-1] - 1)
            found.append(code.load(v, self.flats[a.value], code.place(a.strides, [*at[:-1], j], a.offset), rows))
        return code.turned(v, found)

    def _row(self, a: Access, place: Index, count: Index) -> Any:
        """The elements of an operand along a row of the result."""
        v, flat, step = self.code.vectors(a.dtype, self.r.lanes), self.flats[a.value], a.strides[-1]
        if step:
            return self.code.load_apart(v, flat, place, step, count)
        return self.code.splat(v, self.code.read(flat, place))
