"""The rules for transposes on CPUs: squares of vectors, and the order in which they follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..targets.cpus import Cpu
from .choice import Choice, size
from .element_rules import NEAR, Elements, Touched, borders_agree, streams

ORDERS = ("rows", "columns", "diagonals")
"""The orders in which squares of a block follow each other."""

COLLISION = 1 << 10
"""Bytes such that lines at multiples of it share a quarter of the sets of a first cache, or fewer."""

LARGE = 64
"""Rows and columns of a block, for arrays that exceed the caches and are not stored past them."""


@dataclass(frozen=True)
class TransposeRecord:
    """Squares of `lanes`, in blocks of `rows` by `columns` of the result.

    `order` tells whether a block is done by rows of squares, by columns or by diagonals. `streaming` stores go past the
    caches, and the array is one block.
    """

    lanes: int
    rows: int
    columns: int
    order: str
    streaming: bool


@dataclass(frozen=True)
class Turned:
    """A transpose as its rules see it: `turned` are the numbers of the reads that have neighbours across the rows.

    The last loop of the elements runs along the rows of the result, and the last but one along those of these reads.
    """

    elements: Elements
    turned: frozenset[int]


def loop_across(reads: Sequence[Sequence[int]]) -> int | None:
    """The loop along which the first read that has no neighbours along the rows of the result has them, or None."""
    return next((s.index(1) for s in reads if s[-1] > 1 and 1 in s), None)


def lies_across(strides: Sequence[int]) -> bool:
    """True if the elements along the last loop but one are neighbours, and those along the last one are not."""
    return strides[-1] > 1 and strides[-2] == 1


def with_squares(loops: int, along: int) -> list[int]:
    """The order of loops in which the one along which transposed operands have neighbours is the last but one."""
    last = loops - 1
    return [*(d for d in range(last) if d != along), along, last]


def choose_transpose(p: Turned, cpu: Cpu, numerics: str = "default") -> Choice[TransposeRecord]:
    """The record for a transpose: squares go along the longer side, where lines follow each other."""
    e = p.elements
    lanes = cpu.vector_bytes // e.widest
    rows, columns = e.extents[-2:]
    turned = [e.reads[i] for i in sorted(p.turned)]
    few = all(is_dealt(a.strides, rows) for a in turned)
    if lanes < 2 or columns < lanes // 2 or (rows < lanes // 2 and not few):
        why = f"{rows} x {columns} elements would leave squares of {lanes} x {lanes} mostly empty"
        return Choice("transpose", None, (why,))
    result = e.stores[0]
    goes_past, why_streams = streams(e, cpu)
    streaming = goes_past and result.is_result and borders_agree(result.strides, lanes)
    if goes_past and not streaming:
        why_streams += ", but rows begin at odd addresses"
    bytes = sum(e.sizes().values())
    large = bytes > cpu.l3
    squares = f"lanes: squares of {lanes} x {lanes}, transposed in registers"
    if large and not streaming:  # lines of the result are read before they are written
        why = f"blocks of {LARGE} x {LARGE}: {size(bytes)} exceed the last cache of {size(cpu.l3)}, columns first"
        return Choice("transpose", TransposeRecord(lanes, LARGE, LARGE, "columns", False), (squares, why, why_streams))
    order, why = "rows", f"order: rows of squares, as {columns} columns are no fewer than {rows} rows"
    if rows > columns:
        order, why = "columns", f"order: columns of squares, as {rows} rows are more than {columns} columns"
    elif rows == columns and large:
        order, why = "columns", f"order: columns of squares, as {size(bytes)} exceed the last cache"
    if not large and all(_collide(a, -1) for a in turned) and _collide(result, -2):
        order, why = "diagonals", f"order: diagonals, as rows are multiples of {size(COLLISION)} apart on both sides"
    return Choice("transpose", TransposeRecord(lanes, rows, columns, order, streaming), (squares, why, why_streams))


def _collide(a: Touched, d: int) -> bool:
    """True if neighbours along the loop `d` are so far apart that they share few sets of a cache."""
    return a.strides[d] * a.width % COLLISION == 0


def is_dealt(strides: Sequence[int], rows: int) -> bool:
    """True if a few vectors hold `rows` rows of an operand."""
    return rows <= strides[-1] <= NEAR
