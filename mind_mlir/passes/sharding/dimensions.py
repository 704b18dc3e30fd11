"""Which dimensions of operands and result are the same by `Op.dims`, and how mesh axes cut them.

A dimension has one name, or several if it is merged from factors, outermost first. The axes of a merged dimension are
those of its factors, one after the other, so ranks hold the same elements in the same order if

    a factor that axes cut and that others follow has an extent that the number of parts divides, and
    a factor is cut only if those before it are cut into single elements.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...ir import Linearity, Mesh, Module, Op, Operation, PartitionSpec, TensorType, ValueId
from ..propagate import is_zero

WHOLE = ("_", "1")
"""Names that stand for dimensions that are not cut."""

ROWS = "#r"
"""The name of rows that indices name."""

Axes = tuple[str, ...]
Term = tuple[tuple[str, ...], ...]
"""The names of each dimension of an operand, or of the result."""

_DIMENSION = re.compile(r"\(([^)]*)\)|(\S+)")


@dataclass(frozen=True)
class Dimensions:
    """The names of each dimension of each operand and of the result, and the extent that goes with a name."""

    operands: tuple[Term, ...]
    result: Term
    extents: dict[str, int]
    whole: int = 1
    """The number of the result's elements along what has no name, and so is not cut."""

    @property
    def contracted(self) -> list[str]:
        """Names that only operands have: results of pieces along them are added."""
        kept = {name for dim in self.result for name in dim}
        return [name for name in self.extents if name not in kept]

    def without(self, names: Sequence[str]) -> Dimensions:
        """The same dimensions, but these names, of whole contracted dimensions, are not cut."""
        operands = tuple(tuple(("_",) if dim[0] in names else dim for dim in term) for term in self.operands)
        return replace(self, operands=operands, extents={d: n for d, n in self.extents.items() if d not in names})

    def position(self, n: int, name: str) -> int:
        """The dimension of operand `n` with this name alone."""
        return self.operands[n].index((name,))

    def cuts(self, mesh: Mesh, term: Term, spec: PartitionSpec) -> Iterator[tuple[str, Axes]]:
        """The names that a sharding cuts, with their axes, as far as names can be cut."""
        for dim, axes in zip(term, spec.axes):
            left = axes
            for name in dim:
                if name in WHOLE or not left:
                    break
                taken = left if name == dim[-1] else self._fitting(mesh, name, left)
                if taken:
                    yield name, taken
                left = left[len(taken) :]
                if mesh.parts(taken) != self.extents[name]:
                    break

    def axes(self, term: Term, by_name: Mapping[str, Axes]) -> list[Axes]:
        """The axes of each dimension, from those of each name."""
        return [tuple(a for name in dim for a in by_name.get(name, ())) for dim in term]

    def possible(self, mesh: Mesh, by_name: dict[str, Axes]) -> dict[str, Axes]:
        """The part of these cuts that all operands and the result can have."""
        found, before = by_name, None
        merged = [dim for term in (*self.operands, self.result) for dim in term if len(dim) > 1]
        while found != before:
            before = found
            for dim in merged:
                found = self._possible(mesh, dim, found)
        return found

    def _possible(self, mesh: Mesh, dim: tuple[str, ...], by_name: dict[str, Axes]) -> dict[str, Axes]:
        found, single = dict(by_name), True
        for name in dim:
            axes = found.pop(name, ())
            if single and axes and name != dim[-1]:
                axes = self._fitting(mesh, name, axes)
            if single and axes:
                found[name] = axes
            single = single and name not in WHOLE and mesh.parts(axes) == self.extents[name]
        return found

    def _fitting(self, mesh: Mesh, name: str, axes: Axes) -> Axes:
        """The first of the axes, as many as cut the name's extent into equal parts."""
        return next(axes[:n] for n in range(len(axes), -1, -1) if self.extents[name] % mesh.parts(axes[:n]) == 0)


def unsummed(m: Module, o: Operation, dims: Dimensions) -> tuple[str, ...]:
    """Contracted names that must not be cut: along them every piece would add an operand that lacks the name."""
    summed = [d for d in dims.contracted if d != ROWS] if o.op.linearity is Linearity.JOINT else []
    lacking = {d: [i for term, i in zip(dims.operands, o.operands) if (d,) not in term] for d in summed}
    return tuple(d for d, lack in lacking.items() if not all(_is_zero(m, i) for i in lack))


def _is_zero(m: Module, id: ValueId) -> bool:
    if m.values[id].type.dtype.is_float:
        return is_zero(id, m.__getitem__)
    elements = m[id].op.literal
    return elements is not None and not any(elements.numbers())


def dimensions(op: Op, types: Sequence[TensorType], result: TensorType) -> Dimensions:
    """The named dimensions of an operation; if its op names none, nothing is cut."""
    text = op.dims(*types)
    if text is None:
        return Dimensions(tuple((("_",),) * t.rank for t in types), (("_",),) * result.rank, {}, result.size)
    left, _, right = text.partition("->")
    written = [*(left.split(",") if types else []), right]
    all_types = (*types, result)
    extents: dict[str, int] = {}
    terms = [_read(term, t.rank, extents) for term, t in zip(written, all_types)]
    for term, t in zip(terms, all_types):
        for dim, n in zip(term, t.shape):
            if len(dim) == 1 and dim[0] not in WHOLE:
                extents[dim[0]] = n if extents.get(dim[0], 1) == 1 else extents[dim[0]]
    for term, t in zip(terms, all_types):
        for i, (dim, n) in enumerate(zip(term, t.shape)):
            if n == 1 and len(dim) == 1 and extents.get(dim[0], 1) != 1:
                term[i] = ("1",)  # stretched
    whole = math.prod(_unnamed(dim, n, extents) for dim, n in zip(terms[-1], result.shape))
    return Dimensions(tuple(map(tuple, terms[:-1])), tuple(terms[-1]), extents, whole)


def _unnamed(dim: tuple[str, ...], n: int, extents: Mapping[str, int]) -> int:
    """The factor of an extent that has no name."""
    return n // math.prod(extents[name] for name in dim if name not in WHOLE) if n else n


def _read(text: str, rank: int, extents: dict[str, int]) -> list[tuple[str, ...]]:
    """The names of each dimension, with `...` as right-aligned batch dimensions; adds factors to `extents`."""
    found: list[tuple[str, ...]] = []
    for factors, name in _DIMENSION.findall(text):
        pairs = [factor.partition("=") for factor in factors.split()] if factors else []
        extents.update((f, int(n)) for f, _, n in pairs if n)
        found.append(tuple(f for f, _, _ in pairs) or (name,))
    if ("...",) not in found:
        return found
    at, batches = found.index(("...",)), rank - len(found) + 1
    return [*found[:at], *((f"...{batches - i}",) for i in range(batches)), *found[at + 1 :]]
