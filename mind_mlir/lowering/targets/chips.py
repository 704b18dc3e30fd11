"""What rules and emitters have to know of a GPU, as records."""

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
    """A compute capability: its name in LLVM and ptxas, and the version of PTX that it needs.

    `shared` is the shared memory that one block may use, in bytes. `multiprocessors` is a typical number of them, to
    choose sizes by. `tf32` allows the factors of f32 products to be rounded to TF32.
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
        """Such as `+ptx80`. LLVM ends the process if a chip is given with an older version of PTX than it needs."""
        return f"+ptx{self.ptx}"


SM_80 = Chip("sm_80", 80, 163 << 10, 108)
SM_90 = Chip("sm_90", 80, 227 << 10, 132)
SM_90A = Chip("sm_90a", 80, 227 << 10, 132, warpgroups=True)

CHIPS = {chip.name: chip for chip in (SM_80, SM_90, SM_90A)}
"""Name -> record. `form-gpu-kernels{chip=sm_90}` chooses one."""

ARITHMETIC = Cpu("gpu", 16, 255, fma=True, tiles=Tiles((), (), ()), approximates=True)
"""A GPU for the formulas of exp and log: as a CPU with fused multiply-add and approximations, and without AVX-512."""


PRECISIONS = ("f32", "tf32")
"""The types in which f32 can be multiplied."""


def find_chip(name: str, precision: str = "f32") -> Chip:
    """The record of that name. E7003 for an unknown one."""
    if name not in CHIPS:
        raise MindError.of("E7003", f"no chip is named {name}", help=f"chips: {', '.join(CHIPS)}")
    return replace(CHIPS[name], tf32=precision == "tf32")
