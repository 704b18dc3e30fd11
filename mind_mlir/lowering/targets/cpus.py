"""What rules and emitters have to know of a CPU, as records."""

from __future__ import annotations

import functools
import platform
import re
from dataclasses import dataclass
from pathlib import Path

from ...ir import DType, MindError


@dataclass(frozen=True)
class Cpu:
    """A kind of CPU: vectors, registers, and the caches of one core in bytes.

    `approximates` is true if it has approximate instructions for powers of two and logarithms of f32.

    The others are for products. `chains` is the number of sums that grow side by side to hide the latency of
    multiply-add. `packs` are pairs of bytes and rows: an operand of more bytes is packed if at least so many rows use
    it. `packed_columns` are packed at a time, or four times as many for many rows; for 0 the size of the product
    decides. With `packs_windows`, operands of convolutions are packed by the same rule. An operand that is not packed
    and whose address is no multiple of a vector is copied if at least `aligns` rows use it; 0 stands for never.
    """

    name: str
    vector_bytes: int
    registers: int
    fma: bool
    l1: int = 32 << 10
    l2: int = 512 << 10
    l3: int = 8 << 20
    avx512: bool = False
    approximates: bool = False
    chains: int = 8
    packs: tuple[tuple[int, int], ...] = ((320 << 10, 161),)
    packed_columns: int = 0
    packs_windows: bool = False
    aligns: int = 0

    def lanes(self, dtype: DType) -> int:
        """The number of elements in one vector."""
        return self.vector_bytes // dtype.width

    def fuses(self, numerics: str) -> bool:
        """True if a product and a sum of floats are rounded together, which strict numerics do not allow."""
        return self.fma and numerics != "strict"


# At unaligned addresses every vector of 64 bytes is in two lines: products of 256 rows lose a third of their speed.
# `aligns` is calculated: a copy takes 2 to 4 cycles for a line, and a line's multiply-adds half a cycle for a row.
AVX512 = Cpu("avx512", 64, 32, fma=True, l2=1 << 20, avx512=True, aligns=48)
# Measured on Zen 3. Two multiply-adds begin in a cycle and take 4 cycles there, 5 on Haswell. A vector across two lines
# of the second cache is read twice; packed vectors are in one line.
AVX2 = Cpu(
    "avx2",
    32,
    16,
    fma=True,
    chains=10,
    packs=((32 << 10, 64), (128 << 10, 32)),
    packed_columns=128,
    packs_windows=True,
)
SSE2 = Cpu("sse2", 16, 16, fma=False)
NEON = Cpu("neon", 16, 32, fma=True)

CPUS = {cpu.name: cpu for cpu in (AVX512, AVX2, SSE2, NEON)}
"""Name -> record. `form-kernels{cpu=avx2}` chooses one; the default is the host's."""


def find_cpu(name: str) -> Cpu:
    """The record of that name; `native` is the host's. E7003 for an unknown one."""
    if name == "native":
        return host()
    if name not in CPUS:
        raise MindError.of("E7003", f"no CPU is named {name}", help=f"CPUs: native, {', '.join(CPUS)}")
    return CPUS[name]


@functools.cache
def host() -> Cpu:
    """The record for the CPU of this computer; SSE2 or NEON if its features cannot be read."""
    if platform.machine().lower() in ("arm64", "aarch64"):
        return NEON
    flags = _x86_flags()
    if {"avx512f", "avx512dq", "avx512vl", "avx512bw"} <= flags:
        return AVX512
    return AVX2 if {"avx2", "fma"} <= flags else SSE2


def _x86_flags() -> set[str]:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return set()
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return set(found[1].split()) if found else set()


@functools.cache
def host_model() -> str:
    """The name of this computer's CPU, for people; only its architecture if the system does not tell."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:(.*)$", text, re.MULTILINE)
    return (found[1].strip() if found else "") or platform.processor() or platform.machine()
