"""The adjoints of Conv, which are convolutions with other strides, dilations, layouts and groups.

Along an axis, `result[y] = Σ_i input[t] · filter[i]` over all t and i with `t · gap = y · stride + i · step - low`,
where i counts from the window's end if it is reversed. The adjoints sum the same products over y and i, and over y and
t: what was the stride of the result becomes the dilation of its cotangent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..ir import Builder, TensorType, Value
from ._conv_axes import dilated, layout_terms, layout_text


def input_adjoint(b: Builder, op: Any, ct: Value, filter: Value, input: TensorType) -> Value:
    """What the cotangent `ct` reaches through the filter: the windows of `ct`, from their other ends."""
    terms = layout_terms(op.layout)
    to_input, to_filter, to_result = terms
    strides, low, _, gaps, steps = op.full()
    n, k, y = _extents(op, input.shape, filter.shape, ct.shape)
    reach = [dilated(extent, step) for extent, step in zip(k, steps)]
    before = [r - 1 - l for r, l in zip(reach, low)]
    after = [
        dilated(extent, gap) + r - 1 - dilated(out, stride) - l
        for extent, gap, r, out, stride, l in zip(n, gaps, reach, y, strides, before)
    ]
    many = op.groups * op.batch_groups
    turned = _regrouped(b, filter, to_filter.index("O"), to_filter.index("I"), many)
    layout = [to_result, _renamed(to_filter, {"I": "O", "O": "I"}), to_input]
    found = b.Conv(ct, turned, layout_text(layout), gaps, before, after, strides, steps, not op.reverse, many)
    return _regrouped(b, found, to_input.index("C"), to_input.index("N"), op.batch_groups)


def filter_adjoint(b: Builder, op: Any, input: Value, ct: Value, filter: TensorType) -> Value:
    """The products of input and cotangent for each element of the filter: of the two, one is the filter."""
    to_input, to_filter, to_result = layout_terms(op.layout)
    strides, low, _, gaps, steps = op.full()
    n, k, y = _extents(op, input.shape, filter.shape, ct.shape)
    inside = [dilated(extent, gap) for extent, gap in zip(n, gaps)]
    around = [dilated(extent, stride) for extent, stride in zip(y, strides)]
    last = [(extent - 1) * step for extent, step in zip(k, steps)]
    if not op.reverse:
        # t · gap = i · step + y · stride - low
        after = [e + a - first - m for e, a, first, m in zip(last, around, low, inside)]
        layout = [
            _renamed(to_input, {"N": "C", "C": "N"}),
            _renamed(to_result, {"N": "I", "C": "O"}),
            _renamed(to_filter, {"I": "N", "O": "C"}),
        ]
        s, l, h, g, d = _in_order(op.spatial(), layout[1], [steps, low, after, gaps, strides])
        return b.Conv(input, ct, layout_text(layout), s, l, h, g, d, False, op.batch_groups, op.groups)
    # y · stride = i · step + t · gap - ((k - 1) · step - low)
    before = [e - l for e, l in zip(last, low)]
    after = [e + m - a - l for e, m, a, l in zip(last, inside, around, before)]
    layout = [
        _renamed(to_result, {"N": "C", "C": "N"}),
        _renamed(to_input, {"N": "I", "C": "O"}),
        _renamed(to_filter, {"I": "C", "O": "N"}),
    ]
    s, l, h, g, d = _in_order(op.spatial(), layout[1], [steps, before, after, strides, gaps])
    many = op.groups * op.batch_groups
    seen = _regrouped(b, input, to_input.index("N"), to_input.index("C"), op.batch_groups)
    found = b.Conv(ct, seen, layout_text(layout), s, l, h, g, d, False, 1, many)
    return _regrouped(b, found, to_filter.index("I"), to_filter.index("O"), many)


def _extents(op: Any, input: Sequence[int], filter: Sequence[int], result: Sequence[int]) -> list[list[int]]:
    """The spatial extents of input, filter and result."""
    pairs = zip(layout_terms(op.layout), (input, filter, result))
    return [[shape[term.index(c)] for c in op.spatial()] for term, shape in pairs]


def _renamed(term: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [names.get(c, c) for c in term]


def _in_order(spatial: Sequence[str], term: Sequence[str], lists: Sequence[Sequence[int]]) -> list[list[int]]:
    """Numbers for spatial axes in the order in which a term has those."""
    order = [spatial.index(c) for c in term if c in spatial]
    return [[values[n] for n in order] for values in lists]


def _regrouped(b: Builder, x: Value, source: int, target: int, groups: int) -> Value:
    """`x` with the groups that are outermost on axis `source` outermost on axis `target` instead."""
    if groups == 1:
        return x
    shape = list(x.shape)
    split = b.Reshape(x, [*shape[:source], groups, shape[source] // groups, *shape[source + 1 :]])
    others = [a for a in range(len(shape) + 1) if a != source]
    order = [*others[:target], source, *others[target:]]
    shape[source] //= groups
    shape[target] *= groups
    return b.Reshape(b.Transpose(split, order), shape)
