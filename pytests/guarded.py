"""Arrays whose surroundings are watched: patterns around them, or pages that nobody may touch.

As a script it calls random modules on arrays between such pages, `guarded.py SEED COUNT`, or touches one of the pages,
`guarded.py before`.  A process that does so ends by a signal; what it was at is the last thing it has printed.
"""

from __future__ import annotations

import ctypes
import mmap
import random
import sys

import checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
import numpy as np

from mind_mlir import DType, TensorType

PATTERN = 0x7F
FRAME = 192
"""Bytes before and behind an array."""


class Framed:
    """An array in the middle of a larger one; it starts at its element's own alignment and no larger one."""

    def __init__(self, type: TensorType) -> None:
        start = FRAME + type.dtype.width
        self.room = np.full(start + type.nbytes + FRAME, PATTERN, np.uint8)
        self.array = self.room[start : start + type.nbytes].view(type.dtype.numpy).reshape(type.shape)
        if type.dtype.is_float:
            self.array[...] = np.nan
        self.around = (self.room[:start], self.room[start + type.nbytes :])

    def assert_untouched(self) -> None:
        """Nothing has been written before or behind the array."""
        for part in self.around:
            assert (part == PATTERN).all(), f"{(part != PATTERN).sum()} bytes beside the array have been written"


def framed_copy(a: np.ndarray) -> np.ndarray:
    """A copy between NaNs, or large integers: what reads more than the array has other results."""
    copy = Framed(TensorType.of_array(a)).array
    copy[...] = a
    return copy


def called(exe, output_types, arrays) -> list[np.ndarray]:
    """Results of a compiled module that were written into frames, from Inputs in frames; checks the frames."""
    outputs = [Framed(t) for t in output_types]
    exe(*[framed_copy(a) for a in arrays], out=tuple(o.array for o in outputs))
    for o in outputs:
        o.assert_untouched()
    return [o.array for o in outputs]


class Fenced:
    """An array between two pages that must not be touched, at the end of the memory between them or at its start."""

    def __init__(self, type: TensorType, at_end: bool) -> None:
        page = mmap.PAGESIZE
        size = -(-max(type.nbytes, 1) // page) * page
        self.memory = mmap.mmap(-1, size + 2 * page)
        base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))
        for start in (base, base + page + size):
            assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start), page, 0) == 0
        start = page + size - type.nbytes if at_end else page
        self.array = np.frombuffer(self.memory, type.dtype.numpy, type.size, start).reshape(type.shape)


def _main(seed: int, count: int) -> None:
    from random_products import NUMBERS, arrays_for, convolution, dots, product

    import mind_mlir as mind

    for n in range(seed, seed + count):
        r = random.Random(n)
        dtype, make, numerics = (
            r.choice(NUMBERS),
            r.choice((product, dots, convolution)),
            r.choice(("strict", "default")),
        )
        m = make(r, dtype)
        print(f"seed {n}, {numerics}\n{m}", flush=True)
        exe = mind.compile(m, numerics=numerics)
        for at_end in (False, True):
            held = [Fenced(t, at_end) for t in (*[o.type for o in m.inputs], *m.output_types)]
            arrays = [h.array for h in held]
            for a, b in zip(arrays, arrays_for(m, n)):
                a[...] = b
            exe(*arrays[: len(m.inputs)], out=tuple(arrays[len(m.inputs) :]))


def _touch(place: str) -> None:
    fenced = Fenced(TensorType(DType.I32, (5,)), place == "behind")
    start = fenced.array.ctypes.data
    ctypes.string_at(start + fenced.array.nbytes if place == "behind" else start - 1, 1)


if __name__ == "__main__":
    if sys.argv[1] in ("before", "behind"):
        _touch(sys.argv[1])
    else:
        _main(int(sys.argv[1]), int(sys.argv[2]))
