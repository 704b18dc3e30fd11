"""The MLIR dialect `mind`: Core IR as operations of MLIR, for other MLIR projects.

`encoding` says how an operation is written in MLIR; ODS, IRDL and the op classes in Python are generated from it.
"""

from . import passes as passes  # registers its passes
from .registration import register

__all__ = ["register"]
