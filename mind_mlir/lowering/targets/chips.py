"""What the rules and emitters need to know of a GPU, as records."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...ir import MindError
from .cpus import Cpu, Tiles

WARP = 32
"""Threads that take the same instructions."""

WIDE = 4
"""Elements that are read or written by one instruction where memory allows it: 16 bytes of f32."""

TERMS = 32
"""Neighbours in a line of a tile that a tensor map shows: 128 bytes of f32, within which pieces of 16 are exchanged."""

STATIC = 48 << 10
"""Bytes of shared memory that a kernel may declare; more is asked for by the launch."""


@dataclass(frozen=True)
class Chip:
    """A compute capability: the name that LLVM and ptxas have for it, and the version of PTX that it takes.

    `shared` is the shared memory that one block may use, in bytes; `multiprocessors` a number to fill, not to count on.
    `tf32` allows products of f32 to be rounded to TF32 first.
    """

    name: str
    ptx: int
    shared: int
    multiprocessors: int
    async_copies: bool = True
    warpgroups: bool = False
    tf32: bool = False

    @property
    def features(self) -> str:
        """`+ptx80`.  LLVM ends the process for a chip with a version of PTX that is older than it."""
        return f"+ptx{self.ptx}"


SM_80 = Chip("sm_80", 80, 163 << 10, 108)
SM_90 = Chip("sm_90", 80, 227 << 10, 132)
SM_90A = Chip("sm_90a", 80, 227 << 10, 132, warpgroups=True)

CHIPS = {chip.name: chip for chip in (SM_80, SM_90, SM_90A)}
"""Name -> record.  `form-gpu-kernels{chip=sm_90}` chooses one."""

ARITHMETIC = Cpu("gpu", 16, 255, fma=True, tiles=Tiles((), (), ()), approximates=True)
"""The formulas of exp and log see a GPU as a CPU with fused multiply-add and approximations, and without AVX-512."""


PRECISIONS = ("f32", "tf32")
"""What f32 is multiplied in."""


def find_chip(name: str, precision: str = "f32") -> Chip:
    """The record of that name.  E7003 for an unknown one."""
    if name not in CHIPS:
        raise MindError.of("E7003", f"no chip is named {name}", help=f"chips: {', '.join(CHIPS)}")
    return replace(CHIPS[name], tf32=precision == "tf32")
