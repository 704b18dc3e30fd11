"""Tiled products by the tensor cores: `mma.sync` of 16 x 8 x 8 with TF32, of 8 x 8 x 4 with f64.

A warp multiplies; of lane `4 g + t`, g is the row or column that it holds of an operand and t the term, and its sums
are those of row g and columns 2t and 2t + 1. PTX ISA, Matrix fragments for mma.m16n8k8 and mma.m8n8k4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ....ir import DType
from ...emit.scalars import Scalars
from ...kernels.vector_code import Index
from ...rules.gpu_product_rules import PADDING
from ...targets.chips import WARP, WIDE
from .product_operands import Operand
from .product_tiles import Tiles

NEAR = 8
"""Tiles below each other that are made one after the other."""


class TensorTiles(Tiles):
    """Writes the kernel; sums are pairs of columns."""

    width = 2
    padding = PADDING

    @property
    def _shape(self) -> tuple[int, int, int]:
        """Rows, columns and terms of one instruction."""
        return (16, 8, 8) if self.p.dtype is DType.F32 else (8, 8, 4)

    def _tile_of(self, block: Index, batches: int, row_tiles: int, column_tiles: int) -> Sequence[Index]:
        """Blocks that run at the same time have tiles of a few rows and columns, which the cache holds."""
        code = self.code
        near = next(n for n in (NEAR, 4, 2, 1) if row_tiles % n == 0)
        batch, rows, column, row = code.taken_apart(block, [batches, row_tiles // near, column_tiles, near])
        return batch, code.add(code.times(rows, near), row), column

    def _first_spot(self) -> tuple[Index, Index]:
        code, r = self.code, self.r
        warp, lane = code.quotient(self.thread, WARP), code.remainder(self.thread, WARP)
        self.group, self.in_group = code.quotient(lane, 4), code.remainder(lane, 4)
        across = r.columns // r.part_columns
        self.warp_row = code.times(code.quotient(warp, across), r.part_rows)
        self.warp_column = code.times(code.remainder(warp, across), r.part_columns)
        row = code.add(self.warp_row, self.group)
        return row, code.add(self.warp_column, code.times(self.in_group, 2))

    def _spots(self) -> list[tuple[int, int]]:
        m, n, _ = self._shape
        r = self.r
        return [
            (i + half, j)
            for i in range(0, r.part_rows, m)
            for j in range(0, r.part_columns, n)
            for half in range(0, m, 8)
        ]

    def kept(self, piece: Any, count: int) -> Any:
        """f32 rounded to TF32, to nearest."""
        code = self.code
        if self.p.dtype is not DType.F32:
            return piece
        if count == 1:
            return self._rounded(piece)
        v = Scalars(self.p.dtype, WIDE)
        for n in range(count):
            piece = code.with_lane(v, piece, n, self._rounded(code.lane(v, piece, n)))
        return piece

    def _rounded(self, x: Any) -> Any:
        return self.code.op("arith.bitcast", self._tf32(x), type=x.type)

    def _tf32(self, x: Any) -> Any:
        """f32 rounded to nearest, as the i32 that instructions take."""
        i32 = ir.IntegerType.get_signless(32)
        nearest = ir.Attribute.parse("#nvvm.fp_rnd_mode<rna>")
        return self.code.op("nvvm.convert.float.to.tf32", x, type=i32, rnd=nearest)

    def _multiplied(self, lefts: Operand, rights: Operand, buffer: Index, totals: list[Any]) -> list[Any]:
        code, r = self.code, self.r
        m, n, k = self._shape

        def step(first: Index, totals: list[Any]) -> Sequence[Any]:
            xs = {
                i: self._fragment(lefts, buffer, first, code.add(self.warp_row, i), m) for i in range(0, r.part_rows, m)
            }
            ys = {
                j: self._fragment(rights, buffer, first, code.add(self.warp_column, j), n)
                for j in range(0, r.part_columns, n)
            }
            halves, after, at = m // 8, [], 0
            for x in xs.values():
                for y in ys.values():
                    after += self._instruction(x, y, totals[at : at + halves])
                    at += halves
            return after

        return code.carried(0, r.depth, k, totals, step)

    def _fragment(self, operand: Operand, buffer: Index, first: Index, line: Index, lines: int) -> list[Any]:
        """This lane's part of one operand of an instruction: lines g and g + 8, terms t and t + 4, lines first."""
        code = self.code
        terms = range(0, self._shape[2], 4)
        return [
            operand.element(buffer, code.add(first, self.in_group, term), code.add(line, self.group, half))
            for term in terms
            for half in range(0, lines, 8)
        ]

    def _instruction(self, x: list[Any], y: list[Any], totals: Sequence[Any]) -> list[Any]:
        """`totals` with the products of two fragments."""
        code = self.code
        if self.p.dtype is DType.F32:
            i32 = ir.IntegerType.get_signless(32)
            x, y = ([code.op("arith.bitcast", e, type=i32) for e in side] for side in (x, y))
        return self._paired(self._mma(x, y, self._apart(totals)))

    def _apart(self, totals: Sequence[Any]) -> list[Any]:
        return [self.code.lane(self.v, t, i) for t in totals for i in range(self.width)]

    def _paired(self, sums: Sequence[Any]) -> list[Any]:
        code, v = self.code, self.v
        return [
            code.with_lane(v, code.with_lane(v, code.zeros(v), 0, sums[i]), 1, sums[i + 1])
            for i in range(0, len(sums), 2)
        ]

    def _mma(self, x: Sequence[Any], y: Sequence[Any], sums: Sequence[Any]) -> list[Any]:
        """One instruction; TF32 as i32."""
        code, element = self.code, self.v.element
        m, n, k = self._shape
        kind = ir.Attribute.parse(f"#nvvm.mma_type<{'tf32' if self.p.dtype is DType.F32 else 'f64'}>")
        made = code.op(
            "nvvm.mma.sync",
            *x,
            *y,
            *sums,
            type=ir.Type.parse(f"!llvm.struct<({', '.join([str(element)] * len(sums))})>"),
            shape=ir.Attribute.parse(f"#nvvm.shape<m = {m}, n = {n}, k = {k}>"),
            layoutA=ir.Attribute.parse("#nvvm.mma_layout<row>"),
            layoutB=ir.Attribute.parse("#nvvm.mma_layout<col>"),
            multiplicandAPtxType=kind,
            multiplicandBPtxType=kind,
            operandSegmentSizes=ir.DenseI32ArrayAttr.get([len(x), len(y), len(sums)]),
        )
        return [
            code.op("llvm.extractvalue", made, type=element, position=ir.DenseI64ArrayAttr.get([i]))
            for i in range(len(sums))
        ]
