"""Chooses the loops that threads share. Results do not depend on it, only which thread computes them."""

from __future__ import annotations

from collections.abc import Sequence

TEAM = 1 << 16
"""Multiply-adds, by one thread, in the time that it takes threads to begin a loop together and to end it."""

ELEMENT = 16
"""Multiply-adds in the time that an element takes that comes from memory or goes there."""

EVEN = 0.9
"""From which evenness on a loop is shared without looking for a better one."""


SHARE = {
    "dots": 1 << 17,
    "contraction": 1 << 19,
    "reduction": 1 << 18,
    "positions": 1 << 18,
    "transpose": 1 << 16,
    "elementwise": 1 << 16,
}
"""Strategy -> iterations of all loops from which two threads pay, about 10 µs on one: docs/adr/0016, a Zen 4 server.

How the single figures were measured is not recorded.
"""


def evenness(turns: int, threads: int) -> float:
    """The part of the time for which threads that share `turns` equal iterations are busy: 1 at best, 0 without any."""
    return turns / (threads * max(1, -(-turns // threads)))


def speedup(busy: float, threads: int, work: int) -> float:
    """How many times as fast threads are than one at a shared loop of `work` multiply-adds.

    `busy` is the part of their time for which they work.
    """
    return 1 / (1 / max(busy * threads, 1e-9) + TEAM / max(work, 1))


def worth(turns: int, share: int, threads: int) -> int:
    """How many of `threads` pay for a kernel of `turns` iterations: two from `share` on, one more for each half of it.

    Even the smallest part of a thread then takes longer than waking it, on a machine with many cores too.
    """
    return min(threads, 2 * turns // max(share, 1)) if turns >= share else 1


def threads_for(kind: str, turns: int, threads: int) -> tuple[int, str]:
    """How many of `threads` share a kernel of a strategy with `turns` iterations, and why."""
    share = SHARE[kind]
    found = worth(turns, share, threads)
    return (
        found,
        f"threads: {found} of {threads}; {turns} iterations, where 2 pay from {share} and each more for half of it",
    )


def best_loop(extents: Sequence[int], threads: int, work: int) -> int:
    """The number of the loop of a nest that threads should share; `work` is the time of the nest in multiply-adds.

    Each thread runs the loops within it; in every iteration of those around it, threads begin and end a loop together.
    """
    gains, turns = [], 1
    for n in extents:
        gains.append(speedup(evenness(n, threads), threads, work // turns))
        turns *= max(n, 1)  # a loop without iterations counts as none
    return gains.index(max(gains))
