"""Nothing is left that LLVM does not know."""

from __future__ import annotations

from typing import Any

from ...ir import MindError
from ._walk import operations


def check_lowered(module: Any) -> None:
    """After a lowering: nothing but the LLVM dialect is left.  E9001 names the conversion that is missing."""
    names = dict.fromkeys(op.name for op in operations(module)[1:] if not op.name.startswith("llvm."))
    if names:
        dialects = ", ".join(dict.fromkeys(n.split(".")[0] for n in names))
        raise MindError.of(
            "E9001",
            f"not lowered to LLVM: {', '.join(names)}",
            help=f"a pass that converts {dialects} is missing from the pipeline",
        )
