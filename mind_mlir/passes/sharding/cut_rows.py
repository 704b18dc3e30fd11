"""Gather and ScatterAdd of rows that mesh axes cut: where each part begins, and the sharding of the result.

A rank picks the rows that it holds, and zeros for the others, so that the sum over ranks is the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...ir import Builder, Mesh, Operation, PartitionSpec, Value, ValueId
from ...ir.literal import from_nested
from .dimensions import ROWS, Axes, Dimensions
from .padding import part


def from_row(b: Builder, mesh: Mesh, o: Operation, extent: int, axes: Axes, operands: Sequence[Value]) -> Value:
    """An operation on the rank's part of `extent` rows, which its indices name."""
    first = len(b.operations)
    numbers = [str(n) for n in starts(mesh, extent, axes)]
    shape, dtype = (len(numbers),), operands[_indices(o)].dtype
    start = part(b, mesh, b.literal(from_nested(dtype, shape, numbers), shape), axes)
    v: Value = o.op.from_row(b, start, extent, *operands)
    b.operations[first:] = [replace(made, span=o.span) for made in b.operations[first:]]
    return v


def starts(mesh: Mesh, extent: int, axes: Axes) -> list[int]:
    """The first row of each part of `extent` rows, which the first of the axes cuts coarsest."""
    found, part = [0], extent
    for n in map(mesh.axis_size, axes):
        part = -(-part // n)
        found = [start + i * part for start in found for i in range(n)]
    return [min(start, extent) for start in found]


def settled(
    o: Operation, dims: Dimensions, spec: PartitionSpec, known: Callable[[ValueId], PartitionSpec | None]
) -> PartitionSpec | None:
    """The sharding to which a result that is partial by the cut of rows is added: as its indices are cut; or None.

    Where the axis of the batch cuts a table too, rows come from every rank, but each rank needs those of its batch.
    """
    if ROWS not in dims.contracted or (indices := known(o.operands[_indices(o)])) is None:
        return None
    axes = list(spec.axes)
    for name, cut in zip(dims.operands[_indices(o)], indices.axes):
        at = dims.result.index(name) if name in dims.result else None
        if at is not None and not axes[at] and cut and set(cut) <= set(spec.unreduced):
            axes[at] = cut
    taken = {a for cut in axes for a in cut}
    return PartitionSpec(*axes, unreduced=set(spec.unreduced) - taken) if axes != list(spec.axes) else None


def _indices(o: Operation) -> int:
    return o.op.operand_names.index("indices")
