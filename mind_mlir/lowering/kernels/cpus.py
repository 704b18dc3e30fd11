"""What the rules and emitters need to know of a CPU, as records."""

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

    `approximates` tells that it has instructions for powers of two and logarithms of f32 that are not exact.
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

    def lanes(self, dtype: DType) -> int:
        """Elements in one vector."""
        return self.vector_bytes // dtype.width


AVX512 = Cpu("avx512", 64, 32, fma=True, l2=1 << 20, avx512=True)
AVX2 = Cpu("avx2", 32, 16, fma=True)
SSE2 = Cpu("sse2", 16, 16, fma=False)
NEON = Cpu("neon", 16, 32, fma=True)

CPUS = {cpu.name: cpu for cpu in (AVX512, AVX2, SSE2, NEON)}
"""Name -> record.  `form-kernels{cpu=avx2}` chooses one; without, the host's."""


def find_cpu(name: str) -> Cpu:
    """The record of that name; `native` is the host's.  E7003 for an unknown one."""
    if name == "native":
        return host()
    if name not in CPUS:
        raise MindError.of("E7003", f"no CPU is named {name}", help=f"CPUs: native, {', '.join(CPUS)}")
    return CPUS[name]


@functools.cache
def host() -> Cpu:
    """The record that fits the machine this runs on; SSE2 or NEON where its features cannot be read."""
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
    """What the machine's CPU calls itself, for people; the machine's kind where the system does not tell."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:(.*)$", text, re.MULTILINE)
    return (found[1].strip() if found else "") or platform.processor() or platform.machine()
