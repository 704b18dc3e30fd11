"""Which part of a value a rank holds. docs/sharding.md, Padding.

A dimension of extent n that axes of a and b ranks cut has parts of ⌈n / a⌉, and each of these parts of ⌈⌈n / a⌉ / b⌉;
a part that is shorter is padded with zeros at its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir import Mesh, PartitionSpec, np

if TYPE_CHECKING:
    import numpy


def bounds(mesh: Mesh, spec: PartitionSpec, shape: Sequence[int], rank: int) -> list[tuple[int, int, int]]:
    """For each dimension, the start and the end of the rank's elements, and the extent of its part with padding."""
    where = mesh.coordinates(rank)
    out = []
    for n, axes in zip(shape, spec.axes):
        start, end, extent = 0, n, n
        for axis in axes:
            extent = -(-extent // mesh.axis_size(axis))
            start = min(start + where[axis] * extent, end)
            end = min(start + extent, end)
        out.append((start, end, extent))
    return out


def piece(array: Any, mesh: Mesh, spec: PartitionSpec, rank: int) -> numpy.ndarray:
    """The part of a value that a rank holds; no more of `array` is read.

    Of a value in partial sums the first rank along each axis holds all, the others zeros.
    """
    where = bounds(mesh, spec, array.shape, rank)
    coordinates = mesh.coordinates(rank)
    extents = [extent for _, _, extent in where]
    if any(coordinates[axis] for axis in spec.unreduced):
        return np.zeros(extents, array.dtype)
    part = array[tuple(slice(start, end) for start, end, _ in where)]
    if list(part.shape) == extents:
        return np.array(part, order="C", ndmin=len(extents))
    out = np.zeros(extents, array.dtype)
    out[tuple(slice(0, n) for n in part.shape)] = part
    return out


def joined(pieces: Sequence[Any], mesh: Mesh, spec: PartitionSpec, shape: Sequence[int]) -> numpy.ndarray:
    """The value of this shape from the parts of all ranks, in order."""
    out = np.zeros(tuple(shape), np.asarray(pieces[0]).dtype)
    for rank, part in enumerate(pieces):
        where = bounds(mesh, spec, shape, rank)
        first = all(c == 0 for axis, c in mesh.coordinates(rank).items() if axis not in spec.used())
        if first:  # other ranks hold the same
            inside = np.asarray(part)[tuple(slice(0, end - start) for start, end, _ in where)]
            out[tuple(slice(start, end) for start, end, _ in where)] += inside
    return out
