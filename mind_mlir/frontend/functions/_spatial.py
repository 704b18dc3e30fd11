"""Numbers for each spatial axis: strides, dilations and padding, as users write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..integers import integers
from ..place import error


def each(name: str, values: Any, count: int) -> tuple[int, ...]:
    """A number for each spatial axis."""
    found = integers(name, values)
    return found if hasattr(values, "__iter__") else found * count


def dilated(extent: int, step: int) -> int:
    """The elements that a window of this extent spans if they are `step` apart."""
    return max(extent - 1, 0) * step + min(extent, 1)


def pads(
    padding: Any, extents: Sequence[int], windows: Sequence[int], strides: Sequence[int]
) -> tuple[list[int], list[int]]:
    """The zeros before and after each spatial axis."""
    if isinstance(padding, str):
        if padding.upper() == "VALID":
            return [0] * len(extents), [0] * len(extents)
        if padding.upper() != "SAME":
            raise error("E4010", f'padding is "SAME", "VALID" or numbers, found {padding!r}')
        totals = [max((-(-n // k) - 1) * k + w - n, 0) for n, w, k in zip(extents, windows, strides)]
        return [total // 2 for total in totals], [total - total // 2 for total in totals]
    if not hasattr(padding, "__iter__"):
        return [*integers("padding", padding)] * len(extents), [*integers("padding", padding)] * len(extents)
    pairs = [integers("padding", pair) for pair in padding]
    if len(pairs) != len(extents) or any(len(pair) != 2 for pair in pairs):
        raise error("E4010", f"padding takes a pair for each of {len(extents)} spatial axes, found {padding!r}")
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
