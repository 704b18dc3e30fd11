"""One MLIR module of a long Core IR module: a function for each distinct segment, and a `main` that calls them."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..ir import DType, Module, TensorType
from .modes import NUMERICS, THREADS
from .rewrites._buffers import allocated
from .rewrites._walk import children, operations
from .scalars import Scalars, mlir_element
from .segments import Segment

_NAMING = {"func.call": "callee", "memref.get_global": "name"}
"""Operations that name others in their module, and the attribute that does."""


class Assembly:
    """Takes the segments of a module one after the other, each bufferized with a `main` of its own."""

    def __init__(self, m: Module, context: Any) -> None:
        self._m = m
        with context, ir.Location.unknown():
            self.module = ir.Module.create()
        self._calls: list[tuple[Segment, str]] = []
        self._known: dict[tuple[Any, ...], str] = {}  # key of a segment -> its function
        self._names: dict[tuple[Any, ...], str] = {}  # what a constant or a declaration is -> its name
        self._modes: dict[str, Any] = {}

    def repeats(self, segment: Segment) -> bool:
        """True, with a call more, for a segment that computes what an earlier one does."""
        if (name := self._known.get(segment.key)) is None:
            return False
        self._calls.append((segment, name))
        return True

    def add(self, segment: Segment, lowered: Any) -> None:
        """Move what a segment has become into the module, whatever is there already once."""
        name = f"mind_segment{len(self._known)}"
        with lowered.context, ir.Location.unknown():
            found = {_name(op): op for op in children(lowered) if "sym_name" in op.attributes}
            main = found.pop("main")
            self._modes = {mode: main.attributes[mode] for mode in (NUMERICS, THREADS) if mode in main.attributes}
            names = {own: self._take(own, op) for own, op in found.items()}
            for op in operations(main):
                if (how := _NAMING.get(op.name)) is not None:
                    op.attributes[how] = ir.FlatSymbolRefAttr.get(names[op.attributes[how].value])
            main.attributes["sym_name"] = ir.StringAttr.get(name)
            main.attributes["passthrough"] = ir.ArrayAttr.get([ir.StringAttr.get("noinline")])
            self.module.body.append(main)
        self._known[segment.key] = name
        self._calls.append((segment, name))

    def _take(self, name: str, op: Any) -> str:
        """Move a constant or a declaration into the module, unless its like is there; returns its name there."""
        is_constant = op.name == "memref.global"
        if is_constant:
            op.attributes["sym_name"] = ir.StringAttr.get("constant")
        like = (op.name, *[(attribute, op.attributes[attribute]) for attribute in op.attributes])
        if (known := self._names.get(like)) is None:
            self._names[like] = known = f"{name}_{len(self._names)}" if is_constant else name
            op.attributes["sym_name"] = ir.StringAttr.get(known)
            self.module.body.append(op)
        return known

    def hide_segments(self) -> None:
        """Make the functions of segments private: their one caller then gives them memory."""
        with self.module.context:
            segments = set(self._known.values())
            for f in children(self.module):
                if "sym_name" in f.attributes and _name(f) in segments:
                    f.attributes["sym_visibility"] = ir.StringAttr.get("private")

    def finished(self) -> Any:
        """The module, with its `main`."""
        m = self._m
        with self.module.context, ir.Location.unknown():
            inputs, outputs = [_memref(o.type) for o in m.inputs], [_memref(t) for t in m.output_types]
            noalias = ir.DictAttr.get({"llvm.noalias": ir.UnitAttr.get()})
            status = ir.IntegerType.get_signless(64)
            attributes = {
                "sym_name": ir.StringAttr.get("main"),
                "function_type": ir.TypeAttr.get(ir.FunctionType.get([*inputs, *outputs], [status])),
                "arg_attrs": ir.ArrayAttr.get([noalias] * (len(inputs) + len(outputs))),
                **self._modes,
            }
            with ir.InsertionPoint(self.module.body):
                f = ir.Operation.create("func.func", attributes=attributes, regions=1)
            names = [o.op.name for o in m.inputs] + [f"out{n}" for n in range(len(outputs))]  # type: ignore[attr-defined]
            block = f.regions[0].blocks.append(*inputs, *outputs, arg_locs=[ir.Location.name(name) for name in names])
            with ir.InsertionPoint(block):
                self._write_calls(list(block.arguments))
        return self.module

    def _write_calls(self, arguments: list[Any]) -> None:
        m, s = self._m, Scalars(DType.I64)
        memory = {o.id: a for o, a in zip(m.inputs, arguments)}
        results = list(zip(m.outputs, arguments[len(m.inputs) :]))
        kept = set(memory)
        for i, a in results:
            if memory.setdefault(i, a) is a:
                kept.add(i)
        last = {i: n for n, (segment, _) in enumerate(self._calls) for i in (*segment.inputs, *segment.outputs)}
        zero = s.number(0)
        status = zero
        for n, (segment, name) in enumerate(self._calls):
            for i in segment.outputs:
                if i not in memory:
                    memory[i] = allocated(_memref(m.by_id[i].type))
            touched = dict.fromkeys((*segment.inputs, *segment.outputs))
            callee = {"callee": ir.FlatSymbolRefAttr.get(name)}
            operands = [memory[i] for i in touched]
            called = ir.Operation.create("func.call", results=[zero.type], operands=operands, attributes=callee).result
            status = s.select(s.equal(status, zero), called, status)
            for i in touched:
                if last[i] == n and i not in kept:
                    ir.Operation.create("memref.dealloc", operands=[memory[i]])
        for i, a in results:
            if memory[i] is not a:
                ir.Operation.create("memref.copy", operands=[memory[i], a])
        ir.Operation.create("func.return", operands=[status])


def _name(op: Any) -> str:
    return str(op.attributes["sym_name"].value)


def _memref(t: TensorType) -> Any:
    """As cpu-abi has it: nothing is read through an array without elements."""
    return ir.MemRefType.get([0] if 0 in t.shape else t.shape, mlir_element(t.dtype))
