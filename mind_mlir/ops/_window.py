"""Windows that move over a tensor: which elements each of them has, and how those become one.

Along axis a, position k of window o is element `o · strides[a] + k · dilation[a] - low[a]` of the operand; where that
is none, it is padding. Elements of a window become one axis by axis, from the last to the first. Along one axis, the
first p of n become one, the other n - p likewise, and then the two, where p is the largest power of 2 below n. So sums
are nearly as accurate as in pairs, and windows that overlap share their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

from ..ir import Op, Reject, Shape, TensorType, f32, f64, i32, np
from ..ir.attributes import Ints
from ._rules import check_extents, names

if TYPE_CHECKING:
    import numpy

MOST = 2**31 - 1
"""The most elements of a window: their positions are numbered in i32."""


class Windowed(Op):
    """An operation on windows, with an entry for each axis of the tensor that they move over."""

    window: Ints
    strides: Ints
    low: Ints
    high: Ints
    dilation: Ints

    core_v1 = False

    def windows_of(self, what: str, shape: Shape) -> Shape:
        """How many windows there are along each axis of a tensor of this shape. E4007, E4010, E4016, E3006."""
        rank = len(shape)
        for name in ("window", "strides", "low", "high", "dilation"):
            values = getattr(self, name)
            if len(values) != rank and (values or name in ("window", "strides")):
                raise Reject(
                    "E4007",
                    f"{self.opcode} of a rank-{rank} {what} takes {rank} numbers as {name}, found {len(values)}",
                    at=name,
                )
        for name in ("window", "strides", "dilation"):
            for i, n in enumerate(getattr(self, name)):
                if n < 1:
                    raise Reject("E4010", f"entry {i} of {name} of {self.opcode} is {n}", help="1 or more", at=name)
        for name in ("low", "high"):
            for i, n in enumerate(getattr(self, name)):
                if n < 0:
                    found = f"entry {i} of {name} of {self.opcode} is {n}"
                    raise Reject("E4016", found, help="Slice removes elements", at=name)
        if prod(self.window) > MOST:
            raise Reject("E4010", f"the window of {self.opcode} has {prod(self.window)} elements", at="window")
        padded = check_extents(self.opcode, self.padded(shape))
        spans = [(n - 1) * d + 1 for n, d in zip(self.window, self.dilations(rank))]
        return tuple([(n - w) // s + 1 if n >= w else 0 for n, w, s in zip(padded, spans, self.strides)])

    def padded(self, shape: Shape) -> Shape:
        """The shape with its padding."""
        low, high = self.pads(len(shape))
        return tuple([l + n + h for l, n, h in zip(low, shape, high)])

    def pads(self, rank: int) -> tuple[Sequence[int], Sequence[int]]:
        """The padding before and after each axis."""
        return self.low or (0,) * rank, self.high or (0,) * rank

    def dilations(self, rank: int) -> Sequence[int]:
        """The distance between the elements of a window along each axis."""
        return self.dilation or (1,) * rank

    def canonical(self, *operands: TensorType) -> Op:
        return replace(  # type: ignore[type-var]
            self,
            low=self.low if any(n != 0 for n in self.low) else (),
            high=self.high if any(n != 0 for n in self.high) else (),
            dilation=self.dilation if any(n != 1 for n in self.dilation) else (),
        )

    def named(self, shape: Shape) -> list[str]:
        """Names for the axes along which windows are single elements; `_` for the others, which stay whole."""
        low, high = self.pads(len(shape))
        plain = [w == s == 1 and l == h == 0 for w, s, l, h in zip(self.window, self.strides, low, high)]
        return [d if alone else "_" for d, alone in zip(names(len(shape)), plain)]

    def with_padding(self, t: TensorType) -> tuple[TensorType, ...]:
        """The memory that a tensor with its padding takes; none without padding."""
        return (t.with_shape(self.padded(t.shape)),) if self.low or self.high else ()

    def around(self, x: numpy.ndarray, padding: Any) -> numpy.ndarray:
        """`x` with its padding."""
        low, _ = self.pads(x.ndim)
        found = np.full(self.padded(x.shape), padding, x.dtype)
        found[tuple(slice(l, l + n) for l, n in zip(low, x.shape))] = x
        return found

    def positions(self, shape: Shape, indices: numpy.ndarray) -> tuple[numpy.ndarray, ...]:
        """For every window the element at a position in it, along each axis of the padded tensor."""
        taken = np.unravel_index(np.clip(indices, 0, prod(self.window) - 1), self.window) if self.window else ()
        first: Any = np.indices(indices.shape, sparse=True)
        return tuple(o * s + k * d for o, s, k, d in zip(first, self.strides, taken, self.dilations(len(shape))))


def check_indices(name: str, found: TensorType, windows: Shape) -> None:
    """E4011 for others than integers, E3002 or E3003 unless there is one for each window."""
    if not found.dtype.is_integer:
        raise Reject("E4011", f"{name} takes integers as indices, indices are {found}", at="operand 1")
    check_for_each_window(name, "indices", found, windows, 1)


def check_for_each_window(name: str, what: str, found: TensorType, windows: Shape, at: int) -> None:
    """E3002 or E3003 unless operand `at` has one element for each window."""
    if found.rank != len(windows):
        raise Reject("E3002", f"{name} takes {what} of rank {len(windows)}, {what} are {found}", at=f"operand {at}")
    for axis, (n, count) in enumerate(zip(found.shape, windows)):
        if n != count:
            message = f"{name} has {count} windows along axis {axis}, {what} have extent {n}"
            raise Reject("E3003", message, note=f"{what} are {found}", at=f"operand {at}")


Part = tuple[Any, ...]
"""What some elements of each window have become: arrays with an entry for each first element."""


def along_axes(op: Windowed, x: numpy.ndarray, parts: Part, join: Callable[[Part, Part, int], Part]) -> Part:
    """The elements of each window as one; `x` has the padding, and `join` gets the distance in a window, too."""
    counts = op.windows_of("input", x.shape)
    apart = 1
    for axis in reversed(range(x.ndim)):
        parts = tuple(np.moveaxis(a, axis, 0) for a in parts)
        parts = _along(op, axis, counts[axis], parts, join, apart)
        parts = tuple(np.moveaxis(a, 0, axis) for a in parts)
        apart *= op.window[axis]
    return parts


def _along(
    op: Windowed, axis: int, count: int, parts: Part, join: Callable[[Part, Part, int], Part], apart: int
) -> Part:
    step = op.dilations(len(op.window))[axis]
    spans = {1: parts}

    def span(n: int) -> Part:
        """Neighbours of `n` elements as one."""
        if n not in spans:
            p = half(n)
            first, other = span(p), span(n - p)
            left = len(parts[0]) - (n - 1) * step
            spans[n] = join(
                tuple(a[:left] for a in first), tuple(a[p * step : p * step + left] for a in other), p * apart
            )
        return spans[n]

    if not count:
        return tuple(a[:0] for a in parts)
    return tuple(a[:: op.strides[axis]][:count] for a in span(op.window[axis]))


def half(n: int) -> int:
    """How many of n elements, two or more, become one first: the largest power of 2 below n."""
    return 1 << (n - 1).bit_length() - 1


GEOMETRIES: list[tuple[dict[str, Any], tuple[int, ...]]] = [
    ({"window": (1, 2, 2, 1), "strides": (1, 2, 2, 1)}, (2, 6, 4, 3)),
    ({"window": (3, 3), "strides": (2, 2), "low": (1, 1), "high": (1, 1)}, (7, 8)),
    ({"window": (1, 3), "strides": (1, 1), "low": (0, 2), "high": (0, 1), "dilation": (1, 2)}, (3, 9)),
    ({"window": (2, 2, 3), "strides": (1, 2, 2)}, (3, 5, 6)),
    ({"window": (5, 7), "strides": (1, 1)}, (6, 9)),  # too many elements for one pass
    ({"window": (19,), "strides": (3,), "low": (4,)}, (40,)),
    ({"window": (2, 1), "strides": (1, 1)}, (2, 3)),
    ({"window": (1,), "strides": (2,)}, (5,)),
    ({"window": (4,), "strides": (1,)}, (3,)),  # no window fits
    ({"window": (), "strides": ()}, ()),
    ({"window": (2, 1), "strides": (1, 1)}, (0, 3)),
    ({"window": (2,), "strides": (2,), "low": (2,), "high": (2,)}, (0,)),  # nothing but padding
]
"""Windows, and the shapes that they move over, for samples."""


def samples(cls: Callable[..., Op]) -> list[tuple[Op, tuple[TensorType, ...]]]:
    """Typical and edge instances of an operation on the windows of one operand."""
    found = [(cls(**given), (f32(*shape),)) for given, shape in GEOMETRIES]
    return [*found, (cls((2, 2), (2, 2)), (f64(4, 6),)), (cls((3,), (1,), (1,), (1,)), (i32(5),))]
