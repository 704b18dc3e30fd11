"""Positions of extremes: of the first largest or smallest element along a line, or of the first NaN, in one pass.

Every lane keeps the extreme of its elements and the number of the block in which it was met first. Of the lanes that
have the extreme of the line, the first block is looked through for the position. NaN is beyond no element: blocks note
whether there is one, and only then it is looked for. Nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mlir import ir

from ...ir import DType
from ..emit.scalars import Scalars
from ..rules.choice import Choice
from ..rules.position_rules import Lines, PositionRecord, choose_positions
from ..targets.cpus import Cpu
from .nest import Nest
from .vector_code import Code, Index

JOINED = "mind.first"
"""On a linalg.generic that gives positions of extremes along its last loop: max or min, and the type of elements."""


@dataclass(frozen=True)
class Problem:
    """The nest: it reads `inputs[0]` and writes positions. `kind` is max or min; `dtype` has the signs of integers."""

    nest: Nest
    kind: str
    dtype: DType

    @property
    def lines(self) -> Lines:
        """What the rules see of it."""
        *lines, extent = self.nest.extents
        return Lines(self.dtype, tuple(lines), extent)


def match(nests: Sequence[Nest]) -> Problem | None:
    """An operation that `join-arg-extremes` has made, perhaps after the fill of its result; None for others."""
    *before, main = nests
    if JOINED not in main.op.attributes or len(before) > 1:
        return None
    if any(n.op.name != "linalg.fill" or n.output.value != main.output.value for n in before):
        return None
    loaded = [o.operands[0] for o in main.body() if o.name == "memref.load"]
    if loaded != [main.inputs[0].value]:
        return None  # the elements that are compared are seen in another shape
    kind, dtype = main.op.attributes[JOINED].value.split()
    return Problem(main, kind, DType(dtype))


def choose(p: Problem, cpu: Cpu, numerics: str) -> Choice[PositionRecord]:
    """The record for positions."""
    return choose_positions(p.lines, cpu, numerics)


def emit(code: Code, p: Problem, r: PositionRecord) -> None:
    """Write the loops. ValueError if the record does not fit the problem."""
    if r.vectors < 2 or r.vectors & (r.vectors - 1) or r.lanes & (r.lanes - 1):
        raise ValueError(f"vectors and lanes are powers of 2, found {r.vectors} and {r.lanes}")
    if r.vectors * r.lanes > p.lines.extent:
        raise ValueError(f"a line of {p.lines.extent} elements fills no {r.vectors} vectors of {r.lanes}")
    x, out = p.nest.inputs[0], p.nest.output
    line, results = _Line(code, p, r), code.flat(out.value)
    with code.parallel_nest(*[(0, n, 1) for n in p.lines.lines]) as at:
        found = line.position(code.place(x.strides[:-1], at, x.offset))
        number = code.op("arith.index_cast", found, type=Scalars(DType.I64).element)
        code.write(number, results, code.place(out.strides[:-1], at, out.offset))


class _Line:
    """The code for one line. Blocks are whole: the last one may overlap the one before it, which changes nothing."""

    def __init__(self, code: Code, p: Problem, r: PositionRecord) -> None:
        self.code, self.p, self.r = code, p, r
        self.v = code.vectors(p.dtype, r.lanes)
        self.i = self.v.integers
        self.x = p.nest.inputs[0]
        self.flat = code.flat(self.x.value)
        self.block = r.vectors * r.lanes

    def position(self, base: Index) -> Index:
        """The position of the extreme of the line that begins at `base`, or of its first NaN."""
        v, i = self.v, self.i
        start = [self.code.neutral(v, self.p.kind), self.code.zeros(i), self.code.zeros(i)]
        best, first, nans = self._blocks(base, start, self._compared)
        extreme = self.code.splat(v, _across(self.code, v, best, self._further))
        reached = i.select(v.equal(best, extreme), first, i.number(i.largest))

        def of_extreme() -> Index:
            return self._within(base, reached, lambda x: v.equal(x, extreme))

        if not v.is_float:
            return of_extreme()
        kind = ir.Attribute.parse("#vector.kind<or>")
        flags, one = self.code.op("vector.reduction", nans, type=i.element, kind=kind), Scalars(i.dtype)
        any_nan, index = one.not_equal(flags, one.number(0)), ir.IndexType.get()
        return self.code.either(any_nan, [index], lambda: [self._first_nan(base)], lambda: [of_extreme()])[0]

    def _blocks(
        self, base: Index, start: list[Any], step: Callable[[list[Any], Any, list[Any]], list[Any]]
    ) -> list[Any]:
        """What `step` makes of the values of `start` over all blocks: it gets vectors, the block's number, and values.

        Numbers are in all lanes.
        """
        code, i, n = self.code, self.i, self.p.lines.extent

        def one(place: Index, carried: list[Any]) -> list[Any]:
            *values, number = carried
            return [*step(self._loaded(base, place), number, values), i.add(number, i.number(1))]

        whole = n // self.block
        values = code.carried(
            0, whole, 1, [*start, code.zeros(i)], lambda b, values: one(code.times(b, self.block), values)
        )
        return (one(n - self.block, values) if n % self.block else values)[:-1]

    def _loaded(self, base: Index, place: Index) -> list[Any]:
        """The vectors of the block that begins at a position of the line."""
        code, lanes, step = self.code, self.r.lanes, self.x.strides[-1]
        places = (code.add(base, code.times(code.add(place, k * lanes), step)) for k in range(self.r.vectors))
        return [code.load_apart(self.v, self.flat, at, step) for at in places]

    def _compared(self, xs: list[Any], number: Any, values: list[Any]) -> list[Any]:
        v, i = self.v, self.i
        best, first, nans = values
        extreme = _halved(xs, lambda x, y: self._further(v, x, y))
        beyond = self._beyond(v, extreme, best)
        if v.is_float:
            nans = i.bit_or(nans, i.op("arith.extsi", self._has_nan(xs)))
        return [v.select(beyond, extreme, best), i.select(beyond, number, first), nans]

    def _has_nan(self, xs: list[Any]) -> Any:
        """For each lane whether one of the vectors has NaN in it."""
        v = self.v
        return _halved([v.unordered(x, y) for x, y in zip(xs[::2], xs[1::2])], v.either)

    def _first_nan(self, base: Index) -> Index:
        i, none = self.i, self.i.number(self.i.largest)

        def step(xs: list[Any], number: Any, values: list[Any]) -> list[Any]:
            return [i.minimum(values[0], i.select(self._has_nan(xs), number, none))]

        (first,) = self._blocks(base, [none], step)
        return self._within(base, first, lambda x: self.v.unordered(x, x))

    def _within(self, base: Index, blocks: Any, holds: Callable[[Any], Any]) -> Index:
        """The first position at which a condition holds: in the block with the least number of those in the lanes."""
        code, i, lanes = self.code, self.i, self.r.lanes
        number = _across(code, i, blocks, Scalars.minimum)
        index = ir.IndexType.get()
        place = code.times(code.op("arith.index_cast", number, type=index), self.block)
        place = code.least(place, self.p.lines.extent - self.block)
        none = i.number(i.largest)
        found = []
        for k, x in enumerate(self._loaded(base, place)):
            places = ", ".join(map(str, range(k * lanes, (k + 1) * lanes)))
            counted = code.constant(ir.Attribute.parse(f"dense<[{places}]> : {i.type}"), i.type)
            found.append(i.select(holds(x), counted, none))
        position = _across(code, i, _halved(found, i.minimum), Scalars.minimum)
        return code.add(place, code.op("arith.index_cast", position, type=index))

    def _beyond(self, s: Scalars, x: Any, y: Any) -> Any:
        return s.greater(x, y) if self.p.kind == "max" else s.less(x, y)

    def _further(self, s: Scalars, x: Any, y: Any) -> Any:
        """The one of two that is beyond the other; `y` if none is: x86 has one instruction for it."""
        return s.select(self._beyond(s, x, y), x, y)


def _halved(values: Sequence[Any], join: Callable[[Any, Any], Any]) -> Any:
    """A power of two of values as one: pairs are joined until one is left."""
    while len(values) > 1:
        values = [join(x, y) for x, y in zip(values[::2], values[1::2])]
    return values[0]


def _across(code: Code, v: Scalars, x: Any, join: Callable[[Scalars, Any, Any], Any]) -> Any:
    """The lanes of a vector as one element: the upper half is joined with the lower one until one is left."""
    lanes = v.lanes or 1
    while lanes > 1:
        lanes //= 2
        low, high = (code.shuffle(v, x, x, range(n, n + lanes)) for n in (0, lanes))
        x = join(Scalars(v.dtype, lanes), low, high)
    return code.lane(v, x, 0)
