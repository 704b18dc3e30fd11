"""The rules for sums along axes on CPUs: the roles of their loops, and their record.

The order of additions follows from the shape alone; the choices for a CPU change no bit. See docs/numerics.md, Sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, prod

from ...ir import DType
from ..targets.cpus import Cpu
from .choice import Choice, counted, size
from .loop_nest import LoopNest

UNIT, WIDE = 64, 256
"""Bytes: rows are folded into wider ones of whole units that are at least wide. Part of the order of additions."""

RUN = 8
"""Rows that are added one after the other, and such sums, and so on up. Part of the order of additions."""

STRIP, PART, PAGES = 32 << 10, 64 << 10, 8 << 10
"""Bytes of partial sums that stay in a near cache; that a thread takes at a time; and of two pages."""


@dataclass(frozen=True)
class SumRecord:
    """The schedule of sums, and its parameters.

    `schedule` is one of

        minor    lines of neighbouring terms, each folded into rows
        columns  rows of neighbouring sums
        folded   short rows, several of which are taken as one
        staged   short lines: first the other axes, as columns into scratch memory, then the lines as minor

    `wide` terms of a line are one row; `run` rows are added one after the other, `run` such sums likewise, and so on
    up, unless sums are taken `in_order`, term by term. The rest has no influence on bits: `lanes` elements are one
    vector; partial sums of `strip` columns stay in a near cache, for which `rows` rows are read at a time; a run is
    straight code if `unrolled`; where there are too few sums to share, a thread takes about `part` bytes at a time.
    """

    schedule: str
    wide: int
    run: int
    in_order: bool
    lanes: int
    strip: int
    rows: int
    unrolled: bool
    part: int


@dataclass(frozen=True)
class Told:
    """The loops of a sum: `v` runs along vectors, `ks` are the others that add up, `kept` those that do not."""

    loops: LoopNest
    v: int
    ks: tuple[int, ...]
    kept: tuple[int, ...]


def told_apart(loops: LoopNest, memory: Sequence[int], in_order: bool) -> Told | None:
    """As few loops as possible, with their roles. `memory` are the operands in memory from which terms are computed.

    The roles follow from the widest of these. None if terms that have to be added `in_order` would change their order.
    """
    loops = loops.without_single()
    widest = _widest(loops, memory)
    if widest is not None:
        steps, reduction = loops.strides[widest], loops.reduction
        order = sorted(range(len(loops.extents)), key=lambda d: -(steps[d] or 1 << 62))
        if in_order and [d for d in order if reduction[d]] != [d for d in range(len(order)) if reduction[d]]:
            return None
        loops = loops.with_dims(order).simplified()
    if not loops.extents:  # one loop of a single iteration, which adds up
        loops = LoopNest((1,), (True,), (*[(1,)] * (len(loops.strides) - 1), (0,)))
    widest = _widest(loops, memory)
    dims = range(len(loops.extents))
    strides = loops.strides[widest] if widest is not None else (0,) * len(dims)
    v = min(dims, key=lambda d: (strides[d] or 1 << 62, -d))
    ks = tuple(d for d in dims if loops.reduction[d] and d != v)
    return Told(loops, v, ks, tuple(d for d in dims if not loops.reduction[d] and d != v))


def _widest(loops: LoopNest, memory: Sequence[int]) -> int | None:
    """The first operand with the most elements."""

    def elements(a: int) -> int:
        return prod(n for n, s in zip(loops.extents, loops.strides[a]) if s)

    return max(memory, key=elements, default=None)


@dataclass(frozen=True)
class Sum:
    """A sum as its rules see it.

    `terms` are the strides of what the terms are computed from, `result` those of the sums; `work` is about how many
    operations one term takes.
    """

    dtype: DType
    extents: tuple[int, ...]
    reduction: tuple[bool, ...]
    terms: tuple[tuple[int, ...], ...]
    result: tuple[int, ...]
    v: int
    ks: tuple[int, ...]
    kept: tuple[int, ...]
    in_order: bool = False
    work: int = 0

    @classmethod
    def of(cls, dtype: DType, loops: LoopNest, in_order: bool = False, work: int = 0) -> Sum:
        """The sum that loops over operands in memory and the result compute. ValueError if its order would change."""
        found = told_apart(loops, range(len(loops.strides) - 1), in_order)
        if found is None:
            raise ValueError("terms are to be added in order, and no vectors run along memory in that order")
        told, (*terms, result) = found.loops, found.loops.strides
        roles = found.v, found.ks, found.kept
        return cls(dtype, told.extents, told.reduction, tuple(terms), result, *roles, in_order, work)

    @property
    def width(self) -> int:
        """Bytes of an element."""
        return self.dtype.width

    @property
    def is_minor(self) -> bool:
        """True if the loop along vectors adds up."""
        return self.reduction[self.v]

    @property
    def line(self) -> int:
        """The iterations of the loop along vectors."""
        return self.extents[self.v]

    @property
    def can_fold(self) -> bool:
        """True if rows follow each other without gaps in every operand from which terms are computed."""
        if self.is_minor or len(self.ks) != 1:
            return False
        t, n = self.ks[0], self.line
        return all(s[self.v] in (0, 1) and s[t] == n * s[self.v] for s in self.terms)

    @property
    def output_loop(self) -> int | None:
        """The loop along which neighbouring sums are closest in memory; None if there is one sum."""
        return min(self.kept, key=lambda d: (self.result[d], -d), default=None)


def folded_rows(n: int, width: int) -> int:
    """How many rows of n elements, each of `width` bytes, are taken as one: a power of 2, 1 for long ones."""
    unit, wide = UNIT // width, WIDE // width
    if n >= wide or (2 * n > wide and n % unit):
        return 1
    rows = unit // gcd(n, unit)
    while rows * n < wide:
        rows *= 2
    return rows


def choose_sum(p: Sum, cpu: Cpu, numerics: str = "default") -> Choice[SumRecord]:
    """The record for a sum; none for sums in order that are too few for lanes."""
    width, n = p.width, p.line
    if p.in_order:
        loop = p.output_loop
        sums = n if not p.is_minor else 1 if loop is None else p.extents[loop]
        if len(p.ks) + p.is_minor > 1:
            return Choice("reduction", None, ("several loops add up in order, and lanes are of one",))
        if sums < 4:
            return Choice("reduction", None, (f"{counted(sums, 'sum')} in order would fill no vector",))
    schedule, why_schedule = _schedule(p)
    row = width * n
    if schedule == "staged":
        row *= prod(p.extents[d] for d in p.kept)
    elif schedule == "folded":
        row *= folded_rows(n, width)
    near = prod(p.extents) * width <= cpu.l3
    # From memory, rows of up to two pages are read faster one by one than several together, of which at most eight are.
    # Wide loads save time where there is more to do: work on terms, lanes to add, rows that begin within a line of a
    # cache; else narrow ones are faster.
    read = sum(any(s[k] for k in p.ks) for s in p.terms)
    rows = 1 if row <= (1 << 10 if near else PAGES) else max(1, RUN >> max(0, read - 1).bit_length())
    busy = (
        row < WIDE if schedule == "minor" and not p.in_order else near or (rows == 1 and row >= 1 << 10 and row % UNIT)
    )
    lanes = min(cpu.vector_bytes, 64 if p.work > 4 or busy else 32) // width
    if p.in_order and schedule == "minor":
        rows = RUN if near or row * lanes > STRIP else 1
    unrolled = p.work <= 8 and min(n, WIDE // width) <= 8 * lanes
    load = f"{'more' if p.work > 4 or busy else 'little'} to do than loads"
    from_where = f"{size(prod(p.extents) * width)} of terms {'fit into' if near else 'exceed'} the last cache"
    why = (
        why_schedule,
        f"lanes: {lanes * width} of {cpu.vector_bytes} bytes, as there is {load}: {counted(p.work, 'operation')} a"
        f" term, rows of {size(row)}",
        f"rows: {rows} read at a time; {from_where}",
        f"unrolled: a run of {RUN} rows is straight code" if unrolled else f"a run of {RUN} rows is a loop",
    )
    record = SumRecord(
        schedule,
        wide=WIDE // width,
        run=RUN,
        in_order=p.in_order,
        lanes=lanes,
        strip=STRIP // width,
        rows=rows,
        unrolled=unrolled,
        part=PART,
    )
    return Choice("reduction", record, why)


def _schedule(p: Sum) -> tuple[str, str]:
    n = p.line
    if p.is_minor:
        others = prod(p.extents[k] for k in p.ks)
        if others >= 8 and n < 4096:
            return "staged", f"staged: {others} lines of {n} are one sum: whole lines are added as columns first"
        return "minor", f"minor: terms are neighbours in memory, {n} in a line, {counted(others, 'line')} for a sum"
    rows = folded_rows(n, p.width)
    if p.in_order or rows == 1 or not p.can_fold or p.extents[p.ks[0]] < 8 * rows:
        return "columns", f"columns: {n} sums are neighbours in memory, and the lanes of vectors"
    return "folded", f"folded: rows of {n} sums are short, {rows} of them make one of {size(rows * n * p.width)}"
