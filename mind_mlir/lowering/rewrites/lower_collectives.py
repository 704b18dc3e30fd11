"""Replaces operations between ranks, of MLIR's dialect `shard` on tensors, by calls on buffers, for MPI.

    %0 = shard.all_reduce %x on @mind_mesh grid_axes = [1]
    →  %b = bufferization.to_buffer %x;  %a = memref.alloc()
       call @mind_collective_0(%b, %a);  %0 = bufferization.to_tensor %a restrict

The functions are declared here, with the attribute `mind.collective`, which says what they do; `call-mpi` writes them.
MPI puts parts one after the other, so along other dimensions than the first a transpose is added before or after the
call.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import MindError
from ..memory.offsets import ALIGNMENT
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children

COLLECTIVE = "mind.collective"
"""The attribute of a declared function with its operation, the axis of the grid, the element type and the number."""


MOST_ELEMENTS = 2**31 - 1
"""The most elements of one call, since MPI counts them in a C int."""


@rewrite("lower-collectives")
def lower_collectives(r: Rewriter) -> None:
    """Replace operations between ranks of the dialect shard by calls on buffers.

    E7008 for one that is not along one axis of static tensors, E6003 for one of more elements than MPI counts.
    """
    grids = {op.attributes["sym_name"].value: op for op in r.children("shard.grid")}
    if not grids:
        return
    lowering = _Lowering(r.module, {name: list(g.attributes["shape"]) for name, g in grids.items()})
    for f in r.functions():
        for op in children(f):
            if op.name.startswith("shard."):
                lowering.lower(op)
    for grid in grids.values():
        grid.erase()


class _Lowering:
    def __init__(self, module: Any, grids: dict[str, list[int]]) -> None:
        self.module, self.grids = module, grids
        self.declared: dict[tuple[Any, ...], str] = {}

    def lower(self, op: Any) -> None:
        """Replace one operation by calls."""
        rules = {
            "shard.all_reduce": self._all_reduce,
            "shard.all_gather": self._all_gather,
            "shard.reduce_scatter": self._reduce_scatter,
            "shard.all_to_all": self._all_to_all,
            "shard.all_slice": self._all_slice,
        }
        axes = _integers(op.attributes["grid_axes"]) if "grid_axes" in op.attributes else []
        grid = self.grids.get(op.attributes["grid"].value) if "grid" in op.attributes else None
        if op.name not in rules or len(axes) != 1 or grid is None or not op.operands[0].type.has_static_shape:
            message = f"lower-collectives takes operations along one axis of a grid on static tensors, found {op.name}"
            raise MindError.of("E7008", message)
        with Rewriter.before(op):
            result = rules[op.name](op, op.operands[0], axes[0], grid[axes[0]])
        Rewriter.replace(op, result)

    def _all_reduce(self, op: Any, x: Any, axis: int, size: int) -> Any:
        return self._call("all_reduce", x, x.type.shape, axis, math.prod(x.type.shape), _reduction(op))

    def _all_gather(self, op: Any, x: Any, axis: int, size: int) -> Any:
        d = op.attributes["gather_axis"].value
        shape = x.type.shape
        parts = self._call("all_gather", x, [size, *shape], axis, math.prod(shape))
        return _collapsed(_transposed(parts, [*range(1, d + 1), 0, *range(d + 1, len(shape) + 1)]), d)

    def _reduce_scatter(self, op: Any, x: Any, axis: int, size: int) -> Any:
        x, rest = _parts_first(x, op.attributes["scatter_axis"].value, size)
        return self._call("reduce_scatter", x, rest, axis, math.prod(rest), _reduction(op))

    def _all_to_all(self, op: Any, x: Any, axis: int, size: int) -> Any:
        c = op.attributes["concat_axis"].value
        x, rest = _parts_first(x, op.attributes["split_axis"].value, size)
        parts = self._call("all_to_all", x, [size, *rest], axis, math.prod(rest))
        return _collapsed(_transposed(parts, [*range(1, c + 1), 0, *range(c + 1, len(rest) + 1)]), c)

    def _all_slice(self, op: Any, x: Any, axis: int, size: int) -> Any:
        x, rest = _parts_first(x, op.attributes["slice_axis"].value, size)
        return self._call("part", x, rest, axis, math.prod(rest))

    def _call(self, kind: str, x: Any, shape: Sequence[int], axis: int, count: int, reduction: str = "sum") -> Any:
        """The result, of this shape, of a function that reads the buffer of `x`. E6003 for too many elements."""
        if kind != "part" and count > MOST_ELEMENTS:
            message = f"{kind} of {count} elements on a rank; MPI counts up to {MOST_ELEMENTS}"
            raise MindError.of("E6003", message, help="Slice before it, and put the results together")
        element = x.type.element_type
        source = ir.MemRefType.get(x.type.shape, element)
        target = ir.MemRefType.get(list(shape), element)
        buffer = ir.Operation.create(
            "bufferization.to_buffer", results=[source], operands=[x], attributes={"read_only": ir.UnitAttr.get()}
        ).result
        attributes = {
            "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), ALIGNMENT),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([0, 0]),
        }
        out = ir.Operation.create("memref.alloc", results=[target], attributes=attributes).result
        name = self._declaration(kind, source, target, axis, count, reduction)
        Rewriter.call(name, [buffer, out])
        return ir.Operation.create(
            "bufferization.to_tensor",
            results=[ir.RankedTensorType.get(list(shape), element)],
            operands=[out],
            attributes={"restrict": ir.UnitAttr.get()},
        ).result

    def _declaration(self, kind: str, source: Any, target: Any, axis: int, count: int, reduction: str) -> str:
        key = kind, source, target, axis, reduction
        if key not in self.declared:
            self.declared[key] = name = f"mind_collective_{len(self.declared)}"
            i64 = ir.IntegerType.get_signless(64)
            about = {
                "kind": ir.StringAttr.get(kind),
                "axis": ir.IntegerAttr.get(i64, axis),
                "count": ir.IntegerAttr.get(i64, count),
                "element": ir.TypeAttr.get(source.element_type),
                "reduction": ir.StringAttr.get(reduction),
            }
            with ir.InsertionPoint.at_block_begin(self.module.body):
                ir.Operation.create(
                    "func.func",
                    attributes={
                        "sym_name": ir.StringAttr.get(name),
                        "sym_visibility": ir.StringAttr.get("private"),
                        "function_type": ir.TypeAttr.get(ir.FunctionType.get([source, target], [])),
                        COLLECTIVE: ir.DictAttr.get(about),
                    },
                    regions=1,
                )
        return self.declared[key]


def _integers(array: Any) -> list[int]:
    """The numbers of `array<i16: …>`, for which MLIR's bindings have no class."""
    text = str(array)
    return [int(n) for n in text[text.index(":") + 1 : -1].split(",")] if ":" in text else []


def _reduction(op: Any) -> str:
    """The reduction: sum, max or min. E7008 for another one."""
    text = str(op.attributes["reduction"]) if "reduction" in op.attributes else "sum"
    for kind in ("sum", "max", "min"):
        if text in (kind, f"#shard<partial {kind}>"):
            return kind
    raise MindError.of("E7008", f"lower-collectives adds, or takes the largest or smallest, found {text}")


def _parts_first(x: Any, dim: int, size: int) -> tuple[Any, list[int]]:
    """`x` with its parts along a dimension as a new first dimension, and the shape of one part."""
    shape = list(x.type.shape)
    rest = [n // size if d == dim else n for d, n in enumerate(shape)]
    groups = [[d] for d in range(dim)] + [[dim, dim + 1]] + [[d + 1] for d in range(dim + 1, len(shape))]
    cut = [*rest[:dim], size, *rest[dim:]]
    x = _reassociated("expand", x, groups, cut)
    return _transposed(x, [dim, *(d for d in range(len(cut)) if d != dim)]), rest


def _collapsed(x: Any, dim: int) -> Any:
    """`x` with a dimension and the next one merged."""
    shape = list(x.type.shape)
    groups = [[d] for d in range(dim)] + [[dim, dim + 1]] + [[d] for d in range(dim + 2, len(shape))]
    return _reassociated("collapse", x, groups, [*shape[:dim], shape[dim] * shape[dim + 1], *shape[dim + 2 :]])


def _reassociated(way: str, x: Any, groups: list[list[int]], shape: list[int]) -> Any:
    i64 = ir.IntegerType.get_signless(64)
    listed = [ir.ArrayAttr.get([ir.IntegerAttr.get(i64, d) for d in group]) for group in groups]
    attributes: dict[str, Any] = {"reassociation": ir.ArrayAttr.get(listed)}
    if way == "expand":
        attributes["static_output_shape"] = ir.DenseI64ArrayAttr.get(shape)
    type = ir.RankedTensorType.get(shape, x.type.element_type)
    return ir.Operation.create(f"tensor.{way}_shape", results=[type], operands=[x], attributes=attributes).result


def _transposed(x: Any, permutation: list[int]) -> Any:
    if permutation == sorted(permutation):
        return x
    type = ir.RankedTensorType.get([x.type.shape[d] for d in permutation], x.type.element_type)
    empty = ir.Operation.create("tensor.empty", results=[type]).result
    attributes = {"permutation": ir.DenseI64ArrayAttr.get(permutation)}
    return Rewriter.linalg("linalg.transpose", [x, empty], [type], attributes).result
