"""The plan of a host for a compiled module: memory, constants, and launches in order, read from the lowered function.

A plan is plain data and becomes the manifest of an artifact: a host needs neither MLIR nor this module to follow it.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ....ir import DType, np
from ...memory.buffers import size_of
from ...memory.offsets import Buffer, place
from ...mlir.walk import children, functions
from ..mapped_views import CREATE
from ..products.tensor_maps import read_map
from .manifest import Launch, Place, Plan, TensorMap

__all__ = ["Launch", "Place", "Plan", "read_plan"]


def read_plan(module: Any, inputs: int, outputs: int) -> Plan:
    """The plan of a module that `gpu-outline` has made; its function has so many inputs and outputs."""
    (f,) = [g for g in functions(module) if "sym_visibility" not in g.attributes]
    return _Reader(module, f, inputs, outputs).plan()


class _Reader:
    def __init__(self, module: Any, f: Any, inputs: int, outputs: int) -> None:
        self.block = [op for op in children(f) if op.name != "func.return"]
        arguments = list(f.regions[0].blocks[0].arguments)
        self.has_status = len(arguments) > inputs + outputs
        self.places: dict[Any, Place] = {}
        for n, a in enumerate(arguments):
            kind, number = ("input", n) if n < inputs else ("output", n - inputs)
            self.places[a] = Place(kind, number) if n < inputs + outputs else Place("status", 0)
        self.constants: list[bytes] = []
        self.globals = {g.attributes["sym_name"].value: g for g in children(module) if g.name == "memref.global"}
        self.numbers: dict[Any, int] = {}
        self.maps: dict[Any, TensorMap] = {}
        self.shown: dict[Any, Any] = {}  # memref of unknown rank -> the type of the one that it was

    def plan(self) -> Plan:
        self._place_memory()
        launches: list[Launch] = []
        for op in self.block:
            match op.name:
                case "arith.constant":
                    self.numbers[op.result] = getattr(op.attributes["value"], "value", 0)
                case "memref.get_global":
                    self.places[op.result] = self._constant(op.attributes["name"].value)
                case "gpu.launch_func":
                    launches.append(self._launch(op))
                case "memref.alloc" | "memref.dealloc":
                    pass
                case name if name == CREATE:
                    memref = op.operands[0]
                    self.maps[op.result] = read_map(op, self.shown[memref], self.places[memref])
                case "builtin.unrealized_conversion_cast":
                    self.maps[op.results[0]] = self.maps[op.operands[0]]
                case _:  # a part of memory, or another view of it: the kernel's types have its offset
                    assert op.name.startswith("memref."), f"{op.name} is left for the host"
                    self.places[op.results[0]] = self.places[op.operands[0]]
                    self.shown[op.results[0]] = op.operands[0].type
        return Plan(tuple(launches), tuple(self.constants), self.arena, self.has_status)

    def _place_memory(self) -> None:
        """An offset in the arena for everything that is allocated."""
        shows: dict[Any, Any] = {op.result: op.result for op in self.block if op.name == "memref.alloc"}
        first: dict[Any, int] = {}
        last: dict[Any, int] = {}
        for n, op in enumerate(self.block):
            for v in op.operands:
                if v in shows:
                    first.setdefault(shows[v], n)
                    last[shows[v]] = n
                    shows.update((r, shows[v]) for r in op.results)
        allocated = [op for op in self.block if op.name == "memref.alloc" and op.result in first]
        buffers = [Buffer(size_of(op), first[op.result], last[op.result]) for op in allocated]
        offsets, self.arena = place(buffers)
        for op, offset in zip(allocated, offsets):
            self.places[op.result] = Place("arena", 0, offset)

    def _constant(self, name: str) -> Place:
        value = ir.DenseElementsAttr(self.globals[name].attributes["initial_value"])
        t = ir.RankedTensorType(value.type)
        dtype = DType(str(t.element_type)).numpy.newbyteorder("<")
        data = np.ascontiguousarray(np.asarray(value), dtype).tobytes()
        if data not in self.constants:
            self.constants.append(data)
        return Place("constant", self.constants.index(data))

    def _launch(self, op: Any) -> Launch:
        segments = list(op.attributes["operandSegmentSizes"])
        operands = list(op.operands)
        sizes = [self.numbers[v] for v in operands[:6]]
        shared = self.numbers[operands[6]] if segments[10] else 0
        arguments = operands[6 + segments[10] :]
        kernel = str(op.attributes["kernel"]).rpartition("@")[2].strip('"')
        return Launch(
            kernel,
            (sizes[0], sizes[1], sizes[2]),
            (sizes[3], sizes[4], sizes[5]),
            shared,
            tuple(self.maps[v] if v in self.maps else self.places[v] for v in arguments),
        )
