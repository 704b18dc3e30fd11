"""The loops of a convolution, as they are emitted: which axes they are on, in layouts that kernels have vectors for.

Loops: n over the batch, y0, y1, … over outputs, i0, i1, … over windows, g over groups, c and f over channels in and
out, of a group where there are several.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir import Shape, TensorType
from ._conv_axes import dilated

FEW = 16
"""Channels of a group that vectors along another axis make up for; with 64 of them two transposes take 7% less time."""

Loops = Sequence[tuple[str, Sequence[str]]]
"""For each letter the loops on its axis; two are outer and inner parts."""


def in_windows(
    e: Any,
    result: TensorType,
    operands: Sequence[Any],
    terms: Any,
    spatial: Sequence[str],
    numbers: Any,
    groups: Sequence[int],
    reverse: bool,
) -> Any:
    """The convolution of two operands, in a layout that `in_vectors` gives: `terms`.

    `numbers` are the lists of Conv.full, `groups` those and batch_groups.
    """
    x, w = operands
    to_input, to_filter, to_result = terms
    many = groups[0] * groups[1]
    own = _loops_on_axes(e.type(w), to_filter, spatial, numbers, groups, reverse, result.shape[to_result.index("N")])
    x = _split(e, _padded(e, x, to_input, spatial, numbers), to_input, own[0], many)
    w = _split(e, w, to_filter, own[1], many)
    dims = f"{_text(to_input, own[0])}, {_text(to_filter, own[1])} -> {_text(to_result, own[2])}"
    sums = [f"i{p}" for p in range(len(spatial))] + [name for name in _of(own[1], "I") if name == "c"]
    shaped = result.with_shape(_split_shape(result.shape, to_result, own[2], many))
    return e.tensor.reshaped(e.convolution.over_windows(dims, " ".join(sums), (x, w), shaped), result)


def in_vectors(terms: Any, spatial: Sequence[str], strides: Sequence[int], out: int) -> list[Sequence[str]]:
    """A layout in which the innermost axis of the result is contiguous in an operand too.

    It is the given one if that is so; but `out` channels of a group that fill vectors are worth two transposes.
    """
    to_input, to_filter, to_result = terms
    last = to_result[-1]
    by_channels = [*spatial, "I", "O"]
    if last == "C":
        return [to_input, to_filter if to_filter[-1] == "O" else by_channels, to_result]
    steps = [k for c, k in zip(spatial, strides) if c == last]
    if to_input[-1] == last and steps in ([], [1]) and out < FEW:
        return [to_input, to_filter, to_result]
    return [["N", *spatial, "C"], by_channels, ["N", *spatial, "C"]]


def _loops_on_axes(
    filter: TensorType, term: Any, spatial: Any, numbers: Any, groups: Sequence[int], reverse: bool, batch: int
) -> list[Any]:
    """The loops on the axes of input, filter and result."""
    strides, _, _, _, steps = numbers
    many = groups[0] * groups[1]
    into, out = filter.shape[term.index("I")], filter.shape[term.index("O")] // many
    channels = _grouped(many, out, "f")
    own: list[list[tuple[str, Sequence[str]]]] = [
        [("N", _grouped(groups[1], batch, "n")), ("C", _grouped(groups[0], into, "c"))],
        [("I", ["0"] if groups[0] > 1 and into == 1 else ["c"]), ("O", channels)],
        [("N", ["n"]), ("C", channels)],
    ]
    for p, c in enumerate(spatial):
        first, step = 0, steps[p]
        if reverse:
            first, step = (filter.shape[term.index(c)] - 1) * step, -step
        position = f"{strides[p]}*y{p}+{step}*i{p}+{first}"
        for loops, at in zip(own, (position, f"i{p}", f"y{p}")):
            loops.append((c, [at]))
    return own


def _grouped(many: int, each: int, name: str) -> list[str]:
    """The loops over an axis of `many` groups of `each`: one where the other has one iteration."""
    if many == 1:
        return [name]
    return ["g"] if each == 1 else ["g", name]


def _padded(e: Any, x: Any, term: Any, spatial: Any, numbers: Any) -> Any:
    """The input with zeros around and between its elements, or without those that padding removes."""
    _, low, high, gaps, _ = numbers
    t = e.type(x)
    pads, interior, starts = [[0, 0] for c in term], [0] * t.rank, [0] * t.rank
    shape = list(t.shape)
    for c, l, h, gap in zip(spatial, low, high, gaps):
        axis = term.index(c)
        pads[axis] = [max(l, 0), max(h, 0)]
        interior[axis] = gap - 1
        starts[axis] = max(-l, 0)
        shape[axis] = l + dilated(shape[axis], gap) + h
    padded = e.linalg.padded(x, pads, interior)
    return e.tensor.slice(padded, starts, [1] * t.rank, t.with_shape(tuple(shape)))


def turned(e: Any, x: Any, term: Sequence[str], to: Sequence[str]) -> Any:
    """A value with its axes in another order."""
    if list(term) == list(to):
        return x
    t = e.type(x)
    order = [term.index(c) for c in to]
    return e.linalg.transposed(x, order, t.with_shape(tuple([t.shape[a] for a in order])))


def _of(own: Loops, letter: str) -> Sequence[str]:
    """The loops on the axis of that letter."""
    for c, loops in own:
        if c == letter:
            return loops
    return []


def _text(term: Sequence[str], own: Loops) -> str:
    """The loops on all axes."""
    return " ".join([" ".join(_of(own, c)) for c in term])


def _split_shape(shape: Sequence[int], term: Sequence[str], own: Loops, many: int) -> Shape:
    """The extents of axes that two loops share, apart."""
    out: list[int] = []
    for n, c in zip(shape, term):
        out += [many, n // many] if len(_of(own, c)) == 2 else [n]
    return tuple(out)


def _split(e: Any, x: Any, term: Sequence[str], own: Loops, many: int) -> Any:
    t = e.type(x)
    return e.tensor.reshaped(x, t.with_shape(_split_shape(t.shape, term, own, many)))
