"""Compiles each kernel once, alone, and keeps its code for every module that has the same kernel.

A kernel is a private function, with a strategy (kernels/) or of plain loops, that depends on nothing but its own text.
The hash of that text and of what compiles it is its key. The key is part of its name, by which the code of a module
finds it when both are linked.

If a module has many, kernels that differ in numbers alone share their code (open_kernels.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from mlir import ir

from ..llvm.objects import LlvmModule
from ..llvm.open_numbers import can_leave_open
from ..mlir.walk import functions, operations
from ..rewrites.hoist_scratch import give_scratch, scratch_to_parameters
from ..store import kernel_store
from ..store.kernel_store import KernelCode
from .kernel import Kernel, Stage
from .kernel_lowering import lowered
from .open_kernels import OpenKernels
from .workers import Task, submitted

BATCH = 8
"""How many kernels are lowered at a time; LLVM compiles them while the next ones are lowered."""

MANY = 64
"""With so many kernels in a module, they are written with numbers left open: small ones then run up to 3 % longer."""


class KernelCompiler:
    """Compiles functions of modules in one context, each alone.

    `settings` is a digest of all that decides their code besides their text; if it is None, code is not kept on disk.
    """

    def __init__(self, settings: str | None, cpu: str = "native") -> None:
        self._settings, self._cpu = settings, cpu
        self._known: dict[str, Kernel] = {}
        self._on_disk = settings is not None
        self._open = OpenKernels(f"{cpu} {settings}", cpu, self._on_disk)

    @property
    def code(self) -> list[Task[KernelCode]]:
        """The code of every function so far, as tasks that may not be done yet."""
        return [k.code for k in self._known.values()]

    def cancel(self) -> None:
        """Stop compiling: the code is not needed any more."""
        self._open.cancel()
        for task in self.code:
            task.cancel()

    def take(self, module: Any, stage: Stage) -> None:
        """Move functions out of a module, which then only declares them, and start to compile those not known."""
        with module.context, ir.Location.unknown():
            settings = f"{stage.name} {self._cpu} {self._settings}"
            found = [Kernel(f, settings) for f in functions(module) if stage.takes(f)]
            kernels = {k.called: k for k in found if k.is_alone}
            new = {k.name: k for k in kernels.values() if k.name not in self._known}
            missing = [k for k in new.values() if not k.find(self._on_disk)]
            expand_open = stage.expand_open if len(kernels) >= MANY and can_leave_open() else None
            for n in range(0, len(missing), BATCH):
                batch = missing[n : n + BATCH]
                if expand_open is None:
                    self._compile(batch, stage)
                else:
                    self._open.compile(batch, stage, expand_open)
            for k in kernels.values():
                k.remove()
            self._known |= new
            kernels = {name: self._known[k.name] for name, k in kernels.items()}
            for k in {k.name: k for k in kernels.values()}.values():
                k.declare(module)
            for op in [op for f in functions(module) for op in operations(f) if op.name == "func.call"]:
                if (called := kernels.get(op.attributes["callee"].value)) is not None:
                    give_scratch(op, called.name, called.scratch)

    def _compile(self, batch: Sequence[Kernel], stage: Stage) -> None:
        together = ir.Module.create()
        for k in batch:
            together.body.append(k.function)
        stage.expand(together)
        for k in batch:
            k.scratch = scratch_to_parameters(k.function)
            k.function = None  # lowering replaces it
        module_of = lowered(together, stage.lower)
        for k in batch:
            how = stage.passes, self._cpu, self._on_disk
            k.code = submitted(partial(_compiled, k.key, tuple(map(str, k.scratch)), module_of(k.name), *how))


def _compiled(
    key: str, scratch: tuple[str, ...], module: LlvmModule, passes: str, cpu: str, on_disk: bool
) -> KernelCode:
    """Compile a kernel, in a worker, and keep its code."""
    made = KernelCode(scratch, module.object_file(passes, cpu))
    kernel_store.keep(key, made, on_disk)
    return made
