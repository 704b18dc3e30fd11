"""Which loops threads share: what is computed does not depend on it, only who computes it."""

from __future__ import annotations

from collections.abc import Sequence

TEAM = 1 << 16
"""Multiply-adds, by one thread, in the time that it takes threads to begin a loop together and to end it."""

ELEMENT = 16
"""Multiply-adds in the time that an element takes that comes from memory or goes there."""

EVEN = 0.9
"""From which evenness on a loop is shared without looking for a better one."""


SHARE = {"dots": 1 << 17, "contraction": 1 << 19, "reduction": 1 << 18, "transpose": 1 << 16, "elementwise": 1 << 16}
"""Strategy -> iterations of all loops from which two threads pay, about 10 µs on one: docs/adr/0016, a Zen 4 server.

How the single figures were measured is not recorded.
"""


def evenness(turns: int, threads: int) -> float:
    """The part of their time for which threads are busy that share so many equal turns: 1 at best, 0 without turns."""
    return turns / (threads * max(1, -(-turns // threads)))


def speedup(busy: float, threads: int, work: int) -> float:
    """How many times as fast threads are than one at a shared loop of `work` multiply-adds.

    `busy` is the part of their time for which they work.
    """
    return 1 / (1 / max(busy * threads, 1e-9) + TEAM / max(work, 1))


def worth(turns: int, share: int, threads: int) -> int:
    """How many of `threads` pay for a kernel of so many turns: two from `share` on, and each further half of it one.

    So the least that a thread does takes longer than to wake it, on a machine with many cores too.
    """
    return min(threads, 2 * turns // max(share, 1)) if turns >= share else 1


def threads_for(kind: str, turns: int, threads: int) -> tuple[int, str]:
    """How many of `threads` share a kernel of a strategy with so many turns, and why."""
    share = SHARE[kind]
    found = worth(turns, share, threads)
    return (
        found,
        f"threads: {found} of {threads}; {turns} iterations, where 2 pay from {share} and each more for half of it",
    )


def best_loop(extents: Sequence[int], threads: int, work: int) -> int:
    """The loop of a nest that threads should share, by its place; `work` multiply-adds, or the time of so many, in all.

    Loops in it are left to each thread; for every turn of those around it threads begin and end a loop together.
    """
    gains, turns = [], 1
    for n in extents:
        gains.append(speedup(evenness(n, threads), threads, work // turns))
        turns *= max(n, 1)  # a loop without turns is not there
    return gains.index(max(gains))
