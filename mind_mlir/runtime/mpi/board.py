"""Memory in which the ranks of one machine write which call they are in, for the others to read without a message.

It is a file that all of them map and that can no longer be opened by name. Each rank writes only its own fields:

    words       for each of the last RING calls, a number for all that the rank has called until then: one row a call
    head        how many calls it has begun and how many it has ended, whether it has left, and its process id
    texts       for each of the last RING calls, what is called, as text for messages

A rank holds a lock on a byte of the file while its process lives, so that others see when it has ended, in whatever
way.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import tempfile
from collections.abc import Sequence
from typing import Any

RING = 32
"""How many calls are kept, and so how far ranks may be apart and still be compared."""

_HEAD = 8
"""Fields of the head, of 8 bytes each: together a cache line, so that no two ranks write to the same one."""
_BEGUN, _ENDED, _LEFT, _PROCESS = range(4)
_TEXT = 128
"""Bytes of one text."""

_SPEAKER, _FIRST_RANK = 0, 1
"""The bytes of the file that are locked: one by the rank that says why all end, and from the next on one by each."""


class Board:
    """The shared memory, as one rank writes and reads it.

    `ranks` are the numbers in the job of the ranks on this machine. The methods name a rank by its position in `ranks`;
    `me` is that of this one.
    """

    def __init__(self, ranks: Sequence[int], me: int, file: int) -> None:
        """`file` is the descriptor of an open file of `length` bytes.

        The board has to live as long as the process: closing a file gives up all of the process's locks on it.
        """
        self.ranks, self.me = tuple(ranks), me
        self._file, self._size = file, len(self.ranks)
        self.memory = mmap.mmap(file, length(self._size))
        self._fields = memoryview(self.memory).cast("Q")
        self._head = RING * self._size
        self._texts = 8 * (self._head + _HEAD * self._size)
        self._mine = self._head + _HEAD * me
        self._fields[self._mine + _PROCESS] = os.getpid()
        fcntl.lockf(file, fcntl.LOCK_EX, 1, _FIRST_RANK + me)

    # What this rank writes

    def begin(self, call: int, word: int, text: bytes) -> None:
        """Note that this rank begins call number `call`."""
        row = call % RING
        at = self._texts + _TEXT * (row * self._size + self.me)
        self.memory[at : at + _TEXT] = text
        self._fields[row * self._size + self.me] = word
        self._fields[self._mine] = call

    def end(self, call: int) -> None:
        """Note that the call has ended."""
        self._fields[self._mine + _ENDED] = call

    def leave(self) -> None:
        """Note that this rank's program has ended."""
        self._fields[self._mine + _LEFT] = 1

    def speak(self) -> bool:
        """True for the first rank that asks, which then says why all end."""
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _SPEAKER)
        except OSError:
            return False
        return True

    # What it reads

    def row(self, call: int) -> bytes:
        """The words of all ranks for a call; those of ranks that have not come so far are of an earlier call."""
        at = 8 * self._size * (call % RING)
        return self.memory[at : at + 8 * self._size]

    def word(self, position: int, call: int) -> int:
        """The word of a rank for a call that is among its last RING."""
        return self._fields[self._size * (call % RING) + position]

    def text(self, position: int, call: int) -> str:
        """The text of a call of a rank."""
        at = self._texts + _TEXT * (call % RING * self._size + position)
        return self.memory[at : at + _TEXT].rstrip(b"\0").decode("utf-8", "replace")

    def begun(self, position: int) -> int:
        """How many calls a rank has begun."""
        return self._fields[self._head + _HEAD * position + _BEGUN]

    def ended(self, position: int) -> int:
        """How many calls a rank has ended."""
        return self._fields[self._head + _HEAD * position + _ENDED]

    def has_left(self, position: int) -> bool:
        """True if a rank's program has ended."""
        return self._fields[self._head + _HEAD * position + _LEFT] == 1

    def is_lost(self, position: int) -> bool:
        """True if a rank's process has ended."""
        if position == self.me:
            return False
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _FIRST_RANK + position)
        except OSError:
            return False
        fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _FIRST_RANK + position)
        return True

    def process(self, position: int) -> int:
        """The id of a rank's process."""
        return self._fields[self._head + _HEAD * position + _PROCESS]

    def is_stopped(self, position: int) -> bool:
        """True if a rank's process is known to be stopped, by SIGSTOP or a debugger."""
        try:
            with open(f"/proc/{self.process(position)}/stat", encoding="utf-8", errors="replace") as f:
                return f.read().rpartition(")")[2].split()[0] in "Tt"
        except (OSError, IndexError):
            return False


def length(ranks: int) -> int:
    """Bytes of the file for so many ranks."""
    return 8 * (RING + _HEAD) * ranks + _TEXT * RING * ranks


def padded(text: str) -> bytes:
    """A text as `Board.begin` takes it, cut to its length."""
    data = text.encode()
    if len(data) > _TEXT:
        data = data[: _TEXT - 3].decode("utf-8", "ignore").encode() + "…".encode()
    return data.ljust(_TEXT, b"\0")


def shared_board(world: Any, here: Any) -> Board | None:
    """The board of the ranks of `here`, a communicator of one machine; None on all ranks if any machine can have none.

    Every rank of `world` calls it.
    """
    file, path = _new_file(length(here.size)) if here.rank == 0 else (-1, "")
    path = here.bcast(path, root=0)
    if path and file < 0:
        with contextlib.suppress(OSError):
            file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    all_open = all(world.allgather(file >= 0))
    if path and here.rank == 0:
        os.unlink(path)
    if not all_open:
        return None
    board = Board(here.allgather(world.rank), here.rank, file)
    here.Barrier()  # from here on every rank holds its lock
    return board


def _new_file(size: int) -> tuple[int, str]:
    """An open file with room for so many bytes, and its path; -1 and no path where there is no room."""
    for folder in ("/dev/shm", None):  # in memory, else where temporary files are kept
        try:
            file, path = tempfile.mkstemp(prefix="mind-ranks-", dir=folder)
        except OSError:
            continue
        with contextlib.suppress(OSError):
            if os.write(file, bytes(size)) == size:  # else touching the memory would end the process
                return file, path
        os.close(file)
        os.unlink(path)
    return -1, ""
