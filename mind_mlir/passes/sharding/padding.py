"""Pads the last part of a dimension that the ranks do not divide, and keeps the padding out of sums."""

from __future__ import annotations

from collections.abc import Mapping

from ...ir import Builder, DType, Literal, Mesh, Value
from .dimensions import Axes, Dimensions


def part(b: Builder, mesh: Mesh, v: Value, axes: Axes) -> Value:
    """The rank's part of a vector that is the same on all ranks, padded with zeros."""
    for axis in axes:
        if (n := mesh.axis_size(axis)) > 1:
            if rest := v.shape[0] % n:
                v = b.Pad(v, [0], [n - rest], [0])
            v = b.ShardSlice(v, axis, n, 0)
    return v


class Masks:
    """Makes masks of padding in a local module, each once."""

    def __init__(self, b: Builder, mesh: Mesh) -> None:
        self.b, self.mesh = b, mesh
        self.made: dict[tuple[int, Axes], Value] = {}

    def zeroed(self, v: Value, dims: Dimensions, n: int, by_name: Mapping[str, Axes]) -> Value:
        """Operand `n` with zeros where its pieces are padded along these names."""
        for name, axes in by_name.items():
            extent = dims.extents[name]
            if extent % self.mesh.parts(axes):
                at = dims.position(n, name)
                shape = [-1 if d == at else 1 for d in range(v.type.rank)]
                mask, zero = self._mask(extent, axes), self.b.zeros(v.type.with_shape(()))
                v = self.b.Select(self.b.Reshape(mask, shape), v, zero)
        return v

    def _mask(self, extent: int, axes: Axes) -> Value:
        """A vector with 1 where a piece has an element, and 0 where it is padded."""
        key = extent, axes
        if key not in self.made:
            ones = self.b.literal(Literal.scalar(DType.I1, 1), (extent,))
            self.made[key] = part(self.b, self.mesh, ones, axes)
        return self.made[key]
