"""What cumulative operations share: each element joined with all before it along an axis, one after the other."""

from __future__ import annotations

from typing import Any

from ..ir import Growth, Linearity, Op, Rounding, TensorType, Value, f32, np
from ..ir.attributes import Count, Flag
from ._along_axis import check_axis, samples
from ._rules import names


class Cumulative(Op):
    """Joins each element with all before it along an axis, or with all after it where `reverse` is true."""

    axis: Count
    reverse: Flag

    core_v1 = False

    kind = ""
    """What joins two elements: sum, prod, max or min."""

    def infer_type(self, input):
        check_axis(self.opcode, self.axis, input)
        return input

    def turned(self, input):
        """The array so that the elements go from the first to the last, and back."""
        return np.flip(input, self.axis) if self.reverse else input

    def fold(self, b, input):
        return input if input.shape[self.axis] == 1 else None

    def dims(self, input):
        d = names(input.rank)
        d[self.axis] = "_"
        return f"{' '.join(d)} -> {' '.join(d)}"

    def lower(self, e, result, input):
        return e.scan.cumulative(self.kind, input, self.axis, self.reverse, result)

    @classmethod
    def samples(cls):
        made: Any = cls
        more = [(made(1, True), (f32(19, 21),)), (made(1, False), (f32(9, 2),))]
        return [*samples(cls, False), *samples(cls, True), *more]


class CumExtreme(Cumulative):
    """The largest or the smallest of each element and all before it."""

    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.EXTREMES)

    def evaluate(self, input):
        x = self.turned(input)
        found = (np.maximum if self.kind == "max" else np.minimum).accumulate(x, axis=self.axis)
        if TensorType.of_array(x).dtype.is_float:  # NumPy takes any zero for any other
            seen = np.logical_or.accumulate((x == 0) & (np.signbit(x) == (self.kind == "min")), axis=self.axis)
            zeros = np.where(seen == (self.kind == "max"), 0.0, -0.0).astype(x.dtype)
            found = np.where(found == 0, zeros, found)
        return self.turned(found)

    def jvp(self, b, primals, tangents, result):
        # y_i = the extreme of x_j over j <= i  ->  ẏ_i = ẋ_j of that, the first of equal ones
        def join(x, dx, z, dz):
            later = b.Greater(z, x) if self.kind == "max" else b.Greater(x, z)
            return b.Select(later, z, x), b.Select(later, dz, dx)

        return tangents_by_pairs(b, self, primals[0], tangents[0], join)

    def smooth_at(self, input):
        rows = np.moveaxis(input.astype(np.float64), self.axis, -1)
        apart = np.abs(rows[..., :, None] - rows[..., None, :]) + np.eye(rows.shape[-1])
        return bool((apart > 1e-2).all())


def shifted(b, x: Value, axis: int, distance: int, reverse: bool) -> tuple[Value, Value, Value]:
    """Of `x` along an axis: elements that have one `distance` before them, those, and the others at the beginning."""
    rank, n = x.type.rank, x.shape[axis]
    zeros, ones = [0] * rank, [1] * rank

    def part(low: int, high: int) -> Value:
        if reverse:
            low, high = n - high, n - low
        starts, ends = list(zeros), list(x.shape)
        starts[axis], ends[axis] = low, high
        return b.Slice(x, starts, ends, ones)

    return part(distance, n), part(0, n - distance), part(0, distance)


def together(b, first: Value, rest: Value, axis: int, reverse: bool) -> Value:
    """The elements at the beginning and the others, as one along the axis."""
    rank = first.type.rank
    zeros = [0] * rank
    behind, before = list(zeros), list(zeros)
    behind[axis], before[axis] = rest.shape[axis], first.shape[axis]
    if reverse:
        return b.Pad(first, behind, zeros, zeros) + b.Pad(rest, zeros, before, zeros)
    return b.Pad(first, zeros, behind, zeros) + b.Pad(rest, before, zeros, zeros)


def tangents_by_pairs(b, op: Cumulative, x: Value, tangent: Value, join) -> Value:
    """The tangent of a cumulative operation: pairs, pairs of pairs, and so on, of values with their tangents.

    `join` makes of an earlier value and its tangent, and of a later one with its own, those of both.
    """
    distance, n = 1, x.shape[op.axis]
    while distance < n:
        later, earlier, first = shifted(b, x, op.axis, distance, op.reverse)
        moved, before, begins = shifted(b, tangent, op.axis, distance, op.reverse)
        value, change = join(earlier, before, later, moved)
        x = together(b, first, value, op.axis, op.reverse)
        tangent = together(b, begins, change, op.axis, op.reverse)
        distance *= 2
    return tangent
