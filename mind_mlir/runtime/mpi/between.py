"""Compares the calls of ranks on several machines by a message, because they share no memory."""

from __future__ import annotations

import time
from typing import Any

from ...ir import np
from .faults import disagreement, missing

_LARGEST = (1 << 63) - 1
_END = _LARGEST // 3
"""The word of a rank whose program has ended."""


class Between:
    """A communicator over all ranks that is used for these comparisons alone."""

    def __init__(self, MPI: Any, world: Any) -> None:
        self._MPI, self._comm = MPI, world.Dup()
        self._sent, self._got = np.zeros(3, np.int64), np.zeros(3, np.int64)
        self._count = 0

    def compare(self, word: int, text: str) -> None:
        """E8008, on every rank, unless all have the same word; E8009 if the program of one has ended."""
        self._count += 1
        self._say(word >> 1, 0)
        # the same call of MPI as in `leave`, so that one matches the other
        self._comm.Iallreduce(self._sent, self._got, self._MPI.MAX).Wait()
        largest, smallest, left = int(self._got[0]), _LARGEST - int(self._got[1]), int(self._got[2])
        if left:
            how = "has left: its program has ended"
            raise missing(left - 1, how, self._comm.rank, text, self._count)
        if largest != smallest:
            found = self._comm.allgather((word, text))
            other = next(r for r, (theirs, _) in enumerate(found) if theirs != found[0][0])
            raise disagreement(0, found[0][1], other, found[other][1], self._count)

    def leave(self, until: float) -> None:
        """Tell the others that this rank's program has ended; wait for them to hear it, at most until this time."""
        self._say(_END, self._comm.rank + 1)
        heard = self._comm.Iallreduce(self._sent, self._got, self._MPI.MAX)
        while not heard.Test() and time.monotonic() < until:
            time.sleep(0.005)

    def _say(self, word: int, left: int) -> None:
        """Set what is sent, whose maximum over all ranks tells the largest and smallest word, and a rank that left."""
        self._sent[:] = word, _LARGEST - word, left
