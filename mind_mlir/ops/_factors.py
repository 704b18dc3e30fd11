"""The dimensions of two shapes of the same elements, taken apart into factors that both have. After Shardy's rules.

[32, 128, 768] and [4096, 768]    d0 d1 d2 -> (d0=32 d1=128) d2
[6, 4] and [4, 6]                 (d0=2 _) _ -> (d0=2 _) _
"""

from __future__ import annotations

import math

from ..ir import Shape


def factored(before: Shape, after: Shape) -> str:
    """The names of `Op.dims` for a value that takes another shape, its elements in row-major order."""
    sides = [_Side(before), _Side(after)]
    count = 0
    while all(side.places for side in sides):
        n = math.gcd(*[side.left for side in sides])
        if n == 1 or not all(side.left for side in sides):
            if not _whole(sides):
                break
            continue
        for side in sides:
            side.take(f"d{count}", n)
        count += 1
    return " -> ".join(side.text() for side in sides)


class _Side:
    """One of the two shapes. `left` is the part without a name of the outermost dimension that is not done."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.factors: list[list[tuple[str, int]]] = [[] for _ in shape]
        self.places = [d for d, n in enumerate(shape) if n != 1]
        self.left = shape[self.places[0]] if self.places else 1

    def take(self, name: str, n: int) -> None:
        """The next factor, of extent n."""
        self.factors[self.places[0]].append((name, n))
        self.left //= n
        if self.left == 1:
            self.next()

    def next(self) -> None:
        """Go on with the next dimension."""
        del self.places[0]
        self.left = self.shape[self.places[0]] if self.places else 1

    def text(self) -> str:
        """The names of each dimension; what has none stays whole."""
        return " ".join(_text(n, factors) for n, factors in zip(self.shape, self.factors))


def _text(n: int, factors: list[tuple[str, int]]) -> str:
    if n == 1 or not factors:
        return "1" if n == 1 else "_"
    named = math.prod(extent for _, extent in factors)
    if len(factors) == 1 and named == n:
        return factors[0][0]
    return f"({' '.join(f'{name}={extent}' for name, extent in factors)}{'' if named == n else ' _'})"


def _whole(sides: list[_Side]) -> bool:
    """Leave unnamed what mixes, up to where both sides have gone through as many elements; False if nothing is left."""
    done = [side.left for side in sides]
    while done[0] != done[1] and 0 not in done:
        n = 0 if done[0] < done[1] else 1
        sides[n].next()
        done[n] *= sides[n].left
    for side in sides:
        side.next()
    return 0 not in done
