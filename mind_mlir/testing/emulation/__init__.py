"""GPU kernels on a CPU, with checks: what tests run where there is no GPU.

`Emulated(code).run(arrays, order)` runs what `lowering.gpu.artifacts.nvvm.to_nvvm` gives.  Every access lies in memory
that the launch was given, threads that share memory wait in between, barriers are met by all; anything else is an
`EmulationError`.  What it does not check: the order of memory between threads that wait by other means than barriers,
and the time that anything takes.
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
