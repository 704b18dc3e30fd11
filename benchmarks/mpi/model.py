"""What a collective costs on n ranks: the latency of its messages and the time of its bytes.

    t = messages · α + bytes · β

α is the latency of a message in seconds, β the inverse of a link's bandwidth, in seconds a byte: Hockney, The
Communication Challenge for MPP, 1994.  B are the bytes that each rank holds before, L = ⌈log₂ n⌉.  After Thakur,
Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005:

                    ring                                tree
                    messages    bytes                   messages  bytes
    AllReduce       2 (n - 1)   2 (n - 1) / n · B       L         L B              recursive doubling
    AllGather       n - 1       (n - 1) B               L         (n - 1) B        recursive doubling
    ReduceScatter   n - 1       (n - 1) / n · B         L         (n - 1) / n · B  recursive halving
    AllToAll        n - 1       (n - 1) / n · B         L         L B / 2          Bruck

A third way for AllReduce is halving, then doubling (Rabenseifner): 2 L messages and the bytes of the ring.

Left out are the additions of a reduction, which are as fast as memory, and links that several messages share: on a
network where they do, halving and doubling lose to rings, whose messages go to neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .steps import Collective


@dataclass(frozen=True)
class Sent:
    """What a rank sends one after the other."""

    messages: int
    nbytes: float


@dataclass(frozen=True)
class Link:
    """What connects a rank to the others."""

    latency: float
    """α, in seconds a message."""
    bandwidth: float
    """1 / β, in bytes a second, in each direction."""

    def seconds(self, sent: Sent) -> float:
        return sent.messages * self.latency + sent.nbytes / self.bandwidth


def ring(c: Collective) -> Sent:
    """To the next rank, from the one before."""
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
    """In ⌈log₂ n⌉ rounds, between ranks whose distance doubles or halves."""
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
    """AllReduce as a ReduceScatter by halving and an AllGather by doubling; the others as `tree`."""
    if c.opcode != "AllReduce":
        return tree(c)
    return Sent(2 * (c.ranks - 1).bit_length(), ring(c).nbytes)


ALGORITHMS: dict[str, tuple[Callable[[Collective], Sent], ...]] = {
    "ring": (ring,),
    "tree": (tree,),
    "best": (ring, tree, halving),
}
"""Those that a collective has the choice of, by name."""


def seconds(c: Collective, link: Link, algorithm: str) -> float:
    """Time of a collective by the quickest of the ways that `algorithm` names."""
    return min(link.seconds(way(c)) for way in ALGORITHMS[algorithm])
