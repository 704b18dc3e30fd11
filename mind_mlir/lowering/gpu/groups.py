"""Several loops of a nest taken as one, for the rows, columns and terms of a product: one number counts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from mlir import ir

from ..kernels.nest import Access, Nest
from ..kernels.vector_code import Index
from ..targets.chips import WIDE
from .thread_code import GpuCode


@dataclass(frozen=True)
class Group:
    """Some loops of a nest, outermost first, as one loop of `size` iterations."""

    dims: tuple[int, ...]
    extents: tuple[int, ...]

    @classmethod
    def of(cls, nest: Nest, dims: Sequence[int]) -> Group:
        return cls(tuple(dims), tuple(nest.extents[d] for d in dims))

    @property
    def size(self) -> int:
        return prod(self.extents)

    def places(self, code: GpuCode, turn: Index, accesses: Sequence[Access], beyond: int = 0) -> list[Index]:
        """The position of each access `beyond` iterations after `turn`, without its offset."""
        if len(self.dims) == 1:  # what is known of an address is a number in the instruction
            strides = [a.strides[self.dims[0]] for a in accesses]
            return [code.add(code.times(turn, s), beyond * s) for s in strides]
        turn = code.add(turn, beyond)
        at = code.taken_apart(turn, self.extents) if self.dims else []
        return [code.place([a.strides[d] for d in self.dims], at) for a in accesses]

    def starts_along(self, a: Access) -> bool:
        """True if the innermost loop has stride 1 in the access."""
        return bool(self.dims) and a.strides[self.dims[-1]] == 1


def is_wide(nest: Nest, a: Access, along: Group, wide: int = WIDE) -> bool:
    """True if `wide` iterations of a group's innermost loop, from a multiple of it on, are an aligned piece of memory.

    Memory of the plan begins at multiples of 64 bytes.
    """
    if not along.starts_along(a) or along.extents[-1] % wide:
        return False
    last = along.dims[-1]
    t = ir.MemRefType(a.value.type)
    _, offset = t.get_strides_and_offset()
    others = (s for d, s in enumerate(a.strides) if d != last and nest.extents[d] > 1)
    return (a.offset + offset) % wide == 0 and all(s % wide == 0 for s in others)


def contiguous(a: Access, lines: Group, terms: Group) -> Group:
    """Of an operand's lines and terms, those that are neighbours in memory: terms only if lines are not."""
    return terms if terms.starts_along(a) and not lines.starts_along(a) else lines
