"""The rules for products on GPUs, in tiles: which tile, multiplied by what, in how many steps and parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...ir import DType
from ..targets.chips import STATIC, TERMS, WARP, WIDE, Chip
from .choice import Choice, counted

GROUP = 4 * WARP
"""Threads that `wgmma` needs."""

PADDING = 8
"""Elements between lines of shared memory that tensor cores read: eight lines of four terms are in separate banks."""


@dataclass(frozen=True)
class TileRecord:
    """A block's tile of sums, the terms of a step, the steps in shared memory at a time, and the part of a thread.

    `instruction` is what multiplies: `scalar`; or by tensor cores `mma`, of f64 as it is and of f32 rounded to TF32,
    where a part is a warp's, and `wgmma` of TF32, where it is a warp group's. With 2 `stages`, threads bring a step
    while they compute the one before; with more, copies that run beside the threads bring them all but one, or the
    products do run beside the threads (`wgmma`). The terms are cut into `parts` of whole steps.
    """

    rows: int
    columns: int
    depth: int
    part_rows: int
    part_columns: int
    stages: int
    instruction: str
    parts: int = 1

    @property
    def is_tensor(self) -> bool:
        """True if tensor cores multiply."""
        return self.instruction != "scalar"

    @property
    def is_large(self) -> bool:
        """True if there is work for a whole multiprocessor in one block."""
        return self.rows >= LARGE.rows

    @property
    def threads(self) -> int:
        """Of a block."""
        each = {"scalar": 1, "mma": WARP, "wgmma": GROUP}[self.instruction]
        return (self.rows // self.part_rows) * (self.columns // self.part_columns) * each

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns} x {self.depth} {self.instruction}, {self.stages} stages"


LARGE = TileRecord(rows=128, columns=128, depth=16, part_rows=8, part_columns=8, stages=2, instruction="scalar")
SMALL = TileRecord(rows=64, columns=64, depth=16, part_rows=4, part_columns=4, stages=2, instruction="scalar")
SHALLOW = TileRecord(rows=64, columns=64, depth=8, part_rows=4, part_columns=4, stages=2, instruction="scalar")
MMA_LARGE = TileRecord(rows=128, columns=128, depth=16, part_rows=64, part_columns=32, stages=2, instruction="mma")
MMA_SMALL = TileRecord(rows=64, columns=64, depth=16, part_rows=32, part_columns=16, stages=2, instruction="mma")
PIPELINED = {
    DType.F32: (
        TileRecord(rows=128, columns=128, depth=32, part_rows=64, part_columns=64, stages=3, instruction="mma"),
        TileRecord(rows=128, columns=128, depth=16, part_rows=64, part_columns=64, stages=3, instruction="mma"),
        TileRecord(rows=128, columns=128, depth=16, part_rows=64, part_columns=32, stages=3, instruction="mma"),
        TileRecord(rows=64, columns=64, depth=32, part_rows=32, part_columns=32, stages=3, instruction="mma"),
    ),
    DType.F64: (
        TileRecord(rows=128, columns=128, depth=16, part_rows=64, part_columns=32, stages=3, instruction="mma"),
        TileRecord(rows=64, columns=64, depth=16, part_rows=32, part_columns=32, stages=3, instruction="mma"),
    ),
}
"""For chips with asynchronous copies, large tiles first."""

WGMMA = (
    TileRecord(rows=128, columns=256, depth=32, part_rows=64, part_columns=256, stages=3, instruction="wgmma"),
    TileRecord(rows=128, columns=128, depth=32, part_rows=64, part_columns=128, stages=3, instruction="wgmma"),
    TileRecord(rows=256, columns=64, depth=32, part_rows=128, part_columns=64, stages=3, instruction="wgmma"),
)
"""For chips whose warp groups multiply, where there are enough tiles."""

INSTRUCTIONS = ("scalar", "mma", "wgmma")

LEAST = 16
"""Rows and columns from which tiles pay; below, one thread computes a sum."""

LEAST_PART = 256
"""Terms from which splitting a sum pays for storing its parts in memory."""

CUT = ("scalar", "mma")
"""Instructions of products whose terms may be cut."""


@dataclass(frozen=True)
class GpuProduct:
    """A product as the rules for GPUs see it: `batches` times `rows` x `columns` sums of `terms`.

    `has_windows` says that the left operand is read through windows, as in adjoints of convolutions. `is_wide` says
    that both operands come in aligned pieces of 16 bytes, and `is_mapped` that tensor maps can show tiles of both.
    """

    dtype: DType
    batches: int
    rows: int
    columns: int
    terms: int
    has_windows: bool = False
    is_wide: bool = True
    is_mapped: bool = True

    @property
    def is_empty(self) -> bool:
        """True if a loop has no turn."""
        return 0 in (self.batches, self.rows, self.columns, self.terms)

    def tiles(self, rows: int, columns: int) -> int:
        """How many blocks there are, with tiles of so many rows and columns."""
        return self.batches * -(-self.rows // rows) * -(-self.columns // columns)


def choose_tiles(p: GpuProduct, chip: Chip, numerics: str = "default") -> Choice[TileRecord]:
    """The first tile that fits, large ones first; none for what tiles are too large for."""
    if min(p.rows, p.columns) < LEAST or p.is_empty:
        few = f"{p.rows} x {p.columns} sums: tiles pay from {LEAST} rows and columns on"
        return Choice("product", None, (few,))
    why_not: list[str] = []
    for record, reason in candidates(p, chip, numerics):
        if reason is None:
            break
        why_not.append(f"not {record}: {reason}")
    else:
        return Choice("product", None, tuple(why_not))
    blocks = p.tiles(record.rows, record.columns)
    why = [*why_not, f"{record}: {counted(blocks, 'tile')} for {chip.multiprocessors} multiprocessors"]
    if _may_be_cut(p, chip, numerics):
        record = replace(record, parts=_parts(p, record, chip))
        why.append(f"parts: {p.terms} terms in {record.parts}, as many as find a multiprocessor")
    return Choice("product", record, tuple(why))


def candidates(p: GpuProduct, chip: Chip, numerics: str) -> Iterator[tuple[TileRecord, str | None]]:
    """The tiles in the order in which they are tried, each with why it does not fit; None if it does."""
    is_large = _fills(p, LARGE, chip) or (_may_be_cut(p, chip, numerics) and _fills_in_parts(p, LARGE, chip))
    for record in (*_tiles_for(p, chip, numerics), SHALLOW):
        yield record, _why_not(p, record, chip, is_large)


def _tiles_for(p: GpuProduct, chip: Chip, numerics: str) -> Iterator[TileRecord]:
    """What can multiply this type on this chip, large tiles first."""
    by_tensor_cores = p.dtype is DType.F64 or (p.dtype is DType.F32 and chip.tf32)
    if numerics == "strict" or p.has_windows or not by_tensor_cores:
        yield from (LARGE, SMALL)
        return
    if p.dtype is DType.F32 and chip.warpgroups:
        yield from WGMMA
    if chip.async_copies:
        yield from PIPELINED[p.dtype]
    yield from (MMA_LARGE, MMA_SMALL)


def _why_not(p: GpuProduct, record: TileRecord, chip: Chip, is_large: bool) -> str | None:
    """Why a tile is not the one to take; None if it is.

    Of long steps of large tiles two blocks have to run. With many sums of a thread, registers are left only for the
    addresses of loads of 16 bytes.
    """
    if not (_fills(p, record, chip) if record.instruction == "wgmma" else is_large or not record.is_large):
        return f"{counted(p.tiles(record.rows, record.columns), 'tile')} for {chip.multiprocessors} multiprocessors"
    if record.is_tensor and (wastes(p.rows, record.rows) or wastes(p.columns, record.columns)):
        return f"half of it would be empty on {p.rows} x {p.columns}"
    if (found := fault(p, record, chip)) is not None:
        return found[1]
    is_long = record.instruction == "mma" and record.is_large and record.depth > 16
    shared = shared_bytes(p, record)
    if is_long and 2 * shared > chip.shared:
        return f"two blocks take {2 * shared} bytes of shared memory, of {chip.shared}"
    if record.rows * record.columns > 64 * record.threads and not p.is_wide:
        return "with so many sums of a thread, operands have to come in aligned pieces of 16 bytes"
    return None


def _may_be_cut(p: GpuProduct, chip: Chip, numerics: str) -> bool:
    """True if sums may be reordered, and small tiles leave multiprocessors without work."""
    free = numerics != "strict" or not p.dtype.is_float
    return free and p.tiles(SMALL.rows, SMALL.columns) < chip.multiprocessors


def _fills(p: GpuProduct, record: TileRecord, chip: Chip) -> bool:
    """True if there is a block for each multiprocessor."""
    return p.tiles(record.rows, record.columns) >= chip.multiprocessors


def _fills_in_parts(p: GpuProduct, record: TileRecord, chip: Chip) -> bool:
    """True if parts make blocks for three quarters of all multiprocessors, of large tiles that are not mostly empty."""
    blocks, parts = p.tiles(record.rows, record.columns), _parts(p, record, chip)
    return 8 * blocks <= 3 * p.tiles(SMALL.rows, SMALL.columns) and 4 * blocks * parts >= 3 * chip.multiprocessors


def _parts(p: GpuProduct, record: TileRecord, chip: Chip) -> int:
    """Into how many parts the terms are cut: as many as find a multiprocessor, of which two small blocks share one.

    All parts have as many steps, but for the last one, which is not empty.
    """
    if record.instruction not in CUT or not p.terms:
        return 1
    steps = -(-p.terms // record.depth)
    at_once = chip.multiprocessors * (1 if record.is_large and record.threads >= LARGE.threads else 2)
    parts = max(1, min(at_once // p.tiles(record.rows, record.columns), p.terms // LEAST_PART))
    return -(-steps // -(-steps // parts))


def wastes(size: int, extent: int) -> bool:
    """True if a smaller tile holds everything."""
    return extent > SMALL.rows and size <= extent // 2


def paddings(record: TileRecord, dtype: DType) -> tuple[int, int]:
    """Elements between lines of shared memory, where a line holds the terms of one row or column, or the converse.

    The lanes of a warp that read a fragment together, eight lines of four terms, are then in separate banks.
    """
    if record.stages > 2:
        return 4, 8 if dtype.width == 4 else 4
    return (PADDING, PADDING) if record.is_tensor else (WIDE, WIDE)


def shared_bytes(p: GpuProduct, record: TileRecord) -> int:
    """The most shared memory that a block takes."""
    width = p.dtype.width
    by_line, by_term = paddings(record, p.dtype)
    lines = (record.rows * (2 if p.has_windows else 1), record.columns)
    if record.instruction == "wgmma":
        return record.stages * sum(lines) * record.depth * width
    if record.stages == 2:
        gaps = (by_term * (2 if p.has_windows else 1), by_term)
        return sum(2 * record.depth * (n + gap) for n, gap in zip(lines, gaps)) * width
    sizes = (max(n * (record.depth + by_line), record.depth * (n + by_term)) for n in lines)
    return record.stages * sum(sizes) * width


def fault(p: GpuProduct, record: TileRecord, chip: Chip) -> tuple[str, str] | None:
    """What keeps a record from being used: the field, and why."""
    dtype = p.dtype
    if record.instruction not in INSTRUCTIONS:
        return "instruction", f"products are made by {', '.join(INSTRUCTIONS)}, found {record.instruction}"
    if record.is_tensor and (dtype.width < 4 or not dtype.is_float or p.has_windows):
        return "instruction", "tensor cores multiply f64, and f32 as TF32, of plain products"
    if not 2 <= record.stages <= 8 or (record.stages > 2 and not (record.is_tensor and chip.async_copies)):
        return "stages", f"there are 2 stages, up to 8 for tensor cores with asynchronous copies, found {record.stages}"
    if record.instruction == "wgmma" and (found := _group_fault(record, dtype, chip)) is not None:
        return found
    least = {"part_rows": WIDE, "part_columns": WIDE}
    if record.instruction == "wgmma":
        least = {"part_rows": 64, "part_columns": 8}
    elif record.is_tensor:
        least = {"part_rows": 16 if dtype is DType.F32 else 8, "part_columns": 8}
    for name, unit in least.items():
        n = getattr(record, name)
        if n < unit or n % unit:
            return name, f"{name} is a multiple of {unit}, found {n}"
    for name in ("rows", "columns"):
        part, whole = getattr(record, f"part_{name}"), getattr(record, name)
        if whole <= 0 or whole % part:
            return name, f"{name} is a multiple of part_{name}, found {whole} and {part}"
    if not 32 <= record.threads <= 1024 or record.threads % 32:
        return "rows", f"a block has 32 to 1024 threads, in warps, found {record.threads}"
    for name in ("rows", "columns"):
        loads = getattr(record, name) * record.depth
        if record.depth <= 0 or record.depth % PADDING or loads % record.threads:
            return "depth", f"the threads share {name} x depth evenly, found {loads} for {record.threads}"
    steps = -(-p.terms // record.depth)
    if not 1 <= record.parts <= (max(steps, 1) if record.instruction in CUT else 1):
        message = f"terms are cut into one part for each of {steps} steps at most, and only for {' and '.join(CUT)}"
        return "parts", f"{message}, found {record.parts}"
    shared, most = shared_bytes(p, record), STATIC if record.stages == 2 else chip.shared
    if shared > most:
        return "depth", f"a block has {most} bytes of shared memory, this takes {shared}"
    return None


def _group_fault(record: TileRecord, dtype: DType, chip: Chip) -> tuple[str, str] | None:
    if dtype is not DType.F32 or not chip.warpgroups:
        return "instruction", f"wgmma multiplies f32 as TF32, on chips that have it, which {chip.name} has not"
    if record.part_columns > 256:
        return "part_columns", f"wgmma has up to 256 columns, found {record.part_columns}"
    if (record.depth, record.stages) != (TERMS, 3):
        return "depth", f"wgmma has {TERMS} terms a step and 3 stages, found {record.depth} and {record.stages}"
    return None
