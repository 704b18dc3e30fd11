"""Rewrites GPU kernels into code for this CPU, which calls the emulator for what a device does.

The gpu.module of a lowered module holds operations of the dialects llvm and nvvm. Address spaces are removed, and
shared memory is the emulator's. Every operation of nvvm, and inline assembly, becomes a call of a function `emu_…`
(instructions.py), and before every load, store and atomic operation a call checks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from mlir import ir

from ...lowering.mlir.walk import children, operations
from .shared import SPACE, Shared, bytes_of, placed

READ, WRITE, UPDATE = 0, 1, 3
"""The kinds of access to memory, as in emulator.h."""


class NotEmulated(Exception):
    """A kernel holds an operation that the emulator does not have."""


@dataclass(frozen=True)
class Retargeted:
    """A module in the LLVM dialect for this CPU.

    For each kernel, `kernels` has the pieces of shared memory that it uses, `apart` the numbers of its `noalias`
    parameters, and `clusters` the number of blocks that run together. `sites` are the names of operations for messages,
    `used` the functions of the emulator that are called.
    """

    module: Any
    kernels: dict[str, tuple[Shared, ...]]
    apart: dict[str, frozenset[int]]
    clusters: dict[str, int]
    sites: tuple[str, ...]
    used: tuple[str, ...]


Rewrite: TypeAlias = "Callable[[Retargeting, Any], None]"
"""A function that replaces an instruction by calls of the emulator: `instructions.rewritten`."""


def retarget(gpu_module: Any, results: int, rewrite: Rewrite) -> Retargeted:
    """A gpu.module rewritten for this CPU. NotEmulated if it holds an operation that the emulator does not have.

    `results` is the address at which the emulator leaves results of several parts; `rewrite` rewrites an instruction.
    """
    with gpu_module.context, ir.Location.unknown():
        made = ir.Module.create()
        inside = ir.InsertionPoint(made.body)
        for op in children(gpu_module):
            op.clone(inside)
        return Retargeting(made, results, rewrite).run()


class Retargeting:
    """Rewrites one module, which is changed."""

    def __init__(self, module: Any, results: int, rewrite: Rewrite) -> None:
        self.module, self.results, self.rewrite = module, results, rewrite
        self.pointer = ir.Type.parse("!llvm.ptr")
        self.i32, self.i64 = (ir.IntegerType.get_signless(n) for n in (32, 64))
        self.sites: dict[str, int] = {"an unknown operation": 0}
        self.used: dict[str, str] = {}
        self.shared: dict[str, Shared] = {}
        self.start: Any = None
        self.constants: dict[tuple[str, int], Any] = {}

    def run(self) -> Retargeted:
        """Rewrite the whole module."""
        top = children(self.module)
        shared = [op for op in top if op.name == "llvm.mlir.global" and _space(op) == SPACE]
        self.shared = placed(
            {
                op.attributes["sym_name"].value: (str(op.attributes["global_type"].value), _alignment(op))
                for op in shared
            }
        )
        functions = [op for op in top if op.name == "llvm.func"]
        for op in shared:
            op.erase()
        kernels: dict[str, tuple[Shared, ...]] = {}
        apart: dict[str, frozenset[int]] = {}
        clusters: dict[str, int] = {}
        for f in functions:
            if len(f.regions[0].blocks):
                is_kernel, cluster = "nvvm.kernel" in f.attributes, _cluster(f)
                used = self._function(f)
                if is_kernel:
                    name = f.attributes["sym_name"].value
                    kernels[name], apart[name], clusters[name] = used, _apart(f), cluster
        lines = [f"llvm.func @{name}{type} attributes {{convergent}}" for name, type in self.used.items()]
        added = ir.Module.parse("\n".join(lines))
        for op in children(added):
            op.clone(ir.InsertionPoint(self.module.body))
        declared = [f.attributes["sym_name"].value for f in functions if not len(f.regions[0].blocks)]
        return Retargeted(self.module, kernels, apart, clusters, tuple(self.sites), (*self.used, *declared))

    def _function(self, f: Any) -> tuple[Shared, ...]:
        type = ir.TypeAttr(f.attributes["function_type"]).value
        f.attributes["function_type"] = ir.TypeAttr.get(ir.Type.parse(re.sub(r"ptr<\d+>", "ptr", str(type))))
        for name in ("nvvm.", "gpu.", "mind."):
            for key in [a.name for a in _named(f) if a.name.startswith(name)]:
                del f.attributes[key]
        _pass_by_pointer(f)
        _, *body = operations(f)
        self.constants = {}
        with ir.InsertionPoint.at_block_begin(f.regions[0].blocks[0]):  # constants are inserted before this one
            self.start = ir.Operation.create("llvm.mlir.poison", results=[self.i32])
            shared = self.call("emu_shared_start", [], self.pointer) if self.shared else None
        for block in f.regions[0].blocks:
            self._without_spaces(block.arguments)
        used: dict[str, None] = {}
        for op in body:
            self._without_spaces(op.results)
            if op.name == "llvm.mlir.addressof" and (name := op.attributes["global_name"].value) in self.shared:
                used[name] = None
                with ir.InsertionPoint(op):
                    self.replace(op, [self._beyond(shared, self.shared[name].start)])
            elif op.name == "llvm.addrspacecast":
                self.replace(op, [op.operands[0]])
            elif op.name.startswith("nvvm.") or op.name in ("llvm.inline_asm", "llvm.call_intrinsic"):
                with ir.InsertionPoint(op), op.location:
                    self.rewrite(self, op)
            else:
                self._check(op)
        return tuple(self.shared[name] for name in used)

    def _beyond(self, pointer: Any, bytes: int) -> Any:
        address = self.op("llvm.ptrtoint", [pointer], self.i64)
        address = self.op("llvm.add", [address, self.number(bytes, self.i64)], self.i64)
        return self.op("llvm.inttoptr", [address], self.pointer)

    def _without_spaces(self, values: Any) -> None:
        for v in values:
            if str(v.type).startswith("!llvm.ptr<"):
                v.set_type(self.pointer)

    def _check(self, op: Any) -> None:
        """Insert a call before an operation that accesses memory, to check that it may."""
        match op.name:
            case "llvm.load":
                pointer, type, mode = op.operands[0], op.results[0].type, READ
            case "llvm.store":
                pointer, type, mode = op.operands[1], op.operands[0].type, WRITE
            case "llvm.atomicrmw" | "llvm.cmpxchg":
                pointer, type, mode = op.operands[0], op.operands[1].type, UPDATE
            case "llvm.intr.masked.load" | "llvm.intr.masked.store" | "llvm.intr.masked.gather":
                raise NotEmulated(f"{op.name} accesses memory, and is not checked")
            case name if name.startswith("llvm.intr.mem"):
                raise NotEmulated(f"{name} accesses memory, and is not checked")
            case _:
                return
        size = bytes_of(str(type))
        alignment = _alignment(op) or 1 << (size & -size).bit_length() - 1
        about = size | (alignment.bit_length() - 1) << 16 | mode << 24 | self.site_number(op) << 32
        with ir.InsertionPoint(op), op.location:
            self.call("emu_access", [pointer, self.number(about, self.i64)], None)

    # What instructions.py uses

    def site_number(self, op: Any) -> int:
        """The number of an operation's site: its name and source location, for messages."""
        found = re.findall(r'"([^"]*)":(\d+)', str(op.location))
        name = op.name + (f" of {found[0][0]}:{found[0][1]}" if found else "")
        if op.name not in ("llvm.load", "llvm.store"):  # threads may meet at the operation, so each has its own number
            name += f" (number {len(self.sites)})"
        return self.sites.setdefault(name, len(self.sites))

    def site(self, op: Any) -> Any:
        """The number of an operation's site, as a value."""
        return self.number(self.site_number(op))

    def number(self, value: int, type: Any = None) -> Any:
        """An integer constant, an i32 unless `type` says otherwise."""
        type = type or self.i32
        key = str(type), value
        if key not in self.constants:
            bits = type.width
            value = (value + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
            with ir.InsertionPoint(self.start):
                self.constants[key] = self.op("llvm.mlir.constant", [], type, value=ir.IntegerAttr.get(type, value))
        return self.constants[key]

    def address(self, value: int) -> Any:
        """A pointer to this address."""
        key = "pointer", value
        if key not in self.constants:
            number = self.number(value, self.i64)
            with ir.InsertionPoint(self.start):
                self.constants[key] = self.op("llvm.inttoptr", [number], self.pointer)
        return self.constants[key]

    def op(self, name: str, operands: Sequence[Any], type: Any, **attributes: Any) -> Any:
        """Write an operation with one result."""
        return ir.Operation.create(name, results=[type], operands=list(operands), attributes=attributes).result

    def call(self, name: str, operands: Sequence[Any], type: Any) -> Any:
        """Write a call of a function of the emulator; a `type` of None stands for no result."""
        types = ", ".join(str(v.type) for v in operands)
        self.used[name] = f"({types})" + (f" -> {type}" if type is not None else "")
        made = ir.Operation.create(
            "llvm.call",
            results=[] if type is None else [type],
            operands=list(operands),
            attributes={
                "callee": ir.FlatSymbolRefAttr.get(name),
                "operandSegmentSizes": ir.DenseI32ArrayAttr.get([len(operands), 0]),
                "op_bundle_sizes": ir.DenseI32ArrayAttr.get([]),
            },
        )
        return None if type is None else made.result

    def parts(self, type: Any) -> Any:
        """The results that the last call has left in memory, as a value of this type."""
        return self.op("llvm.load", [self.address(self.results)], type)

    def store(self, value: Any, pointer: Any) -> None:
        """Write a store that is not checked."""
        ir.Operation.create(
            "llvm.store", operands=[value, pointer], attributes={"ordering": ir.IntegerAttr.get(self.i64, 0)}
        )

    def replace(self, op: Any, values: Sequence[Any]) -> None:
        """Replace the results of an operation by values, and erase it."""
        for old, new in zip(op.results, values, strict=True):
            old.replace_all_uses_with(new)
        op.erase()


def _cluster(f: Any) -> int:
    """The number of blocks of a kernel that run together."""
    return prod(f.attributes["nvvm.cluster_dim"]) if "nvvm.cluster_dim" in f.attributes else 1


def _pass_by_pointer(f: Any) -> None:
    """Let tensor maps, which a launch copies for the kernel, be passed by pointer."""
    if "arg_attrs" in f.attributes:
        given = [{a.name: a.attr for a in ir.DictAttr(a)} for a in f.attributes["arg_attrs"]]
        kept = [{k: v for k, v in a.items() if k not in ("llvm.byval", "nvvm.grid_constant")} for a in given]
        f.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(a) for a in kept])


def _apart(f: Any) -> frozenset[int]:
    given = f.attributes.get("arg_attrs", [])
    return frozenset(n for n, attributes in enumerate(given) if "llvm.noalias" in ir.DictAttr(attributes))


def _named(op: Any) -> list[Any]:
    return [op.attributes[n] for n in range(len(op.attributes))]


def _space(op: Any) -> int:
    return op.attributes["addr_space"].value if "addr_space" in op.attributes else 0


def _alignment(op: Any) -> int:
    """The operation's alignment in bytes, 0 if it has none."""
    return op.attributes["alignment"].value if "alignment" in op.attributes else 0
