"""The writer of GPU kernels: the code of one thread, its number, and what the threads of a block share."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..kernels.vector_code import Code, Index
from ..mlir.walk import add_parameter
from ..targets.chips import ARITHMETIC, WARP, Chip
from .mapped_views import TENSOR_MAP, Mapped

LAUNCH = "mind.launch"
"""On the function of a kernel: `{grid = array<i64: x, y, z>, block = array<i64: x, y, z>}`.

Where several blocks next to each other along x are a cluster, `cluster = n : i64` too.
"""

SHARED = "#gpu.address_space<workgroup>"


class GpuCode(Code):
    """Writes what one thread does into a function at the insertion point in force."""

    def __init__(self, function: Any, chip: Chip, numerics: str) -> None:
        super().__init__(function, ARITHMETIC, numerics)
        self.function, self.chip = function, chip
        self.maps: list[Mapped] = []

    def launched(self, grid: Sequence[int], block: Sequence[int], cluster: int = 1) -> None:
        """Say how many blocks there are, and threads in each: up to three numbers of each, x first.

        `cluster` blocks run at the same time, and reach each other's shared memory.
        """
        for what, numbers, most in (("grid", grid, 2**31 - 1), ("block", block, 1024)):
            assert 0 < len(numbers) <= 3, f"a {what} has up to three dimensions"
            assert all(0 < n <= most for n in numbers), f"{what} {list(numbers)}"
        assert prod(block) <= 1024, f"{prod(block)} threads in a block"

        def three(numbers: Sequence[int]) -> Any:
            return ir.DenseI64ArrayAttr.get([*numbers, 1, 1][:3])

        assert grid[0] % cluster == 0, f"{grid[0]} blocks in clusters of {cluster}"
        launch = {"grid": three(grid), "block": three(block)}
        if cluster > 1:
            launch["cluster"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), cluster)
        self.function.attributes[LAUNCH] = ir.DictAttr.get(launch)

    def tensor_map(self, map: Mapped) -> Any:
        """A parameter more of the kernel, which holds this map."""
        self.maps.append(map)
        return add_parameter(self.function, ir.Type.parse("!llvm.ptr"), {TENSOR_MAP: ir.UnitAttr.get()})

    def block_id(self, dimension: str = "x") -> Any:
        """Which block of the grid this thread is in."""
        return self._id("gpu.block_id", dimension)

    def thread_id(self, dimension: str = "x") -> Any:
        """Which thread of its block this is."""
        return self._id("gpu.thread_id", dimension)

    def _id(self, name: str, dimension: str) -> Any:
        return self.op(name, type=self._index, dimension=ir.Attribute.parse(f"#gpu<dim {dimension}>"))

    def barrier(self) -> None:
        """Wait for all threads of the block; what they have written to shared memory is there."""
        self.op("gpu.barrier")

    def block_in_cluster(self) -> Any:
        """Which block of its cluster this thread is in."""
        rank = self.op("nvvm.read.ptx.sreg.cluster.ctarank", type=ir.IntegerType.get_signless(32))
        return self.op("arith.index_cast", rank, type=self._index)

    def cluster_barrier(self) -> None:
        """Wait for all threads of the cluster; what they have written to shared memory is there."""
        self.op("nvvm.cluster.arrive")
        self.op("nvvm.cluster.wait")

    def copy_beside(
        self, flat: Any, place: Index, shared: Any, spot: Index, elements: int, count: Index | None = None
    ) -> None:
        """Copy neighbours from memory to shared memory, 4, 8 or 16 bytes, while the thread goes on.

        Only the first `count` are read, what stands for the others is 0. Both addresses are multiples of the size.
        """
        width = DType(str(ir.MemRefType(flat.type).element_type)).width
        operands = [shared, self.index(spot), flat, self.index(place), *([] if count is None else [self.index(count)])]
        attributes: dict[str, Any] = {
            "dstElements": ir.IntegerAttr.get(self._index, elements),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1, 1, 1, int(count is not None)]),
        }
        if elements * width == 16:
            attributes["bypassL1"] = ir.UnitAttr.get()
        self.op("nvgpu.device_async_copy", *operands, type=ir.Type.parse("!nvgpu.device.async.token"), **attributes)

    def shared_writes_seen(self) -> None:
        """What this thread has written to shared memory is there for instructions that read it beside the threads."""
        kind, space = (
            ir.Attribute.parse("#nvvm.proxy_kind<async.shared>"),
            ir.Attribute.parse("#nvvm.shared_space<cta>"),
        )
        self.op("nvvm.fence.proxy", kind=kind, space=space)

    def copies_begun(self) -> None:
        """The copies since the last time, perhaps none, are a group."""
        self.op("nvvm.cp.async.commit.group")

    def copies_awaited(self, left: int) -> None:
        """Wait until all groups of this thread but the last `left` are there."""
        self.op("nvvm.cp.async.wait.group", n=ir.IntegerAttr.get(ir.IntegerType.get_signless(32), left))

    @property
    def machine(self) -> Chip:
        return self.chip

    def shared(self, dtype: DType, extent: int, alignment: int = 16) -> Any:
        """Memory that the threads of a block share; what is in it at the start is unknown.

        If a kernel has more than `STATIC` bytes in all, the launch asks for them.
        """
        space = ir.Attribute.parse(SHARED)
        made = ir.MemRefType.get([extent], Scalars(dtype).element, None, space)
        alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), alignment)
        with ir.InsertionPoint.at_block_begin(self._entry):
            segments = ir.DenseI32ArrayAttr.get([0, 0])
            return self.op("memref.alloc", type=made, alignment=alignment, operandSegmentSizes=segments)

    def shared_pointer(self, memory: Any, place: Index, width: int, cluster: bool = False) -> Any:
        """The address of an element in shared memory, as instructions take it; in the cluster's, where they do."""
        start = self.op("memref.extract_aligned_pointer_as_index", memory, type=self._index)
        i64 = ir.IntegerType.get_signless(64)
        address = self.op("arith.index_cast", self.add(start, self.times(place, width)), type=i64)
        return self.op("llvm.inttoptr", address, type=ir.Type.parse(f"!llvm.ptr<{7 if cluster else 3}>"))

    def i32(self, n: Index) -> Any:
        """An index as an i32."""
        i32 = ir.IntegerType.get_signless(32)
        if isinstance(n, int):
            return self.constant(ir.IntegerAttr.get(i32, n), i32)
        return self.op("arith.index_cast", n, type=i32)

    def load_aligned(self, v: Scalars, flat: Any, place: Index) -> Any:
        """`v.lanes` neighbours by one instruction: their address must be a multiple of their size."""
        return self.op("vector.load", flat, self.index(place), type=v.type, alignment=self._alignment(v))

    def store_aligned(self, v: Scalars, value: Any, flat: Any, place: Index) -> None:
        """Store `v.lanes` neighbours by one instruction: their address must be a multiple of their size."""
        self.op("vector.store", value, flat, self.index(place), alignment=self._alignment(v))

    def _alignment(self, v: Scalars) -> Any:
        """Up to 16 bytes: the widest access of one thread."""
        bytes = min(16, (v.lanes or 1) * v.dtype.width)
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), bytes)

    @contextlib.contextmanager
    def one_thread_each(self, turns: int, threads: int = 256) -> Iterator[Any]:
        """A thread for each of `turns`, in blocks of so many threads; gives the number of the thread's iteration."""
        threads = min(threads, -(-turns // WARP) * WARP)
        self.launched([-(-turns // threads)], [threads])
        turn = self.add(self.times(self.block_id(), threads), self.thread_id())
        if turns % threads == 0:
            yield turn
            return
        with self.when(self.below(turn, turns)):
            yield turn

    def stepped(self, bounds: Sequence[Any], initial: Any, body: Callable[[Any, list[Any]], Sequence[Any]]) -> Any:
        """A loop from, to, by values that need not be known, which hands one value on: `body(i, [value])`."""
        made = ir.Operation.create("scf.for", results=[initial.type], operands=[*bounds, initial], regions=1)
        block = made.regions[0].blocks.append(self._index, initial.type)
        with ir.InsertionPoint(block):
            i, value = block.arguments
            ir.Operation.create("scf.yield", operands=list(body(i, [value])))
        return made.result

    @contextlib.contextmanager
    def loop_from(self, low: Any, high: int, step: int) -> Iterator[Any]:
        """`for i in range(low, high, step)` with a first turn that is the thread's own; may have none."""
        made = ir.Operation.create("scf.for", operands=[low, self.index(high), self.index(step)], regions=1)
        body = made.regions[0].blocks.append(self._index)
        with ir.InsertionPoint(body):
            yield body.arguments[0]
            ir.Operation.create("scf.yield")

    @contextlib.contextmanager
    def when(self, condition: Any) -> Iterator[None]:
        """What is written within is done where the condition holds."""
        made = ir.Operation.create("scf.if", operands=[condition], regions=2)
        with ir.InsertionPoint(made.regions[0].blocks.append()):
            yield
            ir.Operation.create("scf.yield")

    def when_all(self, conditions: Sequence[Any]) -> contextlib.AbstractContextManager[None]:
        """What is written within is done where all conditions hold; always if there is none."""
        if not conditions:
            return contextlib.nullcontext()
        condition = conditions[0]
        for c in conditions[1:]:
            condition = self.op("arith.andi", condition, c, type=ir.IntegerType.get_signless(1))
        return self.when(condition)

    def dealt(self, number: Index, count: int, n: int, extent: int) -> tuple[tuple[Index, int], tuple[Index, int]]:
        """`number + n · count` by `extent`: remainder and quotient, each with a known number to be added.

        `number` is below `count`.
        """
        if count % extent == 0:
            return (self.remainder(number, extent), 0), (self.quotient(number, extent), n * (count // extent))
        if extent % count == 0:
            return (number, n * count % extent), (0, n * count // extent)
        number = self.add(number, n * count)
        return (self.remainder(number, extent), 0), (self.quotient(number, extent), 0)

    def taken_apart(self, turn: Index, extents: Sequence[int]) -> list[Index]:
        """The iterations of nested loops, outermost first, if `turn` counts those of all of them as one loop."""
        found: list[Index] = []
        for d in reversed(range(len(extents))):
            found.append(self.remainder(turn, extents[d]) if d else turn)
            turn = self.quotient(turn, extents[d])
        return found[::-1]
