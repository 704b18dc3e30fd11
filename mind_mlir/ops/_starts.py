"""What DynamicSlice and DynamicUpdateSlice share: where a slice begins, given as scalars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir import Reject, Shape, TensorType

if TYPE_CHECKING:
    import numpy


def check_starts(name: str, input: TensorType, starts: Sequence[TensorType], first: int) -> None:
    """E2007, E4011 or E3002 unless there is an integer scalar for each axis; `first` is the first operand of them."""
    if len(starts) != input.rank:
        raise Reject("E2007", f"{name} of a rank-{input.rank} input takes {input.rank} starts, found {len(starts)}")
    for n, start in enumerate(starts):
        if not start.dtype.is_integer:
            raise Reject("E4011", f"{name} takes starts of integers, found {start.dtype}", at=f"operand {first + n}")
        if start.rank:
            raise Reject("E3002", f"{name} takes scalars as starts, found {start}", at=f"operand {first + n}")


def check_sizes(name: str, input: TensorType, sizes: Shape, at: str) -> None:
    """E4007 for another number of sizes than axes, E3011 for one beyond its extent."""
    if len(sizes) != input.rank:
        raise Reject(
            "E4007", f"{name} of a rank-{input.rank} input takes {input.rank} sizes, found {len(sizes)}", at=at
        )
    for i, (size, n) in enumerate(zip(sizes, input.shape)):
        if size > n:
            raise Reject(
                "E3011",
                f"{name} takes {size} elements of extent {n} of dimension {i}",
                note=f"input is {input}",
                at=at,
            )


def place(shape: Shape, sizes: Shape, starts: Sequence[numpy.ndarray]) -> tuple[slice, ...]:
    """The slice of these sizes that begins at `starts`, or as near as it fits."""
    begins = [min(max(int(start), 0), n - size) for start, n, size in zip(starts, shape, sizes)]
    return tuple([slice(begin, begin + size) for begin, size in zip(begins, sizes)])
