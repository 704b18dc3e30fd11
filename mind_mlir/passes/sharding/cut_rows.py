"""Rows that indices count, where mesh axes cut them: where each part begins, and how rows that were picked lie.

A rank picks the rows that it has, and zeros for the others, so that the sum over ranks is what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...ir import Builder, Mesh, Operation, PartitionSpec, Value, ValueId
from ...ir.literal import from_nested
from .dimensions import ROWS, Axes, Dimensions
from .padding import part


def from_row(b: Builder, mesh: Mesh, o: Operation, extent: int, axes: Axes, operands: Sequence[Value]) -> Value:
    """An operation on the rank's part of so many rows that its indices count."""
    first = len(b.operations)
    numbers = [str(n) for n in starts(mesh, extent, axes)]
    shape, dtype = (len(numbers),), operands[_indices(o)].dtype
    start = part(b, mesh, b.literal(from_nested(dtype, shape, numbers), shape), axes)
    v: Value = o.op.from_row(b, start, extent, *operands)
    b.operations[first:] = [replace(made, span=o.span) for made in b.operations[first:]]
    return v


def starts(mesh: Mesh, extent: int, axes: Axes) -> list[int]:
    """The row at which each part of so many rows begins, the first axis coarsest."""
    found, part = [0], extent
    for n in map(mesh.axis_size, axes):
        part = -(-part // n)
        found = [start + i * part for start in found for i in range(n)]
    return [min(start, extent) for start in found]


def settled(
    o: Operation, dims: Dimensions, spec: PartitionSpec, known: Callable[[ValueId], PartitionSpec | None]
) -> PartitionSpec | None:
    """A result that is partial as rows were cut, cut over those axes that cut the indices; None if there are none.

    Where the axis of the batch cuts a table too, rows come from every rank, but each one goes on with its own batch.
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
