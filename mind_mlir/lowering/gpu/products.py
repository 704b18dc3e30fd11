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
from .code import WARP, GpuCode
from .groups import WIDE, Group


@dataclass(frozen=True)
class Record:
    """A block's tile of sums, the terms that are in shared memory at a time, and the part of a thread or warp.

    With `tensor` the parts are a warp's, computed by tensor cores: f64 as it is, f32 rounded to TF32.
    """

    rows: int
    columns: int
    depth: int
    part_rows: int
    part_columns: int
    tensor: bool

    @property
    def threads(self) -> int:
        """Of a block."""
        return (self.rows // self.part_rows) * (self.columns // self.part_columns) * (WARP if self.tensor else 1)


LARGE = Record(rows=128, columns=128, depth=16, part_rows=8, part_columns=8, tensor=False)
SMALL = Record(rows=64, columns=64, depth=16, part_rows=4, part_columns=4, tensor=False)
SHALLOW = Record(rows=64, columns=64, depth=8, part_rows=4, part_columns=4, tensor=False)
TENSOR_LARGE = Record(rows=128, columns=128, depth=16, part_rows=64, part_columns=32, tensor=True)
TENSOR_SMALL = Record(rows=64, columns=64, depth=16, part_rows=32, part_columns=16, tensor=True)

PADDING = 8
"""Elements between lines of shared memory that tensor cores read: its eight lines and four terms lie in other banks."""

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
    tiles = r.batches.size * -(-r.rows.size // LARGE.rows) * -(-r.columns.size // LARGE.columns)
    is_tensor = numerics != "strict" and not product.windows
    is_tensor = is_tensor and (p.dtype is DType.F64 or (p.dtype is DType.F32 and chip.tf32))
    large, small = (TENSOR_LARGE, TENSOR_SMALL) if is_tensor else (LARGE, SMALL)
    records = [*([large] if tiles >= chip.multiprocessors else []), small, SHALLOW]
    return next(record for record in records if fault(product, record, record, chip) is None)


def fault(product: Product, record: Record, chosen: Record, chip: Chip) -> tuple[str, str] | None:
    """What keeps a record from being used."""
    dtype = product.problem.dtype
    if record.tensor and (dtype.width < 4 or not dtype.is_float or product.windows):
        return "tensor", "tensor cores multiply f64, and f32 as TF32, of plain products"
    least = {"part_rows": WIDE, "part_columns": WIDE}
    if record.tensor:
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
    gap = PADDING if record.tensor else WIDE
    left = (record.rows + gap) * (2 if product.windows else 1)
    shared = 2 * record.depth * (left + record.columns + gap) * dtype.width
    if shared > 48 << 10:
        return "depth", f"a block has 48 KB of shared memory, this takes {shared} bytes"
    return None


def emit(code: GpuCode, product: Product, r: Record) -> None:
    """Write what one thread does."""
    from .product_tiles import Tiles
    from .tensor_tiles import TensorTiles

    if (found := fault(product, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    tiles = TensorTiles if r.tensor else Tiles
    tiles(code, product, r, roles(product.problem, product.windows)).write()
