"""One side of a tiled product: brought from memory to shared memory by the threads, and read from there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mlir import ir

from ...emit.scalars import Scalars
from ...kernels.nest import Access
from ...kernels.product_roles import Problem
from ...kernels.vector_code import Index
from ...rules.gpu_product_rules import TileRecord
from ...targets.chips import WIDE
from ..groups import Group, contiguous, is_wide
from ..thread_code import GpuCode
from .product_problem import Roles, Window


@dataclass(frozen=True)
class _Load:
    """What one thread brings at a step: where it goes in the tile, and what of its address is known before."""

    line: Index  # row or column in the tile
    term: Index  # in the step, `beyond` before the one that is meant
    beyond: int
    start: Index  # of the address
    inside: Any  # whether the line is one of the operand's; None if all are
    at: dict[int, Index]  # the iterations of the loops that the line counts, where a window reads along them


Piece = tuple[Any, Any]
"""What was brought, and whether a window had it to give: an element, 1 or 0; None without windows."""


class Tile(Protocol):
    """What an operand asks of the tile that it is brought for."""

    code: GpuCode
    p: Problem
    r: TileRecord
    roles: Roles
    padding: int
    is_whole: bool
    flats: dict[Any, Any]
    batch: Index
    thread: Index

    def kept(self, piece: Any, count: int) -> Any:
        """What shared memory holds of `count` elements that were brought."""


class Operand:
    """One side of the product: bringing its part of a step to shared memory, and taking pieces from there.

    `outside` is what stands for elements beyond the operand's. A term that a window does not give is none, whatever it
    would be multiplied with: that is kept beside the elements.
    """

    def __init__(
        self,
        tiles: Tile,
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
        if not self.tiles.is_whole:
            conditions.append(code.below(code.add(term, load.beyond), self.terms.size))
        moved: list[Index] = []
        whole = code.add(term, load.beyond)
        at = dict(zip(self.terms.dims, code.taken_apart(whole, self.terms.extents))) if self.windows else {}
        for w in self.windows:
            seen, place = w.seen(code, {**load.at, **at})
            conditions += seen
            moved.append(place)

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
