"""Contractions: products added up over some loops, in registers.

`out[c · d] += x[a · d] · y[b · d]`: matrix products in every layout and with batches, dot products, convolutions and
their adjoints are this one nest with other strides.  A tile of `rows` × `columns` sums is held in registers while the
loops of the sum run; one operand is read element by element and spread over a vector, the other in vectors.  Every sum
takes its terms in the order of the loops, so without fused multiply-add the bits are those of `interpret`.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from mlir import ir

from ...ir import DType
from ..scalars import Scalars
from .code import Code, Index
from .cpus import Cpu
from .nest import Access, Nest, simplified
from .replay import can_replay, replay
from .sharing import speedup


@dataclass(frozen=True)
class Record:
    """How a contraction is cut up.

    rows × columns sums are held in registers; `depth` terms are added before partial sums go to memory, 0 for all;
    `block` columns of the vector operand are used for all rows before the next ones, 0 for all; with `pack` they are
    copied to lie in a row first; `unroll` terms stand in the innermost loop; `fused` multiply-add rounds once.
    """

    rows: int
    columns: int
    depth: int
    block: int
    pack: bool
    unroll: int
    fused: bool


@dataclass(frozen=True)
class Step:
    """An element-wise operation on the finished sums: `operands` are ("sum", 0), ("step", n) or ("extra", n)."""

    nest: Nest
    operands: tuple[tuple[str, int], ...]
    output: int | None  # among the extra operands; None if only later steps use it


@dataclass(frozen=True)
class Problem:
    """A contraction with its loops told apart.

    In `nest.inputs` stand the operand read element by element, the one read in vectors, and those of the steps.
    Loops: `n` runs along vectors, `m` over rows of a tile, `ks` add up, `outer` are the others in their order.
    """

    nest: Nest
    n: int | None
    m: int | None
    ks: tuple[int, ...]
    outer: tuple[int, ...]
    initial: Any
    steps: tuple[Step, ...]
    keeps_sums: bool

    @property
    def dtype(self) -> DType:
        return self.nest.dtype

    @property
    def is_scattered(self) -> bool:
        """True if loops outside of the tiles lead to the same sums again, as in the adjoint of a convolution."""
        return any(self.nest.reduction[d] for d in self.outer)

    @property
    def scalars(self) -> Scalars:
        """Arithmetic on single sums."""
        return Scalars(self.dtype)

    def extent(self, d: int | None) -> int:
        return 1 if d is None else self.nest.extents[d]

    @property
    def depth(self) -> int:
        """Terms of one sum."""
        return prod(self.nest.extents[k] for k in self.ks)

    @property
    def vector_is_contiguous(self) -> bool:
        return self.n is None or self.nest.inputs[1].strides[self.n] == 1


def match(nests: Sequence[Nest]) -> Problem | None:
    """A contraction, perhaps after a fill of its result and before element-wise operations on it; else None."""
    initial = None
    rest = list(nests)
    if rest and rest[0].op.name == "linalg.fill":
        fill = rest.pop(0)
        initial = fill.inputs[0].value
        if not rest or rest[0].output.value != fill.output.value:
            return None
    if not rest or not _multiplies_and_adds(rest[0]):
        return None
    main, *after = rest
    if not all(a.is_memory for a in main.accesses) or 0 in main.extents:
        return None
    found = _steps(main, after)
    if found is None:
        return None
    steps, extra = found
    read = [a.value for a in main.inputs]
    outputs = [extra[s.output] for s in steps if s.output is not None]
    if any(not a.apart or a.value in read for a in outputs):  # results are stored while the operands are being read
        return None
    stored = {s.output for s in steps}
    finals = [extra[i].value for i in stored if i is not None]
    local = _is_local(main.output.value)
    nest = replace(main, inputs=(*main.inputs, *extra))
    keeps_sums = not local and main.output.value not in finals
    p = _told_apart(simplified(nest, ordered=True), initial, steps, keeps_sums)
    return None if p is None or (p.is_scattered and steps) else p  # when such a sum is finished, no tile knows


def _multiplies_and_adds(nest: Nest) -> bool:
    """True for the body `acc + x · y`, in any order of operands."""
    body = nest.body()
    if len(nest.inputs) != 2 or [o.name[:9] for o in body] != ["arith.mul", "arith.add", "linalg.yi"]:
        return False
    product, total, last = body
    x, y, acc = nest.arguments()
    return (
        set(product.operands) == {x, y}
        and set(total.operands) == {acc, product.result}
        and last.operands[0] == total.result
    )


def _is_local(v: Any) -> bool:
    """True for memory that the function makes itself."""
    return not isinstance(v, ir.BlockArgument)


def _steps(main: Nest, after: Sequence[Nest]) -> tuple[tuple[Step, ...], list[Access]] | None:
    """The element-wise operations on the sums, with their operands' strides over the loops of the contraction."""
    made: dict[Any, tuple[str, int]] = {main.output.value: ("sum", 0)}
    extra: list[Access] = []
    steps: list[Step] = []
    for n, nest in enumerate(after):
        if not nest.is_elementwise or not can_replay(nest) or nest.arguments()[-1] in _used(nest):
            return None
        loops = _loops_of(main, nest)
        if loops is None:
            return None
        operands = []
        for a in nest.inputs:
            if a.value in made:
                if a.strides != nest.output.strides or a.offset:
                    return None
                operands.append(made[a.value])
            else:
                operands.append(("extra", len(extra)))
                extra.append(_over(main, a, loops))
        output = None
        if not _is_local(nest.output.value):
            output = len(extra)
            extra.append(_over(main, nest.output, loops))
        made[nest.output.value] = ("step", n)
        steps.append(Step(nest, tuple(operands), output))
    last = {}
    for n, s in enumerate(steps):  # of several writes to the same memory the last one counts
        if s.output is not None:
            last[extra[s.output].value] = n
    kept = [
        s if s.output is None or last[extra[s.output].value] == n else replace(s, output=None)
        for n, s in enumerate(steps)
    ]
    return tuple(kept), extra


def _used(nest: Nest) -> set[Any]:
    return {v for o in nest.body() for v in o.operands}


def _loops_of(main: Nest, step: Nest) -> list[int | None] | None:
    """For each loop of `step` the loop of `main` over the same axis of the sums; None in it for an extent of 1."""
    shape = ir.MemRefType(main.output.value.type).shape
    if tuple(step.extents) != tuple(shape) or tuple(ir.MemRefType(step.output.value.type).shape) != tuple(shape):
        return None
    strides, _ = ir.MemRefType(main.output.value.type).get_strides_and_offset()
    loops: list[int | None] = []
    for n, s in zip(shape, strides):
        if n == 1:
            loops.append(None)
            continue
        found = [
            d for d, e in enumerate(main.extents) if e == n and main.output.strides[d] == s and not main.reduction[d]
        ]
        if len(found) != 1:
            return None
        loops.append(found[0])
    return loops


def _over(main: Nest, a: Access, loops: Sequence[int | None]) -> Access:
    strides = [0] * len(main.extents)
    for d, s in zip(loops, a.strides):
        if d is not None:
            strides[d] = s
    return replace(a, strides=tuple(strides))


def _told_apart(nest: Nest, initial: Any, steps: tuple[Step, ...], keeps_sums: bool) -> Problem | None:
    """The roles of the loops; None if no loop is left that sums."""
    x, y, *extra = nest.inputs
    out = nest.output
    dims = range(len(nest.extents))
    ks = tuple(d for d in dims if out.strides[d] == 0)
    if any(not nest.reduction[d] for d in ks):
        return None
    candidates = [
        (d, swap)
        for d in dims
        for swap, a, b in ((False, x, y), (True, y, x))
        if out.strides[d] == 1 and a.strides[d] == 0 and b.strides[d] and not nest.reduction[d]
    ]
    n, swap = max(candidates, key=lambda c: (y if not c[1] else x).strides[c[0]] == 1, default=(None, False))
    if swap:
        x, y = y, x
        nest = replace(nest, inputs=(x, y, *extra))
    last_ordered = max((d for d in dims if nest.reduction[d] and out.strides[d]), default=-1)
    rows = [
        d
        for d in dims
        if d != n
        and out.strides[d]
        and x.strides[d]
        and not y.strides[d]
        and (not nest.reduction[d] or d == last_ordered)
    ]
    m = max(rows, key=lambda d: (nest.extents[d] >= 4, d), default=None)
    outer = tuple(d for d in dims if d not in (n, m, *ks))
    return Problem(nest, n, m, ks, outer, initial, steps, keeps_sums)


# Rules


def choose(p: Problem, cpu: Cpu, numerics: str) -> Record | None:
    """The record for a problem; None where another way is better."""
    lanes = cpu.lanes(p.dtype)
    m, n, k = p.extent(p.m), p.extent(p.n), p.depth
    if p.n is None:
        return None
    vectors = -(-n // lanes)
    wide = min(vectors, 2 if m > 5 or cpu.registers < 32 else 4)
    per_row = cpu.registers - wide - 2  # registers for sums
    most = max(1, min(14, per_row // wide))
    size = k * n * p.dtype.width
    pack = not p.vector_is_contiguous or (m > 160 and size > (320 << 10) and len(p.ks) == 1)
    if pack and not can_pack(p):
        return None
    if pack and cpu.registers >= 32:
        most = min(most, 10)
    rows = _rows(m, most, wide, pack)
    depth = 0
    if pack:
        depth = 384 if p.dtype.width == 4 else 256
    elif size > (320 << 10):
        depth = max(128, min(512, (256 << 10) // (p.dtype.width * n) // 4 * 4))
    block = 512 if pack else 0
    fused = numerics != "strict" and cpu.fma and p.dtype.is_float
    return Record(rows, wide * lanes, depth, block, pack, 1 if k < 16 else 2, fused)


def _rows(m: int, most: int, wide: int, pack: bool) -> int:
    """Rows of a tile: few tiles, none of them so low that the latency of multiply-add shows."""
    low = max(1, 8 // wide)

    def cost(rows: int) -> float:
        tiles, rest = divmod(m, rows)
        busy = tiles * max(rows, low) + (max(rest, low) if rest else 0)
        return busy + (0.05 if pack else 0.25) * tiles + (0.6 + 0.02 * m if rest else 0)  # a rest is code of its own

    return min(range(min(most, m), 0, -1), key=cost)


def can_pack(p: Problem) -> bool:
    """Packing needs one loop of terms, and no loop around it that orders sums."""
    return len(p.ks) <= 1 and not p.is_scattered


# Emission


def emit(code: Code, p: Problem, r: Record) -> None:
    """Write the loops."""
    _Emitter(code, p, r).write()


class _Emitter:
    def __init__(self, code: Code, p: Problem, r: Record) -> None:
        self.code, self.p, self.r = code, p, r
        self.v = code.vectors(p.dtype)
        self.lanes = self.v.lanes or 1
        x, y, *extra = p.nest.inputs
        self.flats: dict[Any, Any] = {}
        self.x, self.y, self.out = self.flat(x), self.flat(y), self.flat(p.nest.output)
        self.extra = [self.flat(a) if a.is_memory else a.value for a in extra]
        self.depth = min(r.depth or p.depth, p.depth)
        outer = 0  # leading loops of the sum that stand outside of the tiles
        while outer + 1 < len(p.ks) and prod(p.nest.extents[k] for k in p.ks[outer + 1 :]) > self.depth:
            outer += 1
        self.k_outer, self.k_inner = p.ks[:outer], p.ks[outer:]
        self.k_block = self.k_inner[0] if self.k_inner else None
        self.step = max(1, self.depth // prod(p.nest.extents[k] for k in self.k_inner[1:]))
        self.block = r.block or p.extent(p.n)
        self.panels = -(-min(self.block, p.extent(p.n)) // r.columns)

    def flat(self, a: Access) -> Any:
        if a.value not in self.flats:
            self.flats[a.value] = self.code.flat(a.value)
        return self.flats[a.value]

    def place(self, a: Access, iv: dict[int, Index]) -> Index:
        return self.code.place(a.strides, [iv.get(d, 0) for d in range(len(a.strides))], a.offset)

    def write(self) -> None:
        code, p = self.code, self.p
        if p.is_scattered and p.initial is not None:
            self._fill()
        shared = self._shared_outer()
        rest = p.outer[len(shared) :]
        if shared:  # each turn packs for itself
            ranges = [(0, p.extent(d), 1) for d in shared]
            with (
                code.parallel_nest(*ranges) as at,
                self._memory() as packed,
                self._outer(rest, dict(zip(shared, at))) as iv,
            ):
                self._blocks(packed, iv)
        else:
            with self._memory() as packed, self._outer(rest, {}) as iv:
                self._blocks(packed, iv)

    def _shared_outer(self) -> tuple[int, ...]:
        """The loops outside of the tiles that threads share; none if they are better off sharing tiles."""
        p, threads = self.p, self.code.threads
        free = tuple(itertools.takewhile(lambda d: not p.nest.reduction[d], p.outer))
        turns = prod(p.extent(d) for d in free)
        if threads == 1 or turns == 1:
            return ()
        regions = prod(p.extent(d) for d in (*p.outer, *self.k_outer)) * -(-p.extent(self.k_block) // self.step)
        regions *= -(-p.extent(p.n) // self.block) * (2 if self.r.pack else 1)
        tiles = -(-p.extent(p.m) // self.r.rows) * self.panels
        work = prod(p.nest.extents)
        return free if speedup(turns, threads, work) >= speedup(tiles, threads, work // regions) else ()

    @contextlib.contextmanager
    def _memory(self) -> Iterator[Any]:
        """Memory for packed columns, or None."""
        if not self.r.pack:
            yield None
            return
        packed = self.code.scratch(self.p.dtype, self.panels * self.depth * self.r.columns)
        yield packed
        self.code.free(packed)

    def _blocks(self, packed: Any, iv: dict[int, Index]) -> None:
        """All sums at one turn of the outer loops: by blocks of columns, and of terms."""
        code, p = self.code, self.p
        total = p.extent(self.k_block)
        with code.loop(0, p.extent(p.n), self.block) as j0:
            width = code.least(self.block, code.add(p.extent(p.n), code.times(j0, -1)))
            with self._outer(self.k_outer, iv) as at, code.loop(0, total, self.step) as k0:
                terms = code.least(self.step, code.add(total, code.times(k0, -1)))
                if packed is not None:
                    self._pack(packed, at, j0, width, k0, terms)
                self._tiles(packed, at, j0, width, k0, terms, self._ends(at, k0, total))

    def _fill(self) -> None:
        """The initial value everywhere: in sums of which parts come in turn, and where there is no term at all."""
        code, p, v = self.code, self.p, self.v
        size = ir.MemRefType(self.out.type).shape[0]
        start = code.splat(v, p.initial)
        whole = size // self.lanes * self.lanes
        with code.parallel(0, whole, self.lanes) as i:
            code.store(v, start, self.out, i)
        if size - whole:
            code.store(v, start, self.out, whole, size - whole)

    def _ends(self, at: dict[int, Index], k0: Index, total: int) -> tuple[Any, Any] | None:
        """Whether these terms are the first ones of their sums, and the last ones; None if they are all."""
        tests = [
            (self._equal(at[k], 0), self._equal(at[k], self.p.extent(k) - 1))
            for k in self.k_outer
            if not isinstance(at[k], int)
        ]
        if not isinstance(k0, int):
            tests.append((self._equal(k0, 0), self._reached(self.code.add(k0, self.step), total)))
        if not tests:
            return None
        bit = ir.IntegerType.get_signless(1)
        first, last = tests[0]
        for f, e in tests[1:]:
            first = self.code.op("arith.andi", first, f, type=bit)
            last = self.code.op("arith.andi", last, e, type=bit)
        return first, last

    @contextlib.contextmanager
    def _outer(self, dims: Sequence[int], iv: dict[int, Index]) -> Iterator[dict[int, Index]]:
        """Loops over `dims` in order; gives where they stand, beside those of `iv`."""
        if not dims:
            yield iv
            return
        d, *rest = dims
        with self.code.loop(0, self.p.extent(d)) as i, self._outer(rest, {**iv, d: i}) as inner:
            yield inner

    def _equal(self, i: Index, n: int) -> Any:
        return self._compare(0, i, n)

    def _reached(self, i: Index, n: int) -> Any:
        return self._compare(5, i, n)

    def _compare(self, predicate: int, i: Index, n: int) -> Any:
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), predicate)  # arith.CmpIPredicate
        bit = ir.IntegerType.get_signless(1)
        return self.code.op("arith.cmpi", self.code.index(i), self.code.index(n), type=bit, predicate=attribute)

    # Packing: panels of `columns`, one after the other; in each the terms one below the other

    def _pack(self, packed: Any, iv: dict[int, Index], j0: Index, width: Index, k0: Index, terms: Index) -> None:
        code, p, r = self.code, self.p, self.r
        whole, rest = divmod(p.extent(p.n), r.columns)

        def panel(j: Index, count: int) -> None:
            column = code.add(j0, j)
            base = code.times(j, self.depth)
            if p.vector_is_contiguous:
                self._pack_rows(packed, iv, column, base, k0, terms, count)
            else:
                self._pack_turned(packed, iv, column, base, k0, terms, count)

        if whole:
            end = width if not rest else code.times(self._whole_panels(width), r.columns)
            with code.parallel(0, end, r.columns) as j:
                panel(j, r.columns)
        if rest:
            with self._where_tail(j0, width) as j:
                panel(j, rest)

    def _whole_panels(self, width: Index) -> Index:
        if isinstance(width, int):
            return width // self.r.columns
        return self.code.op("arith.divui", width, self.code.index(self.r.columns), type=ir.IndexType.get())

    @contextlib.contextmanager
    def _where_tail(self, j0: Index, width: Index) -> Iterator[Index]:
        """Within: the code for the last columns, which fill no panel; only the last block has them."""
        code, p, r = self.code, self.p, self.r
        n = p.extent(p.n)
        start = n // r.columns * r.columns
        if isinstance(j0, int):
            yield start - j0
            return
        here = code.add(start, code.times(j0, -1))
        last = self._compare(2, here, self.block)  # slt: the start of the tail lies in this block
        made = ir.Operation.create("scf.if", operands=[last], regions=2)
        with ir.InsertionPoint(made.regions[0].blocks.append()):
            yield here
            ir.Operation.create("scf.yield")

    def _pack_rows(
        self, packed: Any, iv: dict[int, Index], column: Index, base: Index, k0: Index, terms: Index, count: int
    ) -> None:
        code, p, r = self.code, self.p, self.r
        y = p.nest.inputs[1]
        with code.loop(0, terms) as k:
            place = self._at(iv, column, code.add(k0, k))
            source, target = self.place(y, place), code.add(base, code.times(k, r.columns))
            for x in range(0, r.columns, self.lanes):
                value = (
                    code.load(self.v, self.y, code.add(source, x), min(self.lanes, count - x))
                    if x < count
                    else code.zeros(self.v)
                )
                code.store(self.v, value, packed, code.add(target, x))

    def _at(self, iv: dict[int, Index], column: Index, k: Index) -> dict[int, Index]:
        """Where the loops stand: the outer ones, the one along vectors, and the first that adds up."""
        at = dict(iv)
        if self.p.n is not None:
            at[self.p.n] = column
        if self.k_block is not None:
            at[self.k_block] = k
        return at

    def _pack_turned(
        self, packed: Any, iv: dict[int, Index], column: Index, base: Index, k0: Index, terms: Index, count: int
    ) -> None:
        """Squares of `lanes` terms are read along the terms and turned in registers; what is left, one by one."""
        code, p, r, lanes = self.code, self.p, self.r, self.lanes
        y = p.nest.inputs[1]
        step = y.strides[self.k_block] if self.k_block is not None else 0

        def source(j: Index, k: Index) -> Index:
            return self.place(y, self._at(iv, code.add(column, j), code.add(k0, k)))

        squares: Index = 0
        if step == 1:
            if isinstance(terms, int):
                squares = terms // lanes * lanes
            else:
                whole = code.op("arith.divui", terms, code.index(lanes), type=ir.IndexType.get())
                squares = code.times(whole, lanes)
        if not (isinstance(squares, int) and squares == 0):
            with code.loop(0, squares, lanes) as k:
                for x in range(0, r.columns, lanes):
                    rows = [
                        code.load(self.v, self.y, source(x + i, k)) if x + i < count else code.zeros(self.v)
                        for i in range(lanes)
                    ]
                    for i, row in enumerate(code.turned(self.v, rows)):
                        target = code.add(base, code.times(k, r.columns), i * r.columns + x)
                        code.store(self.v, row, packed, target)
        if not (isinstance(squares, int) and isinstance(terms, int) and squares == terms):
            with code.loop(squares, terms) as k:
                for x in range(0, r.columns, lanes):
                    value = code.zeros(self.v)
                    for i in range(min(lanes, max(0, count - x))):
                        element = code.read(self.y, source(x + i, k))
                        at = ir.DenseI64ArrayAttr.get([i])
                        value = code.op("vector.insert", element, value, type=self.v.type, static_position=at)
                    code.store(self.v, value, packed, code.add(base, code.times(k, r.columns), x))

    # Tiles

    def _tiles(
        self, packed: Any, iv: dict[int, Index], j0: Index, width: Index, k0: Index, terms: Index, ends: Any
    ) -> None:
        code, p, r = self.code, self.p, self.r
        m = p.extent(p.m)
        whole = m // r.rows * r.rows

        def row_of_tiles(i: Index, rows: int) -> None:
            n = p.extent(p.n)
            panels, rest = divmod(n, r.columns)
            if panels:
                end = width if not rest else code.times(self._whole_panels(width), r.columns)
                with code.loop(0, end, r.columns) as j:
                    self._tile(packed, iv, i, rows, code.add(j0, j), j, r.columns, k0, terms, ends)
            if rest:
                with self._where_tail(j0, width) as j:
                    self._tile(packed, iv, i, rows, code.add(j0, j), j, rest, k0, terms, ends)

        if code.threads > 1:
            self._shared_tiles(packed, iv, j0, width, k0, terms, ends)
            return
        if whole:
            with code.loop(0, whole, r.rows) as i:
                row_of_tiles(i, r.rows)
        if m - whole:
            row_of_tiles(whole, m - whole)

    def _shared_tiles(
        self, packed: Any, iv: dict[int, Index], j0: Index, width: Index, k0: Index, terms: Index, ends: Any
    ) -> None:
        """The tiles of a block as turns that threads share, those at the edges as well."""
        code, p, r = self.code, self.p, self.r
        m, n = p.extent(p.m), p.extent(p.n)

        def sized(i: Index, high: Index, extent: int, step: int, write: Callable[[int], None]) -> None:
            """Write the code for `step` rows or columns at `i`, and for the fewer ones before `high`."""
            whole, rest = divmod(extent, step)
            if whole and rest:
                fits = self._reached(high, code.add(i, step))
                self._branch(fits, lambda: write(step), lambda: write(rest))
            else:
                write(step if whole else rest)

        with code.parallel_nest((0, m, r.rows), (0, width, r.columns)) as (i, j):

            def row(rows: int) -> None:
                sized(j, width, n, r.columns, lambda count: tile(rows, count))

            def tile(rows: int, count: int) -> None:
                self._tile(packed, iv, i, rows, code.add(j0, j), j, count, k0, terms, ends)

            sized(i, m, m, r.rows, row)

    def _tile(
        self,
        packed: Any,
        iv: dict[int, Index],
        i: Index,
        rows: int,
        column: Index,
        j: Index,
        count: int,
        k0: Index,
        terms: Index,
        ends: tuple[Any, Any] | None,
    ) -> None:
        """`rows` × `count` sums: start, add the terms, and store them or what the steps make of them."""
        code, p, v, lanes = self.code, self.p, self.v, self.lanes
        at = dict(iv)
        if p.m is not None:
            at[p.m] = i
        if p.n is not None:
            at[p.n] = column
        widths = [min(lanes, count - x) for x in range(0, count, lanes)]
        cells = [(row, x) for row in range(rows) for x in range(len(widths))]

        def at_cell(a: Access, base: Index, row: int, x: int) -> Index:
            down = a.strides[p.m] * row if p.m is not None else 0
            across = a.strides[p.n] * x * lanes if p.n is not None else 0
            return code.add(base, down + across)

        out = p.nest.output
        base = self.place(out, at)

        def loaded() -> list[Any]:
            return [code.load(v, self.out, at_cell(out, base, row, x), widths[x]) for row, x in cells]

        def started() -> list[Any]:
            start = code.splat(v, p.initial)
            return [start] * len(cells)

        if p.initial is None or p.is_scattered:
            sums = loaded()
        elif ends is None:
            sums = started()
        else:
            sums = self._either(ends[0], started, loaded, len(cells))
        sums = self._added(packed, at, rows, widths, j, k0, terms, sums)

        def stored(values: Sequence[Any], a: Access, flat: Any) -> None:
            start = self.place(a, at)
            for value, (row, x) in zip(values, cells):
                code.store(v, value, flat, at_cell(a, start, row, x), widths[x])

        def finished() -> None:
            if p.keeps_sums or not p.steps:
                stored(sums, out, self.out)
            self._stepped(sums, at, cells, widths, at_cell, stored)

        if ends is None or not p.steps:
            finished()
        else:
            self._branch(ends[1], finished, lambda: stored(sums, out, self.out))

    def _stepped(
        self,
        sums: Sequence[Any],
        at: dict[int, Index],
        cells: Sequence[tuple[int, int]],
        widths: Sequence[int],
        at_cell: Callable[..., Index],
        stored: Callable[..., None],
    ) -> None:
        """The element-wise operations on finished sums."""
        code, p = self.code, self.p
        extra = p.nest.inputs[2:]
        values: dict[tuple[str, int], list[Any]] = {("sum", 0): list(sums)}

        def operand(n: int) -> list[Any]:
            a = extra[n]
            if not a.is_memory:
                v = code.vectors(_element_dtype(a.value), self.lanes)
                return [code.splat(v, a.value)] * len(cells)
            w = code.vectors(DType(str(ir.MemRefType(a.value.type).element_type)), self.lanes)
            start = self.place(a, at)
            known: dict[tuple[int, int], Any] = {}
            out = []
            for row, x in cells:
                step_m = a.strides[p.m] if p.m is not None else 0
                step_n = a.strides[p.n] if p.n is not None else 0
                key = (row if step_m else 0, x if step_n else 0)
                if key not in known:
                    place = at_cell(a, start, *key)
                    if step_n == 1:
                        known[key] = code.load(w, self.extra[n], place, widths[x])
                    else:
                        known[key] = code.splat(w, code.read(self.extra[n], place))
                out.append(known[key])
            return out

        for n, step in enumerate(p.steps):
            columns = [values[ref] if ref[0] != "extra" else operand(ref[1]) for ref in step.operands]
            results = []
            for cell in range(len(cells)):
                elements = [c[cell] for c in columns]
                results.append(replay(code, step.nest, [*elements, None], self.lanes))
            values["step", n] = results
            if step.output is not None:
                stored(results, extra[step.output], self.extra[step.output])

    def _added(
        self,
        packed: Any,
        at: dict[int, Index],
        rows: int,
        widths: Sequence[int],
        j: Index,
        k0: Index,
        terms: Index,
        sums: list[Any],
    ) -> list[Any]:
        """The loops over the terms."""
        code, p, r, v = self.code, self.p, self.r, self.v
        x, y = p.nest.inputs[:2]
        first = dict(at)
        if self.k_block is not None:
            first[self.k_block] = k0
        x0 = self.place(x, first)
        y0 = code.times(j, self.depth) if packed is not None else self.place(y, first)
        whole_tile = rows == r.rows and sum(widths) == r.columns  # the others run seldom
        y_steps = {k: y.strides[k] for k in p.ks}
        if packed is not None:
            y_steps = dict.fromkeys(p.ks, r.columns)

        def term(x_at: Index, y_at: Index, sums: list[Any]) -> list[Any]:
            ys = []
            for n, width in enumerate(widths):
                whole = packed is not None
                ys.append(
                    code.load(v, packed if whole else self.y, code.add(y_at, n * self.lanes), None if whole else width)
                )
            out = []
            for row in range(rows):
                down = x.strides[p.m] * row if p.m is not None else 0
                spread = code.splat(v, code.read(self.x, code.add(x_at, down)))
                for n in range(len(widths)):
                    out.append(code.multiply_add(v, spread, ys[n], sums[row * len(widths) + n], r.fused))
            return out

        def nested(ks: Sequence[int], count: Index, x_at: Index, y_at: Index, sums: list[Any]) -> list[Any]:
            if not ks:
                return term(x_at, y_at, sums)
            k, *rest = ks

            def turn(i: Index, sums: list[Any]) -> list[Any]:
                nx, ny = code.add(x_at, code.times(i, x.strides[k])), code.add(y_at, code.times(i, y_steps[k]))
                return nested(rest, p.extent(rest[0]) if rest else 1, nx, ny, sums)

            if rest or not whole_tile:
                return code.carried(0, count, 1, sums, turn)
            return self._unrolled(count, sums, turn)

        return nested(self.k_inner, terms, x0, y0, sums)

    def _unrolled(self, count: Index, sums: list[Any], turn: Callable[[Index, list[Any]], list[Any]]) -> list[Any]:
        code, u = self.code, self.r.unroll
        if isinstance(count, int):
            whole: Index = count // u * u
        else:
            whole = code.times(code.op("arith.divui", count, code.index(u), type=ir.IndexType.get()), u)

        def several(i: Index, sums: list[Any]) -> list[Any]:
            for n in range(u):
                sums = turn(code.add(i, n), sums)
            return sums

        if u == 1:
            return code.carried(0, count, 1, sums, turn)
        sums = code.carried(0, whole, u, sums, several)
        if self.depth % u == 0 and self.p.depth % u == 0 and len(self.p.ks) == 1:
            return sums  # every block of terms is a multiple
        return code.carried(whole, count, 1, sums, turn)

    def _either(
        self, condition: Any, then: Callable[[], list[Any]], otherwise: Callable[[], list[Any]], count: int
    ) -> list[Any]:
        made = ir.Operation.create("scf.if", results=[self.v.type] * count, operands=[condition], regions=2)
        for region, values in zip(made.regions, (then, otherwise)):
            with ir.InsertionPoint(region.blocks.append()):
                ir.Operation.create("scf.yield", operands=values())
        return list(made.results)

    def _branch(self, condition: Any, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        made = ir.Operation.create("scf.if", operands=[condition], regions=2)
        for region, write in zip(made.regions, (then, otherwise)):
            with ir.InsertionPoint(region.blocks.append()):
                write()
                ir.Operation.create("scf.yield")


def _element_dtype(v: Any) -> DType:
    return DType(str(v.type))
