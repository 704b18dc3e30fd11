"""What one thread of a tiled product does.  products.py says what the tiles are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ..kernels.chain import Ref, evaluated
from ..kernels.code import Index
from ..kernels.nest import Access, dtype_of
from ..scalars import Scalars
from .code import GpuCode
from .groups import WIDE, Group, is_wide
from .products import Product, Record, Roles, Window, contiguous


class Tiles:
    """Writes the kernel.

    A thread's sums are vectors of `width` neighbours, each at a spot relative to the thread's first row and column.
    """

    width = WIDE
    padding = WIDE
    """Elements between lines of shared memory, so that they begin in different banks."""

    def __init__(self, code: GpuCode, product: Product, r: Record, roles: Roles) -> None:
        self.code, self.p, self.r, self.roles = code, product.problem, r, roles
        p = self.p
        self.v = Scalars(p.dtype, self.width)
        self.x, self.y = p.nest.inputs[:2]
        self.out = p.nest.output
        self.flats = {a.value: code.flat(a.value) for a in (self.x, self.y, *p.reads, *p.targets)}
        if p.initial is None:
            self.flats.setdefault(self.out.value, code.flat(self.out.value))
        self.fused = code.numerics != "strict"
        self.steps = -(-roles.terms.size // r.depth)
        self.windows = product.windows

    def write(self) -> None:
        """Everything."""
        code, r, g = self.code, self.r, self.roles
        self._find_tile()
        lefts = Operand(self, self.x, g.rows, self.row0, r.rows, -0.0, self.windows)
        rights = Operand(self, self.y, g.columns, self.column0, r.columns, 0.0)
        for operand in (lefts, rights):
            operand.store(operand.load(0), 0)
        code.barrier()
        totals = self._start()

        def turn(step: Index, totals: list[Any]) -> Sequence[Any]:
            following = code.add(step, 1)
            brought = [o.load(code.times(following, r.depth)) for o in (lefts, rights)]
            totals = self._multiplied(lefts, rights, code.remainder(step, 2), totals)
            for o, pieces in zip((lefts, rights), brought):
                o.store(pieces, code.remainder(following, 2))
            code.barrier()
            return totals

        totals = code.carried(0, self.steps - 1, 1, totals, turn)
        totals = self._multiplied(lefts, rights, (self.steps - 1) % 2, totals)
        self._finish(totals)

    def _find_tile(self) -> None:
        """The launch, and which product and tile the block has."""
        code, r, g = self.code, self.r, self.roles
        row_tiles, column_tiles = -(-g.rows.size // r.rows), -(-g.columns.size // r.columns)
        self._launch(g.batches.size * row_tiles * column_tiles)
        batch, row_tile, column_tile = self._tile_of(code.block_id(), g.batches.size, row_tiles, column_tiles)
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
        code, p, g = self.code, self.p, self.roles
        accesses = [*p.reads, *p.targets]
        along = [a for a in accesses if any(a.strides[d] for d in g.columns.dims)]
        wide = all(is_wide(p.nest, a, g.columns) for a in along) and all(a in along for a in p.targets)
        for (i, j), total in zip(self._spots(), totals):
            row, column = code.add(self.row0, self.row_in, i), code.add(self.column0, self.column_in, j)
            if wide:
                self._when(self._inside(row, column), lambda t=total, r=row, c=column: self._store_wide(t, r, c))  # type: ignore[misc]
                continue
            for lane in range(self.width):
                at = code.add(column, lane)
                element = code.lane(self.v, total, lane)
                self._when(self._inside(row, at), lambda e=element, r=row, c=at: self._store(e, r, c))  # type: ignore[misc]

    def _when(self, condition: Any, write: Any) -> None:
        if condition is None:
            write()
        else:
            with self.code.when(condition):
                write()

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


@dataclass(frozen=True)
class _Load:
    """What one thread brings at a step: where it goes in the tile, and what of its address is known before."""

    line: Index  # row or column in the tile
    term: Index  # in the step, `beyond` before the one that is meant
    beyond: int
    start: Index  # of the address
    inside: Any  # whether the line is one of the operand's; None if all are
    at: dict[int, Index]  # the turns of the loops that the line counts, where a window looks through them


Piece = tuple[Any, Any]
"""What was brought, and whether a window had it to give: an element, 1 or 0; None without windows."""


class Operand:
    """One side of the product: bringing its part of a step to shared memory, and taking pieces from there.

    `outside` is what stands for elements beyond the operand's. A term that a window does not give is none, whatever it
    would be multiplied with: that is kept beside the elements.
    """

    def __init__(
        self,
        tiles: Tiles,
        a: Access,
        lines: Group,
        first: Index,
        extent: int,
        outside: float,
        windows: Sequence[Window] = (),
    ) -> None:
        code, r, p = tiles.code, tiles.r, tiles.p
        self.code, self.tiles, self.a, self.lines, self.windows = code, tiles, a, lines, windows
        self.terms = tiles.roles.terms
        self.extent = extent
        self.single, self.v = Scalars(p.dtype), Scalars(p.dtype, WIDE)
        self.outside = outside if p.dtype.is_float else 0  # -0.0 · 0.0 changes no sum, not even -0.0
        along = contiguous(a, lines, self.terms)
        self.along_terms = along is self.terms
        through = {d for w in windows for d in (w.line, w.term)}
        steady = along.dims and along.dims[-1] not in through and all(w.stride % WIDE == 0 for w in windows)
        self.step = WIDE if steady and self._is_enough() and is_wide(p.nest, a, along) else 1
        self._hold()
        (batch,) = tiles.roles.batches.places(code, tiles.batch, [a])
        self.loads = []
        for n in range(extent * r.depth // (r.threads * self.step)):
            (line, more_lines), (term, beyond) = self._where(n)
            turn = code.add(first, line)
            (place,) = lines.places(code, turn, [a], more_lines)
            turn, line = code.add(turn, more_lines), code.add(line, more_lines)
            inside = code.below(turn, lines.size) if lines.size % extent else None
            at = dict(zip(lines.dims, code.taken_apart(turn, lines.extents))) if windows else {}
            self.loads.append(_Load(line, term, beyond, code.add(batch, place, a.offset), inside, at))

    def _is_enough(self) -> bool:
        """True if the threads share a step evenly in pieces of `WIDE`."""
        return self.extent * self.tiles.r.depth % (self.tiles.r.threads * WIDE) == 0

    def _hold(self) -> None:
        """Shared memory for two steps."""
        code, r, dtype = self.code, self.tiles.r, self.tiles.p.dtype
        self.pitch = self.extent + self.tiles.padding
        self.memory = code.shared(dtype, 2 * r.depth * self.pitch)
        self.given = code.shared(dtype, 2 * r.depth * self.pitch) if self.windows else None

    def _where(self, n: int) -> tuple[tuple[Index, int], tuple[Index, int]]:
        """Line and term of this thread's n-th load in the tile, each with a known number to be added."""
        code, r = self.code, self.tiles.r
        number = code.add(self.tiles.thread, n * r.threads)
        pieces = (r.depth if self.along_terms else self.extent) // self.step
        across, along = code.quotient(number, pieces), code.times(code.remainder(number, pieces), self.step)
        return ((across, 0), (along, 0)) if self.along_terms else ((along, 0), (across, 0))

    def load(self, first_term: Index) -> list[Piece]:
        """This thread's part of a step, in registers."""
        return [self._load(load, first_term) for load in self.loads]

    def _load(self, load: _Load, first_term: Index) -> Piece:
        code = self.code
        term = code.add(first_term, load.term)
        conditions = [load.inside] if load.inside is not None else []
        if self.terms.size % self.tiles.r.depth:
            conditions.append(code.below(code.add(term, load.beyond), self.terms.size))
        moved: list[Index] = []
        whole = code.add(term, load.beyond)
        at = dict(zip(self.terms.dims, code.taken_apart(whole, self.terms.extents))) if self.windows else {}
        for w in self.windows:
            position = code.op(
                "arith.subi", code.index(load.at[w.line]), code.index(at[w.term]), type=ir.IndexType.get()
            )
            turn = code.quotient(position, w.step)  # of a negative position a large number
            conditions += [code.below(-1, position), code.below(turn, w.count)]
            conditions += [code.equal(code.remainder(position, w.step), 0)] if w.step > 1 else []
            moved.append(code.times(turn, w.stride))

        def read() -> list[Any]:
            (place,) = self.terms.places(code, term, [self.a], load.beyond)
            flat = self.tiles.flats[self.a.value]
            place = code.add(load.start, place, *moved)
            return [code.read(flat, place) if self.step == 1 else code.load_aligned(self.v, flat, place)]

        if not conditions:
            return read()[0], None
        condition = conditions[0]
        for c in conditions[1:]:
            condition = code.op("arith.andi", condition, c, type=ir.IntegerType.get_signless(1))
        zero = self.single.number(self.outside)
        nothing = zero if self.step == 1 else code.splat(self.v, zero)
        (piece,) = code.either(condition, [nothing.type], read, lambda: [nothing])
        if not self.windows:
            return piece, None
        given = self.single.select(condition, self.single.number(1), self.single.number(0))
        return piece, given if self.step == 1 else code.splat(self.v, given)

    def store(self, pieces: Sequence[Piece], buffer: Index) -> None:
        """What was brought, to one of the parts of shared memory."""
        code = self.code
        for load, (piece, given) in zip(self.loads, pieces):
            place = self._spot(buffer, code.add(load.term, load.beyond), load.line)
            self._store(piece, self.memory, place)
            if given is not None:
                self._store(given, self.given, place)

    def _store(self, piece: Any, memory: Any, place: Index) -> None:
        code = self.code
        piece = self.tiles.kept(piece, self.step)
        if self.step == 1:
            code.write(piece, memory, place)
        elif self.along_terms:
            for n in range(WIDE):
                code.write(code.lane(self.v, piece, n), memory, code.add(place, n * self.pitch))
        else:
            code.store_aligned(self.v, piece, memory, place)

    def piece(self, buffer: Index, term: Index, line: Index) -> Piece:
        """WIDE neighbouring lines at one term, and which of them are terms at all."""
        code, spot = self.code, self._spot(buffer, term, line)
        given = None if self.given is None else code.load_aligned(self.v, self.given, spot)
        return code.load_aligned(self.v, self.memory, spot), given

    def element(self, buffer: Index, term: Index, line: Index) -> Any:
        """One line at one term."""
        return self.code.read(self.memory, self._spot(buffer, term, line))

    def _spot(self, buffer: Index, term: Index, line: Index) -> Index:
        code = self.code
        half = code.times(buffer, self.tiles.r.depth * self.pitch)
        return code.add(half, code.times(term, self.pitch), line)
