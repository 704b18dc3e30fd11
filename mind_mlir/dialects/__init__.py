"""The MLIR dialect `mind`: Core IR as operations of MLIR, for other MLIR projects.

`encoding` says how an operation is written in MLIR; ODS, IRDL and the op classes in Python are generated from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import passes as passes  # registers its passes

if TYPE_CHECKING:
    from .registration import register

__all__ = ["register"]


def __getattr__(name: str) -> Any:
    if name != "register":
        raise AttributeError(f"module {__name__} has no attribute {name}")
    from .registration import register  # it looks for what is installed, which commands seldom need

    globals()[name] = register
    return register
