"""Makes tensor maps for the emulator, which has its own content for the 128 opaque bytes of a CUtensorMap."""

from __future__ import annotations

import struct
from collections.abc import Sequence

SWIZZLES = (0, 32, 64, 128)
"""The sizes in bytes of the patterns by which rows of a tile are swizzled."""

_FORMAT = "<Q4Q5I5I4I"
"""`TensorMap` of copies.c."""


def tensor_map(
    start: int,
    extents: Sequence[int],
    strides: Sequence[int],
    box: Sequence[int],
    width: int,
    swizzle: int = 0,
    rounds: bool = False,
) -> bytes:
    """The map of a tensor at an address, for tiles of the extents `box`: 128 bytes.

    All lists are innermost first, as for cuTensorMapEncodeTiled: extents and box in elements of `width` bytes, strides
    in bytes, without that of the innermost dimension. With `rounds`, a load rounds f32 to TF32.
    """
    rank = len(extents)
    if not 1 <= rank <= 5 or len(box) != rank or len(strides) != rank - 1:
        raise ValueError(f"a tensor map of rank {rank} with {len(strides)} strides and a box of rank {len(box)}")
    numbers = [*_filled(strides, 4), *_filled(extents, 5), *_filled(box, 5)]
    return struct.pack(_FORMAT, start, *numbers, rank, width, SWIZZLES.index(swizzle), rounds).ljust(128, b"\0")


def _filled(numbers: Sequence[int], count: int) -> list[int]:
    return [*numbers, *[0] * (count - len(numbers))]
