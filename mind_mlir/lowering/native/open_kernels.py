"""Kernels with numbers left open: what is written is compiled once for all that have the same text then.

Each kernel's code is a copy, with its own numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from io import BytesIO
from typing import Any

from mlir import ir

from ..kernels.open_code import OpenCode, declare_numbers
from ..kernels.record import ATTRIBUTE
from ..llvm.objects import LlvmModule
from ..llvm.open_numbers import OpenObject
from ..rewrites.hoist_scratch import scratch_to_parameters
from ..store import kernel_store
from ..store.kernel_store import KernelCode
from .kernel import DIGITS, Kernel, Stage
from .kernel_lowering import lowered
from .workers import Task, finished, submitted


class OpenKernels:
    """What kernels of one context share; `settings` decide its code besides its text, and `on_disk` it is kept there
    too."""

    def __init__(self, settings: str, cpu: str, on_disk: bool) -> None:
        self._settings, self._cpu, self._on_disk = settings, cpu, on_disk
        self._known: dict[str, Task[OpenObject]] = {}

    def compile(self, batch: Sequence[Kernel], stage: Stage, expand: Callable[[Any], OpenCode]) -> None:
        """Start to make the code of kernels; `expand` writes what is in one of them."""
        together = ir.Module.create()
        new: dict[str, tuple[str, int]] = {}  # key -> the name of the function, and how many numbers it has
        written = []
        for k in batch:
            together.body.append(k.function)
            code = expand(k.function)
            k.scratch = scratch_to_parameters(k.function)
            code.close(k.function)
            k.function.attributes[ATTRIBUTE] = ir.DictAttr.get({})  # its numbers have been used
            key = self._key(k, stage)
            written.append((k, key, code.numbers))
            if key in self._known or key in new or self._find(key):
                k.function.erase()
            else:
                new[key] = name, _ = k.name_for(key), len(code.numbers)
                k.function.attributes["sym_name"] = ir.StringAttr.get(name)
                code.name_numbers()
            k.function = None
        if new:
            declare_numbers(together, max(count for _, count in new.values()))
            module_of = lowered(together, stage.lower)
        for key, (name, count) in new.items():
            module = module_of(name)
            module.leave_open(count)
            how = stage.passes, self._cpu, self._on_disk
            self._known[key] = submitted(partial(_compiled, key, module, *how))
        for k, key, numbers in written:
            scratch = tuple(map(str, k.scratch))
            k.code = self._known[key].then(partial(_filled, k.key, scratch, numbers, key[:DIGITS], self._on_disk))

    def cancel(self) -> None:
        """The code is not wanted any more."""
        for task in self._known.values():
            task.cancel()

    def _key(self, k: Kernel, stage: Stage) -> str:
        k.function.attributes["sym_name"] = ir.StringAttr.get(k.stem)
        written = BytesIO()  # a third of the time of text
        k.function.write_bytecode(written)
        return hashlib.sha256(f"open {stage.name} {self._settings}\n".encode() + written.getvalue()).hexdigest()

    def _find(self, key: str) -> bool:
        """Whether the code is kept from before."""
        found = kernel_store.find(key, self._on_disk)
        if found is not None:
            self._known[key] = finished(OpenObject(found.code))
        return found is not None


def _compiled(key: str, module: LlvmModule, passes: str, cpu: str, on_disk: bool) -> OpenObject:
    """In a worker: code with numbers left open, which is kept."""
    made = KernelCode((), module.object_file(passes, cpu))
    kernel_store.keep(key, made, on_disk)
    return OpenObject(made.code)


def _filled(
    key: str, scratch: tuple[str, ...], numbers: Sequence[int], digits: str, on_disk: bool, shared: OpenObject
) -> KernelCode:
    """In a worker: the code of a kernel, which is kept."""
    made = KernelCode(scratch, shared.filled(numbers, digits, key[:DIGITS]))
    kernel_store.keep(key, made, on_disk)
    return made
