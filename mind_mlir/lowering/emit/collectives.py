"""Emits operations between ranks in MLIR's dialect `shard`, on the one grid of the module.

The grid, `shard.grid @mind_mesh(shape = 2x4) {mind.axes = ["dp", "tp"]}`, is before the function. The pass
`lower-collectives` makes calls of MPI of these operations.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import Mesh, TensorType
from .emission import Emission
from .tensors import type_of

GRID = "mind_mesh"
"""The symbol of the grid of ranks."""

AXES = "mind.axes"
"""The attribute of the grid with the names of its axes."""


def emit_grid(mesh: Mesh) -> None:
    """Emit the grid of a mesh, at the insertion point."""
    ir.Operation.create(
        "shard.grid",
        attributes={
            "sym_name": ir.StringAttr.get(GRID),
            "shape": ir.DenseI64ArrayAttr.get(list(mesh.axis_sizes)),
            AXES: ir.ArrayAttr.get([ir.StringAttr.get(name) for name in mesh.axis_names]),
        },
    )


class Collectives:
    """`e.shard`: emits operations between ranks, and nothing along an axis of one rank."""

    def __init__(self, emission: Emission, mesh: Mesh | None) -> None:
        self._emission, self._mesh = emission, mesh

    def all_reduce(self, x: Any, axis: str, size: int, kind: str) -> Any:
        """`shard.all_reduce`."""
        reduction = ir.Attribute.parse(f"#shard<partial {kind}>")
        return self._across("all_reduce", x, axis, size, type_of(x), reduction=reduction)

    def all_gather(self, x: Any, axis: str, size: int, dim: int, result: TensorType) -> Any:
        """`shard.all_gather`."""
        return self._across("all_gather", x, axis, size, result, gather_axis=_index(dim))

    def reduce_scatter(self, x: Any, axis: str, size: int, dim: int, result: TensorType) -> Any:
        """`shard.reduce_scatter` with addition."""
        reduction = ir.Attribute.parse("#shard<partial sum>")
        return self._across("reduce_scatter", x, axis, size, result, reduction=reduction, scatter_axis=_index(dim))

    def all_to_all(self, x: Any, axis: str, size: int, split: int, concat: int, result: TensorType) -> Any:
        """`shard.all_to_all`."""
        return self._across("all_to_all", x, axis, size, result, split_axis=_index(split), concat_axis=_index(concat))

    def shard_slice(self, x: Any, axis: str, size: int, dim: int, result: TensorType) -> Any:
        """`shard.all_slice`."""
        return self._across("all_slice", x, axis, size, result, slice_axis=_index(dim))

    def _across(self, name: str, x: Any, axis: str, size: int, result: TensorType, **attributes: Any) -> Any:
        if size == 1:
            return x
        assert self._mesh is not None, "verify wants a mesh for more than one rank"
        number = self._mesh.axis_names.index(axis)
        attributes["grid"] = ir.FlatSymbolRefAttr.get(GRID)
        attributes["grid_axes"] = ir.Attribute.parse(f"array<i16: {number}>")
        return self._emission.create(f"shard.{name}", [x], result, attributes).result


def _index(n: int) -> Any:
    return ir.IntegerAttr.get(ir.IndexType.get(), n)
