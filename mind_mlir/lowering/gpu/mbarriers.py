"""mbarriers in shared memory, and the copies of tiles whose bytes they count.

PTX ISA, Parallel Synchronization and Communication Instructions: mbarrier; cp.async.bulk.tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import DType
from ..kernels.vector_code import Index
from .thread_code import GpuCode

_SUSPENDED = 10_000_000
"""Nanoseconds for which the hardware may suspend a thread that waits, before it looks again."""


class Barriers:
    """`count` mbarriers. A phase is over when all have arrived, and all bytes that they expect."""

    def __init__(self, code: GpuCode, count: int) -> None:
        self.code, self.count = code, count
        self.memory = code.shared(DType.I64, count)

    def set_up(self, arrivals: int) -> None:
        """By one thread, before any other uses them; `arrivals` end a phase."""
        for n in range(self.count):
            self.code.op("nvvm.mbarrier.init", self.at(n), self.code.i32(arrivals))

    def at(self, n: Index) -> Any:
        """The address of one."""
        return self.code.shared_pointer(self.memory, n, DType.I64.width)

    def expect(self, n: Index, bytes: int) -> None:
        """Arrive, and expect so many bytes in this phase."""
        self.code.op("nvvm.mbarrier.arrive.expect_tx", self.at(n), self.code.i32(bytes))

    def wait(self, n: Index, parity: Any) -> None:
        """Until the phase of this parity, an i32, is over; the one before the first phase has parity 1."""
        self.code.op("nvvm.mbarrier.try_wait.parity", self.at(n), parity, self.code.i32(_SUSPENDED))

    def arrive_in(self, n: Index, block: Any) -> None:
        """Arrive at that of a block of the cluster, which an i32 says.

        It hands over what only `wgmma` has read, whose reads are over when they have been waited for. So its scope is
        the block, as the default of PTX: one of the cluster makes it wait for all that the thread has begun in memory.
        """
        there = self.code.op("nvvm.mapa", self.at(n), block, type=ir.Type.parse("!llvm.ptr<7>"))
        self.code.op("nvvm.mbarrier.arrive", there)

    def copy_tile(
        self, n: Index, map: Any, at: Sequence[Index], memory: Any, place: Index, blocks: int | None = None
    ) -> None:
        """Begin to copy the tile at these coordinates, innermost first, to f32 in shared memory; its bytes come to `n`.

        With `blocks`, bits for blocks of the cluster, to the same offset and the same mbarrier of each of them.
        """
        code = self.code
        to = code.shared_pointer(memory, place, DType.F32.width, cluster=True)
        at = [code.i32(i) for i in at]
        mask = [] if blocks is None else [_i16(code, blocks)]
        segments = [1, 1, len(at), 1, 0, len(mask), 0, 0]
        code.op(
            "nvvm.cp.async.bulk.tensor.shared.cluster.global",
            to,
            map,
            *at,
            self.at(n),
            *mask,
            operandSegmentSizes=ir.DenseI32ArrayAttr.get(segments),
        )


def _i16(code: GpuCode, n: int) -> Any:
    i16 = ir.IntegerType.get_signless(16)
    return code.constant(ir.IntegerAttr.get(i16, n), i16)
