"""Makes kernels of sums that may be reordered and that have none.

Plain loops would add a million terms one after the other, and rounding errors would add up. After `form-kernels` and
`expand-kernels` nothing is left to do; without them the sums have the same bits.
"""

from __future__ import annotations

from typing import Any

from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children
from .expand_kernels import expand_kernels
from .form_kernels import form_groups


@rewrite("sums-to-kernels")
def sums_to_kernels(r: Rewriter) -> None:
    """Make kernels of sums that may be reordered and that have none: loops would lose digits.

    Each is a linalg.reduce on memrefs that adds floats with `reassoc`.
    """
    if any(_may_be_reordered(op) for f in r.functions() for op in children(f)):
        form_groups(r, "native", only=_may_be_reordered)
        expand_kernels(r.module)


def _may_be_reordered(op: Any) -> bool:
    if op.name != "linalg.reduce" or len(op.results):
        return False
    return any(o.name == "arith.addf" and "reassoc" in str(o.attributes["fastmath"]) for o in children(op))
