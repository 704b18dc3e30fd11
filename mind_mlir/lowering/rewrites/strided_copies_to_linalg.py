"""Makes linalg operations of copies for which memref.copy is slow: MLIR makes memcpy of it, or a library call."""

from __future__ import annotations

import math
from typing import Any

from mlir import ir

from ...ir import DType
from ..kernels.record import operations_to_lower
from ..mlir.rewriter import Rewriter, rewrite

LARGE = 1 << 22
"""For a result of at least so many bytes, a strategy may be faster than memcpy, which does not know that it is one."""


@rewrite("strided-copies-to-linalg")
def strided_copies_to_linalg(r: Rewriter) -> None:
    """Make memref.copy of strided memrefs and of large results linalg.copy, for strategies."""
    for copy in operations_to_lower(r.module):
        if copy.name != "memref.copy":
            continue
        if not any("strided" in str(v.type) for v in copy.operands) and not _is_large_result(copy.operands[1]):
            continue
        with Rewriter.before(copy):
            Rewriter.linalg("linalg.copy", copy.operands)
        copy.erase()


def _is_large_result(target: Any) -> bool:
    t = ir.MemRefType(target.type)
    return isinstance(target, ir.BlockArgument) and math.prod(t.shape) * DType(str(t.element_type)).width >= LARGE
