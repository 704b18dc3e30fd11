"""Shared memory whose size a launch decides: MLIR declares it internal, as if it were of no bytes at all."""

from __future__ import annotations

from mlir import ir

from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import children

_PREFIX = "__dynamic_shmem__"
"""What MLIR calls it (22)."""

ALIGNMENT = 1024
"""Of its start, in bytes: what the swizzled tiles of tensor cores need."""


@rewrite("extern-shared-memory")
def extern_shared_memory(r: Rewriter) -> None:
    """Make the shared memory that launches ask for an external symbol, well aligned."""
    for device in r.children("gpu.module"):
        for op in children(device):
            if op.name == "llvm.mlir.global" and op.attributes["sym_name"].value.startswith(_PREFIX):
                op.attributes["linkage"] = ir.Attribute.parse("#llvm.linkage<external>")
                op.attributes["alignment"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), ALIGNMENT)
