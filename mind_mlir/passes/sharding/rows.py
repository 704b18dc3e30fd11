"""Rows that indices count, where mesh axes cut them: where each part begins, and how rows that were picked lie.

A rank picks the rows that it has, and zeros for the others, so that the sum over ranks is what was asked for.
"""

from __future__ import annotations

from ...ir import Mesh, PartitionSpec
from .dimensions import Axes, Dimensions


def starts(mesh: Mesh, extent: int, axes: Axes) -> list[int]:
    """The row at which each part of so many rows begins, the first axis coarsest."""
    found, part = [0], extent
    for n in map(mesh.axis_size, axes):
        part = -(-part // n)
        found = [start + i * part for start in found for i in range(n)]
    return [min(start, extent) for start in found]


def settled(dims: Dimensions, spec: PartitionSpec, n: int, indices: PartitionSpec | None) -> PartitionSpec | None:
    """A partial result, cut over those axes that cut the indices, operand `n`; None if there are none.

    Where the axis of the batch cuts a table too, rows come from every rank, but each one goes on with its own batch.
    """
    if indices is None or not dims.is_summed_by_rows:
        return None
    axes = list(spec.axes)
    for name, cut in zip(dims.operands[n], indices.axes):
        at = dims.result.index(name) if name in dims.result else None
        if at is not None and not axes[at] and cut and set(cut) <= set(spec.unreduced):
            axes[at] = cut
    taken = {a for cut in axes for a in cut}
    return PartitionSpec(*axes, unreduced=set(spec.unreduced) - taken) if axes != list(spec.axes) else None
