"""IREE: our linalg, compiled by iree-compile and run by its runtime.

The text comes from `mind-opt` in a process of its own, because one process cannot have IREE's package and MLIR's
bindings.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import TYPE_CHECKING, Any

import iree.compiler.tools as compiler
import iree.runtime as runtime
import numpy as np

from . import Peer, Prepared
from .mind import Mind

if TYPE_CHECKING:
    from ..cases import Case


class Iree(Peer):
    """IREE's llvm-cpu backend for this machine, on its own linalg pipeline."""

    name, package = "iree", "iree.runtime"

    @property
    def version(self) -> str:
        """The version, which the package has in its metadata only."""
        return f"iree {metadata.version('iree-base-runtime')}"

    def prepare(self, case: Case, inputs: Sequence[np.ndarray]) -> Prepared | None:
        """The compiled module on arrays of the device."""
        if not hasattr(Mind, case.kind) or "llvm.inline_asm" in (text := linalg(case)):
            return None  # not ours, or a function that is known to our passes alone
        options = ["--iree-llvmcpu-target-cpu=host", "--iree-opt-level=O3", "--iree-input-demote-f64-to-f32=false"]
        code = compiler.compile_str(text, target_backends=["llvm-cpu"], input_type="none", extra_args=options)
        config = runtime.Config("local-sync" if self.threads == 1 else "local-task")
        context = runtime.SystemContext(config=config)
        context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, code))
        main = context.modules.module.main
        arrays = [runtime.asdevicearray(config.device, x) for x in inputs]
        return Prepared(lambda: main(*arrays), _to_host)

    def unused(self, case: Case, inputs: Sequence[np.ndarray]) -> Callable[[], Any]:
        """The call as prepared, since nothing runs before."""
        prepared = self.prepare(case, inputs)
        assert prepared, f"IREE has {case.kind}"
        return prepared.call


def linalg(case: Case) -> str:
    """The case in linalg on tensors, as MLIR text, without named operations that IREE's MLIR lacks."""
    module = str(Mind(1).module(case))
    text = _lowered(module, "generalize-elementwise")
    known = "linalg.exp" not in text and "linalg.log" not in text
    return text if known else _lowered(module, "func.func(linalg-generalize-named-ops)")


def _lowered(module: str, then: str) -> str:
    passes = f"lower-to-linalg,{then}"
    command = [sys.executable, "-m", "mind_mlir.cli.mind_opt", "-", "-p", passes, "--profile", "extended"]
    return subprocess.run(command, input=module, check=True, capture_output=True, text=True).stdout


def _to_host(result: Any) -> list[np.ndarray]:
    """The arrays, without the status, an integer, that comes with them if an operation can fail."""
    results = result if isinstance(result, (tuple, list)) else [result]
    return [np.asarray(a.to_host()) for a in results if not isinstance(a, int)]
