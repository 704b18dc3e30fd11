"""Writing kernels: loops, index arithmetic with what is known folded, vectors in memory and in registers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mlir import ir

from ...ir import DType
from ..scalars import Scalars
from .cpus import Cpu

NEAR = 4
"""The largest step between elements that are read in vectors with all that lies between them."""

Index = Any
"""An element's place: an int where it is known, else an MLIR value of index type."""


PACKED = "mind.packed"
"""On an argument of a kernel: it holds the vector operand in the layout of packing.py, for all blocks of terms."""


class Code:
    """Writes into one function at the insertion point in force; constants go to the function's start."""

    def __init__(self, function: Any, cpu: Cpu, numerics: str, threads: int = 1) -> None:
        self.cpu, self.numerics, self.threads = cpu, numerics, threads
        self._entry = function.regions[0].blocks[0]
        given = zip(self._entry.arguments, function.attributes["arg_attrs"])
        self.packed = next((a for a, attributes in given if PACKED in attributes), None)
        self._constants: dict[Any, Any] = {}
        self._index = ir.IndexType.get()

    def op(self, name: str, *operands: Any, type: Any = None, **attributes: Any) -> Any:
        """Any operation with one result, or with none if `type` is None; gives the result."""
        made = ir.Operation.create(
            name, results=[] if type is None else [type], operands=list(operands), attributes=attributes
        )
        return None if type is None else made.result

    def constant(self, attribute: Any, type: Any) -> Any:
        """An arith.constant, one for each attribute."""
        if attribute not in self._constants:
            with ir.InsertionPoint.at_block_begin(self._entry):
                made = ir.Operation.create("arith.constant", results=[type], attributes={"value": attribute})
            self._constants[attribute] = made.result
        return self._constants[attribute]

    # Index arithmetic

    def index(self, i: Index) -> Any:
        """An index as an MLIR value."""
        return self.constant(ir.IntegerAttr.get(self._index, i), self._index) if isinstance(i, int) else i

    def add(self, *terms: Index) -> Index:
        """The sum of indices; what is known is added once, last."""
        known = sum(t for t in terms if isinstance(t, int))
        total: Index = None
        for t in terms:
            if not isinstance(t, int):
                total = t if total is None else self.op("arith.addi", total, t, type=self._index)
        if total is None:
            return known
        return self.op("arith.addi", total, self.index(known), type=self._index) if known else total

    def times(self, i: Index, n: int) -> Index:
        """An index times a known number."""
        if isinstance(i, int):
            return i * n
        if n in (0, 1):
            return i if n else 0
        return self.op("arith.muli", i, self.index(n), type=self._index)

    def least(self, a: Index, b: Index) -> Index:
        """The smaller of two indices."""
        if isinstance(a, int) and isinstance(b, int):
            return min(a, b)
        return self.op("arith.minsi", self.index(a), self.index(b), type=self._index)

    def most(self, a: Index, b: Index) -> Index:
        """The larger of two indices."""
        if isinstance(a, int) and isinstance(b, int):
            return max(a, b)
        return self.op("arith.maxsi", self.index(a), self.index(b), type=self._index)

    def quotient(self, i: Index, n: int) -> Index:
        """An index that is not negative divided by a known number, rounded down."""
        if isinstance(i, int):
            return i // n
        return i if n == 1 else self.op("arith.divui", i, self.index(n), type=self._index)

    def remainder(self, i: Index, n: int) -> Index:
        """What is left of an index after division by a known number."""
        if isinstance(i, int) or n == 1:
            return i % n if isinstance(i, int) else 0
        return self.op("arith.remui", i, self.index(n), type=self._index)

    def place(self, strides: Sequence[int], indices: Sequence[Index], offset: Index = 0) -> Index:
        """`offset + Σ stride · index`."""
        return self.add(*[self.times(i, s) for s, i in zip(strides, indices)], offset)

    # Loops

    @contextlib.contextmanager
    def loop(self, low: Index, high: Index, step: int = 1) -> Iterator[Index]:
        """`for i in range(low, high, step)`; what is written within is its body.  One turn is no loop."""
        if isinstance(low, int) and isinstance(high, int) and low < high <= low + step:
            yield low
            return
        bounds = [self.index(low), self.index(high), self.index(step)]
        made = ir.Operation.create("scf.for", operands=bounds, regions=1)
        body = made.regions[0].blocks.append(self._index)
        with ir.InsertionPoint(body):
            yield body.arguments[0]
            ir.Operation.create("scf.yield")

    @contextlib.contextmanager
    def when_equal(self, i: Index, n: int) -> Iterator[None]:
        """What is written within is done where an index has this value, which must be possible."""
        if isinstance(i, int):
            assert i == n, f"an index that is {i} is never {n}"
            yield
            return
        made = ir.Operation.create("scf.if", operands=[self.equal(i, n)], regions=2)
        with ir.InsertionPoint(made.regions[0].blocks.append()):
            yield
            ir.Operation.create("scf.yield")

    @contextlib.contextmanager
    def when_positive(self, i: Index) -> Iterator[None]:
        """What is written within is done where an index is above 0; one that is known has to be."""
        if isinstance(i, int):
            assert i > 0, f"an index that is {i} is never positive"
            yield
            return
        made = ir.Operation.create("scf.if", operands=[self.below(0, i)], regions=2)
        with ir.InsertionPoint(made.regions[0].blocks.append()):
            yield
            ir.Operation.create("scf.yield")

    def equal(self, i: Index, j: Index) -> Any:
        """The condition i = j."""
        return self._compared(0, i, j)

    def below(self, i: Index, j: Index) -> Any:
        """The condition i < j."""
        return self._compared(2, i, j)

    def _compared(self, predicate: int, i: Index, j: Index) -> Any:
        number = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)  # arith.CmpIPredicate
        bit = ir.IntegerType.get_signless(1)
        return self.op("arith.cmpi", self.index(i), self.index(j), type=bit, predicate=number)

    def branch(self, condition: Any, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """One of two pieces of code."""
        made = ir.Operation.create("scf.if", operands=[condition], regions=2)
        for region, write in zip(made.regions, (then, otherwise)):
            with ir.InsertionPoint(region.blocks.append()):
                write()
                ir.Operation.create("scf.yield")

    def either(
        self,
        condition: Any,
        types: Sequence[Any],
        then: Callable[[], Sequence[Any]],
        otherwise: Callable[[], Sequence[Any]],
    ) -> list[Any]:
        """Values of these types from one of two pieces of code."""
        made = ir.Operation.create("scf.if", results=list(types), operands=[condition], regions=2)
        for region, values in zip(made.regions, (then, otherwise)):
            with ir.InsertionPoint(region.blocks.append()):
                ir.Operation.create("scf.yield", operands=list(values()))
        return list(made.results)

    def carried(
        self,
        low: Index,
        high: Index,
        step: int,
        initial: Sequence[Any],
        body: Callable[[Index, list[Any]], Sequence[Any]],
    ) -> list[Any]:
        """A loop that hands values on from turn to turn: `body(i, values)` gives the next ones."""
        if isinstance(low, int) and isinstance(high, int):
            if low >= high:
                return list(initial)
            if high <= low + step:
                return list(body(low, list(initial)))
        types = [v.type for v in initial]
        operands = [self.index(low), self.index(high), self.index(step), *initial]
        made = ir.Operation.create("scf.for", results=types, operands=operands, regions=1)
        block = made.regions[0].blocks.append(self._index, *types)
        with ir.InsertionPoint(block):
            i, *values = block.arguments
            ir.Operation.create("scf.yield", operands=list(body(i, values)))
        return list(made.results)

    @contextlib.contextmanager
    def parallel(self, low: Index, high: Index, step: int = 1) -> Iterator[Index]:
        """A loop whose turns are independent; threads share them, unless they share a loop around it already."""
        with self.parallel_nest((low, high, step)) as (i,):
            yield i

    @contextlib.contextmanager
    def parallel_nest(self, *ranges: tuple[Index, Index, int]) -> Iterator[list[Index]]:
        """Loops in each other, all of whose turns are independent: threads share them as the turns of one loop."""
        alone = [isinstance(low, int) and isinstance(high, int) and high <= low + step for low, high, step in ranges]
        if self.threads == 1 or all(alone):
            with contextlib.ExitStack() as stack:
                yield [stack.enter_context(self.loop(*r)) for r in ranges]
            return
        shared = [r for r, is_alone in zip(ranges, alone) if not is_alone]
        threads, self.threads = self.threads, 1
        count = len(shared)
        made = ir.Operation.create(
            "scf.parallel",
            operands=[self.index(r[k]) for k in range(3) for r in shared],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([count, count, count, 0])},
            regions=1,
        )
        body = made.regions[0].blocks.append(*[self._index] * count)
        turns = iter(body.arguments)
        with ir.InsertionPoint(body):
            yield [r[0] if is_alone else next(turns) for r, is_alone in zip(ranges, alone)]
            ir.Operation.create("scf.reduce", regions=0)
        self.threads = threads

    # Memory: every buffer is seen as one row of elements

    def flat(self, memref: Any) -> Any:
        """The memory of a memref of static shape, strides and offset, as one dimension from its first element."""
        t = ir.MemRefType(memref.type)
        strides, offset = t.get_strides_and_offset()
        extent = 1 + sum((n - 1) * s for n, s in zip(t.shape, strides))
        if t.rank == 1 and strides == [1] and not offset:
            return memref
        layout = None if not offset else ir.Attribute.parse(f"strided<[1], offset: {offset}>")
        return self.op(
            "memref.reinterpret_cast",
            memref,
            type=ir.MemRefType.get([extent], t.element_type, layout),
            static_offsets=ir.DenseI64ArrayAttr.get([offset]),
            static_sizes=ir.DenseI64ArrayAttr.get([extent]),
            static_strides=ir.DenseI64ArrayAttr.get([1]),
            operandSegmentSizes=ir.DenseI32ArrayAttr.get([1, 0, 0, 0]),
        )

    def scratch(self, dtype: DType, extent: int) -> Any:
        """Memory of the kernel's own, aligned to 64 bytes; `free` gives it back."""
        made = ir.MemRefType.get([extent], Scalars(dtype).element)
        alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64)
        segments = ir.DenseI32ArrayAttr.get([0, 0])
        return self.op("memref.alloc", type=made, alignment=alignment, operandSegmentSizes=segments)

    def free(self, scratch: Any) -> None:
        """Give scratch memory back."""
        self.op("memref.dealloc", scratch)

    def read(self, flat: Any, place: Index) -> Any:
        """One element."""
        return self.op("memref.load", flat, self.index(place), type=ir.MemRefType(flat.type).element_type)

    def write(self, value: Any, flat: Any, place: Index) -> None:
        """Store one element."""
        self.op("memref.store", value, flat, self.index(place))

    def load(self, v: Scalars, flat: Any, place: Index, count: Index | None = None) -> Any:
        """`v.lanes` neighbours; only the first `count` of them are read, the others are zeros."""
        if count is None or (isinstance(count, int) and count >= (v.lanes or 1)):
            return self.op("vector.load", flat, self.index(place), type=v.type)
        if isinstance(count, int) and count <= 0:
            return self.zeros(v)
        return self.op("vector.maskedload", flat, self.index(place), self.mask(v, count), self.zeros(v), type=v.type)

    def load_apart(self, v: Scalars, flat: Any, place: Index, step: int, count: Index | None = None) -> Any:
        """`v.lanes` elements that lie `step` apart; only the first `count` are read, the others are zeros.

        Near ones are read in vectors that hold them all, and shuffled.
        """
        lanes = v.lanes or 1
        if step == 1:
            return self.load(v, flat, place, count)
        if step > NEAR:
            places = ", ".join(str(n * step) for n in range(lanes))
            steps = ir.VectorType.get([lanes], ir.IntegerType.get_signless(64))
            apart = self.constant(ir.Attribute.parse(f"dense<[{places}]> : {steps}"), steps)
            mask = self.mask(v, lanes if count is None else count)
            return self.op("vector.gather", flat, self.index(place), apart, mask, self.zeros(v), type=v.type)
        return self.load_dealt(v, flat, place, step, 1, count)[0]

    def load_dealt(
        self, v: Scalars, flat: Any, place: Index, step: int, vectors: int, count: Index | None = None
    ) -> list[Any]:
        """Neighbours dealt out to `vectors` of every `step` in turn: number k gets those k, k + step, k + 2·step, …

        Only what the first `count` lanes take is read, the others are zeros.
        """
        lanes = v.lanes or 1
        reach = self.add(self.times(self.add(lanes if count is None else count, -1), step), vectors)
        parts = [self.load(v, flat, self.add(place, k), self.add(reach, -k)) for k in range(0, step * lanes, lanes)]
        found = []
        for first in range(vectors):
            value, where = parts[0], [first + i * step for i in range(lanes)]  # of each element in `value`
            for k in range(1, step):
                start = k * lanes  # of part k among all
                taken = [
                    at if first + i * step < start else lanes + first + i * step - start for i, at in enumerate(where)
                ]
                value = self.shuffle(v, value, parts[k], [at if at < 2 * lanes else 0 for at in taken])
                where = list(range(lanes))
            found.append(value)
        return found

    def store(self, v: Scalars, value: Any, flat: Any, place: Index, count: Index | None = None) -> None:
        """Store `v.lanes` neighbours, or only the first `count`, which may be none."""
        if count is None or (isinstance(count, int) and count >= (v.lanes or 1)):
            self.op("vector.store", value, flat, self.index(place))
        elif not isinstance(count, int) or count > 0:
            self.op("vector.maskedstore", flat, self.index(place), self.mask(v, count), value)

    def store_apart(
        self, v: Scalars, value: Any, flat: Any, place: Index, step: int, between: Any, count: Index | None = None
    ) -> None:
        """Store the lanes, or only the first `count`, `step` apart, and those of `between` in the places between them.

        Behind the last lane stands one of `between` too if `count` is None.
        """
        if step == 1:
            self.store(v, value, flat, place, count)
            return
        lanes = v.lanes or 1
        reach = None if count is None else self.add(self.times(self.add(count, -1), step), 1)
        for k in range(0, step * lanes, lanes):
            taken = [lanes if (k + i) % step else (k + i) // step for i in range(lanes)]
            part = self.shuffle(v, value, between, taken)
            self.store(v, part, flat, self.add(place, k), None if reach is None else self.add(reach, -k))

    def store_streaming(self, v: Scalars, value: Any, flat: Any, place: Index) -> None:
        """Store a whole vector past the caches.  `place` must be aligned to the vector's size: see `misaligned`."""
        unit = ir.BoolAttr.get(True)
        alignment = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), (v.lanes or 1) * v.dtype.width)
        self.op("vector.store", value, flat, self.index(place), nontemporal=unit, alignment=alignment)

    def misaligned(self, flat: Any, place: Index, bytes: int) -> Index:
        """Elements from `place` up to the next one whose address is a multiple of `bytes`, a power of two."""
        t = ir.MemRefType(flat.type)
        _, offset = t.get_strides_and_offset()
        width = Scalars(DType(str(t.element_type))).dtype.width
        start = self.op("memref.extract_aligned_pointer_as_index", flat, type=self._index)
        address = self.add(start, self.times(self.add(place, offset), width))
        beyond = self.op("arith.subi", self.index(0), address, type=self._index)
        return self.quotient(self.op("arith.andi", beyond, self.index(bytes - 1), type=self._index), width)

    def fetch(self, flat: Any, place: Index, write: bool = False) -> None:
        """Ask for the cache line of an element, which will be read soon, or written to."""
        keep = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), 3)
        attributes = {"isWrite": ir.BoolAttr.get(write), "localityHint": keep, "isDataCache": ir.BoolAttr.get(True)}
        self.op("memref.prefetch", flat, self.index(place), **attributes)

    # Vectors

    def vectors(self, dtype: DType, lanes: int | None = None) -> Scalars:
        """Builders for vectors of a dtype, as wide as the CPU's registers unless `lanes` says otherwise."""
        return Scalars(dtype, lanes or self.cpu.lanes(dtype))

    def zeros(self, v: Scalars) -> Any:
        """Zeros in every lane."""
        element: Any = ir.FloatAttr.get(v.element, 0.0) if v.is_float else ir.IntegerAttr.get(v.element, 0)
        return self.constant(ir.DenseElementsAttr.get_splat(v.type, element), v.type)

    def mask(self, v: Scalars, count: Index) -> Any:
        """True in the first `count` lanes; none if it is negative."""
        if not isinstance(count, int):
            type = ir.VectorType.get([v.lanes], ir.IntegerType.get_signless(1))
            return self.op("vector.create_mask", count, type=type)
        bits = ", ".join("true" if i < count else "false" for i in range(v.lanes or 1))
        type = ir.VectorType.get([v.lanes], ir.IntegerType.get_signless(1))
        return self.constant(ir.Attribute.parse(f"dense<[{bits}]> : {type}"), type)

    def splat(self, v: Scalars, element: Any) -> Any:
        """One element in every lane."""
        return self.op("vector.broadcast", element, type=v.type)

    def lane(self, v: Scalars, x: Any, n: int) -> Any:
        """One lane as an element."""
        return self.op("vector.extract", x, type=v.element, static_position=ir.DenseI64ArrayAttr.get([n]))

    def with_lane(self, v: Scalars, x: Any, n: Index, element: Any) -> Any:
        """`x` with another element in one lane."""
        known = isinstance(n, int)
        at = ir.DenseI64ArrayAttr.get([n if known else ir.ShapedType.get_dynamic_size()])
        return self.op("vector.insert", element, x, *([] if known else [n]), type=v.type, static_position=at)

    def first(self, v: Scalars, element: Any) -> Any:
        """One element and zeros in the other lanes."""
        return self.with_lane(v, self.zeros(v), 0, element)

    def multiply_add(self, v: Scalars, x: Any, y: Any, total: Any, fused: bool) -> Any:
        """`total + x · y`, rounded once if `fused`; floats only then."""
        if fused and v.is_float:
            return self.op("vector.fma", x, y, total, type=v.type)
        return v.add(total, v.mul(x, y))

    def shuffle(self, v: Scalars, x: Any, y: Any, lanes: Sequence[int]) -> Any:
        """The lanes of `x` and `y` (numbered on from those of `x`) at these places."""
        type = ir.VectorType.get([len(lanes)], v.element)
        return self.op("vector.shuffle", x, y, type=type, mask=ir.DenseI64ArrayAttr.get(list(lanes)))

    def total(self, v: Scalars, x: Any) -> Any:
        """The sum of the lanes as one element: the upper half is added to the lower one until one lane is left."""
        lanes = v.lanes or 1
        while lanes > 1:
            lanes //= 2
            half = Scalars(v.dtype, lanes)
            low, high = (self.shuffle(v, x, x, range(n, n + lanes)) for n in (0, lanes))
            x = half.add(low, high)
        return self.lane(v, x, 0)

    def turned(self, v: Scalars, rows: Sequence[Any]) -> list[Any]:
        """The transpose of a square of vectors, `lanes` rows of `lanes` elements.

        Squares of 128 bits are turned first, because no shuffle within them crosses the lanes of x86; then squares of
        2, 4, … times that size swap the two parts beside their diagonals.
        """
        n, rows = v.lanes or 1, list(rows)
        unit = min(n, max(1, 16 // v.dtype.width))
        low = [start + i // 2 + n * (i % 2) for start in range(0, n, unit) for i in range(unit)]
        high = [i + unit // 2 for i in low]
        for _ in range(unit.bit_length() - 1):
            pairs = [(rows[g + i], rows[g + i + unit // 2]) for g in range(0, n, unit) for i in range(unit // 2)]
            rows = [self.shuffle(v, x, y, lanes) for x, y in pairs for lanes in (low, high)]
        while unit < n:
            first = [i if not i & unit else i - unit + n for i in range(n)]
            second = [i + unit for i in first]
            for i in range(n):
                if not i & unit:
                    x, y = rows[i], rows[i + unit]
                    rows[i], rows[i + unit] = self.shuffle(v, x, y, first), self.shuffle(v, x, y, second)
            unit *= 2
        return rows
