"""Copies as linalg operations, where memref.copy would not do: MLIR makes memcpy of it, or a library call."""

from __future__ import annotations

import math
from typing import Any

from mlir import ir
from mlir._mlir_libs import _mlirDialectsLinalg  # fill_builtin_region

from ...ir import DType
from ..kernels.record import operations_to_lower

LARGE = 1 << 22
"""Bytes of a result from which on a strategy may do better than memcpy, which does not know that it is one."""


def strided_copies_to_linalg(module: Any) -> None:
    """Replace every memref.copy that is not contiguous, and those that make a large result of a function."""
    for copy in operations_to_lower(module):
        if copy.name != "memref.copy":
            continue
        if not any("strided" in str(v.type) for v in copy.operands) and not _is_large_result(copy.operands[1]):
            continue
        segments = ir.DenseI32ArrayAttr.get([1, 1], module.context)
        with ir.InsertionPoint(copy), copy.location:
            made = ir.Operation.create(
                "linalg.copy", operands=list(copy.operands), attributes={"operandSegmentSizes": segments}, regions=1
            )
            _mlirDialectsLinalg.fill_builtin_region(made)
        copy.erase()


def _is_large_result(target: Any) -> bool:
    t = ir.MemRefType(target.type)
    return isinstance(target, ir.BlockArgument) and math.prod(t.shape) * DType(str(t.element_type)).width >= LARGE
