"""Core IR -> MLIR -> LLVM.  Importing this package registers its passes; mlir loads when one of them runs.

Everything is in rooms, each of which says what is in it; docs/architecture.md has them in the order of their imports.
"""

from .interface import register

__all__ = ["register"]
