"""The writer of kernels: vectors in memory and in registers, in loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..mlir.walk import parameters
from ..rules.element_rules import NEAR
from ..targets.cpus import Cpu
from .loops import Index as Index, Loops

PACKED = "mind.packed"
"""On an argument of a kernel: it holds the vector operand in the layout of packing.py, for all blocks of terms."""


def reach(t: Any) -> int:
    """Elements from the first to the last one of a memref of static shape and strides."""
    strides, _ = t.get_strides_and_offset()
    return int(1 + sum((n - 1) * s for n, s in zip(t.shape, strides)))


class Code(Loops):
    """Writes into one function at the insertion point in force; constants go to the function's start."""

    def __init__(self, function: Any, cpu: Cpu, numerics: str, threads: int = 1) -> None:
        super().__init__(function, cpu, numerics, threads)
        self._vectors: dict[tuple[DType, int], Scalars] = {}
        self.packed = next((a for a, attributes in parameters(function) if PACKED in attributes), None)

    # Memory: every buffer is seen as one row of elements

    def flat(self, memref: Any) -> Any:
        """The memory of a memref of static shape, strides and offset, as one dimension from its first element."""
        t = ir.MemRefType(memref.type)
        strides, offset = t.get_strides_and_offset()
        if t.rank == 1 and strides == [1] and not offset:
            return memref
        return self.row(memref, offset, reach(t))

    def row(self, memref: Any, offset: int, extent: int) -> Any:
        """So many elements of a memref's memory, from an offset on."""
        layout = None if not offset else ir.Attribute.parse(f"strided<[1], offset: {offset}>")
        return self.op(
            "memref.reinterpret_cast",
            memref,
            type=ir.MemRefType.get([extent], ir.MemRefType(memref.type).element_type, layout),
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

    def chosen(self, condition: Any, one: tuple[Any, Index], other: tuple[Any, Index]) -> tuple[Any, Index]:
        """One of two memories, each with an index."""
        flats = [flat for flat, _ in (one, other)]
        element = ir.MemRefType(flats[0].type).element_type
        dynamic = ir.ShapedType.get_dynamic_size()
        any_place = ir.Attribute.parse("strided<[1], offset: ?>")
        type = ir.MemRefType.get([dynamic], element, any_place)
        cast = [self.op("memref.cast", flat, type=type) for flat in flats]
        memory = self.op("arith.select", condition, *cast, type=type)
        places = [self.index(place) for _, place in (one, other)]
        return memory, self.op("arith.select", condition, *places, type=self._index)

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
        """`v.lanes` elements, `step` apart; only the first `count` are read, the others are zeros.

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
        """Neighbours dealt out cyclically to `vectors` of every `step`: number k gets those k, k + step, k + 2·step, …

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
        """Store the lanes, or only the first `count`, `step` apart, and those of `between` at the offsets between them.

        After the last lane comes one of `between` too if `count` is None.
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
        """Store a whole vector past the caches. `place` must be aligned to the vector's size: see `misaligned`."""
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
        key = dtype, lanes or self.cpu.lanes(dtype)
        if key not in self._vectors:
            self._vectors[key] = Scalars(*key)
        return self._vectors[key]

    def zeros(self, v: Scalars) -> Any:
        """Zeros in every lane."""
        element: Any = ir.FloatAttr.get(v.element, 0.0) if v.is_float else ir.IntegerAttr.get(v.element, 0)
        return self.constant(ir.DenseElementsAttr.get_splat(v.type, element), v.type)

    def neutral(self, v: Scalars, kind: str) -> Any:
        """In every lane the number that changes none by a kind of reduction."""
        return self.constant(v.attribute(v.neutral(kind)), v.type)

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
        """The lanes of `x` and `y` (numbered on from those of `x`) with these numbers."""
        type = ir.VectorType.get([len(lanes)], v.element)
        return self.op("vector.shuffle", x, y, type=type, mask=ir.DenseI64ArrayAttr.get(list(lanes)))

    def total(self, v: Scalars, x: Any, kind: str = "sum") -> Any:
        """The lanes joined to one element: the upper half is joined with the lower one until one lane is left."""
        lanes = v.lanes or 1
        while lanes > 1:
            lanes //= 2
            half = Scalars(v.dtype, lanes)
            low, high = (self.shuffle(v, x, x, range(n, n + lanes)) for n in (0, lanes))
            x = half.joined(kind, low, high)
        return self.lane(v, x, 0)

    def turned(self, v: Scalars, rows: Sequence[Any]) -> list[Any]:
        """The transpose of a square of vectors, `lanes` rows of `lanes` elements.

        Squares of 128 bits are transposed first, because no shuffle within them crosses the lanes of x86; then squares
        of 2, 4, … times that size swap the two parts beside their diagonals.
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
