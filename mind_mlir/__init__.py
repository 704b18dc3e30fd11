"""A compiler toolchain for MIND Core IR: parse, verify, canonicalise, lower with MLIR, run.

    import mind_mlir as mind

    m = mind.parse('''
    %0 = Input {name = "x"} : tensor<f32[2, 3]>
    %1 = Sum (%0) {axes = [0], keepdims = false} : tensor<f32[3]>
    outputs: %1
    ''')
    exe = mind.compile(m)
    (y,) = exe(x)

Importing the package loads neither MLIR nor NumPy; they come when something needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import ops as ops
from .ir import (
    Builder,
    Diagnostic,
    DType,
    MindError,
    Module,
    Operation,
    Span,
    TensorType,
    Value,
    digest,
    f32,
    f64,
    i32,
    i64,
    parse,
)
from .passes import canonicalize, differentiate, verify

if TYPE_CHECKING:
    from .lowering.api import to_mlir
    from .runtime.interpret import interpret
    from .runtime.jit import Executable, compile

__version__ = "0.1.0"

__all__ = [
    "Builder",
    "DType",
    "Diagnostic",
    "Executable",
    "MindError",
    "Module",
    "Operation",
    "Span",
    "TensorType",
    "Value",
    "__version__",
    "canonicalize",
    "compile",
    "differentiate",
    "digest",
    "f32",
    "f64",
    "i32",
    "i64",
    "interpret",
    "parse",
    "to_mlir",
    "verify",
]


_LATER = {
    "Executable": ".runtime.jit",
    "compile": ".runtime.jit",
    "interpret": ".runtime.interpret",
    "to_mlir": ".lowering.api",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    value = getattr(importlib.import_module(_LATER[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
