"""Contexts that are used again by later compilations, and steps that share a pass manager, to save time.

Making a context takes 6 ms, and MLIR's verifier after every step would take a quarter of the time of a long pipeline.
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
"""A context is not used again after so many operations: it keeps every type, attribute and location it has seen."""

LITERALS = 1 << 20
"""Nor after so many bytes of constants, for the same reason."""


class Workplace:
    """A context, and the pass managers made for it."""

    def __init__(self) -> None:
        self.managers: dict[str, Any] = {}  # before the context, so that they are freed first
        self.context = new_context()
        self.operations = self.literals = 0

    def run(self, steps: Sequence[Step], state: Any, has_kernels: bool = True) -> Any:
        """Run the steps of a pipeline on a module of either kind; neighbouring passes of MLIR run as one.

        MLIR's verifier runs between passes of ours and MLIR's, until kernels are expanded; later faults are for LLVM's
        verifier. `has_kernels` says that this has happened already, if the module is one of MLIR.
        MlirPassFailed names the first of the passes that run as one: `Pipeline.run` finds out which one has failed.
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
    """A workplace to compile a module in, for this thread alone; it is kept for the next module unless this fails."""
    try:
        place = _FREE.pop()
    except IndexError:
        place = Workplace()
    yield place
    place.operations += max(len(m), 32)
    place.literals += sum(o.type.nbytes for o in m.every_operation if o.op.literal is not None)
    if place.operations < OPERATIONS and place.literals < LITERALS:
        _FREE.append(place)
