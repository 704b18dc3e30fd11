"""Packs constant matrices for the kernels that read them, at compile time.

A product that packs the columns of one operand does so at every call. If that operand is a constant, the packed copy
becomes another constant, and the kernel takes it as one more argument, marked `mind.packed`.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from mlir import ir

from ..emit.scalars import mlir_element
from ..kernels.cutting import cut_terms
from ..kernels.product_roles import Problem, match
from ..kernels.record import ATTRIBUTE, from_attribute, kind_of
from ..kernels.vector_code import PACKED
from ..mlir.copies import copied
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, parameters
from ..rules.product_rules import ContractionRecord
from .form_kernels import nests_of

SMALLEST = 1 << 10
"""Constants of fewer elements are not packed."""


@rewrite("pack-constants")
def pack_constants(r: Rewriter) -> None:
    """Pack constants that kernels would pack at every call."""
    globals = {op.attributes["sym_name"].value: op for op in r.children("memref.global")}
    if not globals:
        return
    packing = {f.attributes["sym_name"].value: p for f in r.functions() if (p := _packing(f)) is not None}
    made: dict[tuple[str, str], str] = {}
    for f in r.functions():
        if ATTRIBUTE in f.attributes:
            continue
        block = children(f)
        constants = {op.result: globals[op.attributes["name"].value] for op in block if op.name == "memref.get_global"}
        for call in block:
            if call.name == "func.call" and call.attributes["callee"].value in packing:
                _pack(r.module, call, packing[call.attributes["callee"].value], constants, made)


def _packing(f: Any) -> tuple[Any, Problem, ContractionRecord, int] | None:
    """The problem and record of a kernel that packs, and the position of the packed argument; None if it packs none."""
    if ATTRIBUTE not in f.attributes:
        return None
    try:
        if kind_of(f.attributes[ATTRIBUTE]) != "contraction":
            return None
        r = from_attribute(f.attributes[ATTRIBUTE], ContractionRecord)
    except ValueError:
        return None  # expand-kernels reports what is wrong
    nests = nests_of(f)
    p = None if nests is None else match(nests)
    if p is None or not r.pack:
        return None
    y = p.nest.inputs[1]
    if any(y.strides[d] for d in p.outer) or not isinstance(y.value, ir.BlockArgument):
        return None
    return f, p, r, y.value.arg_number


def _pack(
    module: Any,
    call: Any,
    packing: tuple[Any, Problem, ContractionRecord, int],
    constants: dict[Any, Any],
    made: dict[tuple[str, str], str],
) -> None:
    f, p, r, n = packing
    source = constants.get(call.operands[n])
    if source is None or "initial_value" not in source.attributes or p.depth * p.extent(p.n) < SMALLEST:
        return
    value = source.attributes["initial_value"]
    if not isinstance(value, ir.DenseElementsAttr) or value.is_splat:
        return
    data = packed(np.array(value).reshape(-1), p, r)
    type = ir.MemRefType.get([data.size], mlir_element(p.dtype))
    kernel, own = f.attributes["sym_name"].value, source.attributes["sym_name"].value
    if (kernel, "") not in made:
        made[kernel, ""] = _with_argument(module, f, type)
    if (kernel, own) not in made:
        made[kernel, own] = f"{own}_for_{kernel}"
        with ir.InsertionPoint(source):
            _global(made[kernel, own], type, data)
    with Rewriter.before(call):
        name = ir.FlatSymbolRefAttr.get(made[kernel, own])
        ready = ir.Operation.create("memref.get_global", results=[type], attributes={"name": name})
        Rewriter.call(made[kernel, ""], [*call.operands, ready.result])
    call.erase()


def packed(flat: Any, p: Problem, r: ContractionRecord) -> Any:
    """The vector operand, whose memory is `flat`, as blocks of terms, panels of columns, terms, and columns."""
    y = p.nest.inputs[1]
    n, columns = p.extent(p.n), y.strides[p.n] if p.n is not None else 0
    outer, inner, step = cut_terms(p, r)
    extents = [p.extent(k) for k in p.ks]
    strides = np.array([y.strides[k] for k in p.ks], dtype=np.int64)
    terms = y.offset + np.tensordot(strides, np.indices(extents), 1)  # the offset of each
    k = p.extent(inner[0]) if inner else 1
    step = min(step, k)
    blocks, panels = -(-k // step), -(-n // r.columns)
    places = terms.reshape(prod(p.extent(d) for d in outer), k, -1, 1) + columns * np.arange(n)
    whole = np.zeros((places.shape[0], blocks * step, places.shape[2], panels * r.columns), flat.dtype)
    whole[:, :k, :, :n] = flat[places]
    height = step * places.shape[2]
    return whole.reshape(-1, height, panels, r.columns).transpose(0, 2, 1, 3).reshape(-1)


def _with_argument(module: Any, f: Any, type: Any) -> str:
    """A copy of a kernel that takes the packed operand as its last argument; returns its name."""
    with ir.InsertionPoint(module.body):
        own = copied(f, {})
    own.regions[0].blocks[0].add_argument(type, f.location)
    types = [a.type for a in own.regions[0].blocks[0].arguments]
    attributes = [*[a for _, a in parameters(f)], {"llvm.noalias": ir.UnitAttr.get(), PACKED: ir.UnitAttr.get()}]
    name = f"{f.attributes['sym_name'].value}_packed"
    own.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, []))
    own.attributes["arg_attrs"] = ir.ArrayAttr.get(
        [a if isinstance(a, ir.Attribute) else ir.DictAttr.get(a) for a in attributes]
    )
    own.attributes["sym_name"] = ir.StringAttr.get(name)
    return name


def _global(name: str, type: Any, data: Any) -> None:
    tensor = ir.RankedTensorType.get([data.size], type.element_type)
    attributes = {
        "sym_name": ir.StringAttr.get(name),
        "sym_visibility": ir.StringAttr.get("private"),
        "type": ir.TypeAttr.get(type),
        "initial_value": ir.DenseElementsAttr.get(data, type=tensor.element_type, shape=[data.size]),
        "constant": ir.UnitAttr.get(),
        "alignment": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 64),
    }
    ir.Operation.create("memref.global", attributes=attributes)
