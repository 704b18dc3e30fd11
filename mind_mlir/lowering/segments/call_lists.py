"""Writes functions of the LLVM dialect that call others one after the other, on memory that is planned here.

For thousands of calls this takes a tenth of the time that MLIR's passes would take with func.call and memref.alloc.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mlir import ir

from ...ir import ValueId
from ..memory.offsets import ALIGNMENT, Buffer, place
from ..mlir.walk import children
from .callees import Address, Callee

LISTED = '["noinline", "nounwind", "optnone"]'
"""Attributes of functions of many calls, by which LLVM selects instructions one by one. Its usual way takes 0.2 ms for
each call, and does not make it faster."""


@dataclass(frozen=True)
class Step:
    """A call of `callee` with the memory of `values`.

    If it fails, the operation `fails_as` is reported; None if the callee's own status names the operation.
    """

    callee: Callee
    values: tuple[ValueId, ...]
    fails_as: ValueId | None = None


@dataclass(frozen=True)
class CallList:
    """A function that takes pointers to `inputs`, `outputs`, and, unless it is `main`, to an arena; returns a status.

    `sizes` has the bytes of every value. `views` are value -> the value that contains it, and the byte at which it
    begins. `garbage`, for tests, has the byte with which the memory of each value is filled before it is made.
    """

    name: str
    inputs: Sequence[ValueId]
    outputs: Sequence[ValueId]
    steps: Sequence[Step]
    sizes: Mapping[ValueId, int]
    views: Mapping[ValueId, tuple[ValueId, int]] = field(default_factory=dict)
    is_main: bool = False
    garbage: Mapping[ValueId, int] | None = None

    @property
    def arena(self) -> int:
        """The number of the parameter for the arena, also in `main`, which has none."""
        return len(self.inputs) + len(self.outputs)

    def root(self, i: ValueId) -> tuple[ValueId, int]:
        """The value that has memory of its own and contains value `i`, and the byte at which `i` begins."""
        at = 0
        while i in self.views:
            i, more = self.views[i]
            at += more
        return i, at


@dataclass(frozen=True)
class Memory:
    """The addresses of values that are no views, and of the scratch memory of each step."""

    values: Mapping[ValueId, Address]
    scratch: Sequence[Sequence[Address]]
    begins: Sequence[Sequence[ValueId]]
    """For each step, the values in the arena that it is the first to use."""
    bytes: int
    """The size of the arena."""


def planned(c: CallList) -> Memory:
    """Plan memory for every value, shared by those that are never live together."""
    values: dict[ValueId, Address] = {}
    for n, i in enumerate([*c.inputs, *c.outputs]):
        values.setdefault(i, (n, 0))
    spans: dict[ValueId, list[int]] = {}
    begins: list[list[ValueId]] = [[] for _ in c.steps]
    for n, step in enumerate(c.steps):
        for i in step.values:
            root, _ = c.root(i)
            if root not in values and root not in spans:
                begins[n].append(root)
            if root not in values:
                spans.setdefault(root, [n, n])[1] = n
    for root in (c.root(i)[0] for i in c.outputs):
        if root in spans:
            spans[root][1] = len(c.steps)
    own = [Buffer(max(c.sizes[i], 1), first, last) for i, (first, last) in spans.items()]
    scratch = [Buffer(size, n, n) for n, step in enumerate(c.steps) for size in step.callee.scratch]
    offsets, size = place([*own, *scratch])
    values.update((i, (c.arena, at)) for i, at in zip(spans, offsets))
    rest = iter(offsets[len(own) :])
    return Memory(values, [[(c.arena, next(rest)) for _ in s.callee.scratch] for s in c.steps], begins, size)


class CallWriter:
    """Writes one function as text, and notes the functions and constants that it names."""

    def __init__(self, c: CallList, memory: Memory) -> None:
        self.c, self.memory = c, memory
        self.declared: dict[str, str] = {}
        self._lines: list[str] = []
        self._pointers: dict[Address, str] = {}

    def text(self) -> str:
        """The function."""
        c, size = self.c, self.memory.bytes
        allocates = c.is_main and size > 0
        if allocates:
            self._allocate(size)
        status = "%zero"
        for n, step in enumerate(c.steps):
            self._fill_memory(n, step)
            status = self._step(step, self.memory.scratch[n], status)
        for n, i in enumerate(c.outputs):
            self._copy(i, (len(c.inputs) + n, 0))
        if allocates:
            self._lines.append(f"llvm.call @free({self._pointers[c.arena, 0]}) : (!llvm.ptr) -> ()")
        body = "\n".join(self._lines)
        zero = "%zero = llvm.mlir.constant(0 : i64) : i64"
        return f"{self._head()} {{\n{zero}\n{body}\nllvm.return {status} : i64\n}}\n"

    def _head(self) -> str:
        parameters = [f"%p{n}: !llvm.ptr {{llvm.noalias}}" for n in range(self.c.arena)]
        if not self.c.is_main and self.memory.bytes:
            parameters.append(f"%p{self.c.arena}: !llvm.ptr {{llvm.align = {ALIGNMENT} : i64, llvm.noalias}}")
        how = "" if self.c.is_main else f' attributes {{passthrough = {LISTED}, sym_visibility = "private"}}'
        return f"llvm.func @{self.c.name}({', '.join(parameters)}) -> i64{how}"

    def _new(self, text: str) -> str:
        """Add a line that computes a new value; returns the value's name."""
        name = f"%v{len(self._lines)}"
        self._lines.append(f"{name} = {text}")
        return name

    def _number(self, n: int, type: str = "i64") -> str:
        return self._new(f"llvm.mlir.constant({n} : {type}) : {type}")

    def _allocate(self, size: int) -> None:
        self.declared["aligned_alloc"] = "llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr"
        self.declared["free"] = "llvm.func @free(!llvm.ptr)"
        numbers = f"{self._number(ALIGNMENT)}, {self._number(size)}"
        made = self._new(f"llvm.call @aligned_alloc({numbers}) : (i64, i64) -> !llvm.ptr")
        self._pointers[self.c.arena, 0] = made

    def _address(self, i: ValueId) -> Address:
        root, at = self.c.root(i)
        base, start = self.memory.values[root]
        return base, start + at

    def _pointer(self, where: Address) -> str:
        if where not in self._pointers:
            base, at = where
            if at:
                made = self._new(f"llvm.getelementptr {self._pointer((base, 0))}[{at}] : (!llvm.ptr) -> !llvm.ptr, i8")
            elif isinstance(base, str):
                self.declared[base] = f"llvm.mlir.global external @{base}() : i8"
                made = self._new(f"llvm.mlir.addressof @{base} : !llvm.ptr")
            else:
                made = f"%p{base}"
            self._pointers[where] = made
        return self._pointers[where]

    def _step(self, step: Step, scratch: Sequence[Address], status: str) -> str:
        """Write a call; returns the status after it."""
        callee, addresses = step.callee, [*[self._address(i) for i in step.values], *scratch]
        if callee.calls is not None:
            for name, given in callee.calls:
                self._call(name, [_from(base, at, addresses) for base, at in given])
            return status
        told = self._call(callee.name, addresses, gives_status=True)
        if not callee.may_fail:
            return status
        if step.fails_as is not None:
            succeeds, number = self._new(f'llvm.icmp "eq" {told}, %zero : i64'), self._number(step.fails_as + 1)
            told = self._new(f"llvm.select {succeeds}, %zero, {number} : i1, i64")
        if status == "%zero":
            return told
        is_first = self._new(f'llvm.icmp "eq" {status}, %zero : i64')
        return self._new(f"llvm.select {is_first}, {told}, {status} : i1, i64")

    def _call(self, name: str, addresses: Sequence[Address], gives_status: bool = False) -> str:
        pointers = ", ".join([self._pointer(p) for p in addresses])
        types = ", ".join(["!llvm.ptr"] * len(addresses))
        if gives_status:
            self.declared[name] = f"llvm.func @{name}({types}) -> i64"
            return self._new(f"llvm.call @{name}({pointers}) : ({types}) -> i64")
        self.declared[name] = f"llvm.func @{name}({types})"
        self._lines.append(f"llvm.call @{name}({pointers}) : ({types}) -> ()")
        return ""

    def _copy(self, i: ValueId, to: Address) -> None:
        """Copy a value to an address, unless it is there."""
        if (source := self._address(i)) == to or not self.c.sizes[i]:
            return
        given = f"{self._pointer(to)}, {self._pointer(source)}, {self._number(self.c.sizes[i])}"
        self._lines.append(f'"llvm.intr.memcpy"({given}) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()')

    def _fill_memory(self, n: int, step: Step) -> None:
        """Fill the memory that a step is the first to use with garbage, if that is asked for."""
        if self.c.garbage is None:
            return
        own = [(self.memory.values[i], self.c.sizes[i], self.c.garbage[i]) for i in self.memory.begins[n]]
        scratch = [(where, size, 0xFF) for where, size in zip(self.memory.scratch[n], step.callee.scratch)]
        for where, size, byte in (*own, *scratch):
            given = f"{self._pointer(where)}, {self._number(byte, 'i8')}, {self._number(size)}"
            self._lines.append(f'"llvm.intr.memset"({given}) <{{isVolatile = false}}> : (!llvm.ptr, i8, i64) -> ()')


def _from(base: int | str, at: int, addresses: Sequence[Address]) -> Address:
    """The address for the caller of one that is relative to the callee's parameters, whose addresses are given."""
    if isinstance(base, str):
        return base, at
    start, distance = addresses[base]
    return start, distance + at


def write_functions(module: Any, written: Sequence[CallWriter]) -> None:
    """Add functions to a module, with declarations of what they name."""
    texts = {w.c.name: w.text() for w in written}
    declared: dict[str, str] = {}
    for w in written:
        declared |= w.declared
    present = {str(op.attributes["sym_name"].value) for op in children(module) if "sym_name" in op.attributes}
    parsed = ir.Module.parse("\n".join([*[declared[name] for name in declared if name not in texts], *texts.values()]))
    for op in children(parsed):
        if str(op.attributes["sym_name"].value) not in present:
            module.body.append(op)
