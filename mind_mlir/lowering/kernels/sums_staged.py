"""Sums in two stages through scratch memory: first columns, then short lines of their results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

from ..emit.scalars import Scalars
from ..rules.sum_rules import folded_rows
from .nest import Access
from .sum_problem import Problem, told_apart
from .sums import At, Sums
from .sums_minor import Minor
from .sums_wide import by_columns
from .vector_code import Code


class Staged(Sums):
    """Short lines of which several far apart are one sum: whole lines are added up as columns first."""

    def write(self) -> None:
        p = self.p
        inner = [*p.kept, p.v]
        sums = Access(self.code.scratch(p.dtype, prod(p.extent(d) for d in inner)), _contiguous(p.nest.extents, inner))
        first = replace(
            p.nest, reduction=tuple(d in p.ks for d in range(len(p.nest.extents))), inputs=p.terms, output=sums
        )
        told = told_apart(first, p.inputs, False)
        assert told is not None, "the order of terms is free"
        nest, loops = told
        stored = replace(nest, inputs=(*nest.inputs, nest.output))
        neutral = _neutral(self.code, self.v, p.kind)
        columns = Problem(
            stored,
            p.inputs,
            p.before,
            p.term,
            0,
            (),
            (("sum", 0),),
            neutral,
            p.kind,
            False,
            loops.v,
            loops.ks,
            loops.kept,
            p.dtype,
        )
        by_columns(self.code, columns, self.r).write()
        dims = [d for d in range(len(p.nest.extents)) if d not in p.ks]
        rest = replace(p.nest, inputs=(sums, *p.nest.inputs[p.inputs :])).with_dims(dims)
        lines = replace(
            p,
            nest=rest,
            inputs=1,
            before=(),
            term=("input", 0),
            v=dims.index(p.v),
            ks=(),
            kept=tuple(dims.index(d) for d in p.kept),
        )
        Minor(self.code, lines, self.r).write()
        self.code.free(sums.value)


class Folded(Sums):
    """Short rows: as many as make a wide one are taken as one row, whose parts are added by halves."""

    def write(self) -> None:
        code, p = self.code, self.p
        t, n = p.ks[0], p.extent(p.v)
        rows = folded_rows(n, p.dtype.width)
        many, left = divmod(p.extent(t), rows)
        extents = list(p.nest.extents)
        extents[t], extents[p.v] = many, rows * n
        wide = replace(p.nest, extents=tuple(extents))
        strides = _contiguous(extents, [*p.kept, p.v])
        sums = Access(code.scratch(p.dtype, prod(extents[d] for d in (*p.kept, p.v))), strides)
        inputs = tuple(replace(a, strides=_times(a.strides, t, rows)) for a in p.terms)
        nest = replace(wide, inputs=(*inputs, sums), output=sums)
        neutral = _neutral(self.code, self.v, p.kind)
        columns = replace(p, nest=nest, reads=0, after=(), stored=(("sum", 0),), initial=neutral)
        by_columns(code, columns, self.r).write()
        with self.turns([p.extent(d) for d in p.kept]) as places:
            at = dict(zip(p.kept, places))
            for c, count in self.columns(n):
                self._one(sums, {**at, p.v: c}, count, rows, many * rows, left)
        code.free(sums.value)

    def _one(self, sums: Access, at: At, count: int, rows: int, last: int, left: int) -> None:
        """A vector of sums: those of `rows` rows, to some of which a row is added that was left."""
        p, t, n = self.p, self.p.ks[0], self.p.extent(self.p.v)
        place = self.place(sums, at)
        bases = self.bases({**at, t: last})
        parts = [self.loaded(sums, self.code.add(place, row * n), 1, count) for row in range(rows)]
        for row in range(left):
            parts[row] = self.join(parts[row], self.term(bases, {t: row}, count))
        self.finish(self.halved(parts), at, p.v, count)


def _contiguous(extents: Sequence[int], dims: Sequence[int]) -> tuple[int, ...]:
    """Strides of memory in which these loops, outermost first, leave no gaps."""
    strides, step = [0] * len(extents), 1
    for d in reversed(dims):
        strides[d] = step
        step *= extents[d]
    return tuple(strides)


def _times(strides: tuple[int, ...], d: int, n: int) -> tuple[int, ...]:
    return tuple(s * n if i == d else s for i, s in enumerate(strides))


def _neutral(code: Code, v: Scalars, kind: str) -> Any:
    """The number that changes none, as an element."""
    return code.constant(Scalars(v.dtype).attribute(v.neutral(kind)), v.element)
