"""Tiled products of TF32 by warp groups whose tiles one thread brings: `wgmma` fed by the tensor memory accelerator.

Shared memory holds a ring of `stages` steps. A thread of a warp of its own copies tiles there, one instruction each,
which rounds f32 to TF32, exchanges pieces of 16 bytes as `wgmma` reads them, and writes zeros for what is outside. Two
mbarriers for each stage tell that its tiles are there, and that nobody reads them any more; no thread waits for
another one's step.

A cluster of blocks has tiles below each other. Each copies its part of the columns' tile, to all of them, so that it
is read from the cache once for the cluster. A stage is free when the warps of all blocks have read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...kernels.nest import Access
from ...kernels.vector_code import Index
from ...rules.gpu_tma_rules import TmaRecord
from ...targets.chips import TERMS, WARP
from ..groups import Group
from ..mapped_views import Mapped
from ..mbarriers import Barriers
from ..thread_code import GpuCode
from .product_problem import Product, Roles
from .tensor_maps import view_of
from .warpgroup_tiles import LINES, WarpgroupTiles, matrix


class TmaTiles(WarpgroupTiles):
    """Writes the kernel."""

    def __init__(self, code: GpuCode, product: Product, record: TmaRecord, roles: Roles) -> None:
        super().__init__(code, product, record.tiles, roles)
        self.record = record
        self.consumers = self.r.threads

    def _launch(self, blocks: int) -> None:
        self.code.launched([blocks], [self.consumers + WARP], self.record.cluster)

    def _tile_of(self, block: Index, batches: int, row_tiles: int, column_tiles: int) -> Sequence[Index]:
        """What clusters have is told apart as what blocks have elsewhere, and then the rows within one."""
        code, cluster = self.code, self.record.cluster
        number, within = code.quotient(block, cluster), code.remainder(block, cluster)
        batch, rows, column = super()._tile_of(number, batches, row_tiles // cluster, column_tiles)
        return batch, code.add(code.times(rows, cluster), within), column

    def write(self) -> None:
        """Write the whole kernel."""
        code, g, r = self.code, self.roles, self.record
        self._find_tile()
        self.lefts = MappedOperand(self, self.x, g.rows, r.rows)
        self.rights = MappedOperand(self, self.y, g.columns, r.columns, r.cluster)
        self.there, self.free = Barriers(code, r.stages), Barriers(code, r.stages)
        with code.when(code.equal(self.thread, 0)):
            self.there.set_up(1)
            self.free.set_up(self.consumers // WARP * r.cluster)
            code.op("nvvm.fence.mbarrier.init")
        code.cluster_barrier()  # nobody arrives at an mbarrier of another block before it is set up
        with code.when(code.equal(self.thread, self.consumers)):
            self._bring()
        with code.when(code.below(self.thread, self.consumers)):
            self._consume()
        code.cluster_barrier()  # nor at one of a block that has ended

    def _bring(self) -> None:
        """Copy the tiles of all steps, each when its stage is free."""
        code, bytes = self.code, self.lefts.bytes + self.rights.bytes
        start = [code.index(0), code.i32(1)]  # what nobody has used yet is free

        def turn(step: Index, carried: list[Any]) -> Sequence[Any]:
            stage, parity = carried
            self.free.wait(stage, parity)
            self.there.expect(stage, bytes)
            for side, first in ((self.lefts, self.row0), (self.rights, self.column0)):
                side.bring(self.there, stage, code.times(step, TERMS), first)
            return self._advanced(stage, parity)

        code.carried(0, self.steps, 1, start, turn)

    def _consume(self) -> None:
        """Multiply the steps one after the other; while one is multiplied, the stage of the one before becomes free."""
        code = self.code
        totals = self._as_structs(self._apart(self._start()))

        def turn(step: Index, carried: list[Any]) -> Sequence[Any]:
            before, stage, parity, *totals = carried
            self.there.wait(stage, parity)
            code.op("nvvm.wgmma.fence.aligned")
            totals = self._multiply(self.lefts, self.rights, stage, totals)
            code.op("nvvm.wgmma.commit.group.sync.aligned")
            self._await(1)
            with code.when(code.below(0, step)):
                self._release(before)
            return [stage, *self._advanced(stage, parity), *totals]

        start = [code.index(0), code.index(0), code.i32(0), *totals]
        _, _, _, *totals = code.carried(0, self.steps, 1, start, turn)
        self._await(0)
        self._finish(self._paired(self._from_structs(totals)))

    def _advanced(self, stage: Index, parity: Any) -> list[Any]:
        """The next stage, and the parity of its phase: it flips each time the ring starts over."""
        code, i32 = self.code, ir.IntegerType.get_signless(32)
        following = self._following(stage)
        other = code.op("arith.xori", parity, code.i32(1), type=i32)
        return [following, code.op("arith.select", code.equal(following, 0), other, parity, type=i32)]

    def _release(self, stage: Index) -> None:
        """This warp has read a stage: its first lanes tell the blocks of the cluster, one each."""
        code = self.code
        lane = code.remainder(self.thread, WARP)
        with code.when(code.below(lane, self.record.cluster)):
            self.free.arrive_in(stage, code.i32(lane))


class MappedOperand:
    """One side of the product: its tiles in shared memory, and the copies to there.

    Of a tile that `blocks` blocks of a cluster share, each brings a part.
    """

    def __init__(self, tiles: TmaTiles, a: Access, lines: Group, extent: int, blocks: int = 1) -> None:
        code = tiles.code
        self.code, self.tiles, self.blocks = code, tiles, blocks
        self.part = extent // blocks
        self.size = extent * TERMS
        self.bytes = self.size * 4
        self.memory = code.shared(tiles.p.dtype, tiles.r.stages * self.size, alignment=LINES * TERMS * 4)
        view = view_of(a, lines, tiles.roles)
        assert view is not None, "the record's fault says what cannot be copied by tiles"
        self.map = code.tensor_map(Mapped(view, self.part))
        batches = tiles.roles.batches
        turns = dict(zip(batches.dims, code.taken_apart(tiles.batch, batches.extents)))
        self.loops = [turns[d] for d in reversed(view.loops)]
        self.first = code.times(code.block_in_cluster(), self.part) if blocks > 1 else 0

    def bring(self, barriers: Barriers, stage: Index, term: Index, line: Index) -> None:
        """Begin to copy the tile of these terms and lines, or this block's part of it."""
        code = self.code
        place = code.add(code.times(stage, self.size), code.times(self.first, TERMS))
        at = [term, code.add(line, self.first), *self.loops]
        barriers.copy_tile(stage, self.map, at, self.memory, place, (1 << self.blocks) - 1 if self.blocks > 1 else None)

    def descriptor(self, stage: Index, line: Index) -> Any:
        """Of the lines from this one on, a multiple of eight."""
        code = self.code
        return matrix(code, self.memory, code.add(code.times(stage, self.size), code.times(line, TERMS)))
