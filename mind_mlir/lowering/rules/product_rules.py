"""The rules for products on CPUs: matrix products in any layout, convolutions and their adjoints, dot products.

`out[c · d] += x[a · d] · y[b · d]`, by extents and strides, the element type, and what is known of the CPU.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from ...ir import DType
from ..targets.cpus import Cpu
from .choice import Choice, counted, size
from .product_loops import Product
from .tile_cost import column_cycles, tile_heights


@dataclass(frozen=True)
class ContractionRecord:
    """The tiles and blocks of a contraction.

    rows × columns sums are held in registers, fewer rows where that makes tiles more even; `depth` terms are added
    before partial sums go to memory, 0 for all; `block` columns of the vector operand are used for all rows before the
    next ones, 0 for all. With `pack` they are first copied to be contiguous, with `align` they are copied as they are
    if their vectors are not aligned. The innermost loop has `unroll` terms; `fused` multiply-add rounds once.
    """

    rows: int
    columns: int
    depth: int
    block: int
    pack: bool
    align: bool
    unroll: int
    fused: bool


@dataclass(frozen=True)
class DotsRecord:
    """`rows` sums at a time, each in `vectors` vectors; `fused` multiply-add rounds once."""

    rows: int
    vectors: int
    fused: bool


def choose(p: Product, cpu: Cpu, numerics: str = "default") -> Choice[DotsRecord] | Choice[ContractionRecord]:
    """The choice of the first of the two strategies that takes a product, in the order of the compiler."""
    if p.runs_along_terms and (dots := choose_dots(p, cpu, numerics)).record is not None:
        return dots
    return choose_contraction(p, cpu, numerics)


# Dot products


def choose_dots(p: Product, cpu: Cpu, numerics: str = "default") -> Choice[DotsRecord]:
    """Vectors along the terms, for sums that no vector of results could hold without copying an operand first."""

    def declined(why: str) -> Choice[DotsRecord]:
        return Choice("dots", None, (why,))

    n, lanes = p.roles.n, cpu.lanes(p.dtype)
    others = p.rows if n is not None else 1
    if p.vector_is_contiguous and n is not None:
        return declined("columns are neighbours in memory: vectors run along them")
    if others >= 4:
        return declined(f"{others} rows use each column: its copy as a panel is made up for")
    if numerics == "strict" and p.dtype.is_float:
        return declined("strict numerics add in order, and lanes along the terms do not")
    if p.extents[p.roles.ks[-1]] < lanes:
        return declined(f"{p.extents[p.roles.ks[-1]]} terms are fewer than the {lanes} lanes of a vector")
    rows = min(4, p.columns)
    vectors = 4 if rows < 4 else 2
    fused = cpu.fuses(numerics) and p.dtype.is_float
    why = (
        f"both operands have neighbours along the terms, and {counted(others, 'row')} would not make up for a panel",
        f"{rows} sums x {vectors} vectors: {rows * vectors} vectors grow at a time, where {cpu.chains} hide the latency"
        " of multiply-add",
        _of_rounding(fused, p.dtype, cpu, numerics),
    )
    return Choice("dots", DotsRecord(rows, vectors, fused), why)


# Contractions


def choose_contraction(p: Product, cpu: Cpu, numerics: str = "default") -> Choice[ContractionRecord]:
    """Tiles of sums in registers, vectors along the columns of the result."""
    if p.roles.n is None:
        return Choice("contraction", None, ("no loop runs along neighbours of the result: vectors have no direction",))
    lanes = cpu.lanes(p.dtype)
    pack, why_pack = _packs(p, cpu)
    if pack and not p.can_pack:
        return Choice(
            "contraction", None, ("columns are no neighbours, and several loops add up: no panel holds them",)
        )
    wide, most, why_wide = _tile(p, cpu, -(-p.columns // lanes), pack)
    rows, why_rows = _rows(p.rows, most, wide, pack, cpu)
    columns = wide * lanes
    block, depth, why_block = _block(p, cpu, pack)
    block = block // columns * columns
    align = not pack and p.can_pack and _aligning_pays(p, cpu)
    unroll = 1 if p.depth < 16 else 2
    fused = cpu.fuses(numerics) and p.dtype.is_float
    why = [why_wide, why_rows, why_pack, why_block]
    if align:
        why.append(
            f"align: {p.rows_served} rows use columns whose vectors may cross lines at every step, {cpu.aligns} pay for"
            " a copy; each call tests its address"
        )
    why.append(f"unroll: {'a single term' if unroll == 1 else 'two terms'} in the innermost loop, for {p.depth} in all")
    why.append(_of_rounding(fused, p.dtype, cpu, numerics))
    return Choice("contraction", ContractionRecord(rows, columns, depth, block, pack, align, unroll, fused), tuple(why))


def _of_rounding(fused: bool, dtype: DType, cpu: Cpu, numerics: str) -> str:
    if fused:
        return f"fused: {cpu.name} multiplies and adds in one instruction, and {numerics} numerics allow one rounding"
    if not dtype.is_float:
        return f"not fused: {dtype} is not rounded"
    return f"not fused: {'strict numerics round twice' if cpu.fma else f'{cpu.name} has no such instruction'}"


def _packs(p: Product, cpu: Cpu) -> tuple[bool, str]:
    """True if so many rows use each column that a copy pays, and why."""
    if not p.vector_is_contiguous:
        return True, "packed: columns are not neighbours in memory, and vectors are read from panels"
    if not p.can_pack:
        return False, "not packed: loops outside of the tiles lead to the same sums again"
    if len(p.roles.ks) > 1 and not cpu.packs_windows:
        return False, f"not packed: several loops add up, as in a window, which {cpu.name} reads as it is"
    found = f"{counted(p.rows_served, 'row')} on {size(p.bytes)}"
    for least, enough in cpu.packs:
        if p.bytes > least and p.rows_served >= enough:
            return True, f"packed: {found}, where {enough} pay for panels of more than {size(least)}"
    needed = " or ".join(f"{enough} on more than {size(least)}" for least, enough in cpu.packs)
    return False, f"not packed: {found}, where {needed} pay for panels"


def rows_collide(terms: int, stride: int, columns: int, cpu: Cpu) -> bool:
    """True if a transposed copy of an operand pays, whose rows are neighbours and whose terms are `stride` bytes apart.

    Neighbouring tiles read the same lines, one for each term, which half of the first cache is to hold. Of lines a
    multiple of 2ⁿ bytes apart it holds its size divided by 2ⁿ. `columns` multiply-adds use each element of a copy.
    """
    half = cpu.l1 // 2
    return 0 < cpu.copies_rows <= columns and min(terms, half // 64) > half // max(64, gcd(stride, cpu.way))


def _aligning_pays(p: Product, cpu: Cpu) -> bool:
    """True if vectors across two cache lines cost more than a copy of the operand.

    That is so if the address decides whether all of them are across lines or none, and if they do not come from L1.
    """
    n = p.roles.n
    strides = [s for d, s in enumerate(p.y) if d != n]
    reach = sum((p.extents[k] - 1) * p.y[k] for k in p.roles.ks) + p.columns
    return (
        0 < cpu.aligns <= p.rows_served
        and p.bytes > cpu.l1
        and all(s * p.dtype.width % cpu.vector_bytes == 0 for s in strides)
        and reach <= 2 * p.depth * p.columns
    )


def _block(p: Product, cpu: Cpu, pack: bool) -> tuple[int, int, str]:
    """The columns and terms that are used for all rows before the next ones, 0 for all of them, and why."""
    if not pack:
        if p.bytes <= cpu.whole:
            return 0, 0, f"block: all, {size(p.bytes)} of vectors are no more than {size(cpu.whole)}"
        terms = max(128, min(512, cpu.piece // (p.dtype.width * p.columns) // 4 * 4))
        read = size(terms * p.columns * p.dtype.width)
        return 0, terms, f"depth: {terms} terms of all columns, {read}, are used for all rows before the next ones"
    if cpu.packed_columns:
        columns = cpu.packed_columns * (4 if p.rows_served > 160 else 1)
        depth, why = _packed_terms(p, cpu)
        return columns, depth, f"block: {columns} columns for {counted(p.rows_served, 'row')}; {why}"
    depth = cpu.packed_terms[0 if p.dtype.width == 8 else 1 if p.vector_is_contiguous else 2]
    columns = 512 if p.rows > 160 else 128  # few rows: packed columns serve but once
    return columns, depth, f"block: {columns} columns for {counted(p.rows, 'row')}, {depth} terms at a time"


def _packed_terms(p: Product, cpu: Cpu) -> tuple[int, str]:
    """The number of terms of blocks that are about equal and fill half of a cache, 0 for all; and why.

    Where the rows of a tile are neighbours in memory, the other operand needs a line for each term in the first cache.
    """
    if p.rows_are_neighbours:
        most, held = cpu.l1 // 2 // 64, "half of the first cache has lines for"
    else:
        bytes = p.dtype.width * min(cpu.packed_columns, p.columns)
        most, held = max(16, min(1024, cpu.l2 // 2 // bytes)), "half of the second cache holds panels of"
    blocks = -(-p.depth // most)
    if blocks == 1:
        return 0, f"all {p.depth} terms at once, where {held} {most}"
    depth = most if len(p.roles.ks) > 1 else -(-p.depth // blocks // 8) * 8
    return depth, f"{depth} of {p.depth} terms at a time, where {held} {most}"


def _tile(p: Product, cpu: Cpu, vectors: int, pack: bool) -> tuple[int, int, str]:
    """The number of vectors in a row of a tile, and the most rows, which leave registers for the operands; and why.

    Wide tiles read the vector operand less often, which pays where it is not packed. Where the rows are neighbours in
    memory, as in Aᵀ·B, high ones read the other operand in fewer lines.
    """
    if pack:
        heights, kind = cpu.tiles.packed, "of panels"
    elif p.rows_are_neighbours and p.rows > 5:
        heights, kind = cpu.tiles.neighbours, "of rows that are neighbours in memory"
    else:
        heights, kind = cpu.tiles.plain, "of columns that are not packed"
    wide = min(vectors, len(heights))
    most = heights[wide - 1]
    shape = f"{counted(wide, 'vector')} wide, up to {counted(most, 'row')}"
    return wide, most, f"tiles {kind}: {shape}, {most * wide} of {cpu.registers} registers hold sums"


def _rows(m: int, most: int, wide: int, pack: bool, cpu: Cpu) -> tuple[int, str]:
    """The rows of the highest tiles, so that tiles are few and none has too few rows to hide the latency; and why."""

    def cost(rows: int) -> float:
        return column_cycles(m, rows, wide, cpu, pack)

    costs = {rows: cost(rows) for rows in range(min(most, m), 0, -1)}
    best = min(costs, key=lambda rows: costs[rows])
    rows = tile_heights(m, best)[0][1]
    sums = counted(rows * wide, "vector")
    shape = " and ".join(f"{count} of {counted(height, 'row')}" for count, height in tile_heights(m, best))
    why = f"rows: {shape} x {counted(wide, 'vector')}; {sums} of sums grow at a time, {cpu.chains} hide the latency"
    others = [(c, height) for n, c in costs.items() if (height := tile_heights(m, n)[0][1]) != rows]
    if others:
        other, height = min(others)
        why += f"; {costs[best] / m:.3f} cycles a row and term, against {other / m:.3f} with {counted(height, 'row')}"
    return rows, why
