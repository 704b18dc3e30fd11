"""The rules for element-wise operations on CPUs: copies, slices, gathers and pads, with vectors along rows."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ..targets.cpus import Cpu
from .choice import Choice, size
from .loop_nest import LoopNest, reach

SHORT_ROW = 4
"""Elements of a row below which LLVM does better with the loops of the baseline: it takes several rows together."""

MOST = 4
"""The most vectors that are computed together."""

NEAR = 4
"""The largest step between elements that are read in vectors, together with the elements between them."""

STREAMING = 2.25
"""Stores go past the caches if the data is at least so many times the last cache; bytes that are read count twice."""

LONG_ROW = 1024
"""Bytes of a row whose whole vectors are worth another kind of stores than its ends."""

AHEAD = 16
"""Iterations ahead for which rows that an index picks are fetched."""


@dataclass(frozen=True)
class ElementRecord:
    """`vectors` of `lanes` elements are computed together; `streaming` stores go past the caches.

    Where rows are picked by an index, the one `ahead` iterations later is fetched into the caches; 0 for none.
    """

    lanes: int
    vectors: int
    streaming: bool
    ahead: int


@dataclass(frozen=True)
class Touched:
    """How loops go through an array: a stride for each loop, and bytes of an element; `memory` identifies the array.

    `is_result` says that the array is given back to the module's caller.
    """

    memory: Hashable
    strides: tuple[int, ...]
    width: int
    is_result: bool = False

    def elements(self, extents: Sequence[int]) -> int:
        """The number of elements from the first to the last one that is used."""
        return reach(extents, self.strides)


@dataclass(frozen=True)
class Elements:
    """Element-wise operations as their rules see them: loops, what is read and what is stored.

    `widest` is the width of the widest element, in bytes. `picks` says that an index picks rows, and `has_frame` that
    something is written around the elements, as pads do.
    """

    extents: tuple[int, ...]
    widest: int
    reads: tuple[Touched, ...]
    stores: tuple[Touched, ...]
    picks: bool = False
    has_frame: bool = False

    @property
    def touched(self) -> tuple[Touched, ...]:
        """The reads and the stores."""
        return (*self.reads, *self.stores)

    @property
    def in_rows(self) -> bool:
        """True if all results have neighbours along the last loop."""
        return all(s.strides[-1] == 1 for s in self.stores)

    @property
    def result(self) -> Touched | None:
        """The first result of the module that is stored."""
        return next((s for s in self.stores if s.is_result), None)

    def sizes(self) -> dict[Hashable, int]:
        """Array -> bytes of it between the first and the last element that is used."""
        return {a.memory: a.elements(self.extents) * a.width for a in self.touched}


def ordered(loops: LoopNest, first: int) -> LoopNest:
    """As few loops as can be, in the order in which the operand number `first` moves least along the last one."""
    loops = loops.simplified()
    steps = loops.strides[first]
    return loops.with_dims(sorted(range(len(steps)), key=lambda d: -steps[d]))


def choose_elements(p: Elements, cpu: Cpu, numerics: str = "default") -> Choice[ElementRecord]:
    """The record for element-wise operations; none where MLIR's loops are better."""
    steps = [a.strides[-1] for a in p.touched]
    if any(not 0 <= s <= NEAR for s in steps):
        far = next(s for s in steps if not 0 <= s <= NEAR)
        return Choice("elementwise", None, (f"elements are {far} apart along rows, and vectors are read up to {NEAR}",))
    row = p.extents[-1]
    if row < SHORT_ROW and len(p.extents) > 1 and not (p.picks or p.has_frame):
        return Choice(
            "elementwise", None, (f"rows of {row} elements are below {SHORT_ROW}: LLVM takes several together",)
        )
    lanes = lanes_for(p, cpu)
    vectors = max(1, min(MOST, row // lanes))
    goes_past, why_streams = streams(p, cpu)
    streaming = p.in_rows and goes_past and has_long_rows(p, cpu)
    if goes_past and not streaming:
        why_streams += ", but rows are short and begin at odd addresses, or elements are apart"
    ahead = AHEAD if p.picks and len(p.extents) > 1 else 0
    why = [
        f"lanes: {lanes} of {p.widest} bytes in vectors of {cpu.vector_bytes} bytes, for rows of {row}",
        f"vectors: {vectors} computed together, of at most {MOST}",
        why_streams,
    ]
    if ahead:
        why.append(f"ahead: an index picks rows, and the one {ahead} iterations later is fetched")
    return Choice("elementwise", ElementRecord(lanes, vectors, streaming, ahead), tuple(why))


def lanes_for(p: Elements, cpu: Cpu) -> int:
    """As many of the widest elements as fill a vector, or fewer if they hold a whole row."""
    return int(min(cpu.vector_bytes // p.widest, 1 << (p.extents[-1] - 1).bit_length()))


def streams(p: Elements, cpu: Cpu) -> tuple[bool, str]:
    """Whether a result of the module is stored that would not stay in the caches anyway, and why."""
    if p.result is None:
        return False, "stores into the caches: what is stored is read again by the module"
    written = {s.memory for s in p.stores}
    weighed = sum(n * (1 if memory in written else 2) for memory, n in p.sizes().items())
    limit = STREAMING * cpu.l3
    if weighed >= limit:
        return (
            True,
            f"stores past the caches pay: {size(weighed)}, what is read counted twice, from {size(int(limit))} on",
        )
    return False, f"stores into the caches: {size(weighed)}, what is read counted twice, are below {size(int(limit))}"


def has_long_rows(p: Elements, cpu: Cpu) -> bool:
    """True if borders of vectors agree in all rows, or rows are long.

    The ends of a row share lines with other rows, and are stored in the other way.
    """
    assert p.result is not None, "a result of the module goes past the caches"
    row = p.extents[-1] * p.result.width
    return row >= LONG_ROW or rows_are_alike(p.extents, p.result.strides, lanes_for(p, cpu))


def rows_are_alike(extents: Sequence[int], strides: Sequence[int], lanes: int) -> bool:
    """True if there are several rows, each of whole vectors, and a border of vectors is one in all of them."""
    return len(extents) > 1 and extents[-1] % lanes == 0 and borders_agree(strides, lanes)


def borders_agree(strides: Sequence[int], lanes: int) -> bool:
    """True if a border of vectors in one row is one in all others."""
    return all(s % lanes == 0 for s in strides[:-1])
