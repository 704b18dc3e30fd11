"""Checks that nothing is left that MLIR cannot translate to LLVM."""

from __future__ import annotations

from ..mlir.failure import MlirPassFailed
from ..mlir.rewriter import Rewriter, rewrite


@rewrite("check-lowered")
def check_lowered(r: Rewriter) -> None:
    """Fail if anything but the LLVM dialect is left, naming the missing conversion.

    OpenMP may be left, too. MlirPassFailed names what is missing.
    """
    done = ("llvm.", "omp.")
    names = dict.fromkeys(op.name for op in r.operations() if not op.name.startswith(done))
    if names:
        dialects = ", ".join(dict.fromkeys(n.split(".")[0] for n in names))
        raise MlirPassFailed(
            "check-lowered",
            [f"not lowered to LLVM: {', '.join(names)}"],
            f"a pass that converts {dialects} is missing from the pipeline",
        )
