"""Products as their rules see them: loops, the role of each, and how far each moves in both operands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod

from ...ir import DType
from .loop_nest import LoopNest


@dataclass(frozen=True)
class Roles:
    """The roles of a product's loops.

    `n` runs along vectors and `m` over the rows of a tile, `ks` add up, and `outer` are the others in their order.
    `swapped` says that the operand that is read in vectors is the first one. If `n` moves in both operands, as the
    channels of a depthwise convolution do, both are read in vectors.
    """

    n: int | None
    m: int | None
    ks: tuple[int, ...]
    outer: tuple[int, ...]
    swapped: bool = False


def roles(loops: LoopNest) -> Roles | None:
    """The roles of the loops of `out += x · y`; None if a loop that adds up moves in `out`."""
    (x, y), out = loops.strides[:2], loops.strides[-1]
    dims, reduction = range(len(loops.extents)), loops.reduction
    ks = tuple(d for d in dims if out[d] == 0)
    if any(not reduction[d] for d in ks):
        return None
    candidates = [
        (d, swap)
        for d in dims
        for swap, a, b in ((False, x, y), (True, y, x))
        if out[d] == 1 and a[d] == 0 and b[d] and not reduction[d]
    ]
    n, swap = max(candidates, key=lambda c: (y if not c[1] else x)[c[0]] == 1, default=_along_both(loops))
    if swap:
        x, y = y, x
    last_ordered = max((d for d in dims if reduction[d] and out[d]), default=-1)
    rows = [d for d in dims if d != n and out[d] and x[d] and not y[d] and (not reduction[d] or d == last_ordered)]
    m = max(rows, key=lambda d: (loops.extents[d] >= 4, d), default=None)
    return Roles(n, m, ks, tuple(d for d in dims if d not in (n, m, *ks)), swap)


def _along_both(loops: LoopNest) -> tuple[int | None, bool]:
    """A loop that moves in both operands, to neighbours in the result and one of them, and whether that is the first.

    If both have neighbours, it is the one that more rows use. (None, False) if there is no such loop.
    """
    (x, y), out = loops.strides[:2], loops.strides[-1]
    dims = [d for d in range(len(loops.extents)) if out[d] and not loops.reduction[d]]

    def rows(a: tuple[int, ...], b: tuple[int, ...]) -> int:
        return prod(loops.extents[d] for d in dims if a[d] and not b[d])

    candidates = [
        (a[d] == 1, rows(a, b), d, swap)
        for d in dims
        for swap, a, b in ((False, x, y), (True, y, x))
        if out[d] == 1 == b[d] and a[d] > 0
    ]
    _, _, n, swap = max(candidates, default=(False, 0, None, False))
    return n, swap


@dataclass(frozen=True)
class Product:
    """A product as its rules see it.

    `x` and `y` are the strides of the operand that is read element by element, and of the one that is read in vectors,
    over loops of these extents with these roles. `is_scattered` says that loops outside of the tiles lead to the same
    sums again, or that some elements of the result are no sums.
    """

    dtype: DType
    extents: tuple[int, ...]
    x: tuple[int, ...]
    y: tuple[int, ...]
    roles: Roles
    is_scattered: bool = False

    @classmethod
    def of(cls, dtype: DType, loops: LoopNest) -> Product:
        """The product that loops over x, y and the result compute, with as few loops as can be.

        ValueError for loops that add up otherwise.
        """
        loops = loops.simplified(ordered=True)
        found = roles(loops)
        if found is None:
            raise ValueError("a product adds up along loops in which the result stays where it is")
        x, y = loops.strides[:2] if not found.swapped else loops.strides[1::-1]
        return cls(dtype, loops.extents, x, y, found, any(loops.reduction[d] for d in found.outer))

    def extent(self, d: int | None) -> int:
        """The iterations of a loop; 1 for none."""
        return 1 if d is None else self.extents[d]

    @property
    def rows(self) -> int:
        return self.extent(self.roles.m)

    @property
    def columns(self) -> int:
        return self.extent(self.roles.n)

    @property
    def depth(self) -> int:
        """Terms of one sum."""
        return prod(self.extents[k] for k in self.roles.ks)

    @property
    def bytes(self) -> int:
        """The bytes of the vector operand that one iteration of the outer loops reads."""
        return self.depth * self.columns * self.dtype.width

    @property
    def vector_is_contiguous(self) -> bool:
        """True if y has neighbours along the loop that runs along vectors."""
        return self.roles.n is None or self.y[self.roles.n] == 1

    @property
    def rows_are_neighbours(self) -> bool:
        """True if the rows of a tile are neighbours in the memory of x, as in Aᵀ·B."""
        return self.roles.m is not None and self.x[self.roles.m] == 1

    def on_copied_rows(self) -> Product:
        """The same product on a copy of x in which the terms are neighbours, and the rows are not."""
        (k,) = self.roles.ks
        assert self.roles.m is not None, "rows that are neighbours are rows"
        x = list(self.x)
        x[k], x[self.roles.m] = 1, self.extents[k]
        return replace(self, x=tuple(x))

    @property
    def rows_served(self) -> int:
        """Rows of sums that use the same elements of the vector operand."""
        return self.rows * prod(self.extents[d] for d in self.roles.outer if not self.y[d])

    @property
    def can_pack(self) -> bool:
        """Packing needs one loop of terms, or columns that are neighbours, and no loop around that orders sums."""
        return (len(self.roles.ks) <= 1 or self.vector_is_contiguous) and not self.is_scattered

    @property
    def runs_along_terms(self) -> bool:
        """True if both operands have neighbours along the innermost loop that adds up, as in dot products."""
        if not self.roles.ks or self.is_scattered:
            return False
        k = self.roles.ks[-1]
        return self.x[k] == 1 and self.y[k] == 1
