"""Which loops threads share: what is computed does not depend on it, only who computes it."""

from __future__ import annotations

from collections.abc import Sequence

TEAM = 1 << 17
"""Multiply-adds, by one thread, in the time that it takes threads to begin a loop together and to end it."""

ELEMENT = 16
"""Multiply-adds in the time that an element takes that comes from memory or goes there."""


def evenness(turns: int, threads: int) -> float:
    """The part of their time for which threads are busy that share so many equal turns: 1 at best, 0 without turns."""
    return turns / (threads * max(1, -(-turns // threads)))


def speedup(turns: int, threads: int, work: int) -> float:
    """How many times as fast threads are than one at a loop of equal turns, `work` multiply-adds in all."""
    return 1 / (1 / max(evenness(turns, threads) * threads, 1e-9) + TEAM / max(work, 1))


def best_loop(extents: Sequence[int], threads: int, work: int) -> int:
    """The loop of a nest that threads should share, by its place; `work` multiply-adds, or the time of so many, in all.

    Loops in it are left to each thread; for every turn of those around it threads begin and end a loop together.
    """
    gains, turns = [], 1
    for n in extents:
        gains.append(speedup(n, threads, work // turns))
        turns *= n
    return gains.index(max(gains))
