"""Contractions: products added up over some loops, in registers.

A tile of `rows` × `columns` sums is held in registers while the loops of the sum run; one operand is read element by
element and spread over a vector, the other in vectors. Every sum takes its terms in the order of the loops, so without
fused multiply-add the bits are those of `interpret`.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any

from mlir import ir

from ..rules.choice import Choice
from ..rules.product_rules import ContractionRecord, choose_contraction
from ..rules.sharing import evenness, speedup
from ..targets.cpus import Cpu
from .cutting import Block, Cutting
from .packing import aligned, pack
from .product_roles import Problem, match
from .tiles import Tile
from .vector_code import Code, Index, reach

__all__ = ["choose", "emit", "match"]


def choose(p: Problem, cpu: Cpu, numerics: str) -> Choice[ContractionRecord]:
    """The record for a problem."""
    return choose_contraction(p.product, cpu, numerics)


def emit(code: Code, p: Problem, r: ContractionRecord) -> None:
    """Write the loops."""
    _Loops(code, p, r).write()


class _Loops(Cutting):
    """The loops around packing and tiles."""

    def write(self) -> None:
        code, p = self.code, self.p
        if p.is_scattered and p.initial is not None:
            self._fill()
        free = tuple(itertools.takewhile(lambda d: not p.nest.reduction[d], self.before))
        shared = self._best_shared(free)
        if shared == "batches":  # each iteration packs its own columns
            ranges = [(0, p.extent(d), 1) for d in free]
            with (
                code.parallel_nest(*ranges) as at,
                self._memory() as packed,
                self.outer(self.before[len(free) :], dict(zip(free, at))) as iv,
                code.loop(0, p.extent(p.n), self.block) as j0,
            ):
                self._block(packed, iv, j0)
        elif shared == "columns":
            self._cut_columns()
            with (
                code.parallel(0, p.extent(p.n), self.block) as j0,
                self._memory() as packed,
                self.outer(self.before, {}) as iv,
            ):
                self._block(packed, iv, j0)
        else:
            code.threads = code.threads if shared == "tiles" else 1
            with (
                self._memory() as packed,
                self.outer(self.before, {}) as iv,
                code.loop(0, p.extent(p.n), self.block) as j0,
            ):
                self._block(packed, iv, j0)

    def _best_shared(self, free: tuple[int, ...]) -> str:
        """What threads share best: iterations of the loops `free`, which are batches; columns; tiles; or nothing.

        Columns only where threads would otherwise read what others have packed, or all of a large operand; or where
        loops around the tiles lead to the same sums again.
        """
        p, threads = self.p, self.code.threads
        work = prod(p.nest.extents)
        outer = prod(p.extent(d) for d in self.before)
        blocks = prod(p.extent(k) for k in self.k_outer) * -(-p.extent(self.k_block) // self.step)
        blocks *= -(-p.extent(p.n) // self.block) * (2 if self.r.pack or self.r.align else 1)
        panels, each = self._fair_panels()
        batches = prod(p.extent(d) for d in free)
        tiles = prod(p.extent(d) for d in self.within) * sum(count for count, _ in self.heights) * self.panels
        gains = {
            "nothing": 1.0,
            "batches": speedup(evenness(batches, threads), threads, work),
            "columns": speedup(panels / (each * threads * -(-panels // (each * threads))), threads, work),
            "tiles": speedup(evenness(tiles, threads), threads, work // (outer * blocks)),
        }
        is_large = p.depth * p.extent(p.n) * p.dtype.width >= self.code.cpu.l3
        if not (self.r.pack or p.is_scattered or is_large):
            del gains["columns"]
        return max(gains, key=lambda what: gains[what])

    def _fair_panels(self) -> tuple[int, int]:
        """How many panels of columns there are, and how many make a block of which threads have the same number."""
        panels, threads = -(-self.p.extent(self.p.n) // self.r.columns), self.code.threads
        return panels, -(-panels // (threads * -(-panels // (threads * self.panels))))

    def _cut_columns(self) -> None:
        """Make blocks that threads share; which of them has a column changes no bit."""
        _, self.panels = self._fair_panels()
        self.block = self.panels * self.r.columns

    @contextlib.contextmanager
    def _memory(self) -> Iterator[Any]:
        """Memory for copies of the columns of a block, packed or in their own layout; None without copies."""
        if not (self.r.pack or self.r.align) or self.code.packed is not None:
            yield self.code.packed
            return
        size = self.panels * self.height * self.r.columns if self.r.pack else self.reach
        packed = self.code.scratch(self.p.dtype, size)
        yield packed
        self.code.free(packed)

    def _block(self, packed: Any, iv: dict[int, Index], j0: Index) -> None:
        """The sums of a block of columns in one iteration of the outer loops: by blocks of terms."""
        code, p = self.code, self.p
        total = p.extent(self.k_block)
        width = code.least(self.block, code.add(p.extent(p.n), code.times(j0, -1)))
        with self.outer(self.k_outer, iv) as at, code.loop(0, total, self.step) as k0:
            terms = code.least(self.step, code.add(total, code.times(k0, -1)))
            block = Block(at, packed, self._offset(at, j0, k0), j0, width, k0, terms, self._ends(at, k0, total))
            if self.r.align:
                block = aligned(self, block)
            elif packed is not None and code.packed is None:
                pack(self, block)
            if code.threads > 1:
                self._shared_tiles(block)
            else:
                self._tiles(block)

    def _offset(self, at: dict[int, Index], j0: Index, k0: Index) -> Index:
        """The offset of a block in an operand that has been packed as a whole; 0 for a block that is packed here."""
        if self.code.packed is None:
            return 0
        code, p = self.code, self.p
        columns = -(-p.extent(p.n) // self.r.columns) * self.r.columns
        turn = (
            self.height * columns * -(-p.extent(self.k_block) // self.step)
        )  # of the innermost loop outside of blocks
        terms = [code.times(k0, self.beneath * columns)]
        for k in reversed(self.k_outer):
            terms.append(code.times(at[k], turn))
            turn *= p.extent(k)
        return code.add(*terms, code.times(j0, self.height))

    def _fill(self) -> None:
        """Store the initial value everywhere: in sums that are added in parts, and where there is no term at all."""
        code, p, v = self.code, self.p, self.v
        out = self.flat(p.nest.output)
        size = reach(ir.MemRefType(p.nest.output.value.type))
        start = code.splat(v, p.initial)
        whole = size // self.lanes * self.lanes
        with code.parallel(0, whole, self.lanes) as i:
            code.store(v, start, out, i)
        if size - whole:
            code.store(v, start, out, whole, size - whole)

    def _ends(self, at: dict[int, Index], k0: Index, total: int) -> tuple[Any, Any] | None:
        """Whether these terms are the first ones of their sums, and the last ones; None if they are all."""
        code = self.code
        tests = [
            (code.equal(at[k], 0), code.equal(at[k], self.p.extent(k) - 1))
            for k in self.k_outer
            if not isinstance(at[k], int)
        ]
        if not isinstance(k0, int):
            tests.append((code.equal(k0, 0), code.below(total - 1, code.add(k0, self.step))))
        if not tests:
            return None
        bit = ir.IntegerType.get_signless(1)
        first, last = tests[0]
        for f, e in tests[1:]:
            first = code.op("arith.andi", first, f, type=bit)
            last = code.op("arith.andi", last, e, type=bit)
        return first, last

    def _tiles(self, block: Block) -> None:
        """The tiles of a block, row by row."""
        code, r = self.code, self.r
        n = self.p.extent(self.p.n)

        def row_of_tiles(block: Block, i: Index, rows: int) -> None:
            if n >= r.columns:
                with code.loop(0, self.whole_columns(block), r.columns) as j:
                    Tile(self, block, i, rows, j, r.columns).write()
            if n % r.columns:
                with self.where_tail(block) as j:
                    Tile(self, block, i, rows, j, n % r.columns).write()

        with self.outer(self.within, block.at) as at:
            start = 0
            for count, rows in self.heights:
                with code.loop(start, start + count * rows, rows) as i:
                    row_of_tiles(replace(block, at=at), i, rows)
                start += count * rows

    def _shared_tiles(self, block: Block) -> None:
        """The tiles of a block as iterations that threads share, those at the edges as well."""
        code, n, columns = self.code, self.p.extent(self.p.n), self.r.columns
        (high, rows), *others = self.heights
        turns = [(0, self.p.extent(d), 1) for d in self.within]

        with code.parallel_nest(*turns, (0, sum(k for k, _ in self.heights), 1), (0, block.width, columns)) as (
            *at,
            t,
            j,
        ):
            there = replace(block, at={**block.at, **dict(zip(self.within, at))})

            def row(i: Index, rows: int) -> None:
                def tile(count: int) -> None:
                    Tile(self, there, i, rows, j, count).write()

                whole, rest = divmod(n, columns)
                if whole and rest:
                    is_last = code.below(block.width, code.add(j, columns))
                    code.branch(is_last, lambda: tile(rest), lambda: tile(columns))
                else:
                    tile(columns if whole else rest)

            if not others:
                row(code.times(t, rows), rows)
                return
            low = others[0][1]
            code.branch(
                code.below(t, high),
                lambda: row(code.times(t, rows), rows),
                lambda: row(code.add(code.times(t, low), high * (rows - low)), low),
            )
