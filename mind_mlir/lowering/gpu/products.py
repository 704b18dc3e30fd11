"""Products that are added up, in tiles: matrix products in any layout, with batches; convolutions and filter gradients.

A block computes `rows` x `columns` sums. It walks over the terms, `depth` at a time, which its threads bring from
memory into shared memory while they compute on those brought before; each thread holds `thread_rows` x
`thread_columns` sums in registers. Rows, columns and terms may each be several loops of the nest, so that a convolution
is a product whose left operand is never written down. Where no tile divides an extent, what lies outside is read as
zeros and not stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlir import ir

from ..kernels.nest import Access, Nest, linear_map
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

SHALLOW = Record(rows=64, columns=64, depth=8, thread_rows=4, thread_columns=4)

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
    records = [LARGE, SMALL, SHALLOW] if tiles >= chip.multiprocessors else [SMALL, SHALLOW]
    return next(record for record in records if fault(product, record, record, chip) is None)


def fault(product: Product, record: Record, chosen: Record, chip: Chip) -> tuple[str, str] | None:
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
        if record.depth <= 0 or record.depth % WIDE or loads % record.threads:
            return "depth", f"the threads share {name} x depth evenly, found {loads} for {record.threads}"
    left = (record.rows + WIDE) * (2 if product.windows else 1)
    shared = 2 * record.depth * (left + record.columns + WIDE) * product.problem.dtype.width
    if shared > 48 << 10:
        return "depth", f"a block has 48 KB of shared memory, this takes {shared} bytes"
    return None


def emit(code: GpuCode, product: Product, r: Record) -> None:
    """Write what one thread does."""
    from .product_tiles import Tiles

    if (found := fault(product, r, r, code.chip)) is not None:
        raise ValueError(found[1])
    Tiles(code, product, r, roles(product.problem, product.windows)).write()
