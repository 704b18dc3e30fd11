"""Reads the arguments and results of a program, with shardings: `"x: b/dp f; ids: i32 b/dp"`, `"_ tp; dp _"`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

Cuts = tuple["str | None", ...]
"""For each dimension the axis that cuts it."""


@dataclass(frozen=True)
class Argument:
    """A name, an element type, and for each extent its name among the program's sizes and the axis that cuts it."""

    name: str
    dtype: str
    extents: tuple[str, ...]
    cuts: Cuts


@dataclass(frozen=True)
class Program:
    """A function of a namespace and arrays, on a mesh; the namespace is `mind_mlir`, or jax.numpy with its names."""

    name: str
    axes: tuple[tuple[str, int], ...]
    function: Callable[..., Any]
    arguments: tuple[Argument, ...]
    results: tuple[Cuts, ...]
    sizes: Mapping[str, tuple[int, int]]
    """Name of an extent -> the measured extent, and a small one to run."""

    @property
    def ranks(self) -> int:
        """The number of ranks of the mesh."""
        return math.prod(n for _, n in self.axes)

    @property
    def mesh(self) -> str:
        """The axes of the mesh as text: `dp × tp`."""
        return " × ".join(name for name, _ in self.axes)

    def on(self, ranks: int) -> Program | None:
        """The program on so many ranks, with 2 along each axis but the first, which has the rest; None if too few."""
        if ranks == self.ranks:
            return self
        *first, last = [name for name, _ in self.axes]
        if ranks < 2 ** len(self.axes):
            return None
        sizes = [ranks >> len(first), *[2] * len(first)]
        return replace(self, axes=tuple(zip([*first, last], sizes)))

    def shapes(self, small: bool = False, even: bool = False) -> list[tuple[int, ...]]:
        """The shapes of the arguments; with `even`, extents that are cut are rounded up to what their axes divide."""
        extents = {name: pair[small] for name, pair in self.sizes.items()}
        if even:
            for a in self.arguments:
                for name, axis in zip(a.extents, a.cuts):
                    if axis is not None:
                        n = dict(self.axes)[axis]
                        extents[name] = -(-extents[name] // n) * n
        return [tuple([extents[e] for e in a.extents]) for a in self.arguments]


def arguments(text: str) -> tuple[Argument, ...]:
    """Arguments from text such as `"x: b/dp f; ids: i32 b"`; the element type is f32 if none is named."""
    return tuple(_argument(part) for part in text.split(";"))


def _argument(text: str) -> Argument:
    name, _, rest = text.partition(":")
    words = rest.split()
    dtype = words.pop(0) if words and words[0] == "i32" else "f32"
    pairs = [word.partition("/") for word in words]
    return Argument(name.strip(), dtype, tuple(e for e, _, _ in pairs), tuple(axis or None for _, _, axis in pairs))


def results(text: str) -> tuple[Cuts, ...]:
    """Shardings of results from text such as `"_ tp; dp _; "`, in which the last one is a scalar."""
    return tuple(tuple(None if word == "_" else word for word in part.split()) for part in text.split(";"))
