"""How a value gets from one sharding to another, and the bytes that each rank sends.

    partial over an axis    -> cut by it     ReduceScatter    B (n - 1) / n
                            -> whole         AllReduce        2 B (n - 1) / n
    cut in one dimension    -> in another    AllToAll         B (n - 1) / n
                            -> whole         AllGather        B (n - 1)
    whole                   -> cut           ShardSlice       0

B is the bytes of what a rank holds before, n the ranks along the axis: what a ring sends (Thakur, Rabenseifner and
Gropp, Optimization of Collective Communication Operations in MPICH).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...ir import OPS, Mesh, PartitionSpec, Reject, TensorType

if TYPE_CHECKING:
    from ...ops._collective import Collective


@dataclass(frozen=True)
class Move:
    """One operation between ranks: the value's sharding after it, and the bytes that each rank sends."""

    op: Collective
    spec: PartitionSpec
    nbytes: int


@functools.lru_cache(1 << 14)
def moves(mesh: Mesh, type: TensorType, source: PartitionSpec, target: PartitionSpec) -> tuple[Move, ...]:
    """The operations from the sharding `source` to `target`. Reject, E8005, if only the target is partial."""
    if made := set(target.unreduced) - set(source.unreduced):
        axes = ", ".join(sorted(made))
        raise Reject(
            "E8005",
            f"a value sharded as {source} cannot become {target}: it is no sum of what ranks hold over {axes}",
        )
    out: list[Move] = []
    spec = source

    def step(opcode: str, after: PartitionSpec, axis: str, *dims: int) -> None:
        nonlocal spec
        if (n := mesh.axis_size(axis)) > 1:
            held = type.with_shape(spec.local_shape(mesh, type.shape)).nbytes
            op: Any = OPS[opcode](axis, n, *dims)  # type: ignore[call-arg]
            out.append(Move(op, after, op.sent(held, n)))
        spec = after

    def begins(dim: int, axis: str) -> bool:
        """True if the target cuts this dimension by the axes it has and then by this one."""
        have = (*spec.axes[dim], axis)
        return target.axes[dim][: len(have)] == have

    while left := [a for a in spec.unreduced if a not in target.unreduced]:
        where = [(a, d) for a in left for d in range(type.rank) if begins(d, a)]
        axis = where[0][0] if where else left[0]
        rest = [a for a in spec.unreduced if a != axis]
        if where:
            after = _with(spec.with_unreduced(rest), where[0][1], (*spec.axes[where[0][1]], axis))
            step("ReduceScatter", after, axis, where[0][1])
        else:
            step("AllReduce", spec.with_unreduced(rest), axis)
    for dim in range(type.rank):
        while spec.axes[dim] != target.axes[dim][: len(spec.axes[dim])]:
            *rest, axis = spec.axes[dim]
            into = next((d for d in range(type.rank) if d != dim and begins(d, axis)), None)
            after = _with(spec, dim, tuple(rest))
            if into is None:
                step("AllGather", after, axis, dim)
            else:
                after = _with(after, into, (*spec.axes[into], axis))
                step("AllToAll", after, axis, into, dim)
    for dim in range(type.rank):
        for axis in target.axes[dim][len(spec.axes[dim]) :]:
            step("ShardSlice", _with(spec, dim, (*spec.axes[dim], axis)), axis, dim)
    assert spec == target, f"{source} led to {spec}, not to {target}"
    return tuple(out)


class Prices:
    """The bytes that each rank sends to get from one sharding to another, plus `operation` for each time it sends.

    Each result is kept.
    """

    def __init__(self, mesh: Mesh, operation: int = 0) -> None:
        self._mesh, self._operation = mesh, operation
        self._known: dict[tuple[TensorType, PartitionSpec, PartitionSpec], float] = {}

    def __call__(self, type: TensorType, source: PartitionSpec, target: PartitionSpec) -> float:
        """The bytes for a value of this type; infinite if the target is partial and the source is not."""
        if source is target:
            return 0
        key = (type, source, target)
        found = self._known.get(key)
        if found is None:
            possible = set(target.unreduced) <= set(source.unreduced)
            steps = moves(self._mesh, type, source, target) if possible else ()
            found = sum([m.nbytes + self._operation * m.op.sends() for m in steps]) if possible else math.inf
            self._known[key] = found
        return found


def _with(spec: PartitionSpec, dim: int, axes: tuple[str, ...]) -> PartitionSpec:
    dims = [axes if d == dim else a for d, a in enumerate(spec.axes)]
    return PartitionSpec(*dims, unreduced=spec.unreduced)
