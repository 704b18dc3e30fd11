"""Sums that may be reordered and that no kernel has taken, to kernels.

Plain loops would add a million terms one after the other, whose rounding errors add up.  Nothing is left to do after
`form-kernels` and `expand-kernels`, and without them the sums have the same bits.
"""

from __future__ import annotations

from typing import Any

from ..mlir.walk import children, functions
from .expand_kernels import expand_kernels
from .form_kernels import form_kernels


def sums_to_kernels(module: Any) -> None:
    """Form and expand kernels of every linalg.reduce on memrefs that adds floats with `reassoc`."""
    if any(_may_be_reordered(op) for f in functions(module) for op in children(f)):
        form_kernels(module, only=_may_be_reordered)
        expand_kernels(module)


def _may_be_reordered(op: Any) -> bool:
    if op.name != "linalg.reduce" or len(op.results):
        return False
    return any(o.name == "arith.addf" and "reassoc" in str(o.attributes["fastmath"]) for o in children(op))
