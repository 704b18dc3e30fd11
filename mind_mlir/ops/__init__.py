"""The vocabulary: one operation a file, named after the opcode; `mind_mlir.ir.OPS` imports it when it is looked up.

A file without a leading underscore is an operation; adding one adds the operation everywhere.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """A file of this folder, such as `mind_mlir.ops.relu`."""
    if not name.startswith("__"):
        try:
            return import_module(f".{name}", __name__)
        except ModuleNotFoundError as why:
            if why.name != f"{__name__}.{name}":
                raise
    raise AttributeError(f"module {__name__} has no attribute {name}", name=name)
