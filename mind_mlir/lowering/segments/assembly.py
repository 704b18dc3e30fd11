"""Makes one MLIR module of a long Core IR module: functions for distinct segments and small operations, and `main`."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from mlir import ir

from ...ir import Module, ValueId
from ..mlir.walk import children, functions, operations
from .call_lists import CallList, CallWriter, Step, planned, write_functions
from .callees import Callee, read_callee
from .parts import Parts, parts
from .segments import LONGEST, Segment, segments

_NAMING = {"func.call": "callee", "memref.get_global": "name"}
"""Operation that names another one in its module -> the attribute with the name."""


class Assembly:
    """Joins the functions for the distinct parts of a module, and calls them one after the other.

    A segment of large operations is a function that MLIR's passes make; one of small operations is a list of calls, of
    one function for each distinct operation.
    """

    def __init__(self, m: Module, context: Any) -> None:
        self._m = m
        self._segments, self._outputs = segments(m)
        with context, ir.Location.unknown():
            self.module = ir.Module.create()
        self._sizes = {i: r.type.nbytes for i, r in m.values.items()}
        self._made: dict[str, Segment] = {}  # function -> the segment that MLIR's passes make it of
        self._function_of: dict[tuple[Any, ...], str] = {}  # key of a segment, or formula of a part -> function
        self._parts: dict[str, Parts] = {}  # function -> its list of calls
        self._first: dict[str, Segment] = {}  # function -> the first segment that it computes
        self._names: dict[
            tuple[Any, ...], str
        ] = {}  # operation and attributes of a constant or a declaration -> its name
        self._scratch: dict[str, list[int]] = {}  # function -> bytes of the scratch memory that callers pass
        self._find_functions()

    def _find_functions(self) -> None:
        for s in self._segments:
            if s.key in self._function_of:
                continue
            self._function_of[s.key] = name = f"mind_segment{len(self._first)}"
            self._first[name] = s
            if not s.is_fine:
                self._made[name] = s
                continue
            self._parts[name] = found = parts(s)
            for part in found.calls:
                if part.formula not in self._function_of:
                    self._function_of[part.formula] = name = f"mind_part{len(self._made)}"
                    self._made[name] = part

    def batches(self) -> Iterator[dict[str, Segment]]:
        """Functions to lower together, with their segments: as many operations as the longest segment has, at most."""
        batch: dict[str, Segment] = {}
        for name, s in self._made.items():
            if batch and sum([len(b.operations) for b in batch.values()]) + len(s.operations) > LONGEST:
                yield batch
                batch = {}
            batch[name] = s
        if batch:
            yield batch

    def add(self, lowered: Any) -> None:
        """Move a lowered batch into the module; constants and declarations that it has already are shared."""
        with lowered.context, ir.Location.unknown():
            found = {_name(op): op for op in children(lowered) if "sym_name" in op.attributes}
            mine = {name: op for name, op in found.items() if name in self._made}
            names = {own: self._take(own, op) for own, op in found.items() if own not in mine}
            for f in mine.values():
                for op in operations(f):
                    if (how := _NAMING.get(op.name)) is not None:
                        op.attributes[how] = ir.FlatSymbolRefAttr.get(names[op.attributes[how].value])
                f.attributes["passthrough"] = ir.ArrayAttr.get([ir.StringAttr.get("noinline")])
                self.module.body.append(f)

    def _take(self, name: str, op: Any) -> str:
        """Move a constant or a declaration into the module, unless it has an equal one; returns its name there."""
        like = (op.name, *[(a, op.attributes[a]) for a in op.attributes if a != "sym_name"])
        if (known := self._names.get(like)) is None:
            self._names[like] = known = f"{name}_{len(self._names)}"  # numbered, because batches use the same names
            op.attributes["sym_name"] = ir.StringAttr.get(known)
            self.module.body.append(op)
        return known

    def hide(self) -> None:
        """Make the functions private, so that their one caller can give them memory."""
        with self.module.context:
            for f in children(self.module):
                if "sym_name" in f.attributes and _name(f) in self._made:
                    f.attributes["sym_visibility"] = ir.StringAttr.get("private")

    def note_scratch(self) -> None:
        """Note the scratch memory that the functions take, after their other parameters."""
        for f in functions(self.module):
            if (s := self._made.get(_name(f))) is not None:
                types = list(ir.FunctionType(f.attributes["function_type"].value).inputs)
                self._scratch[_name(f)] = [_bytes(t) for t in types[len(s.inputs) + len(s.outputs) :]]

    def complete(self, module: Any, has_garbage: bool = False) -> None:
        """Write the lists of calls, and `main`, into the module in the LLVM dialect.

        With `has_garbage`, for tests, memory is filled with garbage before it is written.
        """
        found = {_name(f): f for f in children(module) if f.name == "llvm.func" and _name(f) in self._made}
        callees = {name: read_callee(f, self._scratch[name]) for name, f in found.items()}
        garbage = (
            {i: 0xFF if r.type.dtype.is_float else 0x7F for i, r in self._m.values.items()} if has_garbage else None
        )
        written = []
        for name, p in self._parts.items():
            s = self._first[name]
            steps = [self._step(callees, part.formula, part, part.outputs[0]) for part in p.calls]
            c = CallList(name, s.inputs, s.outputs, steps, self._sizes, p.views, garbage=garbage)
            written.append(CallWriter(c, memory := planned(c)))
            scratch = (memory.bytes,) if memory.bytes else ()
            callees[name] = Callee(name, scratch, any(step.callee.may_fail for step in steps))
        steps = [self._step(callees, s.key, s) for s in self._segments]
        inputs = [o.id for o in self._m.inputs]
        main = CallList("main", inputs, self._outputs, steps, self._sizes, is_main=True, garbage=garbage)
        with module.context, ir.Location.unknown():
            write_functions(module, [*written, CallWriter(main, planned(main))])
            for name, f in found.items():
                if callees[name].calls is not None:
                    f.erase()

    def _step(
        self, callees: dict[str, Callee], key: tuple[Any, ...], s: Segment, fails_as: ValueId | None = None
    ) -> Step:
        return Step(callees[self._function_of[key]], (*s.inputs, *s.outputs), fails_as)


def joined(modules: dict[str, Any], context: Any) -> Any:
    """One module of the functions `main` of several, by the names of these, with equal constants once."""
    with context, ir.Location.unknown():
        together = ir.Module.create()
        shared: set[str] = set()
        for name, module in modules.items():
            for op in children(module):
                if (own := _name(op)) == "main":
                    op.attributes["sym_name"] = ir.StringAttr.get(name)
                if own == "main" or own not in shared:
                    together.body.append(op)
                shared.add(own)
    return together


def _name(op: Any) -> str:
    return str(op.attributes["sym_name"].value)


def _bytes(memref: Any) -> int:
    type = ir.MemRefType(memref)
    count: int = prod(type.shape)
    return count * -(-int(type.element_type.width) // 8)
