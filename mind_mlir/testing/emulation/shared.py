"""The layout of a block's shared memory in that of the emulator, and the sizes of types."""

from __future__ import annotations

import re
from dataclasses import dataclass

SPACE = 3
"""The address space of shared memory."""

SHARED_SIZE = 1 << 18
"""The bytes from the shared memory of one block of a cluster to that of the next, as in emulator.h."""

DYNAMIC = "__dynamic_shmem__"
"""The name of the global whose size the launch decides."""

GAP = 128
"""The bytes between two pieces, so that an access beyond one is found."""


@dataclass(frozen=True)
class Shared:
    """A piece of shared memory, at byte `start`; for a size of None, the launch decides."""

    name: str
    start: int
    size: int | None


def placed(globals: dict[str, tuple[str, int]]) -> dict[str, Shared]:
    """Name of a global -> its piece, from its type and alignment; the one whose size is open comes last."""
    found: dict[str, Shared] = {}
    end = 0
    for name, (type, alignment) in sorted(globals.items(), key=lambda g: g[0].startswith(DYNAMIC)):
        is_open = name.startswith(DYNAMIC)
        alignment = 1024 if is_open else max(alignment, 16)
        start = -(-end // alignment) * alignment
        size = None if is_open else bytes_of(type)
        found[name] = Shared(name, start, size)
        end = start + (size or 0) + GAP
    return found


def bytes_of(type: str) -> int:
    """The bytes of an LLVM type without padding, from its text: 128 of `!llvm.array<8 x vector<4xf32>>`."""
    if found := re.fullmatch(r"(?:!llvm\.)?array<(\d+) x (.*)>", type) or re.fullmatch(r"vector<(\d+)x(.*)>", type):
        return int(found[1]) * bytes_of(found[2])
    if found := re.fullmatch(r"(?:!llvm\.)?struct<\((.*)\)>", type):
        return sum(bytes_of(t) for t in found[1].split(", "))
    if re.fullmatch(r"(?:!llvm\.)?ptr(<\d+>)?", type):
        return 8
    if found := re.fullmatch(r"b?[fi](\d+)", type):
        return -(-int(found[1]) // 8)
    raise ValueError(f"the size of {type} is not known")
