"""Chooses the offsets of buffers in one piece of memory, so that those that are never live together share it.

To find the smallest arena is as hard as bin packing. Several ways are tried until one needs no more than the peak of
what is live, and the best is taken: those of an allocator, in the order of time, forwards and backwards; the largest
buffers first; and then a random walk, on which the buffer that ends last is given its offset earlier each time.
"""

from __future__ import annotations

import bisect
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

ALIGNMENT = 64
"""In bytes; every offset is a multiple."""

PAIRS = 100_000
"""How many pairs of buffers the walk compares at most, so that its time does not grow with the number of buffers."""


@dataclass(frozen=True)
class Buffer:
    """`size` bytes, more than 0, that are in use from step `first` to step `last`, both included."""

    size: int
    first: int
    last: int


def peak(buffers: Sequence[Buffer]) -> int:
    """The most bytes that are live at one step: no arena is smaller."""
    change: dict[int, int] = {}
    for b in buffers:
        change[b.first] = change.get(b.first, 0) + b.size
        change[b.last + 1] = change.get(b.last + 1, 0) - b.size
    most = now = 0
    for step in sorted(change):
        now += change[step]
        most = max(most, now)
    return most


def place(buffers: Sequence[Buffer]) -> tuple[list[int], int]:
    """An offset for each buffer, such that those in use at the same step do not overlap, and the size of the arena.

    The same buffers give the same offsets.
    """
    whole = [Buffer(-(-b.size // ALIGNMENT) * ALIGNMENT, b.first, b.last) for b in buffers]
    enough = peak(whole)
    best: tuple[list[int], int] | None = None
    for offsets in _ways(whole):
        size = max((o + b.size for o, b in zip(offsets, whole)), default=0)
        if best is None or size < best[1]:
            best = offsets, size
        if best[1] == enough:
            break
    return best or ([], 0)


def _ways(buffers: Sequence[Buffer]) -> Iterator[list[int]]:
    yield _in_time(buffers)
    yield _in_time([Buffer(b.size, -b.last, -b.first) for b in buffers])
    count = len(buffers)
    order = sorted(range(count), key=lambda i: (-buffers[i].size, buffers[i].first, i))
    chance = random.Random(0)
    for _ in range(min(100, PAIRS // max(1, count) ** 2)):
        offsets = _in_order(buffers, order)
        yield offsets
        highest = max(order, key=lambda i: offsets[i] + buffers[i].size)
        before = order.index(highest) or count
        order.remove(highest)
        order.insert(int(chance.random() * before), highest)


def _in_time(buffers: Sequence[Buffer]) -> list[int]:
    """Offsets chosen step by step, for each buffer in the smallest gap that holds it. Takes time n log n."""
    offsets = [0] * len(buffers)
    free = _Free()
    order = sorted(range(len(buffers)), key=lambda i: (buffers[i].first, -buffers[i].size, i))
    ends = sorted(range(len(buffers)), key=lambda i: (buffers[i].last, i))
    done = 0
    for i in order:
        while buffers[ends[done]].last < buffers[i].first:
            ended = ends[done]
            free.add(offsets[ended], buffers[ended].size)
            done += 1
        offsets[i] = free.take(buffers[i].size)
    return offsets


class _Free:
    """The gaps in an arena that grows at its end."""

    def __init__(self) -> None:
        self.end = 0
        self.by_size: list[tuple[int, int]] = []  # (size, start), ascending
        self.size_at: dict[int, int] = {}  # start -> size
        self.start_of: dict[int, int] = {}  # end -> start

    def add(self, start: int, size: int) -> None:
        """Add a gap, and join it with its neighbours."""
        if (before := self.start_of.get(start)) is not None:
            size += self._remove(before)
            start = before
        if start + size in self.size_at:
            size += self._remove(start + size)
        bisect.insort(self.by_size, (size, start))
        self.size_at[start] = size
        self.start_of[start + size] = start

    def _remove(self, start: int) -> int:
        size = self.size_at.pop(start)
        del self.start_of[start + size]
        del self.by_size[bisect.bisect_left(self.by_size, (size, start))]
        return size

    def take(self, size: int) -> int:
        """Take `size` bytes from the smallest gap that has them, else at the end; returns their start."""
        at = bisect.bisect_left(self.by_size, (size, 0))
        if at < len(self.by_size):
            start = self.by_size[at][1]
            rest = self._remove(start) - size
            if rest:
                self.add(start + size, rest)
            return start
        start = self.end
        if (last := self.start_of.get(self.end)) is not None:
            self._remove(last)
            start = last
        self.end = start + size
        return start


def _in_order(buffers: Sequence[Buffer], order: Sequence[int]) -> list[int]:
    """Offsets chosen in this order, for each buffer in the lowest gap between earlier ones that are live with it."""
    offsets = [0] * len(buffers)
    for n, i in enumerate(order):
        b, at = buffers[i], 0
        near = [j for j in order[:n] if buffers[j].first <= b.last and b.first <= buffers[j].last]
        for j in sorted(near, key=offsets.__getitem__):
            if offsets[j] - at >= b.size:
                break
            at = max(at, offsets[j] + buffers[j].size)
        offsets[i] = at
    return offsets
