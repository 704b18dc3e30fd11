"""The rules for sums on GPUs that several threads share."""

from __future__ import annotations

from dataclasses import dataclass

from ..targets.chips import WARP, WIDE, Chip
from .choice import Choice, counted

THREADS = 256

LEAST = 8
"""Terms from which several threads share a sum, and the least of them."""

LEAST_PART = 8
"""Iterations of each thread from which a part of a sum is worth a block."""

MOST_PARTS = 1024


@dataclass(frozen=True)
class GpuSumRecord:
    """`lanes` threads share a sum, a block computes `sums`; `terms` neighbours are read at once by a thread.

    `minor` means that neighbouring threads take terms of one sum, not neighbouring sums. A sum is cut into `parts`.
    """

    lanes: int
    sums: int
    terms: int
    minor: bool
    parts: int


@dataclass(frozen=True)
class GpuSum:
    """Sums as the rules for GPUs see them: how many, and how many terms each has.

    Of the operands that move along the terms, `along_terms` says that one has neighbours there, `along_sums` that one
    has neighbours along the sums, and `is_wide` that all come in aligned pieces of WIDE terms.
    """

    sums: int
    terms: int
    along_terms: bool
    along_sums: bool
    is_wide: bool


def choose_gpu_sum(p: GpuSum, chip: Chip, numerics: str = "default") -> Choice[GpuSumRecord]:
    """As many threads for a sum as find terms, and as many sums for a block as are left; none for short sums."""
    if p.terms < LEAST:
        return Choice("reduction", None, (f"{p.terms} terms are below {LEAST}: one thread adds them",))
    minor = p.along_terms or not p.along_sums
    per = WIDE if minor and p.is_wide else 1
    lanes = LEAST
    while lanes < THREADS and lanes * per * 2 < p.terms:
        lanes *= 2
    if not minor:
        lanes = min(lanes, THREADS // WARP)  # the threads of a warp read 32 neighbouring sums
        while lanes < THREADS // 8 and p.sums < chip.multiprocessors * (THREADS // lanes):
            lanes *= 2
    blocks = -(-p.sums * lanes // THREADS)
    parts = 1
    while blocks * parts < chip.multiprocessors and p.terms > LEAST_PART * lanes * per * parts:
        parts *= 2
    why = (
        "minor: neighbouring threads take terms of one sum, which are neighbours in memory"
        if minor
        else "not minor: neighbouring threads take neighbouring sums, as memory has them",
        f"lanes: {lanes} threads share {p.terms} terms, {per} at once",
        f"parts: {parts}; {counted(blocks, 'block')} of {counted(THREADS // lanes, 'sum')} for"
        f" {chip.multiprocessors} multiprocessors",
    )
    return Choice("reduction", GpuSumRecord(lanes, THREADS // lanes, per, minor, parts), why)


def fault(record: GpuSumRecord, terms: int) -> tuple[str, str] | None:
    """What keeps a record from being used; `terms` is how many the rules would have a thread read at once."""
    if record.lanes < 1 or record.lanes & (record.lanes - 1):
        return "lanes", f"lanes is a power of two, found {record.lanes}"
    if not 32 <= record.lanes * record.sums <= 1024 or record.lanes * record.sums % 32:
        return "sums", f"a block has 32 to 1024 threads, in warps, found {record.lanes * record.sums}"
    if not 1 <= record.parts <= MOST_PARTS:
        return "parts", f"a sum has 1 to {MOST_PARTS} parts, found {record.parts}"
    if record.terms not in (1, terms):
        return "terms", f"a thread reads 1 or {terms} terms at once, found {record.terms}"
    return None
