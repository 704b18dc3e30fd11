"""Copies between strided memrefs, without a runtime library."""

from __future__ import annotations

from typing import Any

from mlir import ir
from mlir._mlir_libs import _mlirDialectsLinalg  # fill_builtin_region

from ._walk import operations


def strided_copies_to_linalg(module: Any) -> None:
    """Replace every memref.copy that is not contiguous: MLIR would call a library function for it."""
    for copy in operations(module):
        if copy.name != "memref.copy" or not any("strided" in str(v.type) for v in copy.operands):
            continue
        segments = ir.DenseI32ArrayAttr.get([1, 1], module.context)
        with ir.InsertionPoint(copy), copy.location:
            made = ir.Operation.create(
                "linalg.copy", operands=list(copy.operands), attributes={"operandSegmentSizes": segments}, regions=1
            )
            _mlirDialectsLinalg.fill_builtin_region(made)
        copy.erase()
