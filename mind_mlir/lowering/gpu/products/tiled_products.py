"""Products that are added up, in tiles: matrix products in any layout, with batches; convolutions and filter gradients.

A block computes `rows` x `columns` sums. It walks over the terms, `depth` at a time, which its threads bring from
memory into shared memory while they compute on those brought before; each thread holds `part_rows` x `part_columns`
sums in registers, or each warp, with `tensor`, by the tensor cores. Rows, columns and terms may each be several loops
of the nest, so that a convolution is a product whose left operand is never written down. Where no tile divides an
extent, what lies outside is read as zeros and not stored. Where there are few tiles and many terms, as in the adjoint
of a convolution in its filter, the terms are cut into `parts`, for a block each (partial_sums.py).
"""

from __future__ import annotations

from dataclasses import replace

from ....ir import DType
from ...targets.chips import Chip
from ..groups import WIDE, is_wide
from ..mapped_views import TERMS
from ..partial_sums import stage_of
from ..thread_code import STATIC, GpuCode
from .pipelined_tiles import PipelinedTiles
from .product_parts import SumOfParts
from .product_problem import Product, Roles, roles
from .product_record import PADDING, Record, contiguous, paddings
from .product_tiles import Tiles
from .tensor_tiles import TensorTiles
from .warpgroup_tiles import WarpgroupTiles

LARGE = Record(rows=128, columns=128, depth=16, part_rows=8, part_columns=8, stages=2, instruction="scalar")
SMALL = Record(rows=64, columns=64, depth=16, part_rows=4, part_columns=4, stages=2, instruction="scalar")
SHALLOW = Record(rows=64, columns=64, depth=8, part_rows=4, part_columns=4, stages=2, instruction="scalar")
MMA_LARGE = Record(rows=128, columns=128, depth=16, part_rows=64, part_columns=32, stages=2, instruction="mma")
MMA_SMALL = Record(rows=64, columns=64, depth=16, part_rows=32, part_columns=16, stages=2, instruction="mma")
PIPELINED = {
    DType.F32: (
        Record(rows=128, columns=128, depth=32, part_rows=64, part_columns=64, stages=3, instruction="mma"),
        Record(rows=128, columns=128, depth=16, part_rows=64, part_columns=64, stages=3, instruction="mma"),
        Record(rows=128, columns=128, depth=16, part_rows=64, part_columns=32, stages=3, instruction="mma"),
        Record(rows=64, columns=64, depth=32, part_rows=32, part_columns=32, stages=3, instruction="mma"),
    ),
    DType.F64: (
        Record(rows=128, columns=128, depth=16, part_rows=64, part_columns=32, stages=3, instruction="mma"),
        Record(rows=64, columns=64, depth=16, part_rows=32, part_columns=32, stages=3, instruction="mma"),
    ),
}
"""For chips with asynchronous copies, large tiles first."""

WGMMA = (
    Record(rows=128, columns=256, depth=32, part_rows=64, part_columns=256, stages=3, instruction="wgmma"),
    Record(rows=128, columns=128, depth=32, part_rows=64, part_columns=128, stages=3, instruction="wgmma"),
    Record(rows=256, columns=64, depth=32, part_rows=128, part_columns=64, stages=3, instruction="wgmma"),
)
"""For chips whose warp groups multiply, where there are enough tiles."""

INSTRUCTIONS = ("scalar", "mma", "wgmma")

LEAST = 16
"""Rows and columns from which tiles pay; below, one thread computes a sum."""

LEAST_PART = 256
"""Terms from which a part is worth the way of its sums through memory."""

CUT = ("scalar", "mma")
"""Instructions of products whose terms may be cut."""


def choose(product: Product, chip: Chip, numerics: str) -> Record | None:
    """The large tile where there are enough of them to fill the chip; None for what tiles are too large for."""
    p = product.problem
    r = roles(p, product.windows)
    if min(r.rows.size, r.columns.size) < LEAST or 0 in p.nest.extents:
        return None
    may_be_cut = (numerics != "strict" or not p.dtype.is_float) and _tiles(r, SMALL) < chip.multiprocessors
    is_large = _fills(r, LARGE, chip) or (may_be_cut and _fills_in_parts(r, LARGE, chip))
    is_tensor = numerics != "strict" and not product.windows
    is_tensor = is_tensor and (p.dtype is DType.F64 or (p.dtype is DType.F32 and chip.tf32))
    records = [LARGE, SMALL] if not is_tensor else [MMA_LARGE, MMA_SMALL]
    if is_tensor and chip.async_copies:
        records = [*PIPELINED[p.dtype], *records]
    records = [record for record in records if is_large or record.rows < LARGE.rows]
    if is_tensor and p.dtype is DType.F32 and chip.warpgroups:
        records = [*(record for record in WGMMA if _fills(r, record, chip)), *records]
    if is_tensor:
        records = [n for n in records if not wastes(r.rows.size, n.rows) and not wastes(r.columns.size, n.columns)]
    record = next(record for record in [*records, SHALLOW] if _fits(product, r, record, chip))
    return replace(record, parts=_parts(r, record, chip)) if may_be_cut else record


def _fills(r: Roles, record: Record, chip: Chip) -> bool:
    """True if there is a block for each multiprocessor."""
    return _tiles(r, record) >= chip.multiprocessors


def _fills_in_parts(r: Roles, record: Record, chip: Chip) -> bool:
    """True if parts make blocks for three quarters of all multiprocessors, of large tiles that are not mostly empty."""
    blocks, parts = _tiles(r, record), _parts(r, record, chip)
    return 8 * blocks <= 3 * _tiles(r, SMALL) and 4 * blocks * parts >= 3 * chip.multiprocessors


def _parts(r: Roles, record: Record, chip: Chip) -> int:
    """Into how many parts the terms are cut: as many as find a multiprocessor, of which two small blocks share one.

    All parts have as many steps, but for the last one, which is not empty.
    """
    if record.instruction not in CUT or not r.terms.size:
        return 1
    steps = -(-r.terms.size // record.depth)
    is_large = record.rows >= LARGE.rows and record.threads >= LARGE.threads
    at_once = chip.multiprocessors * (1 if is_large else 2)
    parts = max(1, min(at_once // _tiles(r, record), r.terms.size // LEAST_PART))
    return -(-steps // -(-steps // parts))


def wastes(size: int, extent: int) -> bool:
    """True if a smaller tile holds everything."""
    return extent > SMALL.rows and size <= extent // 2


def _tiles(r: Roles, record: Record) -> int:
    """How many blocks there are without parts."""
    return count_tiles(r, record.rows, record.columns)


def count_tiles(r: Roles, rows: int, columns: int) -> int:
    """How many blocks there are, with tiles of so many rows and columns."""
    return r.batches.size * -(-r.rows.size // rows) * -(-r.columns.size // columns)


def _fits(product: Product, r: Roles, record: Record, chip: Chip) -> bool:
    """True if a block can run; with long steps of large tiles only if two can.

    With many sums of a thread, registers are left only for the addresses of loads of 16 bytes.
    """
    if fault(product, record, record, chip) is not None:
        return False
    is_long = record.instruction == "mma" and record.rows >= LARGE.rows and record.depth > 16
    if is_long and 2 * shared_bytes(product, record) > chip.shared:
        return False
    if record.rows * record.columns <= 64 * record.threads:
        return True
    p = product.problem
    sides = zip(p.nest.inputs[:2], (r.rows, r.columns))
    return all(is_wide(p.nest, a, contiguous(a, g, r.terms), 16 // p.dtype.width) for a, g in sides)


def shared_bytes(product: Product, record: Record) -> int:
    """The most shared memory that a block takes."""
    dtype = product.problem.dtype
    by_line, by_term = paddings(record, dtype)
    lines = (record.rows * (2 if product.windows else 1), record.columns)
    if record.instruction == "wgmma":
        return record.stages * sum(lines) * record.depth * dtype.width
    if record.stages == 2:
        gaps = (by_term * (2 if product.windows else 1), by_term)
        return sum(2 * record.depth * (n + gap) for n, gap in zip(lines, gaps)) * dtype.width
    sizes = (max(n * (record.depth + by_line), record.depth * (n + by_term)) for n in lines)
    return record.stages * sum(sizes) * dtype.width


def fault(product: Product, record: Record, chosen: Record, chip: Chip) -> tuple[str, str] | None:
    """What keeps a record from being used."""
    dtype = product.problem.dtype
    if record.instruction not in INSTRUCTIONS:
        return "instruction", f"products are made by {', '.join(INSTRUCTIONS)}, found {record.instruction}"
    if record.is_tensor and (dtype.width < 4 or not dtype.is_float or product.windows):
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
    steps = -(-roles(product.problem, product.windows).terms.size // record.depth)
    if not 1 <= record.parts <= (max(steps, 1) if record.instruction in CUT else 1):
        message = f"terms are cut into one part for each of {steps} steps at most, and only for {' and '.join(CUT)}"
        return "parts", f"{message}, found {record.parts}"
    shared, most = shared_bytes(product, record), STATIC if record.stages == 2 else chip.shared
    if shared > most:
        return "depth", f"a block has {most} bytes of shared memory, this takes {shared}"
    return None


def _group_fault(record: Record, dtype: DType, chip: Chip) -> tuple[str, str] | None:
    if dtype is not DType.F32 or not chip.warpgroups:
        return "instruction", f"wgmma multiplies f32 as TF32, on chips that have it, which {chip.name} has not"
    if record.part_columns > 256:
        return "part_columns", f"wgmma has up to 256 columns, found {record.part_columns}"
    if (record.depth, record.stages) != (TERMS, 3):
        return "depth", f"wgmma has {TERMS} terms a step and 3 stages, found {record.depth} and {record.stages}"
    return None


def emit(code: GpuCode, product: Product, r: Record) -> None:
    """Write what one thread does."""
    if (found := fault(product, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    if r.parts > 1 and product.problem.dtype.is_float and code.numerics == "strict":
        raise ValueError(f"strict numerics add floats in one part, found {r.parts}")
    if stage_of(code, r.parts) == "finish":
        tiles: type[Tiles] = SumOfParts
    elif r.instruction == "wgmma":
        tiles = WarpgroupTiles
    else:
        tiles = PipelinedTiles if r.stages > 2 else TensorTiles if r.is_tensor else Tiles
    tiles(code, product, r, roles(product.problem, product.windows)).write()
