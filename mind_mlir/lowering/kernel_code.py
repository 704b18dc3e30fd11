"""The machine code of kernels: each is compiled once, alone, and kept for every module that has the same.

A kernel is a private function, with a strategy (kernels/) or of plain loops, that depends on nothing but its own text.
That text, with what compiles it, is its key; the key is part of its name, by which the code of a module finds it when
both are linked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mlir import ir

from . import kernel_store
from .kernel_store import KernelCode
from .llvm.objects import LlvmModule
from .rewrites._copy import copied
from .rewrites._walk import children, functions, operations
from .rewrites.hoist_scratch import give_scratch, scratch_to_parameters
from .workers import Task, finished, submitted

BATCH = 8
"""Kernels that are lowered at a time; LLVM works on them while the next are."""

_DIGITS = 24
"""Hexadecimal digits of a key in a name: 96 bits."""


_NAMING = {"llvm.call": "callee", "llvm.mlir.addressof": "global_name"}
"""Operations of the LLVM dialect that name others, and the attribute that does."""


@dataclass(frozen=True)
class Stage:
    """Functions of one kind that are compiled alone: which ones, when, and how they become machine code.

    `expand` writes what is in them as loops and vectors, `lower` takes it to the LLVM dialect; `passes` are LLVM's.
    """

    name: str
    takes: Callable[[Any], bool]
    expand: Callable[[Any], object]
    lower: Callable[[Any], object]
    passes: str


class KernelCompiler:
    """Compiles functions of modules in one context, each alone.

    `settings` is what decides their code besides their text, None if that is not known well enough to keep it on disk.
    """

    def __init__(self, settings: str | None, cpu: str = "native") -> None:
        self._settings, self._cpu = settings, cpu
        self._known: dict[str, _Kernel] = {}

    @property
    def code(self) -> list[Task[KernelCode]]:
        """The code of every function so far, or what will be it."""
        return [k.code for k in self._known.values()]

    def take(self, module: Any, stage: Stage) -> None:
        """Take functions out of a module, which then only declares them, and start to compile those not known."""
        with module.context, ir.Location.unknown():
            settings = f"{stage.name} {self._cpu} {self._settings}"
            found = [_Kernel(f, settings) for f in functions(module) if stage.takes(f)]
            kernels = {k.called: k for k in found if k.is_alone}
            new = {k.name: k for k in kernels.values() if k.name not in self._known}
            missing = [k for k in new.values() if not k.find(self._settings is not None)]
            for n in range(0, len(missing), BATCH):
                self._compile(missing[n : n + BATCH], stage)
            for k in kernels.values():
                k.remove()
            self._known |= new
            kernels = {name: self._known[k.name] for name, k in kernels.items()}
            for k in {k.name: k for k in kernels.values()}.values():
                k.declare(module)
            for op in [op for f in functions(module) for op in operations(f) if op.name == "func.call"]:
                if (called := kernels.get(op.attributes["callee"].value)) is not None:
                    give_scratch(op, called.name, called.scratch)

    def _compile(self, batch: Sequence[_Kernel], stage: Stage) -> None:
        together = ir.Module.create()
        for k in batch:
            together.body.append(k.function)
        stage.expand(together)
        for k in batch:
            k.scratch = scratch_to_parameters(k.function)
            k.function = None  # lowering replaces it
        stage.lower(together)
        lowered = {name_of(op): op for op in children(together)}
        for k in batch:
            alone = ir.Module.create()
            _move(lowered, k.name, alone)
            how = stage.passes, self._cpu, self._settings is not None
            k.code = submitted(
                partial(_compiled, k.key, tuple(map(str, k.scratch)), LlvmModule.translated(alone), *how)
            )


class _Kernel:
    """One kernel on its way to code."""

    scratch: list[Any]
    """The types of the memory that callers pass, behind other parameters."""
    code: Task[KernelCode]

    def __init__(self, f: Any, settings: str) -> None:
        self.function: Any = f
        self.inputs = list(ir.FunctionType(f.attributes["function_type"].value).inputs)
        self.called = name_of(f)
        f.attributes["sym_name"] = ir.StringAttr.get("kernel")
        text = f.get_asm(use_local_scope=True)
        self.is_alone = text.count("@") == 1  # else it names a constant in memory, or another function
        self.key = hashlib.sha256(f"{settings}\n{text}".encode()).hexdigest()
        self.name = f"mind_{self.called.rstrip('0123456789')}_{self.key[:_DIGITS]}" if self.is_alone else self.called
        f.attributes["sym_name"] = ir.StringAttr.get(self.name)

    def find(self, on_disk: bool) -> bool:
        """Whether the code is known already."""
        found = kernel_store.find(self.key, on_disk)
        if found is None:
            return False
        self.code = finished(found)
        self.scratch = [ir.Type.parse(text) for text in found.scratch]
        return True

    def remove(self) -> None:
        """Erase the function, if it is still in its module."""
        if self.function is not None:
            self.function.erase()
            self.function = None

    def declare(self, module: Any) -> None:
        """Declare the kernel, unless that is done."""
        attributes = {
            "sym_name": ir.StringAttr.get(self.name),
            "sym_visibility": ir.StringAttr.get("private"),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get([*self.inputs, *self.scratch], [])),
        }
        with ir.InsertionPoint(module.body):
            ir.Operation.create("func.func", attributes=attributes, regions=1)


def name_of(f: Any) -> str:
    """The name of a function or another symbol."""
    return str(f.attributes["sym_name"].value)


def _move(lowered: dict[str, Any], name: str, alone: Any) -> None:
    """Move a lowered kernel into a module of its own, with a copy of what it names there: functions of a library."""
    f = lowered[name]
    alone.body.append(f)
    f.attributes["passthrough"] = ir.ArrayAttr.get([ir.StringAttr.get("nounwind")])  # no tables for that: they cost
    calls = [op for op in operations(f) if op.name in _NAMING]
    for other in dict.fromkeys(
        op.attributes[_NAMING[op.name]].value for op in calls if _NAMING[op.name] in op.attributes
    ):
        with ir.InsertionPoint(alone.body):
            copied(lowered[other], {})


def _compiled(
    key: str, scratch: tuple[str, ...], module: LlvmModule, passes: str, cpu: str, on_disk: bool
) -> KernelCode:
    """In a worker: the code of a kernel, which is kept."""
    made = KernelCode(scratch, module.object_file(passes, cpu))
    kernel_store.keep(key, made, on_disk)
    return made
