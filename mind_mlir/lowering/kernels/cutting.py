"""A contraction, tiled as its record says: blocks of columns and of terms, and the offsets of everything."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from mlir import ir

from ..rules.product_rules import ContractionRecord
from ..rules.tile_cost import tile_heights
from .nest import Access
from .product_roles import Problem
from .vector_code import Code, Index

NARROW = 16
"""Bytes of the narrowest vectors that sums are held in."""


@dataclass(frozen=True)
class Block:
    """Some columns and terms: the indices of the outer loops, the first column and term, and how many there are.

    `packed` is memory that holds the columns contiguously from `offset` on, None where they are read from the operand.
    `ends` are two conditions, that the terms are the first ones of their sums and that they are the last ones; None if
    they are all. `lying` is memory that holds the columns in the operand's layout, and what is added to an offset in
    the operand for one in it; None if that is the operand's own memory.
    """

    at: dict[int, Index]
    packed: Any
    offset: Index
    column: Index
    width: Index
    term: Index
    terms: Index
    ends: tuple[Any, Any] | None
    lying: tuple[Any, Index] | None = None


def cut_terms(p: Problem, r: ContractionRecord) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The loops of the sum outside of blocks of terms, those inside, and the iterations of the first one in a block."""
    depth = min(r.depth or p.depth, p.depth)
    outer = 0
    while outer + 1 < len(p.ks) and prod(p.nest.extents[k] for k in p.ks[outer + 1 :]) > depth:
        outer += 1
    return p.ks[:outer], p.ks[outer:], max(1, depth // prod(p.nest.extents[k] for k in p.ks[outer + 1 :]))


class Cutting:
    """What the writers of a contraction share."""

    def __init__(self, code: Code, p: Problem, r: ContractionRecord) -> None:
        self.code, self.p, self.r = code, p, r
        self.v = code.vectors(p.dtype)
        self.lanes = self.v.lanes or 1
        self._flats: dict[Any, Any] = {}
        for a in p.nest.accesses:
            if a.is_memory:
                self.flat(a)
        self.k_outer, self.k_inner, self.step = cut_terms(p, r)
        self.k_block = self.k_inner[0] if self.k_inner else None
        self.beneath = prod(p.nest.extents[k] for k in self.k_inner[1:])  # terms at each iteration of that loop
        self.height = min(self.step, p.extent(self.k_block)) * self.beneath  # terms of a block
        self.block = r.block or p.extent(p.n)
        turns = [min(self.step, p.extent(self.k_block)), *[p.extent(k) for k in self.k_inner[1:]]]
        reach = sum((n - 1) * p.nest.inputs[1].strides[k] for k, n in zip(self.k_inner, turns))
        self.reach = reach + min(self.block, p.extent(p.n))  # elements from the first to the last one of a block
        self.panels = -(-min(self.block, p.extent(p.n)) // r.columns)
        again = [d for d in p.outer if (r.pack or r.align) and not p.nest.inputs[1].strides[d]]  # use the same copy
        self.before = tuple(d for d in p.outer if d not in again)
        self.within = tuple(again)
        self.heights = tile_heights(p.extent(p.m), r.rows)

    def packed_step(self, k: int) -> int:
        """The distance of two neighbouring terms of a loop in a packed panel."""
        within = self.k_inner[self.k_inner.index(k) + 1 :]
        return self.r.columns * prod(self.p.nest.extents[d] for d in within)

    def is_usual(self, rows: int) -> bool:
        """True if many tiles have so many rows: their code is worth its length."""
        return any(4 * count >= sum(n for n, _ in self.heights) for count, height in self.heights if height == rows)

    def fitting_lanes(self, width: int) -> int:
        """Lanes of the narrowest vector that holds so many elements: it takes no longer, and half the time on some."""
        least = min(self.lanes, max(1, NARROW // self.p.dtype.width))
        return max(least, 1 << (width - 1).bit_length())

    def flat(self, a: Access) -> Any:
        """The memory of an operand as one dimension."""
        if a.value not in self._flats:
            self._flats[a.value] = self.code.flat(a.value)
        return self._flats[a.value]

    def place(self, a: Access, at: dict[int, Index]) -> Index:
        """The offset of an operand's element; loops that `at` does not name are at 0."""
        return self.code.place(a.strides, [at.get(d, 0) for d in range(len(a.strides))], a.offset)

    def at(self, block: Block, column: Index, term: Index) -> dict[int, Index]:
        """The indices of the loops at a column and a term, both counted from the block's first ones."""
        at = dict(block.at)
        if self.p.n is not None:
            at[self.p.n] = self.code.add(block.column, column)
        if self.k_block is not None:
            at[self.k_block] = self.code.add(block.term, term)
        return at

    def whole_columns(self, block: Block) -> Index:
        """The columns of a block that fill panels."""
        if self.p.extent(self.p.n) % self.r.columns == 0:
            return block.width
        return self.code.times(self.code.quotient(block.width, self.r.columns), self.r.columns)

    @contextlib.contextmanager
    def where_tail(self, block: Block) -> Iterator[Index]:
        """Within: the code for the last columns, which fill no panel and are in the last block. Gives the first one."""
        start = self.p.extent(self.p.n) // self.r.columns * self.r.columns
        here = self.code.add(start, self.code.times(block.column, -1))
        if isinstance(here, int):
            yield here
            return
        made = ir.Operation.create("scf.if", operands=[self.code.below(here, self.block)], regions=2)
        with ir.InsertionPoint(made.regions[0].blocks.append()):
            yield here
            ir.Operation.create("scf.yield")

    @contextlib.contextmanager
    def outer(self, dims: Sequence[int], at: dict[int, Index]) -> Iterator[dict[int, Index]]:
        """Loops over `dims` in order; gives their indices, with those of `at`."""
        if not dims:
            yield at
            return
        d, *rest = dims
        with self.code.loop(0, self.p.extent(d)) as i, self.outer(rest, {**at, d: i}) as inner:
            yield inner
