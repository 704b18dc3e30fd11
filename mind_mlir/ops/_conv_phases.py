"""A convolution as it is emitted. One of dilated input is several: one for each phase of the outputs.

Between neighbours of an input with gaps are zeros. Along an axis with stride 1, the outputs y = r, r + gap, … meet
elements of the input at the positions j ≡ low - r (mod gap) of the window, and zeros at all others: they are a
convolution without gaps, with those positions of the filter. With gaps of s along two axes that is one product of s².

The zeros take part in sums, as docs/semantics.md, Conv, says: 0 · w is NaN for an infinite w, and else a zero, which
changes no sum, since sums start at +0 and so none is -0. So each phase adds Σ 0 · w over the positions that it leaves
out: a tensor as small as the filter.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..ir import TensorType
from ._conv_loops import in_vectors, in_windows, turned

MOST = 16
"""The most phases: each is code of its own."""


def lowered(
    e: Any, result: TensorType, input: Any, filter: Any, terms: Any, numbers: Any, groups: Sequence[int], reverse: bool
) -> Any:
    """The convolution of input and filter. `numbers` are the lists of Conv.full, `groups` those and batch_groups."""
    spatial = [c for c in terms[1] if c not in "IO"]
    filters = e.type(filter).shape[terms[1].index("O")] // (groups[0] * groups[1])
    layout = in_vectors(terms, spatial, numbers[0], filters)
    x = turned(e, input, terms[0], layout[0])
    w = turned(e, filter, terms[1], layout[1])
    out = result.with_shape(tuple([result.shape[terms[2].index(c)] for c in layout[2]]))
    apart = _apart(numbers)
    count = prod(apart)
    if count == 1 or count > MOST or not (e.type(x).size and e.type(w).size and out.size):
        made = in_windows(e, out, (x, w), layout, spatial, numbers, groups, reverse)
    else:
        made = _in_phases(e, out, (x, w), layout, spatial, numbers, groups, reverse)
    return turned(e, made, layout[2], terms[2])


def _apart(numbers: Any) -> list[int]:
    """For each spatial axis the number of its phases: the gap of an input that is read without steps, else 1."""
    strides, _, _, gaps, steps = numbers
    return [gap if stride == 1 and step == 1 else 1 for stride, gap, step in zip(strides, gaps, steps)]


def _in_phases(
    e: Any,
    result: TensorType,
    operands: Sequence[Any],
    layout: Any,
    spatial: Sequence[str],
    numbers: Any,
    groups: Sequence[int],
    reverse: bool,
) -> Any:
    """The convolution as one for each phase, whose outputs are put between each other."""
    x, w = operands
    to_input, to_filter, to_result = layout
    strides, low, high, gaps, steps = numbers
    apart = _apart(numbers)
    left = [1 if many > 1 else gap for many, gap in zip(apart, gaps)]
    zeros = _zeros(e, w, to_filter) if result.dtype.is_float else None
    x_shape, w_shape = e.type(x).shape, e.type(w).shape
    made = e.tensor.empty(result)
    for phase in range(prod(apart)):
        own = [
            _along(
                phase // prod(apart[axis + 1 :]) % many,
                many,
                (x_shape[to_input.index(c)], w_shape[to_filter.index(c)], result.shape[to_result.index(c)]),
                (low[axis], high[axis]),
                reverse,
            )
            for axis, (c, many) in enumerate(zip(spatial, apart))
        ]
        starts, counts, firsts, windows, lows, highs = [[a[k] for a in own] for k in range(6)]
        piece = result.with_shape(_with(result.shape, to_result, spatial, counts))
        if not piece.size:
            continue
        at = _with([0] * len(to_filter), to_filter, spatial, firsts)
        by = _with([1] * len(to_filter), to_filter, spatial, apart)
        part = e.type(w).with_shape(_with(w_shape, to_filter, spatial, windows))
        row = None if zeros is None else _left_out(e, zeros, (at, by, windows), (to_filter, spatial, to_result))
        if part.size:
            those = (strides, lows, highs, left, steps)
            taken = (x, e.tensor.slice(w, at, by, part))
            found = in_windows(e, piece, taken, layout, spatial, those, groups, reverse)
        else:
            found = e.linalg.filled(piece, 0)
        if row is not None:
            found = e.linalg.map(lambda s, x, y: s.add(x, y), (found, row), piece)
        first = _with([0] * len(to_result), to_result, spatial, starts)
        between = _with([1] * len(to_result), to_result, spatial, apart)
        made = e.tensor.inserted(found, made, first, result, between)
    return made


def _along(r: int, many: int, extents: Sequence[int], pads: Sequence[int], reverse: bool) -> list[int]:
    """Along an axis, what phase `r` of `many` takes, which counts outputs `many` apart from r on.

    The first output and their number, the first element of the window and their number, and the padding.
    """
    n, window, outputs = extents
    if many == 1:
        return [0, outputs, 0, window, pads[0], pads[1]]
    position = (pads[0] - r) % many  # of the first element of the window that meets one of the input
    count = max(-(-(outputs - r) // many), 0)
    taken = max(-(-(window - position) // many), 0)
    first = window - 1 - position - many * (taken - 1) if reverse else position
    before = (pads[0] - r - position) // many
    return [r, count, first, taken, before, count + taken - 1 - before - n]


def _with(shape: Sequence[int], term: Sequence[str], spatial: Sequence[str], numbers: Sequence[int]) -> tuple[int, ...]:
    """Numbers of the axes of a term, with others for the spatial axes."""
    return tuple([numbers[spatial.index(c)] if c in spatial else n for n, c in zip(shape, term)])


def _zeros(e: Any, w: Any, term: Sequence[str]) -> Any:
    """Σ 0 · w over the channels of the filter, whose axis stays."""
    t, axis = e.type(w), term.index("I")
    products = e.linalg.map(lambda s, x: s.mul(x, s.number(0)), (w,), t)
    return e.reduction.sum(products, [axis], t.with_shape((*t.shape[:axis], 1, *t.shape[axis + 1 :])))


def _left_out(e: Any, zeros: Any, taken: Any, terms: Any) -> Any:
    """What the zeros come to at positions of the window that a phase does not take, for each channel of the result.

    `taken` are the first position, the steps and the numbers of those that it takes.
    """
    at, by, windows = taken
    to_filter, spatial, to_result = terms
    t = e.type(zeros)
    part = t.with_shape(_with(t.shape, to_filter, spatial, windows))
    rest = e.tensor.inserted(e.linalg.filled(part, 0), zeros, at, t, by) if part.size else zeros
    filters = t.shape[to_filter.index("O")]
    total = e.reduction.sum(rest, [i for i, c in enumerate(to_filter) if c != "O"], t.with_shape((filters,)))
    return e.tensor.reshaped(total, t.with_shape(tuple([filters if c == "C" else 1 for c in to_result])))
