"""Notes the chip for which the code of device modules is compiled."""

from __future__ import annotations

from ...mlir.pass_driver import run_mlir_pass
from ...mlir.rewriter import Rewriter, rewrite
from ...targets.chips import find_chip


@rewrite("attach-gpu-targets")
def attach_gpu_targets(r: Rewriter, *, chip: str = "sm_80") -> None:
    """Note the kind of chip for which modules for the device are compiled, and a version of PTX for it."""
    found = find_chip(chip)
    run_mlir_pass(f"nvvm-attach-target{{chip={found.name} features={found.features} O=3}}", r.module)
