"""Element-wise operations, strided copies, gathers and pads: vectors along the loop in which the result is contiguous.

Operands that move along that loop are read in vectors, at steps of 2 to 4 in several that are shuffled; what stays the
same is computed once for a row. Every lane does what the operations say, so the bits are those of `interpret`.

Stores that go past the caches save reading the memory that will be overwritten, but the next reader of the result
finds it in no cache: they are for large results of the module.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..rules.choice import Choice
from ..rules.element_rules import MOST, NEAR, ElementRecord, choose_elements, rows_are_alike
from ..rules.sharing import ELEMENT, best_loop
from ..targets.cpus import Cpu
from .element_program import Computed, Given, Program, Read, Store, blocks, read_program
from .nest import Access, Nest
from .replay import given, repeat, repeat_each
from .vector_code import Code, Index


def match(nests: Sequence[Nest]) -> Program | None:
    """Operations over the same elements whose results have contiguous rows; None for anything else."""
    p = read_program(nests)
    if p is None or not p.extents:
        return None
    if any(s.access.strides[-1] != 1 and not (p.frame and s.access.strides[-1] <= NEAR) for s in p.stores):
        return None
    if any(p.moves[i][-1] for n in p.nodes if isinstance(n, Read) for i in n.sources):
        return None  # each element of a row is picked from somewhere else
    return p


def choose(p: Program, cpu: Cpu, numerics: str) -> Choice[ElementRecord]:
    """The record for a program."""
    return choose_elements(p.elements, cpu, numerics)


def emit(code: Code, p: Program, r: ElementRecord) -> None:
    """Write the loops."""
    _Emitter(code, p, r).write()


def _rows_are_alike(p: Program, a: Access, lanes: int) -> bool:
    """True if there are several rows, each of whole vectors, and a border of vectors is one in all of them."""
    return rows_are_alike(p.extents, a.strides, lanes)


Values = dict[tuple[int, bool], Any]
"""What is known: (node, whether in every lane of a vector) -> value."""


class _Emitter:
    def __init__(self, code: Code, p: Program, r: ElementRecord) -> None:
        self.code, self.p, self.r = code, p, r
        self.flats = {a.value: code.flat(a.value) for a in p.accesses}
        last = len(p.extents) - 1
        self.varies = [m[-1] for m in p.moves]
        self.level = [max((d for d in range(last) if m[d]), default=-1) for m in p.moves]
        self.picked = [n for n in p.nodes if isinstance(n, Read) and n.rows]
        self.single = p.closed(i for n in self.picked for i in n.sources)
        self.streamed = next((s for s in p.stores if s.access.is_result), p.stores[0]) if r.streaming else None
        self.frame = p.frame and code.splat(code.vectors(p.stores[0].access.dtype, r.lanes), p.frame.value)
        turns = [*p.extents[:-1], -(-p.extents[-1] // PART)]
        self.shared = best_loop(turns, code.threads, prod(p.extents) * ELEMENT)

    def write(self) -> None:
        """All loops; where every row starts on a border of vectors or none does, one way for each."""
        known: Values = {}
        self._settle(-1, [], known)
        if self.streamed is None or not _rows_are_alike(self.p, self.streamed.access, self.r.lanes):
            self._loops(0, [], known)
            return
        a, outer = self.streamed.access, [0] * (len(self.p.extents) - 1)
        head = self.misaligned(a, self.start(a, outer))
        with self.code.when_equal(head, 0):
            self._loops(0, [], known)
        self.streamed = None
        with self.code.when_positive(head):
            self._loops(0, [], known)

    def misaligned(self, a: Access, place: Index) -> Index:
        """Elements up to the next border of vectors."""
        return self.code.misaligned(self.flats[a.value], place, self.r.lanes * a.dtype.width)

    def _loops(self, d: int, at: list[Index], known: Values) -> None:
        """The loops from number d on, at the indices `at` of those around."""
        p = self.p
        if p.frame:
            self._surround(at, *p.frame.before[d])
        if d == len(p.extents) - 1:
            _Row(self, at, known).write()
        else:
            self._turns(d, at, known)
        if p.frame:
            self._surround(at, *p.frame.after[d])

    def _turns(self, d: int, at: list[Index], known: Values) -> None:
        code, p = self.code, self.p
        with (code.parallel if d == self.shared else code.loop)(0, p.extents[d]) as i:
            inner = dict(known)
            if d == len(p.extents) - 2:
                self._fetch(at, i, known)
            self._settle(d, [*at, i], inner)
            self._loops(d + 1, [*at, i], inner)

    def _surround(self, at: list[Index], start: int, count: int) -> None:
        """Store the value of the frame `count` times, from the offset `start` on, at the indices `at`."""
        a, lanes, code = self.p.stores[0].access, self.r.lanes, self.code
        v, place = code.vectors(a.dtype, lanes), code.place(a.strides[: len(at)], at, start)
        streams = self.streamed is not None and _rows_are_alike(self.p, a, lanes) and start % lanes == a.offset % lanes
        store = code.store_streaming if streams else code.store
        for low, high, step in blocks(count // lanes * lanes, MOST * lanes):
            with code.loop(low, high, step) as i:
                for x in range(0, step, lanes):
                    store(v, self.frame, self.flats[a.value], code.add(place, i, x))
        if count % lanes:
            code.store(v, self.frame, self.flats[a.value], code.add(place, count - count % lanes), count % lanes)

    def _settle(self, level: int, at: list[Index], known: Values) -> None:
        """Compute what stays the same in a row and changes last with the loop number `level`."""
        for i in range(len(self.p.nodes)):
            if self.varies[i] or self.level[i] != level:
                continue
            if i in self.single:
                known[i, False] = self._single(i, at, known)
            if i in self.p.spread:
                known[i, True] = self._spread(i, at, known)

    def _single(self, i: int, at: list[Index], known: Values) -> Any:
        n = self.p.nodes[i]
        if isinstance(n, Given):
            return n.value
        if isinstance(n, Read):
            return self.code.read(self.flats[n.access.value], self.place(n, at, known))
        return repeat(self.code, n.op, [known[k, False] for k in n.sources], None)

    def _spread(self, i: int, at: list[Index], known: Values) -> Any:
        n = self.p.nodes[i]
        if isinstance(n, Computed):
            return repeat(self.code, n.op, [known[k, True] for k in n.sources], self.r.lanes)
        single = known[i, False] if (i, False) in known else self._single(i, at, known)
        return given(self.code, single, self.r.lanes)

    def place(self, n: Read, at: Sequence[Index], known: Values) -> Index:
        """The offset of a read at the indices `at` of the outer loops."""
        moved = [self.code.times(known[i, False], stride) for i, stride in n.rows]
        return self.code.add(*moved, self.start(n.access, at))

    def start(self, a: Access, at: Sequence[Index]) -> Index:
        """The offset of an access at the indices `at` of the outer loops."""
        return self.code.place(a.strides[: len(at)], at, a.offset)

    def _fetch(self, at: list[Index], i: Index, known: Values) -> None:
        """Fetch what rows some iterations later will need, at the indices `at` and `i` of the outer loops."""

        def then(ahead: int) -> list[Index]:
            return [*at, self.code.least(self.code.add(i, ahead), self.p.extents[-2] - 1)]

        if self.r.ahead:
            self._fetch_picked(then(self.r.ahead), known)
        if self.streamed is not None and not _rows_are_alike(self.p, self.streamed.access, self.r.lanes):
            a = self.streamed.access
            start = self.start(a, then(ENDS_AHEAD))
            for place in (start, self.code.add(start, self.p.extents[-1] - 1)):
                self.code.fetch(self.flats[a.value], place, write=True)

    def _fetch_picked(self, at: list[Index], known: Values) -> None:
        """Fetch the rows that will be picked at the indices `at`."""
        code, last = self.code, len(self.p.extents) - 1
        known = dict(known)
        for i in sorted(self.single):
            if self.level[i] == last - 1:
                known[i, False] = self._single(i, at, known)
        for n in self.picked:
            place, width = self.place(n, at, known), n.access.dtype.width
            reach = 1 + (self.p.extents[-1] - 1) * n.access.strides[-1]
            for x in range(0, min(reach, FETCHED // width), LINE // width):
                code.fetch(self.flats[n.access.value], code.add(place, x))


ENDS_AHEAD = 8
"""Rows ahead at which the lines that rows share are fetched: whole vectors would wait for the stores to them."""

LINE = 64
"""Bytes that a cache fetches at once."""

PART = 1 << 13
"""Elements of a row, a multiple of every number of lanes, that a thread takes at a time."""

FETCHED = 1 << 10
"""Bytes of a row that are fetched ahead; the rest is known to follow once the row is read."""


class _Row:
    """The elements along the last loop at the indices `at` of the others."""

    def __init__(self, e: _Emitter, at: list[Index], known: Values) -> None:
        self.e, self.code, self.known = e, e.code, known
        self.reads = {i: e.place(n, at, known) for i, n in enumerate(e.p.nodes) if isinstance(n, Read) and e.varies[i]}
        self.stores = [(s, e.start(s.access, at)) for s in e.p.stores]

    def write(self) -> None:
        code, n = self.code, self.e.p.extents[-1]
        if code.threads == 1 or n <= PART:
            self._part(0, n)
            return
        with code.parallel(0, n, PART) as low:
            self._part(low, code.least(code.add(low, PART), n))

    def _part(self, low: Index, high: Index) -> None:
        """The elements from `low`, which is a border of vectors if the row begins with one, up to `high`."""
        code, e = self.code, self.e
        if e.streamed is None:
            self._span(low, high)
            return
        if _rows_are_alike(e.p, e.streamed.access, e.r.lanes):
            self._span(low, high, e.streamed)
            return
        start = next(place for s, place in self.stores if s is e.streamed)
        head = code.least(e.misaligned(e.streamed.access, code.add(start, low)), code.add(high, code.times(low, -1)))
        with code.when_positive(head):
            self._vectors(low, 1, head)
        self._span(code.add(low, head), high, e.streamed)

    def _span(self, low: Index, high: Index, streamed: Store | None = None) -> None:
        """The elements from `low` to `high`: several vectors at a time, then one, then what is left."""
        code, lanes = self.code, self.e.r.lanes
        count = code.add(high, code.times(low, -1))
        spaced = any(s.access.strides[-1] != 1 for s in self.e.p.stores)  # then the last vector is not stored in full
        for vectors in sorted({self.e.r.vectors, 1}, reverse=True):
            whole = code.times(code.quotient(code.add(count, -spaced), vectors * lanes), vectors * lanes)
            if isinstance(whole, int) and not whole:
                continue
            with code.loop(low, code.add(low, whole), vectors * lanes) as j:
                self._vectors(j, vectors, None, streamed)
            low, count = code.add(low, whole), code.add(count, code.times(whole, -1))
        if not isinstance(count, int) or count:
            with code.when_positive(count):
                self._vectors(low, 1, count)

    def _vectors(self, j: Index, vectors: int, count: Index | None, streamed: Store | None = None) -> None:
        """Vectors from the element `j` of the row on; of one alone perhaps only the first `count` lanes."""
        code, e, lanes = self.code, self.e, self.e.r.lanes
        values: list[dict[int, Any]] = [{} for _ in range(vectors)]
        for i, n in enumerate(e.p.nodes):
            if e.varies[i] and isinstance(n, Computed):
                found = repeat_each(code, n.op, [[env[k] for k in n.sources] for env in values], lanes)
                for env, value in zip(values, found):
                    env[i] = value
                continue
            for x, env in enumerate(values):
                if not e.varies[i]:
                    env[i] = self.known.get((i, True))
                elif isinstance(n, Read):
                    stride, v = n.access.strides[-1], code.vectors(n.access.dtype, lanes)
                    place = code.add(self.reads[i], code.times(code.add(j, x * lanes), stride))
                    env[i] = code.load_apart(v, e.flats[n.access.value], place, stride, count)
        for s, start in self.stores:
            v, flat, step = code.vectors(s.access.dtype, lanes), e.flats[s.access.value], s.access.strides[-1]
            for x, env in enumerate(values):
                place = code.add(start, code.times(code.add(j, x * lanes), step))
                if s is streamed:
                    code.store_streaming(v, env[s.node], flat, place)
                else:
                    code.store_apart(v, env[s.node], flat, place, step, e.frame, count)
