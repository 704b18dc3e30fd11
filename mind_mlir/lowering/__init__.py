"""Lowers Core IR to MLIR, LLVM and machine code. Importing this package registers passes, which load mlir when run.

Everything is in rooms, whose docstrings say what is in them; docs/architecture.md has them in the order of imports.
"""

from .interface import register

__all__ = ["register"]
