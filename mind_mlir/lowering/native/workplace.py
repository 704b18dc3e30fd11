"""What compilation in this process saves: contexts that are used again, and steps that share a pass manager.

Making a context costs 6 ms, and MLIR's verifier behind every step a quarter of a long pipeline.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from ...ir import Module
from ...passes.pipeline import Step
from ..mlir.failure import MlirPassFailed
from ..toolchain.installed import require_mlir

require_mlir()

from mlir import ir  # noqa: E402
from mlir.passmanager import PassManager  # noqa: E402

from ..emit.to_linalg import to_linalg  # noqa: E402
from ..mlir.context import new_context  # noqa: E402
from ..mlir.pass_driver import mlir_messages  # noqa: E402

OPERATIONS = 4096
"""Operations after which a context is not used again: it keeps every type, attribute and place that it has seen."""

LITERALS = 1 << 20
"""Bytes of constants after which it is not, for the same reason."""


class Workplace:
    """A context, and the pass managers made for it."""

    def __init__(self) -> None:
        self.managers: dict[str, Any] = {}  # before the context, so that they go first
        self.context = new_context()
        self.operations = self.literals = 0

    def run(self, steps: Sequence[Step], state: Any, has_kernels: bool = True) -> Any:
        """The MLIR module that the steps of a pipeline make of a module of either kind, by whole runs of MLIR's passes.

        MLIR's verifier looks at what passes of ours give to them, up to the kernels; what comes later is for LLVM's.
        `has_kernels` says that an MLIR module to begin with is that far.
        MlirPassFailed names some step of a run: `Pipeline.run` finds out which.
        """
        unverified, expanded = False, has_kernels and not isinstance(state, Module)
        group: list[str] = []
        for step, following in zip(steps, [*steps[1:], None]):
            if step.info is None:
                group.append(step.text)
                if following is None or following.info is not None:
                    self._run(group, state, verify=unverified)
                    group, unverified = [], False
            elif step.name == "lower-to-linalg":
                state = to_linalg(state, self.context, **step.keywords)
            else:
                result = step.info.run(state, **step.keywords)
                state = state if result is None else result
                unverified = not expanded
                expanded |= step.name == "expand-kernels"
        return state

    def _run(self, group: Sequence[str], module: Any, verify: bool) -> None:
        text = f"builtin.module({','.join(group)})"
        if (manager := self.managers.get(text)) is None:
            self.managers[text] = manager = PassManager.parse(text, self.context)
            manager.enable_verifier(False)
        try:
            if verify:
                module.operation.verify()
            manager.run(module.operation)
        except ir.MLIRError as why:
            raise MlirPassFailed(group[0], mlir_messages(why)) from None


_FREE: list[Workplace] = []


@contextlib.contextmanager
def workplace(m: Module) -> Iterator[Workplace]:
    """A place to compile a module in, for this thread alone; it is kept for the next one unless anything fails."""
    try:
        place = _FREE.pop()
    except IndexError:
        place = Workplace()
    yield place
    place.operations += max(len(m), 32)
    place.literals += sum(o.type.nbytes for o in m.every_operation if o.op.literal is not None)
    if place.operations < OPERATIONS and place.literals < LITERALS:
        _FREE.append(place)
