"""Runs GPU kernels on a CPU, with checks, for tests where there is no GPU.

`Emulated(code).run(arrays, order)` runs what `lowering.gpu.artifacts.nvvm.to_nvvm` gives. It is an `EmulationError` if
an access is outside of the memory that the launch was given, if threads share memory without a barrier in between, or
if a barrier is not met by all. Not checked are the order of memory between threads that wait by other means than
barriers, and the time that anything takes.
"""

from .emulate import ORDERS, Emulated, EmulationError, Emulator, Memory, Run, emulate
from .emulator_library import c_compiler
from .opaque_maps import tensor_map
from .retarget import NotEmulated

__all__ = [
    "ORDERS",
    "Emulated",
    "EmulationError",
    "Emulator",
    "Memory",
    "NotEmulated",
    "Run",
    "c_compiler",
    "emulate",
    "tensor_map",
]
