"""What rules and emitters have to know of a CPU, as records."""

from __future__ import annotations

import functools
import platform
import re
from dataclasses import dataclass, field
from pathlib import Path

from ...ir import DType, MindError


@dataclass(frozen=True)
class Tiles:
    """The most rows of a product's tiles that are 1, 2, … vectors wide: what leaves registers for the operands.

    `packed` is for columns in panels; `neighbours` for rows that are neighbours in memory, as in Aᵀ·B, of columns that
    are not packed; `plain` for all others.
    """

    plain: tuple[int, ...]
    packed: tuple[int, ...]
    neighbours: tuple[int, ...]


@dataclass(frozen=True)
class Source:
    """Where figures of a record come from: the machine on which they were measured, and how; or why they are so."""

    figures: tuple[str, ...]
    machine: str
    how: str


NOWHERE = "not recorded"
"""The machine of figures of which nobody wrote down where they were measured."""

UNMEASURED = "not measured"
"""The machine of figures that follow from something else."""


@dataclass(frozen=True)
class Cpu:
    """A kind of CPU: vectors, registers, and the caches of one core in bytes.

    Addresses that are `way` bytes apart share a set of the first cache.

    `approximates` is true if it has approximate instructions for powers of two and logarithms of f32.

    The others are for products. `chains` is the number of sums that grow side by side to hide the latency of
    multiply-add, and `tiles` has the numbers of rows of the tiles that hold them. `packs` are pairs of bytes and rows:
    an operand of more bytes is packed if at least so many rows use it. `packed_columns` are packed at a time, or four
    times as many for many rows; for 0 the size of the product decides. `packed_terms` are the terms that are packed at
    a time, of f64, of columns that are neighbours in memory, and of others. With `packs_windows`, operands of
    convolutions are packed by the same rule. An operand that is not packed and whose address is no multiple of a
    vector is copied if at least `aligns` rows use it; 0 stands for never. Rows that are neighbours and whose terms
    share few sets of the first cache are copied if at least `copies_rows` columns use them; 0 stands for never. An
    operand of more than `whole` bytes is used for
    all rows in pieces of about `piece` bytes.

    `sources` has the source of each figure.
    """

    name: str
    vector_bytes: int
    registers: int
    fma: bool
    tiles: Tiles
    l1: int = 32 << 10
    way: int = 4 << 10
    l2: int = 512 << 10
    l3: int = 8 << 20
    avx512: bool = False
    approximates: bool = False
    chains: int = 8
    packs: tuple[tuple[int, int], ...] = ((320 << 10, 161),)
    packed_columns: int = 0
    packed_terms: tuple[int, int, int] = (256, 384, 512)
    packs_windows: bool = False
    aligns: int = 0
    copies_rows: int = 0
    whole: int = 320 << 10
    piece: int = 256 << 10
    sources: tuple[Source, ...] = field(default=(), compare=False, repr=False)

    def lanes(self, dtype: DType) -> int:
        """The number of elements in one vector."""
        return self.vector_bytes // dtype.width

    def fuses(self, numerics: str) -> bool:
        """True if a product and a sum of floats are rounded together, which strict numerics do not allow."""
        return self.fma and numerics != "strict"


_FEW = Tiles(plain=(13, 6), packed=(13, 6), neighbours=(13, 6))
_MANY = Tiles(plain=(14, 12, 8, 6), packed=(10, 10), neighbours=(12, 12))
"""For 16 registers, and for 32."""

_ISA = Source(
    ("vector_bytes", "registers", "fma", "avx512", "approximates"),
    UNMEASURED,
    "the instruction set of this kind",
)
_FORMULA = Source(
    ("tiles",),
    UNMEASURED,
    "calculated: beside the sums, registers hold a row of vectors and two more: (registers - wide - 2) / wide rows;"
    " wider tiles than two vectors would have too few rows",
)
_CACHES = Source(
    ("l1", "way", "l2", "l3"), UNMEASURED, "the size in most CPUs of this kind, or a part of it; a size, not a speed"
)

_NO_COPIES = Source(
    ("copies_rows",), UNMEASURED, "never: its tiles have more rows, so that fewer of them read the same lines"
)

AVX512 = Cpu(
    "avx512",
    64,
    32,
    fma=True,
    tiles=_MANY,
    l2=1 << 20,
    avx512=True,
    aligns=48,
    sources=(
        _ISA,
        _CACHES,
        Source(
            ("tiles",),
            NOWHERE,
            "as measured: 6 rows x 4 vectors instead of 14 x 2 are 1.1 times as fast at 64x1024x4096, 57x1451x329 and"
            " 23x300x1200, columns not packed, and spill at no depth; how the others were measured is not recorded",
        ),
        Source(("chains",), UNMEASURED, "two multiply-adds begin in a cycle, and one takes 4"),
        Source(
            ("packs", "packed_columns", "packed_terms", "packs_windows", "whole", "piece"),
            NOWHERE,
            "as measured: products of up to 160 rows, and of operands of up to 320 KiB, are faster from operands that"
            " are not packed, if these are aligned (docs/adr/0026); how the others were measured is not recorded",
        ),
        Source(
            ("aligns",),
            UNMEASURED,
            "calculated: a copy takes 2 to 4 cycles for a line, and a line's multiply-adds half a cycle for a row; at"
            " unaligned addresses every vector of 64 bytes is in two lines, which costs products of 256 rows a third of"
            " their speed, on a machine that is not recorded (docs/adr/0026)",
        ),
        _NO_COPIES,
    ),
)
AVX2 = Cpu(
    "avx2",
    32,
    16,
    fma=True,
    tiles=_FEW,
    chains=10,
    packs=((32 << 10, 64), (128 << 10, 32)),
    packed_columns=128,
    packs_windows=True,
    copies_rows=128,
    sources=(
        _ISA,
        _CACHES,
        _FORMULA,
        Source(
            ("copies_rows",),
            "AMD EPYC (Zen 3)",
            "products of Aᵀ and B on one thread, least of 50 calls: with the copy 1.27 times as fast at 1024x128x1024"
            " and 1024x1024x1024, 1.14 at 512x128x1024, 1.03 at 1024x128x64",
        ),
        Source(("chains",), UNMEASURED, "two multiply-adds begin in a cycle, and one takes 4 on Zen 3, 5 on Haswell"),
        Source(
            ("packs", "packed_columns", "packs_windows"),
            "AMD EPYC (Zen 3)",
            "code for Haswell on one thread, products and convolutions of benchmarks/cpu, aligned and 16 bytes after"
            " a line: a vector across two lines of the second cache is read twice, and packed vectors are in one line"
            " (docs/results.md, docs/adr/0026)",
        ),
        Source(
            ("packed_terms",), UNMEASURED, "not used: half of a cache says how many terms, as packed_columns is not 0"
        ),
        Source(("aligns",), UNMEASURED, "never: what is beyond the first cache is packed by enough rows"),
        Source(("whole", "piece"), NOWHERE, "as for AVX-512"),
    ),
)
_DEFAULTS = Source(
    ("chains", "packs", "packed_columns", "packed_terms", "packs_windows", "aligns", "whole", "piece"),
    UNMEASURED,
    "not measured on this kind: the figures for AVX-512, but without copies that are aligned",
)
SSE2 = Cpu(
    "sse2",
    16,
    16,
    fma=False,
    tiles=_FEW,
    sources=(
        _ISA,
        _CACHES,
        _FORMULA,
        _DEFAULTS,
        Source(("copies_rows",), UNMEASURED, "never: not measured on this kind"),
    ),
)
NEON = Cpu(
    "neon",
    16,
    32,
    fma=True,
    tiles=_MANY,
    sources=(
        _ISA,
        _CACHES,
        Source(("tiles",), UNMEASURED, "not measured on this kind: it has as many registers as AVX-512"),
        _DEFAULTS,
        _NO_COPIES,
    ),
)

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
