"""Records of contractions that a tuner tries instead of those of the rules, and which records can be used at all.

No candidate changes a bit: the order in which a sum takes its terms, and what is fused, stay as the rules have them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from ..rules.product_rules import ContractionRecord, DotsRecord
from ..rules.tile_cost import cycles, reads
from ..targets.cpus import Cpu
from .product_roles import Problem

Fault: TypeAlias = "tuple[str, str] | None"
"""The field of a record that cannot be used, and why."""

TILES = 14
"""Tiles that are tried from one record: those with the least estimated cost."""

_MOST_ROWS, _MOST_TERMS = 32, 16


def fields_that_differ(record: Any, other: Any, *names: str) -> list[str]:
    """Those of the fields in which two records differ."""
    return [name for name in names if getattr(record, name) != getattr(other, name)]


# Contractions


def contraction_near(p: Problem, r: ContractionRecord, cpu: Cpu) -> Iterator[ContractionRecord]:
    """Records that differ from `r` in one thing: how it is cut along columns or terms, or the shape of the tiles.

    What promises most comes first.
    """
    lanes = cpu.lanes(p.dtype)
    tiles = [
        replace(r, rows=rows, columns=vectors * lanes, block=_multiple(r.block, vectors * lanes))
        for rows, vectors in _tiles(p, r, cpu)
    ]
    if p.product.can_pack and p.vector_is_contiguous:
        if r.pack:
            yield replace(r, pack=False, block=0)
            yield replace(r, pack=False, block=0, depth=0)
        else:
            yield replace(r, pack=True, align=False, block=_multiple(r.block or 512, r.columns), depth=r.depth or 384)
    yield from tiles[:4]
    depth = r.depth if r.depth < p.depth else 0
    yield from (replace(r, depth=d) for d in (0, 128, 192, 256, 384, 512, 768) if d < p.depth and d != depth)
    yield from tiles[4:]
    block = r.block if r.block < p.extent(p.n) else 0
    blocks = dict.fromkeys((0, *(_multiple(b, r.columns) for b in (128, 256, 512, 1024))))
    yield from (replace(r, block=b) for b in blocks if b < p.extent(p.n) and b != block)
    yield from (replace(r, unroll=u) for u in (1, 2, 4) if u <= p.depth and u != r.unroll)


def contraction_fault(p: Problem, r: ContractionRecord, rule: ContractionRecord, cpu: Cpu) -> Fault:
    """The field of a record that cannot be used, and why; None if all can."""
    vectors, rest = divmod(r.columns, cpu.lanes(p.dtype))
    most = 2 * cpu.registers // max(vectors, 1)
    if r.fused != rule.fused:
        return "fused", "fused decides the bits of results, and is not for tuning"
    if rest or not 1 <= vectors <= 8:
        return "columns", f"columns are 1 to 8 vectors of {cpu.lanes(p.dtype)}, found {r.columns}"
    if not 1 <= r.rows <= min(_MOST_ROWS, most):
        return "rows", f"rows are 1 to {min(_MOST_ROWS, most)} beside {r.columns} columns, found {r.rows}"
    if r.depth < 0:
        return "depth", f"depth is a number of terms, or 0 for all, found {r.depth}"
    if r.block < 0 or r.block % r.columns:
        return "block", f"block is a multiple of the {r.columns} columns, or 0 for all, found {r.block}"
    if not 1 <= r.unroll <= _MOST_TERMS:
        return "unroll", f"unroll is 1 to {_MOST_TERMS}, found {r.unroll}"
    if r.pack and not p.product.can_pack:
        return "pack", "the sums of this kernel run over several loops, and cannot be packed"
    if r.align and (r.pack or not p.product.can_pack or not p.vector_is_contiguous):
        return "align", "only columns that are contiguous and not packed are copied to be aligned"
    if not r.pack and not p.vector_is_contiguous:
        return "pack", "the columns of this kernel are not contiguous: they have to be packed"
    return None


def _multiple(n: int, of: int) -> int:
    """The least multiple of `of` that is not below `n`."""
    return -(-n // of) * of


def _tiles(p: Problem, r: ContractionRecord, cpu: Cpu) -> list[tuple[int, int]]:
    """Rows and vectors of tiles that fit into the registers, by their estimated cost."""
    lanes = cpu.lanes(p.dtype)
    m, n = p.extent(p.m), -(-p.extent(p.n) // lanes)
    shapes = [
        (rows, vectors)
        for vectors in range(1, min(n, 6) + 1)
        for rows in range(1, min(m, _MOST_ROWS) + 1)
        if rows * vectors + vectors + 1 <= cpu.registers and (rows, vectors * lanes) != (r.rows, r.columns)
    ]

    def cost(shape: tuple[int, int]) -> tuple[float, float]:
        rows, vectors = shape
        return cycles(m, n, rows, vectors, cpu, r.pack), reads(rows, vectors)

    return sorted(shapes, key=cost)[:TILES]


# Dot products


def dots_near(p: Problem, r: DotsRecord, cpu: Cpu) -> Iterator[DotsRecord]:
    """Records with other numbers of rows. How many vectors a sum is held in decides its bits."""
    yield from (replace(r, rows=n) for n in (1, 2, 3, 4, 6, 8) if n <= p.extent(p.n) and n != r.rows)


def dots_fault(p: Problem, r: DotsRecord, rule: DotsRecord, cpu: Cpu) -> Fault:
    """The field of a record that cannot be used, and why; None if all can."""
    for name in fields_that_differ(r, rule, "vectors", "fused"):
        return name, f"{name} decides the bits of results, and is not for tuning"
    if not 1 <= r.vectors <= 8 or r.vectors & (r.vectors - 1):
        return "vectors", f"vectors are 1, 2, 4 or 8, found {r.vectors}"
    if not 1 <= r.rows <= _MOST_ROWS:
        return "rows", f"rows are 1 to {_MOST_ROWS}, found {r.rows}"
    return None
