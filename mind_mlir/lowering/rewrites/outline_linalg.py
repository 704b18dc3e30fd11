"""Long modules: one function for each distinct linalg operation or loop, called wherever it occurs.

LLVM's time grows with the square of a function's length.  Outlined, a module of thousands of operations is a list of
calls to a few small functions, and equal operations are compiled once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from mlir import ir

from ._walk import children, functions, operations


def outline_linalg(module: Any) -> None:
    """Move linalg operations and loops on contiguous memrefs into private functions, equal ones into the same."""
    names: dict[str, str] = {}
    taken = {str(f.attributes["sym_name"].value) for f in children(module) if "sym_name" in f.attributes}
    fresh = (name for i in itertools.count() if (name := f"linalg{i}") not in taken)
    with module.context, ir.Location.unknown(module.context):
        for f in list(functions(module)):
            block = children(f)
            constants = {op.result: op for op in block if op.name == "arith.constant"}
            memory = _memory(f, block)
            for op in block:
                if op.name.startswith("linalg.") or (op.name == "scf.for" and not len(op.results)):
                    _outline(module, op, constants, memory, names, fresh)


def _memory(f: Any, block: list[Any]) -> dict[Any, set[Any]]:
    """For each memref, the allocations and parameters whose memory it may show; none where that is not known."""
    attributes = f.attributes.get("arg_attrs", [])
    memory = {a: {a} for a, given in zip(f.regions[0].blocks[0].arguments, attributes) if "llvm.noalias" in given}
    for op in block:
        shown = [memory.get(v) for v in op.operands if isinstance(v.type, ir.MemRefType)]
        for v in op.results:
            if op.name in ("memref.alloc", "memref.get_global"):
                memory[v] = {v}
            elif isinstance(v.type, ir.MemRefType) and shown and all(shown):
                memory[v] = set().union(*(m for m in shown if m))
    return memory


def _outline(
    module: Any,
    op: Any,
    constants: dict[Any, Any],
    memory: dict[Any, set[Any]],
    names: dict[str, str],
    fresh: Iterator[str],
) -> None:
    """Replace `op` by a call, unless it works on a strided memref, which no bare pointer can describe."""
    used = _used_from_outside(op)
    parameters = [v for v in used if v not in constants]
    if any("strided" in str(v.type) for v in parameters):
        return
    types = [v.type for v in parameters]
    apart = [_is_apart(v, parameters, memory) for v in parameters]
    with ir.InsertionPoint(module.body):
        f = ir.Operation.create("func.func", attributes=_attributes(types, apart), regions=1)
    block = f.regions[0].blocks.append(*types)
    inside = dict(zip(parameters, block.arguments))
    with ir.InsertionPoint(block):
        for v in used:
            if v in constants:
                inside[v] = constants[v].clone().result
        body = op.clone()
        ir.Operation.create("func.return", operands=[])
    for user in operations(body):
        for i, v in enumerate(user.operands):
            if v in inside:
                user.operands[i] = inside[v]
    text = f.get_asm(use_local_scope=True)  # without, MLIR numbers the whole module for it
    if (name := names.get(text)) is None:
        names[text] = name = next(fresh)
        f.attributes["sym_name"] = ir.StringAttr.get(name)
    else:
        f.erase()
    with ir.InsertionPoint(op), op.location:
        callee = ir.FlatSymbolRefAttr.get(name)
        ir.Operation.create("func.call", operands=parameters, attributes={"callee": callee})
    op.erase()


def _is_apart(v: Any, parameters: list[Any], memory: dict[Any, set[Any]]) -> bool:
    """True if `v` is memory that no other parameter shows.  Without knowing, LLVM compares addresses at every loop."""
    mine = memory.get(v)
    others = [memory.get(w) for w in parameters if w != v and isinstance(w.type, ir.MemRefType)]
    return mine is not None and all(other is not None and not mine & other for other in others)


def _attributes(types: list[Any], apart: list[bool]) -> dict[str, Any]:
    unit = ir.UnitAttr.get()
    return {
        "sym_name": ir.StringAttr.get("linalg"),
        "sym_visibility": ir.StringAttr.get("private"),
        "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [])),
        "arg_attrs": ir.ArrayAttr.get([ir.DictAttr.get({"llvm.noalias": unit} if a else {}) for a in apart]),
        "passthrough": ir.ArrayAttr.get([ir.StringAttr.get("noinline")]),  # else LLVM puts it all back
    }


def _used_from_outside(op: Any) -> list[Any]:
    """Values that the operation or its body uses and that are defined outside of it, each once, in order."""
    inner = operations(op)
    defined = {v for o in inner for v in o.results}
    for o in inner:
        for region in o.regions:
            for block in region.blocks:
                defined.update(block.arguments)
    return list(dict.fromkeys(v for o in inner for v in o.operands if v not in defined))
