"""The rules for contractions: how they are cut, by extents, strides and what is known of the CPU."""

from __future__ import annotations

from math import prod

from ..targets.cpus import Cpu
from .cutting import Record, tile_heights
from .product_roles import Problem


def choose(p: Problem, cpu: Cpu, numerics: str) -> Record | None:
    """The record for a problem; None where another way is better."""
    lanes = cpu.lanes(p.dtype)
    m, n, k = p.extent(p.m), p.extent(p.n), p.depth
    if p.n is None:
        return None
    size = k * n * p.dtype.width
    pack = not p.vector_is_contiguous or (can_pack(p) and _packing_pays(p, cpu, size))
    if pack and not can_pack(p):
        return None
    wide, most = _tile(p, cpu, -(-n // lanes), pack)
    rows = _rows(m, most, wide, pack, cpu)
    columns = wide * lanes
    block, depth = _block(p, cpu, size, pack)
    align = not pack and can_pack(p) and _aligning_pays(p, cpu, size)
    fused = cpu.fuses(numerics) and p.dtype.is_float
    return Record(rows, columns, depth, block // columns * columns, pack, align, 1 if k < 16 else 2, fused)


def _packing_pays(p: Problem, cpu: Cpu, size: int) -> bool:
    """Whether so many rows use each column that its copy is made up for; as measured."""
    if len(p.ks) > 1 and not cpu.packs_windows:
        return False
    rows = _rows_served(p)
    return any(size > least and rows >= enough for least, enough in cpu.packs)


def _aligning_pays(p: Problem, cpu: Cpu, size: int) -> bool:
    """Whether vectors that lie across lines cost more than a copy of the operand.

    That is where an address decides whether all of them lie so or none, and where they come from beyond L1.
    """
    strides = [s for d, s in enumerate(p.nest.inputs[1].strides) if d != p.n]
    reach = sum((p.extent(k) - 1) * p.nest.inputs[1].strides[k] for k in p.ks) + p.extent(p.n)
    return (
        0 < cpu.aligns <= _rows_served(p)
        and size > cpu.l1
        and all(s * p.dtype.width % cpu.vector_bytes == 0 for s in strides)
        and reach <= 2 * p.depth * p.extent(p.n)
    )


def _rows_served(p: Problem) -> int:
    """Rows of sums that use the same elements of the vector operand."""
    return p.extent(p.m) * prod(p.extent(d) for d in p.outer if not p.nest.inputs[1].strides[d])


def _block(p: Problem, cpu: Cpu, size: int, pack: bool) -> tuple[int, int]:
    """Columns and terms that are taken for all rows before the next ones, 0 for all of them."""
    if not pack:
        terms = (256 << 10) // (p.dtype.width * p.extent(p.n)) // 4 * 4
        return 0, max(128, min(512, terms)) if size > (320 << 10) else 0
    if cpu.packed_columns:
        columns = cpu.packed_columns * (4 if _rows_served(p) > 160 else 1)
        return columns, _packed_terms(p, cpu)
    depth = 256 if p.dtype.width == 8 else 384 if p.vector_is_contiguous else 512
    return (512 if p.extent(p.m) > 160 else 128), depth  # few rows: packed columns serve but once


def _packed_terms(p: Problem, cpu: Cpu) -> int:
    """Terms of blocks that are about equal and fill half of a cache, 0 for all.

    Where the rows of a tile are neighbours in memory, the other operand needs a line for each term in the first cache.
    """
    if p.m is not None and p.nest.inputs[0].strides[p.m] == 1:
        most = cpu.l1 // 2 // 64
    else:
        bytes = p.dtype.width * min(cpu.packed_columns, p.extent(p.n))
        most = max(16, min(1024, cpu.l2 // 2 // bytes))
    blocks = -(-p.depth // most)
    if blocks == 1:
        return 0
    return most if len(p.ks) > 1 else -(-p.depth // blocks // 8) * 8


def _tile(p: Problem, cpu: Cpu, vectors: int, pack: bool) -> tuple[int, int]:
    """Vectors of a tile's rows, and the most rows: what leaves registers for the operands, as measured.

    Wide tiles read the vector operand less often, which pays where it does not lie packed.  Where the rows are
    neighbours in memory, as in Aᵀ·B, high ones read the other operand in fewer lines.
    """
    if cpu.registers < 32:
        wide = min(vectors, 2)
        return wide, max(1, (cpu.registers - wide - 2) // wide)
    if pack:
        return min(vectors, 2), 10
    if p.m is not None and p.nest.inputs[0].strides[p.m] == 1 and p.extent(p.m) > 5:
        return min(vectors, 2), 12
    wide = min(vectors, 4)
    return wide, {1: 14, 2: 12, 3: 8, 4: 6}[wide]


def _rows(m: int, most: int, wide: int, pack: bool, cpu: Cpu) -> int:
    """Rows of the highest tiles: few tiles, none of them so low that the latency of multiply-add shows."""
    least = -(-cpu.chains // wide)

    def cost(rows: int) -> float:
        heights = tile_heights(m, rows)
        busy = sum(count * max(height, least) for count, height in heights)
        second = 0.6 + 0.02 * m if len(heights) > 1 else 0  # the code of another height
        return busy + (0.05 if pack else 0.25) * (m // rows) + second

    return tile_heights(m, min(range(min(most, m), 0, -1), key=cost))[0][1]


def can_pack(p: Problem) -> bool:
    """Packing needs one loop of terms or columns that lie in a row, and no loop around that orders sums."""
    return (len(p.ks) <= 1 or p.vector_is_contiguous) and not p.is_scattered
