"""Products that are added up, in tiles: matrix products in any layout, with batches; convolutions and filter gradients.

A block computes `rows` x `columns` sums. It walks over the terms, `depth` at a time, which its threads bring from
memory into shared memory while they compute on those brought before; each thread holds `thread_rows` x
`thread_columns` sums in registers. Rows, columns and terms may each be several loops of the nest, so that a convolution
is a product whose left operand is never written down. Where no tile divides an extent, what lies outside is read as
zeros and not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..kernels.nest import Nest
from ..kernels.products import Problem
from ..kernels.products import match as match_product
from .chips import Chip
from .code import GpuCode
from .groups import WIDE, Group


@dataclass(frozen=True)
class Record:
    """A block's tile of sums, the terms that are in shared memory at a time, and a thread's part of the sums."""

    rows: int
    columns: int
    depth: int
    thread_rows: int
    thread_columns: int

    @property
    def threads(self) -> int:
        """Of a block."""
        return (self.rows // self.thread_rows) * (self.columns // self.thread_columns)


LARGE = Record(rows=128, columns=128, depth=16, thread_rows=8, thread_columns=8)
SMALL = Record(rows=64, columns=64, depth=16, thread_rows=4, thread_columns=4)

LEAST = 16
"""Rows and columns from which tiles pay; below, one thread computes a sum."""


@dataclass(frozen=True)
class Roles:
    """Which loops count rows, columns, terms, and products apart from each other."""

    batches: Group
    rows: Group
    columns: Group
    terms: Group


def match(nests: Sequence[Nest]) -> Problem | None:
    """A product whose sums each stay at one place."""
    p = match_product(nests)
    if p is None or p.is_scattered or not p.ks:
        return None
    return p


def roles(p: Problem) -> Roles:
    """The loops by what they move: rows only x, columns only y, batches both or neither."""
    x, y = p.nest.inputs[:2]
    out = p.nest.output
    free = [d for d in range(len(p.nest.extents)) if d not in p.ks]
    free.sort(key=lambda d: -out.strides[d])

    def moving(in_x: bool, in_y: bool) -> list[int]:
        return [d for d in free if (x.strides[d] != 0) is in_x and (y.strides[d] != 0) is in_y]

    return Roles(
        Group.of(p.nest, sorted([*moving(True, True), *moving(False, False)])),
        Group.of(p.nest, moving(True, False)),
        Group.of(p.nest, moving(False, True)),
        Group.of(p.nest, p.ks),
    )


def choose(p: Problem, chip: Chip, numerics: str) -> Record | None:
    """The large tile where there are enough of them to fill the chip; None for what tiles are too large for."""
    r = roles(p)
    if min(r.rows.size, r.columns.size) < LEAST or 0 in p.nest.extents:
        return None
    tiles = r.batches.size * -(-r.rows.size // LARGE.rows) * -(-r.columns.size // LARGE.columns)
    return LARGE if p.dtype.width == 4 and tiles >= chip.multiprocessors else SMALL


def fault(problem: Problem, record: Record, chosen: Record, chip: Chip) -> tuple[str, str] | None:
    """What keeps a record from being used."""
    for name in ("thread_rows", "thread_columns"):
        n = getattr(record, name)
        if n < WIDE or n % WIDE:
            return name, f"{name} is a multiple of {WIDE}, found {n}"
    for name in ("rows", "columns"):
        part, whole = getattr(record, f"thread_{name}"), getattr(record, name)
        if whole <= 0 or whole % part:
            return name, f"{name} is a multiple of thread_{name}, found {whole} and {part}"
    if not 32 <= record.threads <= 1024 or record.threads % 32:
        return "rows", f"a block has 32 to 1024 threads, in warps, found {record.threads}"
    for name in ("rows", "columns"):
        loads = getattr(record, name) * record.depth
        if record.depth <= 0 or record.depth % WIDE or loads % (WIDE * record.threads):
            return "depth", f"the threads share {name} x depth in pieces of {WIDE}, found {loads} for {record.threads}"
    shared = 2 * record.depth * (record.rows + record.columns + 2 * WIDE) * problem.dtype.width
    if shared > 48 << 10:
        return "depth", f"a block has 48 KB of shared memory, this takes {shared} bytes"
    return None


def emit(code: GpuCode, p: Problem, r: Record) -> None:
    """Write what one thread does."""
    from .product_tiles import Tiles

    if (found := fault(p, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    Tiles(code, p, r, roles(p)).write()
