"""Sums in parts: two calls for one, with memory for the parts between them."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...kernels.record import ATTRIBUTE, kind_of
from ...memory.buffers import allocated
from ...mlir.copies import copied
from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import add_parameter, functions, operations
from ...rewrites.form_kernels import nests_of
from .. import reductions
from ..partial_sums import STAGE
from ..products import product_problem

ELEMENTS = {"reduction": reductions.elements_of_parts, "product": product_problem.elements_of_parts}
"""Kinds of kernels whose sums may be cut, and how many elements one part of all takes."""


@rewrite("split-gpu-sums")
def split_gpu_sums(r: Rewriter) -> None:
    """Split a GPU kernel that sums in parts into one for the parts and one that adds them."""
    for f in r.functions():
        if ATTRIBUTE not in f.attributes or STAGE in f.attributes:
            continue
        attribute = f.attributes[ATTRIBUTE]
        if kind_of(attribute) in ELEMENTS and "parts" in attribute and attribute["parts"].value > 1:
            _split(r.module, f, kind_of(attribute), attribute["parts"].value)


def _split(module: Any, f: Any, kind: str, parts: int) -> None:
    nests = nests_of(f)
    elements = None if nests is None else ELEMENTS[kind](nests)
    if nests is None or elements is None:
        return  # expand-gpu-kernels says so
    element = next(ir.MemRefType(n.output.value.type).element_type for n in nests if not n.is_elementwise)
    type = ir.MemRefType.get([elements * parts], element)
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
    with Rewriter.before(call):
        memory = allocated(type)
        for callee in (name, f"{name}_finish"):
            Rewriter.call(callee, [*call.operands, memory])
        ir.Operation.create("memref.dealloc", operands=[memory])
    call.erase()
