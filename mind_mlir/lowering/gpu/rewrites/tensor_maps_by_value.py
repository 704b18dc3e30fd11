"""Tensor maps of a kernel as what the host passes: 128 bytes among its parameters, which nobody writes."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import children
from ..mapped_views import TENSOR_MAP

_ALIGNMENT = 64
"""Of a CUtensorMap, in bytes."""


@rewrite("tensor-maps-by-value")
def tensor_maps_by_value(r: Rewriter) -> None:
    """Make tensor maps of GPU kernels parameters of 128 bytes, which are never written.

    Until here, MLIR takes them for pointers to anything.
    """
    for device in r.children("gpu.module"):
        for f in children(device):
            if TENSOR_MAP in f.attributes:
                _by_value(f)


def _by_value(f: Any) -> None:
    given = list(f.attributes["arg_attrs"])
    for n in f.attributes[TENSOR_MAP]:
        given[n] = ir.DictAttr.get(
            {
                "llvm.byval": ir.TypeAttr.get(ir.Type.parse("!llvm.array<128 x i8>")),
                "llvm.align": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _ALIGNMENT),
                "nvvm.grid_constant": ir.UnitAttr.get(),
            }
        )
    f.attributes["arg_attrs"] = ir.ArrayAttr.get(given)
    del f.attributes[TENSOR_MAP]
