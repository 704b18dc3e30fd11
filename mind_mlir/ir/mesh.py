"""Meshes of ranks, and the shardings of values on them. Spec: Nabla's autograd, Sharding-Aware Cotangent Accumulation.

A mesh names the axes of a grid of ranks. A partition spec says for each dimension of a value which mesh axes cut it
into equal parts, the first axis coarsest, and over which axes it is still a sum of what the ranks hold.

    mesh: dp = 2, tp = 4
    %0 = Input {name = "x", sharding = [dp, _]} : tensor<f32[8, 16]>
    %3 = MatMul (%1, %2) {sharding = partial([dp, _], [tp])} : tensor<f32[8, 16]>
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .diagnostics import MindError, Reject, count, short
from .types import Shape, TensorType

_NAME = re.compile(r"(?!(?:_|nan|inf)\Z)[A-Za-z_]\w*\Z", re.ASCII)  # these mean something else in text

MOST_RANKS = 1 << 24
"""The ranks of the largest mesh."""


@dataclass(frozen=True, init=False)
class Mesh:
    """A grid of ranks: `Mesh(("dp", "tp"), (2, 4))` has 8, numbered in row-major order of the axes."""

    axis_names: tuple[str, ...]
    axis_sizes: tuple[int, ...]

    def __init__(self, axis_names: Sequence[str], axis_sizes: Sequence[int]) -> None:
        """E8001 for a name that is no identifier or occurs twice, a size below 1, or lengths that differ."""
        names = (axis_names,) if isinstance(axis_names, str) else tuple(axis_names)
        sizes = (axis_sizes,) if isinstance(axis_sizes, int) else tuple(axis_sizes)
        if len(names) != len(sizes):
            raise MindError.of("E8001", f"a mesh of {count(len(names), 'axis name')} and {count(len(sizes), 'size')}")
        for i, (name, size) in enumerate(zip(names, sizes)):
            if not isinstance(name, str) or not _NAME.match(name):
                raise MindError.of(
                    "E8001", f"{short(repr(name))} is no name of a mesh axis", help="names are identifiers"
                )
            if name in names[:i]:
                raise MindError.of("E8001", f"mesh axis {name} stands twice")
            if isinstance(size, bool) or not hasattr(size, "__index__") or operator.index(size) < 1:
                raise MindError.of(
                    "E8001", f"mesh axis {name} has size {short(repr(size))}", help="sizes are 1 or more"
                )
        if math.prod(map(operator.index, sizes)) > MOST_RANKS:
            raise MindError.of("E8001", f"a mesh has at most {MOST_RANKS} ranks, found {math.prod(sizes)}")
        object.__setattr__(self, "axis_names", names)
        object.__setattr__(self, "axis_sizes", tuple(map(operator.index, sizes)))

    @property
    def size(self) -> int:
        """The number of ranks."""
        return math.prod(self.axis_sizes)

    def axis_size(self, axis: str) -> int:
        """The number of ranks along an axis. Reject, E8002, if the mesh has no such axis."""
        if axis not in self.axis_names:
            have = f"axes: {', '.join(self.axis_names)}" if self.axis_names else "the mesh has no axes"
            raise Reject("E8002", f"the mesh has no axis {short(axis)}", help=have)
        return self.axis_sizes[self.axis_names.index(axis)]

    def parts(self, axes: Iterable[str]) -> int:
        """The number of parts into which these axes together cut a dimension."""
        return math.prod(self.axis_size(a) for a in axes)

    def coordinates(self, rank: int) -> dict[str, int]:
        """Axis -> the position of a rank along it."""
        found = {}
        for name, size in zip(reversed(self.axis_names), reversed(self.axis_sizes)):
            rank, found[name] = divmod(rank, size)
        return {name: found[name] for name in self.axis_names}

    def group(self, rank: int, axis: str) -> list[int]:
        """The ranks along an axis through `rank`, in order."""
        stride = math.prod(self.axis_sizes[self.axis_names.index(axis) + 1 :])
        first = rank - self.coordinates(rank)[axis] * stride
        return [first + i * stride for i in range(self.axis_size(axis))]

    def __str__(self) -> str:
        """The mesh as text: `dp = 2, tp = 4`."""
        return ", ".join(f"{n} = {s}" for n, s in zip(self.axis_names, self.axis_sizes))


@dataclass(frozen=True, init=False)
class PartitionSpec:
    """For each dimension the mesh axes that cut it; `P("dp", None)`, `P(("dp", "tp"), None, unreduced={"pp"})`.

    Over the axes `unreduced` the value is the sum of what the ranks hold.
    """

    axes: tuple[tuple[str, ...], ...]
    unreduced: tuple[str, ...]

    def __init__(self, *dims: str | Sequence[str] | None, unreduced: Iterable[str] = ()) -> None:
        """E8003 for an entry that is no axis, or an axis that is used twice."""
        axes = tuple(() if d is None else tuple(d) if isinstance(d, (tuple, list)) else (d,) for d in dims)
        partial = (unreduced,) if isinstance(unreduced, str) else tuple(sorted(set(unreduced)))
        used: list[str] = []
        for axis in (*(a for d in axes for a in d), *partial):
            if not isinstance(axis, str):
                raise MindError.of(
                    "E8003", f"{short(repr(axis))} is no mesh axis", help='entries are None, "dp", ("dp", "tp")'
                )
            if axis in used:
                raise MindError.of("E8003", f"mesh axis {short(axis)} is used twice in a sharding")
            used.append(axis)
        object.__setattr__(self, "axes", axes)
        object.__setattr__(self, "unreduced", partial)

    @classmethod
    def replicated(cls, rank: int) -> PartitionSpec:
        """The sharding under which every rank holds the whole value."""
        return cls(*[None] * rank)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.axes)

    @property
    def resolved(self) -> PartitionSpec:
        """The same sharding without partial sums."""
        return PartitionSpec(*self.axes) if self.unreduced else self

    def with_unreduced(self, axes: Iterable[str]) -> PartitionSpec:
        """The same cuts, partial over `axes`."""
        return PartitionSpec(*self.axes, unreduced=axes)

    def used(self) -> set[str]:
        """Every mesh axis that it names."""
        return {a for d in self.axes for a in d} | set(self.unreduced)

    def check(self, mesh: Mesh | None, type: TensorType) -> None:
        """Reject, E8002 or E8003, unless it fits a mesh and a value of this type."""
        if mesh is None:
            raise Reject(
                "E8002", f"sharding {self} without a mesh", help="a line such as `mesh: dp = 2` names the axes"
            )
        for axis in (*(a for d in self.axes for a in d), *self.unreduced):
            mesh.axis_size(axis)
        if self.rank != type.rank:
            entries = count(self.rank, "dimension")
            raise Reject("E8003", f"sharding {self} speaks of {entries}, the value is {type}")

    def local_shape(self, mesh: Mesh, shape: Shape) -> Shape:
        """The extents of each rank's part: the last part of a dimension is padded if it is shorter."""
        return tuple(-(-n // mesh.parts(d)) for n, d in zip(shape, self.axes))

    def __str__(self) -> str:
        """The sharding as text: `[dp, _]`, `[[dp, tp], _]`, `partial([dp, _], [tp])`."""
        dims = ", ".join("_" if not d else d[0] if len(d) == 1 else f"[{', '.join(d)}]" for d in self.axes)
        return f"partial([{dims}], [{', '.join(self.unreduced)}])" if self.unreduced else f"[{dims}]"

    def __repr__(self) -> str:
        dims = [repr(None if not d else d[0] if len(d) == 1 else d) for d in self.axes]
        return f"P({', '.join([*dims, *([f'unreduced={set(self.unreduced)}'] if self.unreduced else [])])})"


@dataclass(frozen=True, init=False)
class Sharding:
    """A partition spec on a mesh: `Sharding(mesh, P("dp", None))`."""

    mesh: Mesh
    spec: PartitionSpec

    def __init__(self, mesh: Mesh, spec: PartitionSpec, unreduced: Iterable[str] = ()) -> None:
        """`unreduced` is added to the spec's. E8002 for an axis that the mesh does not have, E8003 for one twice."""
        axes = {*spec.unreduced, *((unreduced,) if isinstance(unreduced, str) else unreduced)}
        spec = spec.with_unreduced(axes)
        try:
            for axis in sorted(spec.used()):
                mesh.axis_size(axis)
        except Reject as why:
            raise MindError([why.located(None, None)]) from None
        object.__setattr__(self, "mesh", mesh)
        object.__setattr__(self, "spec", spec)

    def local_shape(self, shape: Sequence[int]) -> Shape:
        """The extents of each rank's part of a value of this shape."""
        return self.spec.local_shape(self.mesh, tuple(shape))

    def __str__(self) -> str:
        return f"{self.spec} on {self.mesh}"


P = PartitionSpec


def read_spec(syntax: Any) -> PartitionSpec | None:
    """The spec that was written, in the form of written.py; None if it is none. E8003 as `PartitionSpec`."""
    from .written import Call, Word

    def axes(entry: Any) -> tuple[str, ...] | None:
        if isinstance(entry, Word):
            return () if entry == "_" else (str(entry),)
        if isinstance(entry, list) and entry and all(isinstance(a, Word) and a != "_" for a in entry):
            return tuple(map(str, entry))
        return None

    unreduced: Any = []
    if isinstance(syntax, Call) and syntax.name == "partial" and len(syntax.arguments) == 2:
        syntax, unreduced = syntax.arguments
    if not isinstance(syntax, list) or not isinstance(unreduced, list):
        return None
    dims = [axes(entry) for entry in syntax]
    if None in dims or not all(isinstance(a, Word) for a in unreduced):
        return None
    return PartitionSpec(*dims, unreduced=map(str, unreduced))
