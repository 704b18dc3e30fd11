"""The ways to cut one operation: mesh axes for each name of its dimensions, and the shardings that follow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from ...ir import Linearity, Mesh, Module, Op, Operation, PartitionSpec, TensorType, ValueId
from ..propagate import is_zero
from .dimensions import ROWS, Axes, Dimensions, Term, dimensions, unsummed

Cuts: TypeAlias = "dict[str, Axes]"
"""Name of a dimension -> the mesh axes that cut it."""

Shardings: TypeAlias = "tuple[PartitionSpec, ...]"
"""The shardings with which a value has been made, its own first; empty if that is open."""

MOST_CHOICES = 1024
"""How many ways to cut one operation are compared."""

MOST_STARTS = 8
"""How many combinations of the operands' shardings directed ways begin from."""


class Way(NamedTuple):
    """One way to cut an operation."""

    by_name: Cuts
    wants: tuple[PartitionSpec, ...]
    """The sharding of each operand that the way takes."""
    spec: PartitionSpec
    """The sharding of the result that it gives."""
    work: int
    """The steps of a rank: the product of the local extents of all names, and of what is not cut.

    Of rows that indices name, only the named ones count.
    """


class Ways:
    """Finds ways; for equal operations on values with equal shardings, once."""

    def __init__(self, m: Module, mesh: Mesh) -> None:
        self._m, self._mesh = m, mesh
        self._dims: dict[tuple[Op, tuple[TensorType, ...], TensorType], Dimensions] = {}
        self._without: dict[tuple[int, tuple[str, ...]], Dimensions] = {}
        self._found: dict[object, tuple[Way, ...]] = {}
        self._specs: dict[PartitionSpec, PartitionSpec] = {}

    def dims(self, o: Operation) -> Dimensions:
        """The named dimensions of an operation."""
        types = tuple([self._m.values[i].type for i in o.operands])
        key = (o.op, types, o.type)
        found = self._dims.get(key)
        if found is None:
            found = self._dims[key] = dimensions(o.op, types, o.type)
        whole = unsummed(self._m, o, found)
        return self._without.setdefault((id(found), whole), found.without(whole)) if whole else found

    def local(
        self, o: Operation, dims: Dimensions, shardings: Sequence[Shardings], wanted: PartitionSpec | None
    ) -> Iterable[Way]:
        """The ways that cut an operation as its operands are cut, or as its result is wanted."""
        shardings = tuple([x[:1] for x in shardings])
        keepable = self._keepable(o, shardings)
        key = (id(dims), o.type, shardings, keepable, wanted)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._made(o, dims, shardings, self._products(dims, shardings, keepable, wanted))
        return found

    def directed(
        self, o: Operation, dims: Dimensions, shardings: Sequence[Shardings], wishes: Sequence[PartitionSpec]
    ) -> Iterable[Way]:
        """The ways that give the result a wished sharding, and those that cut partial sums of the operands."""
        shardings = tuple(shardings)
        keepable = self._keepable(o, shardings)
        key = (id(dims), o.type, shardings, keepable, tuple(wishes), True)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._made(o, dims, shardings, self._ends(dims, shardings, keepable, wishes))
        return found

    def _made(
        self,
        o: Operation,
        dims: Dimensions,
        shardings: Sequence[Shardings],
        ways: Iterable[tuple[Cuts, tuple[str, ...]]],
    ) -> tuple[Way, ...]:
        out: dict[object, Way] = {}
        for by_name, kept in ways:
            used = [*kept, *itertools.chain.from_iterable(by_name.values())]
            if len(set(used)) == len(used):
                wants = tuple([self._one(s) for s in self._wants(dims, shardings, by_name, kept)])
                spec = self._one(self._result(dims, by_name, kept))
                out.setdefault((wants, spec), Way(by_name, wants, spec, self._work(dims, by_name)))
        return tuple(out.values())

    def _one(self, spec: PartitionSpec) -> PartitionSpec:
        """One object for all equal shardings, so that comparing them is fast."""
        return self._specs.setdefault(spec, spec)

    def _work(self, dims: Dimensions, by_name: Cuts) -> int:
        cut = math.prod(-(-n // self._mesh.parts(by_name.get(d, ()))) for d, n in dims.extents.items() if d != ROWS)
        return cut * dims.whole

    def _result(self, dims: Dimensions, by_name: Cuts, kept: Sequence[str]) -> PartitionSpec:
        axes = dims.axes(dims.result, by_name)
        return PartitionSpec(*axes, unreduced=[*kept, *(a for d in dims.contracted for a in by_name.get(d, ()))])

    def _wants(
        self, dims: Dimensions, shardings: Sequence[Shardings], by_name: Cuts, kept: Sequence[str]
    ) -> tuple[PartitionSpec, ...]:
        """The sharding of each operand that a way takes."""
        out = []
        for term, own in zip(dims.operands, shardings):
            have = own[0].unreduced if own else ()
            out.append(PartitionSpec(*dims.axes(term, by_name), unreduced=[a for a in kept if a in have]))
        return tuple(out)

    # Which ways there are

    def _products(
        self, dims: Dimensions, shardings: Sequence[Shardings], keepable: tuple[str, ...], wanted: PartitionSpec | None
    ) -> Iterator[tuple[Cuts, tuple[str, ...]]]:
        """Axes for each name, and the axes over which partial sums of the operands stay partial sums."""
        candidates: dict[str, list[tuple[str, ...]]] = {name: [] for name in dims.extents}
        wishes = [(dims.result, wanted)] if wanted is not None else []
        for term, spec in [*((t, x[0]) for t, x in zip(dims.operands, shardings) if x), *wishes]:
            for name, axes in dims.cuts(self._mesh, term, spec):
                if axes not in candidates[name]:
                    candidates[name].append(axes)
        if wanted is not None:  # contracting over these axes gives the partial sums that are wanted
            for name in dims.contracted:
                candidates[name] += [(a,) for a in wanted.unreduced if (a,) not in candidates[name]]
        names = [name for name, found in candidates.items() if found]
        sets = [[*candidates[name], ()] for name in names]
        keeps = [c for n in range(len(keepable), -1, -1) for c in itertools.combinations(keepable, n)]
        for kept, *groups in itertools.islice(itertools.product(keeps, *sets), MOST_CHOICES):
            yield dims.possible(self._mesh, {name: axes for name, axes in zip(names, groups) if axes}), kept
        yield {}, ()

    def _ends(
        self,
        dims: Dimensions,
        shardings: Sequence[Shardings],
        keepable: tuple[str, ...],
        wishes: Sequence[PartitionSpec],
    ) -> Iterator[tuple[Cuts, tuple[str, ...]]]:
        """As `_products`, from the operands' shardings to each wish; names that a wish leaves open stay cut."""
        terms = [(term, spec) for term, found in zip(dims.operands, shardings) for spec in found]
        firsts = [(term, found[0]) for term, found in zip(dims.operands, shardings) if found]
        starts = [self._together(dims, firsts), *(self._together(dims, [pair]) for pair in terms), {}]
        ends: list[Cuts] = [{}, *(self._together(dims, [(dims.result, wish)]) for wish in wishes)]
        made = [name for dim in dims.result for name in dim]
        partial = dict.fromkeys(a for _, spec in terms for a in spec.unreduced if a not in keepable)
        for axis in self._mesh.axis_names:
            n = self._mesh.axis_size(axis)
            names = [*dims.contracted, *(made if axis in partial else ())]
            ends += [{name: (axis,)} for name in names if dims.extents.get(name, 0) >= n > 1]
        for end in ends:
            for kept in (keepable, ()) if keepable else ((),):
                taken = {*kept, *itertools.chain.from_iterable(end.values())}
                for start in starts[:MOST_STARTS]:
                    rest = {d: axes for d, axes in start.items() if d not in end and taken.isdisjoint(axes)}
                    yield dims.possible(self._mesh, {**end, **rest}), kept

    def _keepable(self, o: Operation, shardings: Sequence[Shardings]) -> tuple[str, ...]:
        """Axes over which the operation takes partial sums to partial sums, as it is linear in these operands."""
        over: dict[str, set[int]] = {}
        for n, found in enumerate(shardings):
            for axis in found[0].unreduced if found else ():
                over.setdefault(axis, set()).add(n)
        return tuple([axis for axis, which in sorted(over.items()) if self._linear(o, which)])

    def _linear(self, o: Operation, which: set[int]) -> bool:
        if not o.op.linear_in(frozenset(which)):
            return False
        if not o.type.dtype.is_float:
            return len(o.operands) == 1
        others: list[ValueId] = [
            i for n, i in enumerate(o.operands) if n not in which and self._m.values[i].type.dtype.is_float
        ]
        return o.op.linearity is not Linearity.JOINT or all(is_zero(i, self._m.__getitem__) for i in others)

    def _together(self, dims: Dimensions, terms: Iterable[tuple[Term, PartitionSpec]]) -> Cuts:
        """Axes for names, from the shardings of values; for each name, the first one that cuts it."""
        found: Cuts = {}
        used: set[str] = set()
        for term, spec in terms:
            for name, axes in dims.cuts(self._mesh, term, spec):
                if name not in found and used.isdisjoint(axes):
                    found[name] = axes
                    used.update(axes)
        return found
