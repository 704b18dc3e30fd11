"""The rules for products on GPUs whose tiles are copied by the tensor memory accelerator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...ir import DType
from ..targets.chips import TERMS, Chip
from .choice import Choice, counted
from .gpu_product_rules import GpuProduct, TileRecord, wastes

_BOX = 256
"""The most lines of a tile that is copied."""

_MOST_BLOCKS = 8
"""The most blocks of a cluster, on every device that has clusters."""


@dataclass(frozen=True)
class TmaRecord:
    """A block's tile of sums, the steps of 32 terms in shared memory at a time, and the blocks of a cluster.

    Each warp group has 64 rows. The blocks of a cluster have tiles below each other, and share the tile of columns.
    """

    rows: int
    columns: int
    stages: int
    cluster: int

    @property
    def tiles(self) -> TileRecord:
        """The record of the tile for the warp groups that multiply."""
        return TileRecord(self.rows, self.columns, TERMS, 64, self.columns, self.stages, "wgmma")

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns}, {self.stages} stages, clusters of {self.cluster}"


RECORDS = (
    TmaRecord(rows=128, columns=256, stages=4, cluster=2),
    TmaRecord(rows=128, columns=128, stages=6, cluster=2),
)
"""Large tiles first. Two warp groups of 64 x 256 sums take half of the registers, and rings are of 192 KiB."""


def choose_tma(p: GpuProduct, chip: Chip, numerics: str = "default") -> Choice[TmaRecord]:
    """The first tile of which there are enough to fill the chip, in clusters where rows of tiles come in pairs."""
    if numerics == "strict" or not chip.tf32 or p.is_empty:
        why = "strict numerics do not round" if numerics == "strict" else f"f32 is not to be rounded on {chip.name}"
        return Choice("tma_product", None, ("there are no terms" if p.is_empty else f"{why} to TF32",))
    why_not: list[str] = []
    for record, reason in candidates(p, chip):
        if reason is None:
            tiles = p.tiles(record.rows, record.columns)
            why = f"{record}: {counted(tiles, 'tile')} for {chip.multiprocessors} multiprocessors"
            return Choice("tma_product", record, (*why_not, why))
        why_not.append(f"not {record}: {reason}")
    return Choice("tma_product", None, tuple(why_not))


def candidates(p: GpuProduct, chip: Chip) -> Iterator[tuple[TmaRecord, str | None]]:
    """The tiles in the order in which they are tried, each with why it does not fit; None if it does."""
    for record in RECORDS:
        if -(-p.rows // record.rows) % record.cluster:
            record = replace(record, cluster=1)
        yield record, _why_not(p, record, chip)


def _why_not(p: GpuProduct, record: TmaRecord, chip: Chip) -> str | None:
    tiles = p.tiles(record.rows, record.columns)
    if tiles < chip.multiprocessors:
        return f"{counted(tiles, 'tile')} for {chip.multiprocessors} multiprocessors"
    if wastes(p.rows, record.rows) or wastes(p.columns, record.columns):
        return f"half of it would be empty on {p.rows} x {p.columns}"
    found = fault(p, record, chip)
    return None if found is None else found[1]


def fault(p: GpuProduct, record: TmaRecord, chip: Chip) -> tuple[str, str] | None:
    """What keeps a record from being used: the field, and why."""
    tiles = -(-p.rows // record.rows) if record.rows else 0
    if p.dtype is not DType.F32 or not chip.warpgroups:
        return "kind", f"tma_product multiplies f32 as TF32, on chips with wgmma, which {chip.name} has not"
    if not p.is_mapped:
        return "kind", "tma_product takes operands whose terms are neighbours, in lines from multiples of 16 bytes on"
    if record.rows < 64 or record.rows % 64 or record.rows > _BOX:
        return "rows", f"rows is a multiple of 64 up to {_BOX}, found {record.rows}"
    if record.columns < 8 or record.columns % 8 or record.columns > 256:
        return "columns", f"columns is a multiple of 8 up to 256, found {record.columns}"
    if not 1 <= record.cluster <= _MOST_BLOCKS or tiles % record.cluster:
        most = f"a cluster has 1 to {_MOST_BLOCKS} blocks, which share {tiles} evenly"
        return "cluster", f"{most}, found {record.cluster}"
    if record.columns % (8 * record.cluster):
        return "cluster", f"each block of a cluster brings lines in eights, found {record.columns} for {record.cluster}"
    if record.stages < 2 or shared_bytes(record) > chip.shared:
        most = f"2 stages and {chip.shared} bytes of shared memory"
        return "stages", f"a block has {most}, found {record.stages}, which take {shared_bytes(record)}"
    return None


def shared_bytes(record: TmaRecord) -> int:
    """Shared memory of a block: the tiles, and two mbarriers for each stage before them."""
    return record.stages * (record.rows + record.columns) * TERMS * 4 + 1024
