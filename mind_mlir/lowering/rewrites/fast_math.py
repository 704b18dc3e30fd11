"""Lets LLVM fuse multiplications and additions of floats under fast numerics, by a flag, in all code.

Flags that allow more, such as reordering, would undo the roundings on which the formulas rely.
"""

from __future__ import annotations

from mlir import ir

from ..emit.modes import numerics_of
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import operations

_FUSES = {f"arith.{name}" for name in ("addf", "subf", "mulf", "negf")}


@rewrite("fast-math")
def fast_math(r: Rewriter) -> None:
    """Under fast numerics, let LLVM fuse multiplications and additions.

    All functions are marked if one of them has fast numerics, since it calls the others.
    """
    found = r.functions()
    if not any(numerics_of(f) == "fast" for f in found):
        return
    contract = ir.Attribute.parse("#arith.fastmath<contract>")
    none = ir.Attribute.parse("#arith.fastmath<none>")
    for f in found:
        for op in operations(f):
            if op.name in _FUSES and ("fastmath" not in op.attributes or op.attributes["fastmath"] == none):
                op.attributes["fastmath"] = contract
