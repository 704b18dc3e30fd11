"""A sum with its loops told apart, and the record of how it is cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd, prod
from typing import Any

from ...ir import DType
from .chain import Ref, Step
from .nest import Access, Nest, simplified

UNIT, WIDE = 64, 256
"""Bytes: rows are folded into wider ones of whole units that are at least wide.  Part of the order of additions."""


@dataclass(frozen=True)
class Record:
    """How sums are cut up.

    `schedule` is one of

        minor    lines of neighbouring terms, each folded into rows
        columns  rows of neighbouring sums
        folded   short rows, several of which are taken as one
        staged   short lines: first the other axes, as columns into scratch memory, then the lines as minor

    `wide` terms of a line are one row; `run` rows are added one after the other, `run` such sums likewise, and so on
    up, unless sums are taken `in_order`, term by term.  The rest has no influence on bits: `lanes` elements are one
    vector; partial sums of `strip` columns stay in a near cache, for which `rows` rows are read at a time; a run is
    straight code if `unrolled`; where there are too few sums to share, a thread takes about `part` bytes at a time.
    """

    schedule: str
    wide: int
    run: int
    in_order: bool
    lanes: int
    strip: int
    rows: int
    unrolled: bool
    part: int


@dataclass(frozen=True)
class Problem:
    """A sum with its loops told apart.

    In `nest.inputs` stand what the terms are computed from, what the operations on the sums read, and what is stored.
    Loop `v` runs along vectors, `ks` are the other loops that add up and `kept` those that do not, outermost first.
    """

    nest: Nest
    inputs: int
    before: tuple[Step, ...]
    term: Ref
    reads: int
    after: tuple[Step, ...]
    stored: tuple[Ref, ...]
    initial: Any
    in_order: bool
    v: int
    ks: tuple[int, ...]
    kept: tuple[int, ...]

    @property
    def dtype(self) -> DType:
        return self.nest.dtype

    @property
    def terms(self) -> tuple[Access, ...]:
        """What the terms are computed from."""
        return self.nest.inputs[: self.inputs]

    @property
    def extras(self) -> tuple[Access, ...]:
        """What the operations on the sums read."""
        return self.nest.inputs[self.inputs : self.inputs + self.reads]

    @property
    def stores(self) -> tuple[tuple[Ref, Access], ...]:
        """What is stored, and where."""
        return tuple(zip(self.stored, self.nest.inputs[self.inputs + self.reads :]))

    @property
    def is_minor(self) -> bool:
        """True if the loop along vectors adds up."""
        return self.nest.reduction[self.v]

    def extent(self, d: int | None) -> int:
        """Turns of a loop; 1 for none."""
        return 1 if d is None else self.nest.extents[d]


def told_apart(nest: Nest, inputs: int, in_order: bool) -> tuple[Nest, int, tuple[int, ...], tuple[int, ...]] | None:
    """A nest with as few loops as can be, the one along vectors, the others that add up and those that do not.

    The widest input decides.  None if terms would change their order though they are to be added `in_order`.
    """
    nest = nest.with_dims([d for d, n in enumerate(nest.extents) if n != 1])
    widest = _widest(nest, inputs)
    if widest is not None:
        steps = widest.strides
        order = sorted(range(len(nest.extents)), key=lambda d: -(steps[d] or 1 << 62))
        if in_order and [d for d in order if nest.reduction[d]] != [d for d in range(len(order)) if nest.reduction[d]]:
            return None
        nest = simplified(nest.with_dims(order))
    if not nest.extents:
        nest = _with_one_loop(nest)
    widest = _widest(nest, inputs)
    dims = range(len(nest.extents))
    strides = widest.strides if widest is not None else (0,) * len(dims)
    v = min(dims, key=lambda d: (strides[d] or 1 << 62, -d))
    ks = tuple(d for d in dims if nest.reduction[d] and d != v)
    return nest, v, ks, tuple(d for d in dims if not nest.reduction[d] and d != v)


def _widest(nest: Nest, inputs: int) -> Access | None:
    """The first input with the most elements."""
    memory = [a for a in nest.inputs[:inputs] if a.is_memory]
    return max(memory, key=lambda a: prod(n for n, s in zip(nest.extents, a.strides) if s), default=None)


def _with_one_loop(nest: Nest) -> Nest:
    """A nest without loops, with one of a single turn that adds up."""

    def moved(a: Access) -> Access:
        return replace(a, strides=(1,))

    return replace(
        nest,
        extents=(1,),
        reduction=(True,),
        inputs=tuple(map(moved, nest.inputs)),
        output=replace(nest.output, strides=(0,)),
    )


def folded_rows(n: int, width: int) -> int:
    """How many rows of n elements, each of `width` bytes, are taken as one: a power of 2, 1 for long ones."""
    unit, wide = UNIT // width, WIDE // width
    if n >= wide or (2 * n > wide and n % unit):
        return 1
    rows = unit // gcd(n, unit)
    while rows * n < wide:
        rows *= 2
    return rows


def output_loop(p: Problem) -> int | None:
    """The loop along which neighbouring sums lie closest; None if there is one sum."""
    return min(p.kept, key=lambda d: (p.nest.output.strides[d], -d), default=None)
