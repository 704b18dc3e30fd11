"""Lowers kernels whose bodies are written to modules of LLVM IR, one for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlir import ir

from ..llvm.objects import LlvmModule
from ..mlir.copies import copied
from ..mlir.walk import children, operations
from .kernel import name_of

_NAMING = {"llvm.call": "callee", "llvm.mlir.addressof": "global_name"}
"""Operation of the LLVM dialect that names another one -> the attribute with the name."""


def lowered(module: Any, lower: Callable[[Any], object]) -> Callable[[str], LlvmModule]:
    """Lower a module to the LLVM dialect by `lower`; returns a function from the name of a kernel to its own module."""
    lower(module)
    found = {name_of(op): op for op in children(module)}

    def translated(name: str) -> LlvmModule:
        alone = ir.Module.create()
        _move(found, name, alone)
        return LlvmModule.translated(alone)

    return translated


def _move(lowered: dict[str, Any], name: str, alone: Any) -> None:
    """Move a lowered kernel into a module of its own, with the declarations of functions and numbers that it names."""
    f = lowered[name]
    alone.body.append(f)
    f.attributes["passthrough"] = ir.ArrayAttr.get(
        [ir.StringAttr.get("nounwind")]
    )  # tables for unwinding would take time
    calls = [op for op in operations(f) if op.name in _NAMING]
    for other in dict.fromkeys(
        op.attributes[_NAMING[op.name]].value for op in calls if _NAMING[op.name] in op.attributes
    ):
        with ir.InsertionPoint(alone.body):
            copied(lowered[other], {})
