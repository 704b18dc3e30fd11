"""Finds functions by name: their own, and those by which NumPy and JAX know them.

The table is written by `scripts/gen_functions.py` from the files beside this one, so that looking a name up loads the
one file that has it. Functions of element-wise operations are found by the vocabulary of operations.
"""

from __future__ import annotations

import importlib
from typing import Any

from ...ir import OPS
from ._names_gen import HOMES


def home(name: str) -> tuple[str, str] | None:
    """The module that has a function, from `mind_mlir.frontend` on, and its name there; None if there is none."""
    file, own = HOMES.get(name, ("", name))
    if file:
        return f"functions.{file}", own
    return ("elementwise", own) if OPS.of_function(own) is not None else None


def exists(name: str) -> bool:
    """True for the name of a function."""
    return not name.startswith("_") and home(name) is not None


def names() -> list[str]:
    """The names of all functions, in alphabetical order. Imports all operations."""
    return sorted({*HOMES, *OPS.function_names()})


def function(name: str) -> Any:
    """The function of this name, which exists."""
    found = home(name)
    assert found is not None, f"{name} is one of the functions"
    return getattr(importlib.import_module(f"...{found[0]}", __name__), found[1])
