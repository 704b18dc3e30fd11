"""Models the time of a collective on n ranks: the latency of its messages and the time of its bytes.

    t = messages · α + bytes · β

α is the latency of a message in seconds, β the inverse of a link's bandwidth, in seconds per byte: Hockney, The
Communication Challenge for MPP, 1994. B are the bytes that each rank holds before, L = ⌈log₂ n⌉. After Thakur,
Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005:

                    ring                                tree
                    messages    bytes                   messages  bytes
    AllReduce       2 (n - 1)   2 (n - 1) / n · B       L         L B              recursive doubling
    AllGather       n - 1       (n - 1) B               L         (n - 1) B        recursive doubling
    ReduceScatter   n - 1       (n - 1) / n · B         L         (n - 1) / n · B  recursive halving
    AllToAll        n - 1       (n - 1) / n · B         L         L B / 2          Bruck

A third way for AllReduce is halving, then doubling (Rabenseifner): 2 L messages and the bytes of the ring.

The additions of a reduction, which are as fast as memory, are left out, and so is sharing of links by messages: on a
network with shared links, halving and doubling are slower than rings, whose messages go to neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .steps import Collective


@dataclass(frozen=True)
class Sent:
    """The messages and bytes that a rank sends one after the other."""

    messages: int
    nbytes: float


@dataclass(frozen=True)
class Link:
    """The link that connects a rank to the others."""

    latency: float
    """α, in seconds per message."""
    bandwidth: float
    """1 / β, in bytes per second, in each direction."""

    def seconds(self, sent: Sent) -> float:
        return sent.messages * self.latency + sent.nbytes / self.bandwidth


def ring(c: Collective) -> Sent:
    """A ring: each rank sends to the next one, and receives from the one before."""
    n, size = c.ranks, c.nbytes
    match c.opcode:
        case "AllReduce":
            return Sent(2 * (n - 1), 2 * (n - 1) / n * size)
        case "AllGather":
            return Sent(n - 1, (n - 1) * size)
        case "ReduceScatter" | "AllToAll":
            return Sent(n - 1, (n - 1) / n * size)
    raise AssertionError(f"{c.opcode} sends nothing")


def tree(c: Collective) -> Sent:
    """A tree: ⌈log₂ n⌉ rounds, between ranks whose distance doubles or halves."""
    n, size, rounds = c.ranks, c.nbytes, (c.ranks - 1).bit_length()
    match c.opcode:
        case "AllReduce":
            return Sent(rounds, rounds * size)
        case "AllGather":
            return Sent(rounds, (n - 1) * size)
        case "ReduceScatter":
            return Sent(rounds, (n - 1) / n * size)
        case "AllToAll":
            return Sent(rounds, rounds * size / 2)
    raise AssertionError(f"{c.opcode} sends nothing")


def halving(c: Collective) -> Sent:
    """AllReduce as a ReduceScatter by halving and an AllGather by doubling; other collectives as `tree`."""
    if c.opcode != "AllReduce":
        return tree(c)
    return Sent(2 * (c.ranks - 1).bit_length(), ring(c).nbytes)


ALGORITHMS: dict[str, tuple[Callable[[Collective], Sent], ...]] = {
    "ring": (ring,),
    "tree": (tree,),
    "best": (ring, tree, halving),
}
"""Name of --algorithm -> the algorithms of which the fastest is taken."""


def seconds(c: Collective, link: Link, algorithm: str) -> float:
    """The time of a collective by the fastest of the algorithms that `algorithm` names."""
    return min(link.seconds(way(c)) for way in ALGORITHMS[algorithm])
