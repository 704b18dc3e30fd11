"""Core IR -> MLIR -> LLVM.  Importing this package registers its passes; mlir loads when one of them runs."""

from .interface import register

__all__ = ["register"]
