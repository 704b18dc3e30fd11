"""Tiled products by the tensor cores, with asynchronous copies of the operands to shared memory.

Shared memory holds `stages` steps. While one is multiplied, the copies of the following ones are under way: there is
one barrier per step, before which each thread waits for its own copies of that step. An operand has the same layout
there as in memory: neighbours are the terms of a line, or the lines of a term. f32 is rounded to TF32 when it is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ....ir import DType
from ...kernels.nest import Access
from ...kernels.vector_code import Index
from ...rules.gpu_product_rules import paddings
from ..groups import Group, contiguous, is_wide
from .tensor_tiles import TensorTiles


class PipelinedTiles(TensorTiles):
    """Writes the kernel."""

    def write(self) -> None:
        """Write the whole kernel."""
        code, r, g = self.code, self.r, self.roles
        self._find_tile()
        sides = (
            CopiedOperand(self, self.x, g.rows, self.row0, r.rows),
            CopiedOperand(self, self.y, g.columns, self.column0, r.columns),
        )
        for step in range(r.stages - 1):
            self._bring(sides, step, step)

        def turn(step: Index, carried: list[Any]) -> Sequence[Any]:
            stage, *totals = carried
            code.copies_awaited(r.stages - 2)
            code.barrier()  # the step is there, and nobody reads the one before
            before = self._chosen(code.equal(stage, 0), r.stages - 1, code.add(stage, -1))
            self._bring(sides, code.add(step, r.stages - 1), before)
            totals = self._multiplied(*sides, stage, totals)
            return [self._chosen(code.equal(stage, r.stages - 1), 0, code.add(stage, 1)), *totals]

        _, *totals = code.carried(0, self.steps, 1, [code.index(0), *self._apart(self._start())], turn)
        self._finish(self._paired(totals))

    def _chosen(self, condition: Any, a: Index, b: Index) -> Any:
        code = self.code
        return code.op("arith.select", condition, code.index(a), code.index(b), type=ir.IndexType.get())

    def _bring(self, sides: Sequence[CopiedOperand], step: Index, stage: Index) -> None:
        """Begin the copies of a step, if there is one."""
        code = self.code
        if not isinstance(step, int):
            with code.when(code.below(step, self.steps)):
                self._copy(sides, step, stage)
        elif step < self.steps:
            self._copy(sides, step, stage)
        code.copies_begun()

    def _copy(self, sides: Sequence[CopiedOperand], step: Index, stage: Index) -> None:
        for side in sides:
            side.copy(self.term_of(step), stage)

    def _multiplied(self, lefts: Any, rights: Any, buffer: Index, totals: list[Any]) -> list[Any]:
        """The sums with the terms of a step more, written out: shared memory is read while tensor cores compute."""
        r = self.r
        m, n, k = self._shape
        x0 = lefts.start(buffer, self.code.add(self.warp_row, self.group), self.in_group)
        y0 = rights.start(buffer, self.code.add(self.warp_column, self.group), self.in_group)
        for first in range(0, r.depth, k):
            xs = [self._read(lefts, x0, first, i, m) for i in range(0, r.part_rows, m)]
            ys = [self._read(rights, y0, first, j, n) for j in range(0, r.part_columns, n)]
            held = m // 4
            after: list[Any] = []
            for x in xs:
                for y in ys:
                    after += self._mma(x, y, totals[len(after) : len(after) + held])
            totals = after
        return totals

    def _read(self, operand: CopiedOperand, start: Index, first: int, line: int, lines: int) -> list[Any]:
        """This lane's part of one operand of an instruction, as `_fragment` gives it."""
        found = [
            operand.element(start, first + term, line + half)
            for term in range(0, self._shape[2], 4)
            for half in range(0, lines, 8)
        ]
        return [self._tf32(x) for x in found] if self.p.dtype is DType.F32 else found


@dataclass(frozen=True)
class _Copy:
    """What one thread copies at a step: to where in the tile, and what of its address is known before.

    The term is `term + beyond`.
    """

    line: Index
    term: Index
    beyond: int
    start: Index
    inside: Any  # whether the line is one of the operand's; None if all are


class CopiedOperand:
    """One side of the product: the copies of a step to shared memory, and elements from there."""

    def __init__(self, tiles: PipelinedTiles, a: Access, lines: Group, first: Index, extent: int) -> None:
        code, r, p = tiles.code, tiles.r, tiles.p
        self.code, self.tiles, self.a = code, tiles, a
        self.terms = tiles.roles.terms
        along_memory = contiguous(a, lines, self.terms)
        self.by_line = along_memory is self.terms
        inner, outer = (r.depth, extent) if self.by_line else (extent, r.depth)
        self.pitch = inner + paddings(r, p.dtype)[0 if self.by_line else 1]
        self.size = outer * self.pitch
        self.memory = code.shared(p.dtype, r.stages * self.size)
        wide = 16 // p.dtype.width
        is_enough = inner * outer % (r.threads * wide) == 0
        self.step = wide if is_enough and is_wide(p.nest, a, along_memory, wide) else 1
        (batch,) = tiles.roles.batches.places(code, tiles.batch, [a])
        pieces = inner // self.step
        self.copies = []
        for n in range(inner * outer // (r.threads * self.step)):
            (along, known_along), (across, known_across) = code.dealt(tiles.thread, r.threads, n, pieces)
            along, known_along = code.times(along, self.step), known_along * self.step
            if self.by_line:
                (term, known_term), (line, known_line) = (along, known_along), (across, known_across)
            else:
                (line, known_line), (term, known_term) = (along, known_along), (across, known_across)
            turn = code.add(first, line)
            (place,) = lines.places(code, turn, [a], known_line)
            inside = code.below(code.add(turn, known_line), lines.size) if lines.size % extent else None
            start = code.add(batch, place, a.offset)
            self.copies.append(_Copy(code.add(line, known_line), term, known_term, start, inside))

    def copy(self, first_term: Index, stage: Index) -> None:
        """Begin this thread's copies of a step."""
        code = self.code
        for c in self.copies:
            term = code.add(first_term, c.term)
            conditions = [c.inside] if c.inside is not None else []
            if not self.tiles.is_whole:
                conditions.append(code.below(code.add(term, c.beyond), self.terms.size))
            count = None
            if conditions:
                condition = conditions[0]
                if len(conditions) > 1:
                    condition = code.op("arith.andi", *conditions, type=ir.IntegerType.get_signless(1))
                count = code.op(
                    "arith.select", condition, code.index(self.step), code.index(0), type=ir.IndexType.get()
                )
            (place,) = self.terms.places(code, term, [self.a], c.beyond)
            spot = self._spot(stage, code.add(c.term, c.beyond), c.line)
            flat = self.tiles.flats[self.a.value]
            code.copy_beside(flat, code.add(c.start, place), self.memory, spot, self.step, count)

    def start(self, stage: Index, line: Index, term: Index) -> Index:
        """The offset of a line's term in shared memory."""
        return self._spot(stage, term, line)

    def element(self, start: Index, term: int, line: int) -> Any:
        """The element so many terms and lines beyond a start."""
        return self.code.read(self.memory, self.code.add(start, self._spot(0, term, line)))

    def _spot(self, stage: Index, term: Index, line: Index) -> Index:
        code = self.code
        place = code.times(stage, self.size)
        if self.by_line:
            return code.add(place, code.times(line, self.pitch), term)
        return code.add(place, code.times(term, self.pitch), line)
