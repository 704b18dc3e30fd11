"""What ranks on several machines compare before a call: they share no memory, and so send a message."""

from __future__ import annotations

import time
from typing import Any

from ...ir import np
from .faults import disagreement, missing

_LARGEST = (1 << 63) - 1
_END = _LARGEST // 3
"""The word of a rank that has left."""


class Between:
    """A communicator of its own over all ranks, for comparisons alone."""

    def __init__(self, MPI: Any, world: Any) -> None:
        self._MPI, self._comm = MPI, world.Dup()
        self._sent, self._got = np.zeros(3, np.int64), np.zeros(3, np.int64)
        self._count = 0

    def compare(self, word: int, text: str) -> None:
        """E8008, on every rank, unless all come with the same word; E8009 if one has left instead."""
        self._count += 1
        self._say(word >> 1, 0)
        self._comm.Iallreduce(self._sent, self._got, self._MPI.MAX).Wait()  # as `leave`: only like meets like
        largest, smallest, left = int(self._got[0]), _LARGEST - int(self._got[1]), int(self._got[2])
        if left:
            how = "has left: its program has ended"
            raise missing(left - 1, how, self._comm.rank, text, self._count)
        if largest != smallest:
            found = self._comm.allgather((word, text))
            other = next(r for r, (theirs, _) in enumerate(found) if theirs != found[0][0])
            raise disagreement(0, found[0][1], other, found[other][1], self._count)

    def leave(self, until: float) -> None:
        """Tell the others that this rank's program has ended; waits for them to hear it, or so long on the clock."""
        self._say(_END, self._comm.rank + 1)
        heard = self._comm.Iallreduce(self._sent, self._got, self._MPI.MAX)
        while not heard.Test() and time.monotonic() < until:
            time.sleep(0.005)

    def _say(self, word: int, left: int) -> None:
        """The largest of these over all ranks tells the largest word, the smallest, and one that has left."""
        self._sent[:] = word, _LARGEST - word, left
