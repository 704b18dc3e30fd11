"""How a function is to be computed: attributes that `lower-to-linalg` writes and later passes read."""

from __future__ import annotations

from typing import Any

MODES = ("default", "strict", "fast")
"""How far results may differ from `interpret`: within stated bounds, not at all, or in whatever LLVM may do."""

NUMERICS = "mind.numerics"
"""On func.func: how far results may differ from `interpret`, "strict", "default" or "fast"; default if absent."""

THREADS = "mind.threads"
"""On func.func: the largest number of threads to use, an i64; 1 if absent."""


def numerics_of(function: Any) -> str:
    """strict, default or fast."""
    return str(function.attributes[NUMERICS].value) if NUMERICS in function.attributes else "default"


def threads_of(function: Any) -> int:
    """The largest number of threads."""
    return int(function.attributes[THREADS].value) if THREADS in function.attributes else 1
