"""One tile of a contraction: sums in registers, from their start to what is stored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir import DType
from .chain import Ref, evaluated
from .cutting import Block, Cutting
from .nest import Access
from .vector_code import Index


class Tile:
    """`rows` × `count` sums; the first row is number `i`, the first column number `j` of the block."""

    def __init__(self, cut: Cutting, block: Block, i: Index, rows: int, j: Index, count: int) -> None:
        self.cut, self.block, self.j, self.rows = cut, block, j, rows
        self.code, self.p, self.lanes = cut.code, cut.p, cut.lanes
        self.is_usual = cut.is_usual(rows) and count == min(cut.r.columns, cut.p.extent(cut.p.n))
        self.widths = [min(self.lanes, count - x) for x in range(0, count, self.lanes)]
        self.held = [cut.fitting_lanes(width) for width in self.widths]
        self.vs = [cut.code.vectors(cut.p.dtype, lanes) for lanes in self.held]
        self.cells = [(row, x) for row in range(rows) for x in range(len(self.widths))]
        self.at = cut.at(block, j, 0)
        if self.p.m is not None:
            self.at[self.p.m] = i

    def write(self) -> None:
        """Start the sums, add the terms, and store them or what the steps make of them."""
        code, p, ends = self.code, self.p, self.block.ends
        if p.initial is None or p.is_scattered:
            sums = self._loaded()
        elif ends is None:
            sums = self._started()
        else:
            sums = code.either(ends[0], [self.vs[x].type for _, x in self.cells], self._started, self._loaded)
        sums = self._added(sums)
        if ends is None or not p.steps:
            self._finish(sums)
        else:
            code.branch(ends[1], lambda: self._finish(sums), lambda: self._store(sums, p.nest.output))

    def _beyond(self, a: Access, row: int, x: int) -> int:
        """The distance of an operand's element for a row and a vector's first lane from the tile's first element."""
        down = a.strides[self.p.m] * row if self.p.m is not None else 0
        across = a.strides[self.p.n] * x * self.lanes if self.p.n is not None else 0
        return down + across

    def _base(self, a: Access) -> Index:
        """The offset of an operand's element for the tile's first sum."""
        return self.cut.place(a, self.at)

    def _loaded(self) -> list[Any]:
        out = self.p.nest.output
        flat, base, add = self.cut.flat(out), self._base(out), self.code.add
        places = [add(base, self._beyond(out, row, x)) for row, x in self.cells]
        return [self.code.load(self.vs[x], flat, at, self.widths[x]) for at, (_, x) in zip(places, self.cells)]

    def _started(self) -> list[Any]:
        return self._spread(self.p.initial, self.p.dtype) * self.rows

    def _store(self, values: Sequence[Any], a: Access) -> None:
        vs = [self.code.vectors(a.dtype, lanes) for lanes in self.held]
        flat, base = self.cut.flat(a), self._base(a)
        for value, (row, x) in zip(values, self.cells):
            place = self.code.add(base, self._beyond(a, row, x))
            self.code.store(vs[x], value, flat, place, self.widths[x])

    def _finish(self, sums: Sequence[Any]) -> None:
        """Store what is wanted of finished sums: them, and what the steps make of them."""
        p = self.p
        reads = [self._read(a) for a in p.reads]
        known: list[dict[Ref, Any]] = []
        for n, (s, (_, x)) in enumerate(zip(sums, self.cells)):
            elements: dict[Ref, Any] = {("sum", 0): s, **{("input", i): read[n] for i, read in enumerate(reads)}}
            known.append(evaluated(self.code, p.steps, elements, self.held[x]))
        for ref, a in zip(p.stores, p.targets):
            self._store([k[ref] for k in known], a)

    def _read(self, a: Access) -> list[Any]:
        """What a step reads, for each cell; what is the same for several cells is read once."""
        code = self.code
        dtype = a.dtype
        if not a.is_memory:
            return self._spread(a.value, dtype) * self.rows
        vs = [code.vectors(dtype, lanes) for lanes in self.held]
        down = a.strides[self.p.m] if self.p.m is not None else 0
        across = a.strides[self.p.n] if self.p.n is not None else 0
        flat, base = self.cut.flat(a), self._base(a)
        known: dict[tuple[int, int], Any] = {}
        for row, x in self.cells:
            key = (row if down else 0, x)
            if key in known:
                continue
            place = code.add(base, self._beyond(a, *key))
            if across == 1:
                known[key] = code.load(vs[x], flat, place, self.widths[x])
            elif across == 0:
                same = self._spread(code.read(flat, place), dtype)
                known.update(((key[0], n), value) for n, value in enumerate(same))
            else:
                known[key] = code.load_apart(vs[x], flat, place, across, self.widths[x])
        return [known[row if down else 0, x] for row, x in self.cells]

    def _spread(self, element: Any, dtype: DType) -> list[Any]:
        """An element in all lanes of each vector of a row."""
        made = {lanes: self.code.splat(self.code.vectors(dtype, lanes), element) for lanes in dict.fromkeys(self.held)}
        return [made[lanes] for lanes in self.held]

    # The loops over the terms

    def _added(self, sums: list[Any]) -> list[Any]:
        code, p, cut, block = self.code, self.p, self.cut, self.block
        x, y = p.nest.inputs[:2]
        y0 = self._base(y) if block.packed is None else code.add(block.offset, code.times(self.j, cut.height))
        if block.lying is not None:
            y0 = code.add(y0, code.times(block.lying[1], -1))
        y_steps = {k: y.strides[k] if block.packed is None else cut.packed_step(k) for k in cut.k_inner}

        def nested(ks: Sequence[int], count: Index, x_at: Index, y_at: Index, sums: list[Any]) -> list[Any]:
            if not ks:
                return self._term(x_at, y_at, sums)
            k, *rest = ks

            def turn(i: Index, sums: list[Any]) -> list[Any]:
                nx, ny = code.add(x_at, code.times(i, x.strides[k])), code.add(y_at, code.times(i, y_steps[k]))
                return nested(rest, p.extent(rest[0]) if rest else 1, nx, ny, sums)

            if rest or not self.is_usual:  # tiles at the edges run seldom
                return code.carried(0, count, 1, sums, turn)
            return self._unrolled(count, sums, turn)

        return nested(cut.k_inner, block.terms, self._base(x), y0, sums)

    def _term(self, x_at: Index, y_at: Index, sums: list[Any]) -> list[Any]:
        """One term for every sum."""
        code, p, block = self.code, self.p, self.block
        x, y = p.nest.inputs[:2]
        lying = self.cut.flat(y) if block.lying is None else block.lying[0]
        ys = [
            code.load(v, lying, code.add(y_at, n * self.lanes), width)
            if block.packed is None
            else code.load(v, block.packed, code.add(y_at, n * self.lanes))
            for n, (v, width) in enumerate(zip(self.vs, self.widths))
        ]
        out = []
        for row in range(self.rows):
            down = x.strides[p.m] * row if p.m is not None else 0
            xs = self._of_row(code.add(x_at, down))
            for n, v in enumerate(self.vs):
                out.append(code.multiply_add(v, xs[n], ys[n], sums[row * len(ys) + n], self.cut.r.fused))
        return out

    def _of_row(self, at: Index) -> list[Any]:
        """What is multiplied with the vectors of a row: one element of x, or vectors if it moves along them too."""
        code, x = self.code, self.p.nest.inputs[0]
        flat = self.cut.flat(x)
        across = 0 if self.p.n is None else x.strides[self.p.n]
        if across == 0:
            return self._spread(code.read(flat, at), self.p.dtype)
        places = [code.add(at, n * self.lanes * across) for n in range(len(self.vs))]
        return [code.load_apart(v, flat, place, across, width) for v, place, width in zip(self.vs, places, self.widths)]

    def _unrolled(self, count: Index, sums: list[Any], turn: Callable[[Index, list[Any]], list[Any]]) -> list[Any]:
        """Several terms per iteration, and what is left one by one."""
        code, u = self.code, self.cut.r.unroll
        if u == 1:
            return code.carried(0, count, 1, sums, turn)

        def several(i: Index, sums: list[Any]) -> list[Any]:
            for n in range(u):
                sums = turn(code.add(i, n), sums)
            return sums

        whole = code.times(code.quotient(count, u), u)
        sums = code.carried(0, whole, u, sums, several)
        if self.cut.step % u == 0 and self.p.depth % u == 0 and len(self.p.ks) == 1:
            return sums  # every block of terms is a multiple
        return code.carried(whole, count, 1, sums, turn)
