"""The child process in which a peer runs: `python -m benchmarks.cpu.worker PEER THREADS CPU FD`.

Requests come as pickles on the socket FD, and each is answered by one pickle. Every peer has a process of its own, so
that its threads, allocator and settings do not affect another one; the parent asks one at a time.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from itertools import repeat
from multiprocessing.connection import Connection
from typing import Any

from .cases import Case
from .peers import Peer, Prepared, arguments, load

LONG = 0.1
"""Calls of at least so many seconds are not warmed up: for them, what is in the caches makes no difference."""


class Session:
    """A peer and the case that it has prepared; the methods are the requests."""

    def __init__(self, peer: Peer) -> None:
        self.peer = peer
        # CPU time leaves out other load on the machine; with several threads it is their sum, so wall time is taken
        self.clock = time.process_time if peer.threads == 1 else time.perf_counter
        self.prepared: Prepared | None = None
        self.last = 0.0

    def prepare(self, case: Case) -> list[Any] | None:
        """Prepare the case's call; returns its results, or None if the peer cannot do it."""
        self.prepared = None
        gc.collect()  # the case before is large
        self.prepared = self.peer.prepare(case, arguments(case.problem, offset=case.offset))
        return list(self.prepared.read(self.prepared.call())) if self.prepared else None

    def calls(self, seconds: float) -> int:
        """The number of calls that take this long."""
        n = 1
        while (taken := self._timed(n)) < seconds / 2:
            n = 2 * n if taken <= 0 else min(20 * n, int(n * seconds / taken) + 1)
        return max(1, round(n * seconds / taken))

    def sample(self, n: int) -> float:
        """The seconds of one call, the mean of n calls, after one that warms up."""
        if self.last < LONG:
            self._timed(1)
        return self._timed(n) / n

    def _timed(self, n: int) -> float:
        assert self.prepared, "a case is prepared before it is timed"
        call = self.prepared.call
        start = self.clock()
        for _ in repeat(None, n):
            call()
        taken = self.clock() - start
        self.last = taken / n
        return taken


def main() -> None:
    """Answer requests until the socket is closed."""
    name, threads, cpu, fd = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    os.dup2(2, 1)  # what a package prints must not be taken for a result
    link = Connection(fd)
    try:
        session = Session(load(name)(threads, cpu))
    except ImportError as why:
        link.send(("missing", str(why)))
        return
    link.send(("ready", session.peer.version))
    while True:
        try:
            request, argument = link.recv()
        except EOFError:
            return
        try:
            answer = "done", getattr(session, request)(argument)
        except Exception as why:  # the parent reports the failure
            answer = "failed", _in_one_line(why)
        link.send(answer)


def _in_one_line(why: Exception) -> str:
    """The most telling line of an error, which compilers write after others."""
    lines = str(why).splitlines() or [""]
    return f"{type(why).__name__}: {next((line for line in lines if 'error: ' in line), lines[0])}"


if __name__ == "__main__":
    main()
