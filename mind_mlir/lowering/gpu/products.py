"""Products that are added up, in tiles: matrix products in any layout, with batches; convolutions and filter gradients.

A block computes `rows` x `columns` sums. It walks over the terms, `depth` at a time, which its threads bring from
memory into shared memory while they compute on those brought before; each thread holds `part_rows` x `part_columns`
sums in registers, or each warp, with `tensor`, by the tensor cores. Rows, columns and terms may each be several loops
of the nest, so that a convolution is a product whose left operand is never written down. Where no tile divides an
extent, what lies outside is read as zeros and not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlir import ir

from ...ir import DType
from ..kernels.nest import Access, Nest, linear_map
from ..kernels.products import Problem
from ..kernels.products import match as match_product
from .chips import Chip
from .code import STATIC, WARP, GpuCode
from .groups import WIDE, Group, is_wide


@dataclass(frozen=True)
class Record:
    """A block's tile of sums, the terms of a step, the steps in shared memory at a time, and the part of a thread.

    `instruction` is what multiplies: `scalar`; or by tensor cores `mma`, of f64 as it is and of f32 rounded to TF32,
    where a part is a warp's, and `wgmma` of TF32, where it is a warp group's. With 2 `stages`, threads bring a step
    while they compute the one before; with more, copies that run beside the threads bring them all but one, or the
    products do run beside the threads (`wgmma`).
    """

    rows: int
    columns: int
    depth: int
    part_rows: int
    part_columns: int
    stages: int
    instruction: str

    @property
    def is_tensor(self) -> bool:
        """True if tensor cores multiply."""
        return self.instruction != "scalar"

    @property
    def threads(self) -> int:
        """Of a block."""
        each = {"scalar": 1, "mma": WARP, "wgmma": GROUP}[self.instruction]
        return (self.rows // self.part_rows) * (self.columns // self.part_columns) * each


GROUP = 4 * WARP
"""Threads that `wgmma` needs."""

TERMS = 32
"""Of a line of its operands: 128 bytes, within which pieces of 16 bytes are exchanged."""

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

PADDING = 8
"""Elements between lines of shared memory that tensor cores read: its eight lines and four terms lie in other banks."""

INSTRUCTIONS = ("scalar", "mma", "wgmma")

LEAST = 16
"""Rows and columns from which tiles pay; below, one thread computes a sum."""


@dataclass(frozen=True)
class Window:
    """Where a convolution's adjoint reads its cotangent: at `(line - term) / step`, if that is one of 0 … `count` - 1.

    `line` and `term` are loops of the nest; `stride` is how far one cotangent lies from the next in memory.
    """

    line: int
    term: int
    step: int
    count: int
    stride: int


@dataclass(frozen=True)
class Product:
    """A product, and the windows through which its left operand is read: none for all but adjoints of convolutions."""

    problem: Problem
    windows: tuple[Window, ...] = ()


@dataclass(frozen=True)
class Roles:
    """Which loops count rows, columns, terms, and products apart from each other."""

    batches: Group
    rows: Group
    columns: Group
    terms: Group


def match(nests: Sequence[Nest]) -> Product | None:
    """A product whose sums each stay at one place, or an adjoint of a convolution, seen so."""
    p = match_product(nests)
    if p is None or not p.ks:
        return None
    return Product(p) if not p.is_scattered else _gathered(list(nests), p)


def _gathered(nests: list[Nest], p: Problem) -> Product | None:
    """`out[…, oy · s + i, …] += x[…, oy, …] · y[i, …]` as a sum for each element of `out`, over the oy that lead to it.

    The terms of a sum keep their order: the loops over i stand outside of all others but those over i's of other axes.
    """
    main = nests[-1]
    if p.initial is None or p.steps or len(nests) != 2 or "indexing_maps" not in main.op.attributes:
        return None
    maps = main.op.attributes["indexing_maps"]
    form = linear_map(maps[len(maps) - 1].value)  # an index of -1 ends the process (MLIR 22)
    if form is None or any(form[1]):
        return None
    x, y = main.inputs
    shape = ir.MemRefType(main.output.value.type).shape
    extents, reduction = list(main.extents), list(main.reduction)
    strides = {a: list(a.strides) for a in (x, y, main.output)}
    windows = []
    for row, extent in zip(form[0], shape):
        moving = [d for d, factor in enumerate(row) if factor]
        if len(moving) == 1:
            continue
        if len(moving) != 2:
            return None
        line, term = moving if x.strides[moving[0]] else moving[::-1]  # oy and i
        if row[term] != 1 or x.strides[term] or y.strides[line] or (extents[term] > 1 and not y.strides[term]):
            return None
        windows.append(Window(line, term, row[line], extents[line], x.strides[line]))
        extents[line], reduction[line] = extent, False  # the loop over oy becomes one over elements
        strides[x][line] = 0
        strides[main.output][line] = main.output.strides[term]
        strides[main.output][term] = 0
    if not windows:
        return None

    def moved(a: Access) -> Access:
        return replace(a, strides=tuple(strides[a]))

    out = moved(main.output)
    nest = replace(
        main,
        extents=tuple(extents),
        reduction=tuple(reduction),
        inputs=(moved(x), moved(y), out),
        output=out,
    )
    ks = tuple(d for d, r in enumerate(reduction) if r)
    if any(out.strides[d] for d in ks):
        return None
    free = tuple(d for d, r in enumerate(reduction) if not r)
    return Product(Problem(nest, None, None, ks, free, p.initial, (), (("sum", 0),)), tuple(windows))


def roles(p: Problem, windows: Sequence[Window] = ()) -> Roles:
    """The loops by what they move: rows only x, columns only y, batches both or neither."""
    x, y = p.nest.inputs[:2]
    out = p.nest.output
    free = [d for d in range(len(p.nest.extents)) if d not in p.ks]
    free.sort(key=lambda d: -out.strides[d])
    seen = {w.line for w in windows}

    def moving(in_x: bool, in_y: bool) -> list[int]:
        return [d for d in free if (x.strides[d] != 0 or d in seen) is in_x and (y.strides[d] != 0) is in_y]

    return Roles(
        Group.of(p.nest, sorted([*moving(True, True), *moving(False, False)])),
        Group.of(p.nest, moving(True, False)),
        Group.of(p.nest, moving(False, True)),
        Group.of(p.nest, p.ks),
    )


def choose(product: Product, chip: Chip, numerics: str) -> Record | None:
    """The large tile where there are enough of them to fill the chip; None for what tiles are too large for."""
    p = product.problem
    r = roles(p, product.windows)
    if min(r.rows.size, r.columns.size) < LEAST or 0 in p.nest.extents:
        return None
    is_large = count_tiles(r, LARGE.rows, LARGE.columns) >= chip.multiprocessors
    is_tensor = numerics != "strict" and not product.windows
    is_tensor = is_tensor and (p.dtype is DType.F64 or (p.dtype is DType.F32 and chip.tf32))
    records = [LARGE, SMALL] if not is_tensor else [MMA_LARGE, MMA_SMALL]
    if is_tensor and chip.async_copies:
        records = [*PIPELINED[p.dtype], *records]
    records = [record for record in records if is_large or record.rows < LARGE.rows]
    if is_tensor and p.dtype is DType.F32 and chip.warpgroups:
        records = [
            *(record for record in WGMMA if count_tiles(r, record.rows, record.columns) >= chip.multiprocessors),
            *records,
        ]
    if is_tensor:
        records = [n for n in records if not wastes(r.rows.size, n.rows) and not wastes(r.columns.size, n.columns)]
    return next(record for record in [*records, SHALLOW] if _fits(product, r, record, chip))


def wastes(size: int, extent: int) -> bool:
    """True if a smaller tile holds everything."""
    return extent > SMALL.rows and size <= extent // 2


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


def contiguous(a: Access, lines: Group, terms: Group) -> Group:
    """Of an operand's lines and terms, those that are neighbours in memory: terms only if lines are not."""
    return terms if terms.starts_along(a) and not lines.starts_along(a) else lines


def paddings(record: Record, dtype: DType) -> tuple[int, int]:
    """Elements between lines of shared memory, where a line holds the terms of one row or column, or the converse.

    The lanes of a warp that read a fragment together, eight lines of four terms, then lie in banks of their own.
    """
    if record.stages > 2:
        return 4, 8 if dtype.width == 4 else 4
    return (PADDING, PADDING) if record.is_tensor else (WIDE, WIDE)


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
    from .pipelined_tiles import PipelinedTiles
    from .product_tiles import Tiles
    from .tensor_tiles import TensorTiles
    from .warpgroup_tiles import WarpgroupTiles

    if (found := fault(product, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    if r.instruction == "wgmma":
        tiles: type[Tiles] = WarpgroupTiles
    else:
        tiles = PipelinedTiles if r.stages > 2 else TensorTiles if r.is_tensor else Tiles
    tiles(code, product, r, roles(product.problem, product.windows)).write()
