"""Sums in parts: two calls for one, with memory for the parts between them."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..gpu.reductions import STAGE, groups, match
from ..kernels.record import ATTRIBUTE, kind_of
from ._buffers import allocated
from ._copy import copied
from ._walk import add_parameter, functions, operations
from .form_kernels import nests_of


def split_gpu_sums(module: Any) -> None:
    """Every kernel whose sums are cut into parts becomes one that adds within parts and one that adds the parts."""
    with module.context, ir.Location.unknown(module.context):
        for f in list(functions(module)):
            if ATTRIBUTE not in f.attributes or STAGE in f.attributes:
                continue
            attribute = f.attributes[ATTRIBUTE]
            if kind_of(attribute) == "reduction" and "parts" in attribute and attribute["parts"].value > 1:
                _split(module, f, attribute["parts"].value)


def _split(module: Any, f: Any, parts: int) -> None:
    nests = nests_of(f)
    problem = None if nests is None else match(nests)
    if problem is None:
        return  # expand-gpu-kernels says so
    sums, _ = groups(problem)
    element = ir.MemRefType(problem.main.output.value.type).element_type
    type = ir.MemRefType.get([sums.size * parts], element)
    name = f.attributes["sym_name"].value
    with ir.InsertionPoint(f):
        finish = copied(f, {})
    finish.attributes["sym_name"] = ir.StringAttr.get(f"{name}_finish")
    for g, stage in ((f, "parts"), (finish, "finish")):
        g.attributes[STAGE] = ir.StringAttr.get(stage)
        add_parameter(g, type, {"llvm.noalias": ir.UnitAttr.get()})
    for caller in list(functions(module)):
        for call in operations(caller):
            if call.name == "func.call" and call.attributes["callee"].value == name:
                _call_both(call, name, type)


def _call_both(call: Any, name: str, type: Any) -> None:
    with ir.InsertionPoint(call), call.location:
        memory = allocated(type)
        for callee in (name, f"{name}_finish"):
            attributes = {"callee": ir.FlatSymbolRefAttr.get(callee)}
            ir.Operation.create("func.call", operands=[*call.operands, memory], attributes=attributes)
        ir.Operation.create("memref.dealloc", operands=[memory])
    call.erase()
