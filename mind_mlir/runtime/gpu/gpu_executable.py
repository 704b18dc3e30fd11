"""Compiles a Core IR module for the GPU of this machine, and loads the code as an artifact is loaded."""

from __future__ import annotations

from typing import Any

from ...ir import MindError, Module, np
from ...lowering.gpu.artifacts.kept_artifact import gpu_code
from ...lowering.native.guard import tried
from ..executable import Executable
from ..interpret import interpret
from .artifact import Artifact, artifact_in_memory
from .device import device


class GpuExecutable(Executable):
    """An Executable on a GPU. Arguments and `out` may be arrays of other libraries on the device: see `Artifact`."""

    def __init__(self, module: Module, artifact: Artifact) -> None:
        super().__init__(module, "gpu", artifact)
        self.artifact = artifact

    def __call__(self, /, *arrays: Any, out: Any = None, stream: Any = None, **named: Any) -> tuple[Any, ...]:
        """Run, as an `Artifact` does."""
        try:
            return self.artifact(*arrays, out=out, stream=stream, **named)
        except MindError as why:
            if why.code == "E6001" and all(isinstance(a, np.ndarray) for a in (*arrays, *named.values())):
                interpret(self.module, *arrays, **named)  # with the same arrays, it finds which index failed
            raise

    def check(self) -> None:
        """Wait for what has been begun with `stream=`. E6001 and E6008."""
        self.artifact.check()


def chip_for(capability: tuple[int, int]) -> str:
    """The chip to compile for: one of exactly this compute capability, else the latest one before it."""
    if capability == (9, 0):
        return "sm_90a"
    return "sm_90" if capability >= (9, 0) else "sm_80"


def compile_for_gpu(
    module: Module, numerics: str, precision: str = "f32", number: int = 0, driver: str | None = None
) -> GpuExecutable:
    """Compile a verified module for a GPU of this machine, or find its code on disk, and load it.

    The code is a cubin if ptxas is found, else PTX, which the driver compiles. E6002 before anything is compiled; E6001
    and E6004 for what is known before a run, E6008 if the device fails, E7006 without MLIR, E7007 for a bad
    MIND_CACHE_SIZE.
    """
    here = device(number, driver)
    chip = chip_for(here.capability)
    tried(module, lambda: gpu_code(module, chip, numerics, precision))
    files = gpu_code(module, chip, numerics, precision)
    return GpuExecutable(module, artifact_in_memory(files, number, driver))
