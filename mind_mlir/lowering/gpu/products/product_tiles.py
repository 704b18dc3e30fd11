"""The code of one thread of a tiled product. tiled_products.py explains the tiles."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from mlir import ir

from ...emit.scalars import Scalars
from ...kernels.chain import Ref, evaluated
from ...kernels.nest import Access, dtype_of
from ...kernels.vector_code import Index
from ...rules.gpu_product_rules import TileRecord
from ...targets.chips import WIDE
from ..groups import is_wide
from ..partial_sums import memory_of_parts
from ..thread_code import GpuCode
from .product_operands import Operand
from .product_problem import Product, Roles


class Tiles:
    """Writes the kernel.

    A thread's sums are vectors of `width` neighbours, each at a spot relative to the thread's first row and column.
    """

    width = WIDE
    padding = WIDE
    """Elements between lines of shared memory, so that they begin in different banks."""

    def __init__(self, code: GpuCode, product: Product, r: TileRecord, roles: Roles) -> None:
        self.code, self.p, self.r, self.roles = code, product.problem, r, roles
        p = self.p
        self.v = Scalars(p.dtype, self.width)
        self.x, self.y = p.nest.inputs[:2]
        self.out = p.nest.output
        self.flats = {a.value: code.flat(a.value) for a in (self.x, self.y, *p.reads, *p.targets)}
        if p.initial is None:
            self.flats.setdefault(self.out.value, code.flat(self.out.value))
        self.fused = code.numerics != "strict"
        self.steps = -(-roles.terms.size // (r.depth * r.parts))  # of a part
        self.is_whole = roles.terms.size == self.steps * r.depth * r.parts  # each step has as many terms
        self.first_term: Index = 0
        self.windows = product.windows
        self.parts = memory_of_parts(code) if r.parts > 1 else None
        self.sums = roles.batches.size * roles.rows.size * roles.columns.size

    def write(self) -> None:
        """Write the whole kernel."""
        code, r, g = self.code, self.r, self.roles
        self._find_tile()
        lefts = Operand(self, self.x, g.rows, self.row0, r.rows, -0.0, self.windows)
        rights = Operand(self, self.y, g.columns, self.column0, r.columns, 0.0)
        for operand in (lefts, rights):
            operand.store(operand.load(self.first_term), 0)
        code.barrier()
        totals = self._start()

        def turn(step: Index, totals: list[Any]) -> Sequence[Any]:
            following = code.add(step, 1)
            brought = [o.load(self.term_of(following)) for o in (lefts, rights)]
            totals = self._multiplied(lefts, rights, code.remainder(step, 2), totals)
            for o, pieces in zip((lefts, rights), brought):
                o.store(pieces, code.remainder(following, 2))
            code.barrier()
            return totals

        totals = code.carried(0, self.steps - 1, 1, totals, turn)
        totals = self._multiplied(lefts, rights, (self.steps - 1) % 2, totals)
        self._finish(totals)

    def term_of(self, step: Index) -> Index:
        """The first term of a step of the block's part."""
        return self.code.add(self.first_term, self.code.times(step, self.r.depth))

    def _find_tile(self) -> None:
        """Write the launch, and find which product, tile and part a block computes."""
        code, r, g = self.code, self.r, self.roles
        row_tiles, column_tiles = -(-g.rows.size // r.rows), -(-g.columns.size // r.columns)
        tiles = g.batches.size * row_tiles * column_tiles
        self._launch(tiles * r.parts)
        block = code.block_id()
        if r.parts > 1:  # blocks that run at the same time have terms of a few parts, which the cache holds
            self.part, block = code.taken_apart(block, [r.parts, tiles])
            self.first_term = code.times(self.part, self.steps * r.depth)
        batch, row_tile, column_tile = self._tile_of(block, g.batches.size, row_tiles, column_tiles)
        self.batch = batch if g.batches.dims else 0
        self.row0, self.column0 = code.times(row_tile, r.rows), code.times(column_tile, r.columns)
        self.thread = code.thread_id()
        self.row_in, self.column_in = self._first_spot()

    def _launch(self, blocks: int) -> None:
        self.code.launched([blocks], [self.r.threads])

    def _tile_of(self, block: Index, batches: int, row_tiles: int, column_tiles: int) -> Sequence[Index]:
        """The batch, row and column of tiles that a block has."""
        return self.code.taken_apart(block, [batches, row_tiles, column_tiles])

    # Sums

    def _first_spot(self) -> tuple[Index, Index]:
        """The first row and column of the thread, in the block's tile."""
        code, across = self.code, self.r.columns // self.r.part_columns
        ty, tx = code.quotient(self.thread, across), code.remainder(self.thread, across)
        return code.times(ty, WIDE), code.times(tx, WIDE)

    def _spots(self) -> list[tuple[int, int]]:
        """Row and first column of each vector of sums, relative to the thread's first ones."""
        r = self.r
        down, across = r.rows // r.part_rows, r.columns // r.part_columns
        rows = [i + part * down * WIDE for part in range(r.part_rows // WIDE) for i in range(WIDE)]
        columns = [part * across * WIDE for part in range(r.part_columns // WIDE)]
        return [(i, j) for i in rows for j in columns]

    def kept(self, piece: Any, count: int) -> Any:
        """What shared memory holds of `count` elements that were brought."""
        return piece

    def _start(self) -> list[Any]:
        code = self.code
        if self.parts is not None:
            return [code.zeros(self.v)] * len(self._spots())
        if self.p.initial is not None:
            return [code.splat(self.v, self.p.initial)] * len(self._spots())
        return [self._read_out(i, j) for i, j in self._spots()]

    def _read_out(self, i: int, j: int) -> Any:
        """What the sums start from where nobody has filled it: the result's own elements."""
        code = self.code
        vector = code.zeros(self.v)
        row, column = code.add(self.row0, self.row_in, i), code.add(self.column0, self.column_in, j)
        for lane in range(self.width):
            at = code.add(column, lane)
            inside = self._inside(row, at)
            place = self._place(self.out, row, at)

            def read(place: Index = place) -> list[Any]:
                return [code.read(self.flats[self.out.value], place)]

            zero = Scalars(self.p.dtype).number(0)
            (element,) = read() if inside is None else code.either(inside, [zero.type], read, lambda z=zero: [z])  # type: ignore[misc]
            vector = code.with_lane(self.v, vector, lane, element)
        return vector

    def _multiplied(self, lefts: Operand, rights: Operand, buffer: Index, totals: list[Any]) -> list[Any]:
        """The sums with the terms of one step more."""
        code, r, v, element = self.code, self.r, self.v, Scalars(self.p.dtype)
        spots = self._spots()

        def term(k: Index, totals: list[Any]) -> Sequence[Any]:
            down, across = r.rows // r.part_rows * WIDE, r.columns // r.part_columns * WIDE
            xs = [lefts.piece(buffer, k, code.add(self.row_in, n * down)) for n in range(r.part_rows // WIDE)]
            ys = [rights.piece(buffer, k, code.add(self.column_in, n * across)) for n in range(r.part_columns // WIDE)]
            columns = {n * across: y for n, (y, _) in enumerate(ys)}
            rows, is_term = {}, {}
            for n, (x, given) in enumerate(xs):
                for i in range(WIDE):
                    rows[n * down + i] = code.splat(v, code.lane(v, x, i))
                    if given is not None:
                        is_term[n * down + i] = element.greater(code.lane(v, given, i), element.number(0))
            after = [code.multiply_add(v, rows[i], columns[j], t, self.fused) for (i, j), t in zip(spots, totals)]
            if not is_term:
                return after
            return [v.select(is_term[i], new, old) for (i, _), new, old in zip(spots, after, totals)]

        return code.carried(0, r.depth, 1, totals, term)

    # Results

    def _inside(self, row: Index, column: Index) -> Any:
        """The condition that a sum is one of the result's; None if all of the tile's are."""
        code, g, r = self.code, self.roles, self.r
        conditions = []
        if g.rows.size % r.rows:
            conditions.append(code.below(row, g.rows.size))
        if g.columns.size % r.columns:
            conditions.append(code.below(column, g.columns.size))
        if len(conditions) < 2:
            return conditions[0] if conditions else None
        return code.op("arith.andi", *conditions, type=ir.IntegerType.get_signless(1))

    def _place(self, a: Access, row: Index, column: Index) -> Index:
        code, g = self.code, self.roles
        parts = [
            group.places(code, turn, [a])[0]
            for group, turn in zip((g.batches, g.rows, g.columns), (self.batch, row, column))
        ]
        return code.add(*parts, a.offset)

    def _finish(self, totals: list[Any]) -> None:
        code = self.code
        is_part = self.parts is not None
        wide = self.roles.columns.size % self.width == 0 if is_part else self._is_wide()
        store_wide, store = (self._store_part,) * 2 if is_part else (self._store_wide, self._store)
        for (i, j), total in zip(self._spots(), totals):
            row, column = code.add(self.row0, self.row_in, i), code.add(self.column0, self.column_in, j)
            if wide:
                with self._when(self._inside(row, column)):
                    store_wide(total, row, column)
                continue
            for lane in range(self.width):
                at = code.add(column, lane)
                element = code.lane(self.v, total, lane)
                with self._when(self._inside(row, at)):
                    store(element, row, at)

    def _is_wide(self) -> bool:
        """True if neighbouring sums are aligned pieces of all that is read and written with them."""
        p, columns = self.p, self.roles.columns
        along = [a for a in (*p.reads, *p.targets) if any(a.strides[d] for d in columns.dims)]
        return all(is_wide(p.nest, a, columns) for a in along) and all(a in along for a in p.targets)

    def _store_part(self, total: Any, row: Index, column: Index) -> None:
        """What the block has of a sum, or of neighbouring ones."""
        code, g = self.code, self.roles
        row = code.add(code.times(self.batch, g.rows.size), row)
        place = self.part_place(self.part, code.add(code.times(row, g.columns.size), column))
        if isinstance(total.type, ir.VectorType):
            code.store_aligned(self.v, total, self.parts, place)
        else:
            code.write(total, self.parts, place)

    def part_place(self, part: Index, number: Index) -> Index:
        """The offset of a part of a sum in memory: sums are counted by batch, row and column."""
        return self.code.add(self.code.times(part, self.sums), number)

    def _when(self, condition: Any) -> AbstractContextManager[None]:
        return self.code.when_all([] if condition is None else [condition])

    def _store(self, total: Any, row: Index, column: Index) -> None:
        """One element of each result."""
        code, p = self.code, self.p
        known: dict[Ref, Any] = {("sum", 0): total}
        for n, a in enumerate(p.reads):
            known["input", n] = code.read(self.flats[a.value], self._place(a, row, column)) if a.is_memory else a.value
        known = evaluated(code, p.steps, known, None)
        for ref, a in zip(p.stores, p.targets):
            code.write(known[ref], self.flats[a.value], self._place(a, row, column))

    def _store_wide(self, total: Any, row: Index, column: Index) -> None:
        """Neighbouring elements of each result."""
        code, p = self.code, self.p
        known: dict[Ref, Any] = {("sum", 0): total}
        for n, a in enumerate(p.reads):
            v = Scalars(dtype_of(a.value), self.width)
            place = self._place(a, row, column)
            moves = any(a.strides[d] for d in self.roles.columns.dims)
            known["input", n] = (
                code.load_aligned(v, self.flats[a.value], place)
                if moves
                else code.splat(v, code.read(self.flats[a.value], place))
            )
        known = evaluated(code, p.steps, known, self.width)
        for ref, a in zip(p.stores, p.targets):
            code.store_aligned(
                Scalars(dtype_of(a.value), self.width), known[ref], self.flats[a.value], self._place(a, row, column)
            )
