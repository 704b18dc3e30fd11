"""Loops that threads share, as OpenMP."""

from __future__ import annotations

from typing import Any

from mlir.passmanager import PassManager

from ..modes import threads_of
from ._walk import functions, operations


def share_loops(module: Any) -> None:
    """scf.parallel to OpenMP teams of as many threads as the functions say, each thread a run of neighbouring turns."""
    threads = max((threads_of(f) for f in functions(module)), default=1)
    if any(op.name == "scf.parallel" for op in operations(module)):
        text = f"builtin.module(convert-scf-to-openmp{{num-threads={threads}}},canonicalize)"  # it inlines alloca_scope
        PassManager.parse(text, module.context).run(module.operation)
