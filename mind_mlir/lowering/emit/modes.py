"""Attributes of a function that say how it is computed: `lower-to-linalg` writes them, and later passes read them."""

from __future__ import annotations

from typing import Any

from ...ir import MindError

MODES = ("default", "strict", "fast")
"""How far results may differ from `interpret`: within stated bounds, not at all, or by anything that LLVM may do."""

NUMERICS = "mind.numerics"
"""The attribute of func.func with the numerics mode, "strict", "default" or "fast"; default if absent."""

THREADS = "mind.threads"
"""The attribute of func.func with the largest number of threads, an i64; 1 if absent."""


def numerics_of(function: Any) -> str:
    """The numerics mode. E7008 for an attribute with another value."""
    if NUMERICS not in function.attributes:
        return "default"
    found = function.attributes[NUMERICS]
    for mode in MODES:
        if str(found) == f'"{mode}"':
            return mode
    raise MindError.of("E7008", f"{NUMERICS} is one of {', '.join(MODES)}, found {found}")


def threads_of(function: Any) -> int:
    """The largest number of threads. E7008 for an attribute that is no i64 above 0."""
    if THREADS not in function.attributes:
        return 1
    found = function.attributes[THREADS]
    value = getattr(found, "value", None)
    if not isinstance(value, int) or value < 1:
        raise MindError.of("E7008", f"{THREADS} is an i64 above 0, found {found}")
    return value
