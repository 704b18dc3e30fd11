"""Checks that all ranks make the same calls in the same order, by numbering them.

Before a call each rank writes on the board which one it is, as a number for all of its calls until then:

    word(n) = (word(n - 1) · MULTIPLIER + program) mod 2^64

and compares it with what others have written for call n. Of two ranks with different words, at least the later one
sees the other's, and so never enters the call; and after a call that has sent anything, all that took part have written
theirs. Ranks on different machines share no board and compare their words by a message.
"""

from __future__ import annotations

import hashlib
import sys
import time

from ...ir import MindError
from .between import Between
from .board import RING, Board, padded
from .checks import Checks
from .faults import disagreement, missing

_MULTIPLIER, _MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1  # an odd multiplier can be inverted, so no call is forgotten

_SETTLED = 0.05
"""Seconds after which all cores see what another one has written."""


class Call:
    """A call that ranks make together: `with call: …`.

    `text` describes it in messages. Calls with equal digests are taken for the same.
    """

    def __init__(self, calls: Calls, text: str, digest: str) -> None:
        self._calls = calls
        self.number = int(hashlib.sha256(digest.encode()).hexdigest()[:16], 16)
        self.text = text

    @property
    def text(self) -> str:
        """The description in messages."""
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        self._text, self.padded = text, padded(text)

    def __enter__(self) -> None:
        self._calls.begin(self)

    def __exit__(self, *_: object) -> None:
        self._calls.end()


class Calls:
    """The calls of this rank, on the board of its machine."""

    def __init__(self, board: Board, between: Between | None, checks: Checks) -> None:
        """`between` compares with the ranks of other machines; None if there are none."""
        self.board, self.checks, self.between = board, checks, between
        self._size = len(board.ranks)
        self._compares = checks is not Checks.OFF
        self._count = self._word = 0
        self._row = b""

    def call(self, text: str, digest: str) -> Call:
        """A call to make with the other ranks."""
        return Call(self, text, digest)

    def begin(self, call: Call) -> None:
        """Enter a call. E8008 if another rank makes another call, E8009 if the program of one has ended before it."""
        board = self.board
        self._count = n = self._count + 1
        self._word = word = (self._word * _MULTIPLIER + call.number) & _MASK
        board.begin(n, word, call.padded)
        self._row = row = word.to_bytes(8, sys.byteorder) * self._size
        if board.row(n) != row:
            self._look(n)
        if self.between is not None and self._compares:
            self.between.compare(word, call.text)

    def end(self) -> None:
        """Leave a call. E8008 if a rank that took part made another call, so that the results are meaningless."""
        n, board = self._count, self.board
        if self._compares and board.row(n) != self._row:
            self._check_order(n)
        board.end(n)

    def _look(self, n: int) -> None:
        if self._compares:
            self._check_order(n)
        if (error := lost(self.board, n, ask_the_system=False)) is not None:
            raise error

    def _check_order(self, n: int) -> None:
        if (error := other_order(self.board, n)) is not None:
            raise error


def other_order(board: Board, n: int) -> MindError | None:
    """E8008 if call number `n` of another rank is not that of this one; None otherwise."""

    if _first_other(board, n) is None:
        return None
    time.sleep(_SETTLED)
    if (other := _first_other(board, n)) is None:
        return None
    ours, theirs = board.ranks[board.me], board.ranks[other]
    (a, of_a), (b, of_b) = sorted([(ours, board.text(board.me, n)), (theirs, board.text(other, n))])
    return disagreement(a, of_a, b, of_b, n)


def _first_other(board: Board, n: int) -> int | None:
    mine = board.word(board.me, n)
    for position in range(len(board.ranks)):
        if board.word(position, n) != mine and n <= board.begun(position) < n + RING:
            return position
    return None


def lost(board: Board, n: int, ask_the_system: bool) -> MindError | None:
    """E8009 if a rank has left before call number `n`, or its process is known to have ended; None otherwise.

    To ask the system for a process takes as long as a short call.
    """
    for position, rank in enumerate(board.ranks):
        if board.begun(position) < n:
            left = board.has_left(position)
            if (left or (ask_the_system and board.is_lost(position))) and board.begun(position) < n:
                how = "has left: its program has ended" if left else "was lost: its process has ended"
                return missing(rank, how, board.ranks[board.me], board.text(board.me, n), n)
    return None
