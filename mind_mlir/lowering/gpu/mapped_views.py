"""Views of memory that tensor maps are made from, by operations on the host.

A tensor map lets one instruction copy a tile from memory to shared memory, with its bounds checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlir import ir

from ..targets.chips import TERMS

CREATE = "nvgpu.tma.create.descriptor"

TENSOR_MAP = "mind.tensor_map"
"""On a parameter: it is a tensor map. On a kernel: which parameters are. On what makes a map: the dtype of tiles."""


@dataclass(frozen=True)
class View:
    """Memory that the parameter of this number shows, as a tensor of f32; all in elements, outermost first.

    The last dimension is that of terms, the one before it that of lines, those before are loops over products.
    """

    parameter: int
    loops: tuple[int, ...]
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int


@dataclass(frozen=True)
class Mapped:
    """The map of a view, for tiles of so many lines."""

    view: View
    lines: int

    @property
    def box(self) -> tuple[int, ...]:
        """Extents of a tile, outermost first."""
        return (*[1] * len(self.view.loops), self.lines, TERMS)

    def on_host(self, memref: Any) -> Any:
        """The map of this memref, which the kernel's parameter shows, as operations at the insertion point."""
        v, f32 = self.view, ir.F32Type.get()
        layout = ir.StridedLayoutAttr.get(v.offset, list(v.strides))
        shown = ir.Operation.create(
            "memref.reinterpret_cast",
            results=[ir.MemRefType.get(list(v.extents), f32, layout)],
            operands=[memref],
            attributes={
                "static_offsets": ir.DenseI64ArrayAttr.get([v.offset]),
                "static_sizes": ir.DenseI64ArrayAttr.get(list(v.extents)),
                "static_strides": ir.DenseI64ArrayAttr.get(list(v.strides)),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0, 0]),
            },
        ).result
        unranked = ir.Operation.create(
            "memref.cast", results=[ir.UnrankedMemRefType.get(f32, None)], operands=[shown]
        ).result
        made = ir.Operation.create(
            CREATE,
            results=[self._type()],
            operands=[unranked, *map(_index, self.box)],
            attributes={TENSOR_MAP: ir.StringAttr.get("tf32")},
        ).result
        return ir.Operation.create(
            "builtin.unrealized_conversion_cast", results=[ir.Type.parse("!llvm.ptr")], operands=[made]
        ).result

    def _type(self) -> Any:
        tile = "x".join(map(str, self.box))
        return ir.Type.parse(
            f"!nvgpu.tensormap.descriptor<tensor = memref<{tile}xf32, 3>, swizzle = swizzle_128b, "
            "l2promo = l2promo_128b, oob = zero, interleave = none>"
        )


def _index(n: int) -> Any:
    index = ir.IndexType.get()
    return ir.Operation.create(
        "arith.constant", results=[index], attributes={"value": ir.IntegerAttr.get(index, n)}
    ).result
