"""A thread on each rank that, while the rank waits in a call, looks for ranks that will not come.

If a rank has left, or was lost, all end within a second or two (E8009); also if one has made another call (E8008). If
a rank is slow, or stopped, a line every ten seconds says who waits for whom, and in which call.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
import time
from typing import Any

from ...ir import MindError
from .board import Board
from .checks import Checks
from .ending import end_all
from .faults import missing
from .numbered_calls import Calls, lost, other_order
from .roll import sign_off

LOOK = 0.5
"""Seconds between two looks at the board."""

SAY = 10.0
"""Seconds between two lines about a rank that waits."""

LINGER = 1.0
"""Seconds for which a rank that leaves looks whether others wait for it, to tell them why before all end."""


def watch(MPI: Any, calls: Calls) -> None:
    """Start the thread, and tell the others when this rank's program ends."""
    watcher = Watcher(MPI, calls)
    watcher.thread.start()
    atexit.register(watcher.leave)


class Watcher:
    """The thread's work: looking at the board of this machine."""

    def __init__(self, MPI: Any, calls: Calls) -> None:
        self._MPI, self._calls, self._board = MPI, calls, calls.board
        self._compares = calls.checks is not Checks.OFF
        self._process = os.getpid()
        self._over = threading.Event()
        self.thread = threading.Thread(target=self._run, name="mind-ranks", daemon=True)

    def leave(self) -> None:
        """Note that this rank's program has ended. If others wait for it, all end with E8009."""
        if os.getpid() != self._process:
            return  # a forked child is no rank
        self._over.set()
        board = self._board
        board.leave()
        sign_off()
        until = time.monotonic() + LINGER
        if self._calls.between is not None and self._compares:
            self._calls.between.leave(until)
        mine = board.begun(board.me)
        others = [p for p in range(len(board.ranks)) if p != board.me]
        while time.monotonic() < until:
            if waiting := [p for p in others if board.begun(p) > mine]:
                end_all(self._MPI, self._left_early(waiting[0], mine))
            if all(board.has_left(p) for p in others):
                return
            time.sleep(0.005)

    def _left_early(self, waiting: int, mine: int) -> MindError:
        board = self._board
        how = "has left: its program has ended"
        return missing(board.ranks[board.me], how, board.ranks[waiting], board.text(waiting, mine + 1), mine + 1)

    def _run(self) -> None:
        board, known, start, said = self._board, 0, 0.0, 0.0
        while not self._over.wait(LOOK):
            n = board.begun(board.me)
            if n == board.ended(board.me):
                continue
            now = time.monotonic()
            if n != known:
                known, start, said = n, now, now
                continue
            if (
                error := (other_order(board, n) if self._compares else None) or lost(board, n, ask_the_system=True)
            ) is not None:
                end_all(self._MPI, error)
            if now - said >= SAY:
                said = now
                if self._speaks(n):
                    print(waits(board, n, now - start), file=sys.stderr, flush=True)

    def _speaks(self, n: int) -> bool:
        """True on the first of the ranks that wait in a call."""
        board = self._board
        return all(board.ended(p) >= n or board.begun(p) < n for p in range(board.me))


def waits(board: Board, n: int, seconds: float) -> str:
    """A line of text that says who waits for whom, in which call, and for how long."""
    positions = range(len(board.ranks))
    here = [board.ranks[p] for p in positions if board.begun(p) >= n]
    late = [p for p in positions if board.begun(p) < n]
    text = f"{board.text(board.me, n)}, call {n}"
    who = f"{_ranks(here)} wait{'s' * (len(here) == 1)}"
    if not late:
        return f"note: {who} since {seconds:.0f} s in {text}, and all of this machine are there"
    whom = "; ".join(_where(board, p) for p in late[:8]) + "; …" * (len(late) > 8)
    return f"note: {who} since {seconds:.0f} s in {text}, for {_ranks([board.ranks[p] for p in late])}: {whom}"


def _where(board: Board, position: int) -> str:
    """What a late rank is doing, as text."""
    begun, ended = board.begun(position), board.ended(position)
    name = f"rank {board.ranks[position]}, process {board.process(position)},"
    if board.is_stopped(position):
        return f"{name} is stopped, by SIGSTOP or a debugger"
    if begun == 0:
        return f"{name} has called nothing so far"
    what = f"{board.text(position, begun)}, call {begun}"
    return f"{name} {'has ended' if ended == begun else 'is in'} {what}"


def _ranks(ranks: list[int]) -> str:
    listed = ", ".join(map(str, ranks[:8])) + ", …" * (len(ranks) > 8)
    return f"rank {listed}" if len(ranks) == 1 else f"ranks {listed}"
