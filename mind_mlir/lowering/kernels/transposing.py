"""Transposes: results and operands that lie in rows along different loops, by squares of vectors.

A square is as many vectors as one has lanes.  Vectors of the operand are read along its rows, turned in registers, and
what the operations make of them is stored along the rows of the result: every vector is whole on both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .code import Code, Index
from .cpus import Cpu
from .elementwise import streams, touched
from .nest import Access, Nest, dtype_of
from .program import Computed, Given, Program, Read, read_program
from .replay import given, repeat


@dataclass(frozen=True)
class Record:
    """Squares of `lanes`, in blocks of `rows` by `columns` of the result.

    In a block a row of squares is done before the next one, or a column if `down`.  `streaming` stores go past the
    caches.
    """

    lanes: int
    rows: int
    columns: int
    down: bool
    streaming: bool


@dataclass(frozen=True)
class Problem:
    """A program whose last loop runs along the rows of results, and the last but one along those of some reads."""

    program: Program
    turned: frozenset[int]  # those reads


def match(nests: Sequence[Nest]) -> Problem | None:
    """Element-wise operations without gathers, one of whose operands lies across the results; else None."""
    p = read_program(nests)
    if p is None or len(p.extents) < 2 or any(s.access.strides[-1] != 1 for s in p.stores):
        return None
    reads = [n for n in p.nodes if isinstance(n, Read)]
    across = [n.access.strides.index(1) for n in reads if _lies_across(n.access)]
    if not across or any(n.rows for n in reads):
        return None
    last = len(p.extents) - 1
    p = p.with_loops([*(d for d in range(last) if d != across[0]), across[0], last])
    turned = {i for i, n in enumerate(p.nodes) if isinstance(n, Read) and _lies_across(n.access, -2)}
    return Problem(p, frozenset(turned))


def _lies_across(a: Access, d: int | None = None) -> bool:
    """True if the elements along the loop `d`, or along any, are neighbours, and those along the last one are not."""
    return a.strides[-1] > 1 and (1 in a.strides if d is None else a.strides[d] == 1)


# Rules


def choose(problem: Problem, cpu: Cpu, numerics: str) -> Record | None:
    """The record for a transpose: squares go along the longer side, where lines follow each other."""
    p = problem.program
    lanes = cpu.vector_bytes // p.widest()
    rows, columns = p.extents[-2:]
    if lanes < 2:
        return None
    streaming = streams(p, cpu) and p.stores[0].access.is_result and _borders_agree(p.stores[0].access, lanes)
    large = sum(touched(p).values()) > cpu.l3
    down = rows > columns or (rows == columns and large)
    if large and not streaming:
        return Record(lanes, 64, 64, down, False)  # lines of the result are read before they are written
    return Record(lanes, rows if down else lanes, lanes if down else columns, down, streaming)


def _borders_agree(a: Access, lanes: int) -> bool:
    """True if a border of vectors in one row is one in all others."""
    return all(s % lanes == 0 for s in a.strides[:-1])


# Emission


def emit(code: Code, problem: Problem, r: Record) -> None:
    """Write the loops."""
    _Emitter(code, problem, r).write()


class _Emitter:
    def __init__(self, code: Code, problem: Problem, r: Record) -> None:
        self.code, self.r, self.turned = code, r, problem.turned
        self.p = problem.program
        self.flats = {a.value: code.flat(a.value) for a in self.p.accesses}
        self.streaming = r.streaming

    def write(self) -> None:
        """All loops; stores go past the caches if rows start on borders of vectors, which is known when called."""
        if not self.streaming:
            self._outer([])
            return
        code, a = self.code, self.p.stores[0].access
        head = code.misaligned(self.flats[a.value], a.offset, self.r.lanes * dtype_of(a.value).width)
        with code.when_equal(head, 0):
            self._outer([])
        self.streaming = False
        with code.when_positive(head):
            self._outer([])

    def _outer(self, at: list[Index]) -> None:
        """The loops around blocks, those below the turns `at`."""
        code, d = self.code, len(at)
        if d < len(self.p.extents) - 2:
            with code.parallel(0, self.p.extents[d]) as i:
                self._outer([*at, i])
            return
        rows, columns = self.p.extents[-2:]
        for i0, i1, ni in _parts(rows, self.r.rows):
            for j0, j1, nj in _parts(columns, self.r.columns):
                with code.parallel(i0, i1, ni) as i, code.parallel(j0, j1, nj) as j:
                    self._block(at, i, ni, j, nj)

    def _block(self, at: list[Index], i: Index, ni: int, j: Index, nj: int) -> None:
        """`ni` × `nj` elements of the result from (i, j) on."""
        code = self.code

        def along(n: int, body: Callable[[Index, int], None]) -> None:
            for low, high, size in _parts(n, self.r.lanes):
                with code.loop(low, high, size) as x:
                    body(x, size)

        def square(x: Index, rows: int, y: Index, columns: int) -> None:
            self._square([*at, code.add(i, x), code.add(j, y)], rows, columns)

        if self.r.down:
            along(nj, lambda y, columns: along(ni, lambda x, rows: square(x, rows, y, columns)))
        else:
            along(ni, lambda x, rows: along(nj, lambda y, columns: square(x, rows, y, columns)))

    def _square(self, at: list[Index], rows: int, columns: int) -> None:
        """A square of the result, or the part of it that there is, from the turns `at` on."""
        code, p, lanes = self.code, self.p, self.r.lanes
        start = {a: code.place(a.strides, at, a.offset) for a in p.accesses}
        turned: dict[int, list[Any]] = {}
        for k in self.turned:
            a = p.nodes[k].access  # type: ignore[union-attr]
            v, flat = code.vectors(dtype_of(a.value), lanes), self.flats[a.value]
            found = [code.load(v, flat, code.add(start[a], y * a.strides[-1]), rows) for y in range(columns)]
            turned[k] = code.turned(v, found + [code.zeros(v)] * (lanes - columns))
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
                v, place = code.vectors(dtype_of(a.value), lanes), code.add(start[a], x * a.strides[-2])
                if self.streaming and columns == lanes and s is p.stores[0]:
                    code.store_streaming(v, env[s.node], self.flats[a.value], place)
                else:
                    code.store(v, env[s.node], self.flats[a.value], place, columns)

    def _row(self, a: Access, place: Index, count: int) -> Any:
        """The elements of an operand along a row of the result."""
        v, flat, step = self.code.vectors(dtype_of(a.value), self.r.lanes), self.flats[a.value], a.strides[-1]
        if step:
            return self.code.load_apart(v, flat, place, step, count)
        return self.code.splat(v, self.code.read(flat, place))


def _parts(n: int, size: int) -> list[tuple[int, int, int]]:
    """Start, end and step of the loop over whole blocks of `size`, and of the one over what is left; no empty ones."""
    whole = n // size * size
    return [part for part in ((0, whole, size), (whole, n, n - whole)) if part[0] < part[1]]
