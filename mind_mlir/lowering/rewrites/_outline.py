"""Moves operations on memrefs into functions of their own, equal ones into the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from mlir import ir

from ..mlir.copies import copied
from ..mlir.rewriter import Rewriter
from ..mlir.walk import children, operations


class Outliner:
    """Makes private functions in one module, named by a stem and a number."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.names: dict[str, str] = {}  # text -> name
        self.taken = {str(f.attributes["sym_name"].value) for f in children(module) if "sym_name" in f.attributes}
        self.fresh: dict[str, Iterator[str]] = {}

    def function(
        self, ops: Sequence[Any], constants: dict[Any, Any], memory: dict[Any, set[Any]], local: Sequence[Any] = ()
    ) -> tuple[Any, list[Any]]:
        """A function without a name with copies of `ops`, and the values to call it with.

        Constants and the allocations `local` are made inside; other values from outside are parameters, which do not
        alias where `memory` tells so.
        """
        used = list(dict.fromkeys(v for op in ops for v in used_from_outside(op)))
        inner = {v for op in (*local, *ops) for v in op.results}
        parameters = [v for v in used if v not in constants and v not in inner]
        types = [v.type for v in parameters]
        apart = [is_apart(v, parameters, memory) for v in parameters]
        with ir.InsertionPoint(self.module.body):
            f = ir.Operation.create("func.func", attributes=_attributes(types, apart), regions=1)
        block = f.regions[0].blocks.append(*types)
        inside: dict[Any, Any] = dict(zip(parameters, block.arguments))
        with ir.InsertionPoint(block):
            for v in used:
                if v in constants:
                    inside[v] = copied(constants[v], {}).result
            for op in local:
                inside[op.result] = copied(op, {}).result
            for op in ops:
                copied(op, inside)
            ir.Operation.create("func.return", operands=[])
        return f, parameters

    def named(self, f: Any, stem: str) -> str:
        """Give a function a name, and return it; if an equal one exists, drop this one and return that one's name."""
        text = f.get_asm(use_local_scope=True, assume_verified=True)  # else all values are numbered
        if (name := self.names.get(text)) is None:
            self.names[text] = name = self._fresh(stem)
            f.attributes["sym_name"] = ir.StringAttr.get(name)
        else:
            f.erase()
        return name

    def call(self, name: str, parameters: Sequence[Any], at: Any) -> None:
        """Insert a call before `at`."""
        with Rewriter.before(at):
            Rewriter.call(name, parameters)

    def _fresh(self, stem: str) -> str:
        numbered = self.fresh.setdefault(stem, (f"{stem}{i}" for i in itertools.count()))
        return next(name for name in numbered if name not in self.taken)


def memory_of(f: Any, block: list[Any]) -> dict[Any, set[Any]]:
    """Memref -> the allocations and parameters whose memory it may be; it has no entry if that is not known."""
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


def is_apart(v: Any, parameters: list[Any], memory: dict[Any, set[Any]]) -> bool:
    """True if no other parameter is the memory of `v`. LLVM compares addresses at every loop unless it knows that."""
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
        "passthrough": ir.ArrayAttr.get([ir.StringAttr.get("noinline")]),  # else LLVM would inline all of it
    }


def used_from_outside(op: Any) -> list[Any]:
    """Values that the operation or its body uses and that are defined outside of it, each once, in order."""
    inner = operations(op)
    defined = {v for o in inner for v in o.results}
    for o in inner:
        for region in o.regions:
            for block in region.blocks:
                defined.update(block.arguments)
    return list(dict.fromkeys(v for o in inner for v in o.operands if v not in defined))
