"""One thread for each element of the result: element-wise operations, gathers, slices.

The threads of a warp touch neighbours along the loop in which the result moves least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ..kernels.code import Index
from ..kernels.nest import Nest
from ..kernels.program import Computed, Given, Program, Read, read_program
from ..kernels.replay import repeat
from .chips import Chip
from .code import GpuCode


@dataclass(frozen=True)
class Record:
    """`threads` of a block."""

    threads: int


def match(nests: Sequence[Nest]) -> Program | None:
    """Operations without reductions over the same elements."""
    p = read_program(nests)
    return None if p is None or p.frame else p


def choose(p: Program, chip: Chip, numerics: str) -> Record:
    """Blocks of 256 threads."""
    return Record(threads=256)


def emit(code: GpuCode, p: Program, r: Record) -> None:
    """Write what one thread does."""
    flats = {a.value: code.flat(a.value) for a in p.accesses}
    with code.one_thread_each(prod(p.extents), r.threads) as turn:
        at = code.taken_apart(turn, p.extents)
        known: list[Any] = []
        for n in p.nodes:
            match n:
                case Given():
                    known.append(n.value)
                case Read():
                    known.append(code.read(flats[n.access.value], _place(code, n, at, known)))
                case Computed():
                    known.append(repeat(code, n.op, [known[i] for i in n.sources], None))
        for s in p.stores:
            code.write(known[s.node], flats[s.access.value], code.place(s.access.strides, at, s.access.offset))


def _place(code: GpuCode, n: Read, at: Sequence[Index], known: Sequence[Any]) -> Index:
    rows = [code.times(known[i], stride) for i, stride in n.rows]
    return code.add(*rows, code.place(n.access.strides, at, n.access.offset))
