"""Nested loops as rules see them: how many iterations they have, and how far each moves in every operand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod


@dataclass(frozen=True)
class LoopNest:
    """Nested loops, outermost first: their extents, which of them add up, and for each operand a stride for each loop.

    Strides count elements; 0 says that the operand stays where it is. The last operand is the result.
    """

    extents: tuple[int, ...]
    reduction: tuple[bool, ...]
    strides: tuple[tuple[int, ...], ...]

    def with_dims(self, dims: Sequence[int]) -> LoopNest:
        """The same with its loops in another order, or with some left out."""
        return LoopNest(
            tuple([self.extents[d] for d in dims]),
            tuple([self.reduction[d] for d in dims]),
            tuple([tuple([s[d] for d in dims]) for s in self.strides]),
        )

    def without_single(self) -> LoopNest:
        """The same without the loops of one iteration."""
        return self.with_dims([d for d, n in enumerate(self.extents) if n != 1])

    def simplified(self, ordered: bool = False) -> LoopNest:
        """The same with fewer loops: those of one iteration are removed, and loops that can be one are merged.

        Loops over independent elements may be merged wherever they are; those of a reduction, and all if `ordered`,
        only with the next one, so that terms keep their order.
        """
        extents, dims = list(self.extents), [d for d, n in enumerate(self.extents) if n != 1]
        while (pair := self._pair(dims, extents, ordered)) is not None:
            outer, inner = pair
            extents[inner] *= extents[outer]
            dims.remove(outer)
        return replace(self, extents=tuple(extents)).with_dims(dims)

    def _pair(self, dims: Sequence[int], extents: Sequence[int], ordered: bool) -> tuple[int, int] | None:
        """The first two loops, outer and inner, that may become one."""
        for at, d in enumerate(dims):
            free = not (ordered or self.reduction[d])
            for e in dims if free else dims[at + 1 : at + 2]:
                alike = e != d and self.reduction[e] == self.reduction[d]
                if alike and all(s[d] == extents[e] * s[e] for s in self.strides):
                    return d, e
        return None


def contiguous(extents: Sequence[int], dims: Sequence[int], loops: int) -> tuple[int, ...]:
    """The strides of `loops` loops in memory without gaps whose axes, outermost first, have these extents.

    The loops `dims` run along the axes.
    """
    strides = [0] * loops
    for axis, d in enumerate(dims):
        strides[d] = prod(extents[axis + 1 :])
    return tuple(strides)


def reach(extents: Sequence[int], strides: Sequence[int]) -> int:
    """The number of elements from the first to the last one that loops use."""
    return 1 + sum((n - 1) * abs(s) for n, s in zip(extents, strides))
