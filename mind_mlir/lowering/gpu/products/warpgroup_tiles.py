"""Tiled products of f32 as TF32 by the tensor cores of warp groups: `wgmma` of 64 rows, up to 256 columns, 8 terms.

The instructions read both operands from shared memory, beside the threads. A line's 32 terms are 128 bytes there, whose
pieces of 16 bytes are exchanged by the line's number (the 128-byte swizzle), so that eight lines are in different
banks. While a step is multiplied, threads round the next one, which is in registers, store it, and load the one after
it. Of three steps in shared memory one is written, one read, and one may still be read by slower warps.

PTX ISA, Asynchronous warpgroup-level matrix instructions: Register fragments; Matrix descriptor; Strides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from mlir import ir

from ...kernels.vector_code import Index
from ...rules.gpu_product_rules import GROUP
from ...targets.chips import TERMS, WARP, WIDE
from ..thread_code import GpuCode
from .product_operands import Operand
from .tensor_tiles import TensorTiles

LINES = 8
"""After so many lines the exchange of pieces begins anew."""

M, K = 64, 8
"""Rows and terms of an instruction."""


class Described(Protocol):
    """One side of the product, in shared memory as the instructions read it."""

    def descriptor(self, stage: Index, line: Index) -> Any:
        """Of the lines from this one on, a multiple of eight, in one of the steps there."""


class WarpgroupTiles(TensorTiles):
    """Writes the kernel; sums are pairs of columns."""

    def _first_spot(self) -> tuple[Index, Index]:
        code, r = self.code, self.r
        group, lane = code.quotient(self.thread, GROUP), code.remainder(self.thread, WARP)
        warp = code.quotient(code.remainder(self.thread, GROUP), WARP)
        across = r.columns // r.part_columns
        self.group_row = code.times(code.quotient(group, across), r.part_rows)
        self.group_column = code.times(code.remainder(group, across), r.part_columns)
        row = code.add(self.group_row, code.times(warp, M // 4), code.quotient(lane, 4))
        return row, code.add(self.group_column, code.times(code.remainder(lane, 4), 2))

    def _spots(self) -> list[tuple[int, int]]:
        r = self.r
        return [
            (i + half, j)
            for i in range(0, r.part_rows, M)
            for j in range(0, r.part_columns, 8)
            for half in range(0, M // 4, 8)
        ]

    def write(self) -> None:
        """Write the whole kernel."""
        code, r, g = self.code, self.r, self.roles
        self._find_tile()
        sides = (
            SwizzledOperand(self, self.x, g.rows, self.row0, r.rows, 0.0),
            SwizzledOperand(self, self.y, g.columns, self.column0, r.columns, 0.0),
        )
        for side in sides:
            side.store(side.load(0), 0)
        code.shared_writes_seen()
        code.barrier()
        counts = [len(side.loads) for side in sides]
        brought = self._brought(sides, 1)
        totals = self._as_structs(self._apart(self._start()))

        def turn(step: Index, carried: list[Any]) -> Sequence[Any]:
            stage, pieces, totals = carried[0], carried[1 : 1 + sum(counts)], carried[1 + sum(counts) :]
            code.op("nvvm.wgmma.fence.aligned")
            totals = self._multiply(*sides, stage, totals)
            code.op("nvvm.wgmma.commit.group.sync.aligned")
            following = self._following(stage)
            for side, at in zip(sides, (0, counts[0])):
                side.store([(piece, None) for piece in pieces[at : at + len(side.loads)]], following)
            pieces = self._brought(sides, code.add(step, 2))
            self._await(1)  # nobody reads the step before this one
            code.shared_writes_seen()
            code.barrier()
            return [following, *pieces, *totals]

        found = code.carried(0, self.steps, 1, [code.index(0), *brought, *totals], turn)
        self._await(0)
        self._finish(self._paired(self._from_structs(found[1 + sum(counts) :])))

    def _following(self, stage: Index) -> Index:
        """The part of shared memory that comes after this one."""
        code = self.code
        return code.op(
            "arith.select",
            code.equal(stage, self.r.stages - 1),
            code.index(0),
            code.add(stage, 1),
            type=ir.IndexType.get(),
        )

    def _await(self, left: int) -> None:
        """Until all groups of products but the last `left` are finished."""
        group = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), left)
        self.code.op("nvvm.wgmma.wait.group.sync.aligned", group=group)

    def _brought(self, sides: Sequence[SwizzledOperand], step: Index) -> list[Any]:
        """This thread's part of a step, of zeros if there is none."""
        code = self.code
        zeros = [side.nothing() for side in sides for _ in side.loads]

        def load() -> list[Any]:
            return [piece for side in sides for piece, _ in side.load(code.times(step, self.r.depth))]

        if isinstance(step, int):
            return load() if step < self.steps else zeros
        return code.either(code.below(step, self.steps), [z.type for z in zeros], load, lambda: zeros)

    # Sums: number 4 j + 2 h + e of a thread is in row g + 8 h, column 8 j + 2 t + e of its warp's 16 rows

    @property
    def _struct(self) -> Any:
        return ir.Type.parse(f"!llvm.struct<({', '.join(['f32'] * (self.r.part_columns // 2))})>")

    def _as_structs(self, sums: Sequence[Any]) -> list[Any]:
        code, n, found = self.code, self.r.part_columns // 2, []
        for start in range(0, len(sums), n):
            struct = code.op("llvm.mlir.poison", type=self._struct)
            for i, x in enumerate(sums[start : start + n]):
                at = ir.DenseI64ArrayAttr.get([i])
                struct = code.op("llvm.insertvalue", struct, x, type=self._struct, position=at)
            found.append(struct)
        return found

    def _from_structs(self, structs: Sequence[Any]) -> list[Any]:
        return [
            self.code.op("llvm.extractvalue", s, type=self.v.element, position=ir.DenseI64ArrayAttr.get([i]))
            for s in structs
            for i in range(self.r.part_columns // 2)
        ]

    def _multiply(self, lefts: Described, rights: Described, stage: Index, totals: Sequence[Any]) -> list[Any]:
        """Begin the products of a step."""
        r = self.r
        y = rights.descriptor(stage, self.group_column)
        after = []
        for n, total in enumerate(totals):
            x = lefts.descriptor(stage, self.code.add(self.group_row, n * M))
            for first in range(0, r.depth, K):
                total = self._begin(self._beyond(x, first), self._beyond(y, first), total)
            after.append(total)
        return after

    def _beyond(self, descriptor: Any, term: int) -> Any:
        """The descriptor of the terms from this one on: pieces are exchanged by the bits of addresses."""
        i64 = ir.IntegerType.get_signless(64)
        if term == 0:
            return descriptor
        return self.code.op(
            "arith.addi", descriptor, self.code.constant(ir.IntegerAttr.get(i64, term * 4 >> 4), i64), type=i64
        )

    def _begin(self, x: Any, y: Any, total: Any) -> Any:
        one, tf32 = ir.Attribute.parse("#nvvm.wgmma_scale_in<one>"), ir.Attribute.parse("#nvvm.wgmma_type<tf32>")
        return self.code.op(
            "nvvm.wgmma.mma_async",
            total,
            x,
            y,
            type=total.type,
            shape=ir.Attribute.parse(f"#nvvm.shape<m = {M}, n = {self.r.part_columns}, k = {K}>"),
            layoutA=ir.Attribute.parse("#nvvm.mma_layout<row>"),
            layoutB=ir.Attribute.parse("#nvvm.mma_layout<col>"),
            scaleA=one,
            scaleB=one,
            scaleD=ir.Attribute.parse("#nvvm.wgmma_scale_out<one>"),
            typeA=tf32,
            typeB=tf32,
            typeD=ir.Attribute.parse("#nvvm.wgmma_type<f32>"),
        )


class SwizzledOperand(Operand):
    """One side of the product, in shared memory as the instructions read it.

    Where lines are neighbours in memory, squares of four lines and terms are loaded, and transposed in registers.
    """

    def nothing(self) -> Any:
        """What stands for a piece that is not loaded."""
        zero = self.single.number(0)
        return zero if self.step == 1 else self.code.splat(self.v, zero)

    @property
    def _is_turned(self) -> bool:
        return self.step == WIDE and not self.along_terms

    def _is_enough(self) -> bool:
        squares = 1 if self.along_terms else WIDE
        return self.extent * TERMS % (self.tiles.r.threads * WIDE * squares) == 0

    def _hold(self) -> None:
        self.size = self.extent * TERMS
        self.memory = self.code.shared(self.tiles.p.dtype, self.tiles.r.stages * self.size, alignment=LINES * TERMS * 4)
        self.given = None

    def _where(self, n: int) -> tuple[tuple[Index, int], tuple[Index, int]]:
        """Of eight threads that store together, each has another piece of 16 bytes among those of eight lines."""
        code, threads, thread = self.code, self.tiles.r.threads, self.tiles.thread
        if self.along_terms:
            (piece, more), line = code.dealt(thread, threads, n, TERMS // self.step)
            return line, (code.times(piece, self.step), more * self.step)
        if self._is_turned:
            low, rest = code.remainder(thread, 4), code.quotient(thread, 4)
            (line, more_lines), (high, more) = code.dealt(rest, threads // 4, n // WIDE, self.extent // WIDE)
            term = code.add(code.times(low, WIDE), code.times(high, 4 * WIDE))
            return (code.times(line, WIDE), more_lines * WIDE), (term, more * 4 * WIDE + n % WIDE)
        low_line, rest = code.remainder(thread, LINES), code.quotient(thread, LINES)
        low_term, rest = code.remainder(rest, 4), code.quotient(rest, 4)
        (line, more_lines), (high, more) = code.dealt(rest, threads // WARP, n, self.extent // LINES)
        line = code.add(low_line, code.times(line, LINES))
        return (line, more_lines * LINES), (code.add(low_term, code.times(high, 4)), more * 4)

    def store(self, pieces: Sequence[Any], buffer: Index) -> None:
        """What was brought, rounded, to one of the parts of shared memory."""
        if not self._is_turned:
            super().store(pieces, buffer)
            return
        code = self.code
        for n in range(0, len(pieces), WIDE):
            square = code.turned(self.v, [self.tiles.kept(piece, WIDE) for piece, _ in pieces[n : n + WIDE]])
            load = self.loads[n]
            for i, line in enumerate(square):
                spot = self._spot(buffer, code.add(load.term, load.beyond), code.add(load.line, i))
                code.store_aligned(self.v, line, self.memory, spot)

    def _store(self, piece: Any, memory: Any, place: Index) -> None:
        piece = self.tiles.kept(piece, self.step)
        if self.step == 1:
            self.code.write(piece, memory, place)
        else:
            self.code.store_aligned(self.v, piece, memory, place)

    def _spot(self, buffer: Index, term: Index, line: Index) -> Index:
        code = self.code
        piece, within = code.quotient(term, 4), code.remainder(term, 4)
        exchanged = code.op(
            "arith.xori", code.index(piece), code.index(code.remainder(line, LINES)), type=ir.IndexType.get()
        )
        return code.add(code.times(buffer, self.size), code.times(line, TERMS), code.times(exchanged, 4), within)

    def descriptor(self, stage: Index, line: Index) -> Any:
        """Of the lines from this one on, a multiple of eight."""
        code = self.code
        return matrix(code, self.memory, code.add(code.times(stage, self.size), code.times(line, TERMS)))


def matrix(code: GpuCode, memory: Any, place: Index) -> Any:
    """What tells an instruction of lines in shared memory, from an element on: PTX ISA, Matrix descriptor."""
    i64 = ir.IntegerType.get_signless(64)
    start = code.op("memref.extract_aligned_pointer_as_index", memory, type=ir.IndexType.get())
    start = code.add(start, code.times(place, 4))
    address = code.op("arith.index_cast", code.quotient(start, 16), type=i64)
    address = code.op("arith.andi", address, code.constant(ir.IntegerAttr.get(i64, 0x3FFF), i64), type=i64)
    stride, swizzle = LINES * TERMS * 4 >> 4, 1  # of 128 bytes
    fixed = 1 << 16 | stride << 32 | swizzle << 62
    return code.op("arith.ori", address, code.constant(ir.IntegerAttr.get(i64, fixed), i64), type=i64)
