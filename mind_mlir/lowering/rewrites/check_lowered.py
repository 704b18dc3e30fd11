"""Nothing is left that MLIR cannot translate to LLVM."""

from __future__ import annotations

from typing import Any

from ..mlir.failure import MlirPassFailed
from ..mlir.walk import operations


def check_lowered(module: Any) -> None:
    """Nothing but the LLVM dialect and OpenMP is left.  MlirPassFailed names the conversion that is missing."""
    done = ("llvm.", "omp.")
    names = dict.fromkeys(op.name for op in operations(module)[1:] if not op.name.startswith(done))
    if names:
        dialects = ", ".join(dict.fromkeys(n.split(".")[0] for n in names))
        raise MlirPassFailed(
            "check-lowered",
            [f"not lowered to LLVM: {', '.join(names)}"],
            f"a pass that converts {dialects} is missing from the pipeline",
        )
