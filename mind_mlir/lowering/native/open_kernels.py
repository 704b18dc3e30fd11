"""Compiles kernels with numbers left open: once for all kernels whose texts are equal then.

The code of each kernel is a copy in which its own numbers are filled in.
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
    """The shared code of kernels of one context. `settings` is a digest of what decides it besides the text; with
    `on_disk` it is kept there too."""

    def __init__(self, settings: str, cpu: str, on_disk: bool) -> None:
        self._settings, self._cpu, self._on_disk = settings, cpu, on_disk
        self._known: dict[str, Task[OpenObject]] = {}

    def compile(self, batch: Sequence[Kernel], stage: Stage, expand: Callable[[Any], OpenCode]) -> None:
        """Start to compile kernels; `expand` writes the body of one."""
        together = ir.Module.create()
        new: dict[str, tuple[str, int]] = {}  # key -> the name of the function, and how many numbers it has
        written = []
        for k in batch:
            together.body.append(k.function)
            code = expand(k.function)
            k.scratch = scratch_to_parameters(k.function)
            code.close(k.function)
            k.function.attributes[ATTRIBUTE] = ir.DictAttr.get(
                {}
            )  # the attributes with its numbers are not needed any more
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
        """Stop compiling: the code is not needed any more."""
        for task in self._known.values():
            task.cancel()

    def _key(self, k: Kernel, stage: Stage) -> str:
        k.function.attributes["sym_name"] = ir.StringAttr.get(k.stem)
        written = BytesIO()  # bytecode takes a third of the time of text
        k.function.write_bytecode(written)
        return hashlib.sha256(f"open {stage.name} {self._settings}\n".encode() + written.getvalue()).hexdigest()

    def _find(self, key: str) -> bool:
        """True if the code is kept from an earlier compilation."""
        found = kernel_store.find(key, self._on_disk)
        if found is not None:
            self._known[key] = finished(OpenObject(found.code))
        return found is not None


def _compiled(key: str, module: LlvmModule, passes: str, cpu: str, on_disk: bool) -> OpenObject:
    """Compile code with numbers left open, in a worker, and keep it."""
    made = KernelCode((), module.object_file(passes, cpu))
    kernel_store.keep(key, made, on_disk)
    return OpenObject(made.code)


def _filled(
    key: str, scratch: tuple[str, ...], numbers: Sequence[int], digits: str, on_disk: bool, shared: OpenObject
) -> KernelCode:
    """Fill in the numbers of a kernel, in a worker, and keep its code."""
    made = KernelCode(scratch, shared.filled(numbers, digits, key[:DIGITS]))
    kernel_store.keep(key, made, on_disk)
    return made
