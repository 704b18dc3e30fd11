"""Finds the first difference between arrays that several ranks hold and that have to be the same."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from ...ir import np


def first_difference(world: Any, array: Any, group: Sequence[int]) -> str | None:
    """Where `array` on a rank of `group` first differs from that on the group's first rank, as text; None if nowhere.

    Every rank of the job calls it, with the same shape, dtype and group.
    """
    found = world.allgather(fingerprint(array))
    first = group[0]
    other = next((r for r in group if found[r] != found[first]), None)
    if other is None:
        return None
    theirs = world.bcast(array if world.rank == first else None, root=first)
    said = _difference(theirs, array, first, other) if world.rank == other else None
    where: str = world.bcast(said, root=other)
    return where


def fingerprint(array: Any) -> bytes:
    """A digest of an array's bytes."""
    return hashlib.blake2b(np.ascontiguousarray(array).data.cast("B") if array.size else b"", digest_size=16).digest()


def _difference(a: Any, b: Any, rank_of_a: int, rank_of_b: int) -> str:
    # bytes, not values: NaN is equal to itself here, and 0.0 is not -0.0
    size = a.dtype.itemsize
    bytes_a, bytes_b = (np.ascontiguousarray(x).reshape(-1).view(np.uint8).reshape(-1, size) for x in (a, b))
    differ = (bytes_a != bytes_b).any(axis=1)
    n = int(differ.argmax())
    index = [int(i) for i in np.unravel_index(n, a.shape)]
    values = f"{a.reshape(-1)[n]} on rank {rank_of_a}, {b.reshape(-1)[n]} on rank {rank_of_b}"
    return f"at {index} {values}; {int(differ.sum())} of {differ.size} elements differ"
