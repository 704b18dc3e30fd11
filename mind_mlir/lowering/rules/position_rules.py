"""The rules for positions of extremes on CPUs: which lines are searched in one pass, and in which blocks."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from ...ir import DType
from ..targets.cpus import Cpu
from .choice import Choice, counted

VECTORS = 4
"""Vectors of a block: enough comparisons beside each other to fill the time that one takes."""

WIDEST = 64
"""The bytes of the widest vectors of any CPU."""


@dataclass(frozen=True)
class PositionRecord:
    """Blocks of `vectors` vectors of `lanes`: each lane keeps the extreme so far and the block that had it first."""

    lanes: int
    vectors: int


@dataclass(frozen=True)
class Lines:
    """What rules see: `lines` of `extent` elements, neighbours or not, of each of which one position is wanted."""

    dtype: DType
    lines: tuple[int, ...]
    extent: int

    @property
    def extents(self) -> tuple[int, ...]:
        """Of all loops."""
        return (*self.lines, self.extent)


def in_one_pass(dtype: DType, extent: int) -> bool:
    """True if lines of so many elements are searched in one pass: they fill a block on every CPU.

    Elements have a number of a block beside them, which narrow ones could not hold.
    """
    return dtype.width >= 4 and extent * dtype.width >= VECTORS * WIDEST


def choose_positions(p: Lines, cpu: Cpu, numerics: str = "default") -> Choice[PositionRecord]:
    """The record for positions of extremes: blocks of whole vectors, the last one of which may overlap others."""
    lanes = cpu.lanes(p.dtype)
    if lanes < 2 or p.extent < VECTORS * lanes:
        return Choice("positions", None, (f"{counted(p.extent, 'element')} of a line fill no {VECTORS} vectors",))
    why = f"blocks of {VECTORS} vectors, {counted(-(-p.extent // (VECTORS * lanes)), 'block')} in each of"
    return Choice("positions", PositionRecord(lanes, VECTORS), (f"{why} {counted(prod(p.lines), 'line')}",))
