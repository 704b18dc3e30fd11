"""Makes contexts of MLIR."""

from __future__ import annotations

from typing import Any

from ..toolchain.installed import require_mlir

require_mlir()

from mlir import ir  # noqa: E402


def new_context() -> Any:
    """A new context, without a thread pool, so that text and errors come in a fixed order."""
    context = ir.Context()
    context.enable_multithreading(False)
    return context
