"""Kernels that are written, as modules of LLVM IR, one each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlir import ir

from ..llvm.objects import LlvmModule
from ..mlir.copies import copied
from ..mlir.walk import children, operations
from .kernel import name_of

_NAMING = {"llvm.call": "callee", "llvm.mlir.addressof": "global_name"}
"""Operations of the LLVM dialect that name others, and the attribute that does."""


def lowered(module: Any, lower: Callable[[Any], object]) -> Callable[[str], LlvmModule]:
    """For each name of a kernel in a module, which `lower` takes to the LLVM dialect, the kernel in one of its own."""
    lower(module)
    found = {name_of(op): op for op in children(module)}

    def translated(name: str) -> LlvmModule:
        alone = ir.Module.create()
        _move(found, name, alone)
        return LlvmModule.translated(alone)

    return translated


def _move(lowered: dict[str, Any], name: str, alone: Any) -> None:
    """Move a lowered kernel into a module of its own, with functions of a library and numbers that it names."""
    f = lowered[name]
    alone.body.append(f)
    f.attributes["passthrough"] = ir.ArrayAttr.get([ir.StringAttr.get("nounwind")])  # no tables for that: they cost
    calls = [op for op in operations(f) if op.name in _NAMING]
    for other in dict.fromkeys(
        op.attributes[_NAMING[op.name]].value for op in calls if _NAMING[op.name] in op.attributes
    ):
        with ir.InsertionPoint(alone.body):
            copied(lowered[other], {})
