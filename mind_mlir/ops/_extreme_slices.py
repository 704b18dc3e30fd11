"""What ScatterMaxSlices and ScatterMinSlices share: the value, and the derivative, which ties share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir import Growth, Linearity, Rounding
from ._order import elements, keys
from ._rules import numbers_only
from ._slices import Slices

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class ExtremeSlices(Slices):
    """Each element becomes the most extreme of itself and its updates."""

    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.WHOLE)
    updates_operand = True

    def infer_type(self, input, indices, updates):
        numbers_only(self.opcode, input)
        self.check_updates(input, indices, updates)
        return input

    def fold(self, b, input, indices, updates):
        return None if updates.type.size else input

    def dims(self, input, indices, updates):
        whole, vectors, slices = self.named(input, indices, at_once=True)
        return f"{whole}, {vectors}, {slices} -> {whole}"

    def tangent(self, b, primals, tangents, result, lost):
        """The mean of the tangents of all that are equal to the result; `lost(y, x)` is 1 where x is not y."""
        # y = max(x, u…)  ->  ẏ = (ẋ where x = y, + Σ u̇ where u = y) / how many are y
        x, indices, updates = primals
        attributes = (self.axes, self.batch_axes, self.sizes, self.oob)
        scalar = result.type.with_shape(())
        zero, one = b.zeros(scalar), b.full(scalar, 1)
        x_lost = lost(result, x)
        u_lost = lost(b.GatherSlices(result, indices, *attributes), updates)
        count = b.ScatterAddSlices(b.Select(x_lost, zero, one), indices, b.Select(u_lost, zero, one), *attributes)
        dx, du = (b.zeros(v.type) if t is None else t for v, t in zip((x, updates), (tangents[0], tangents[2])))
        total = b.ScatterAddSlices(b.Select(x_lost, zero, dx), indices, b.Select(u_lost, zero, du), *attributes)
        return b.Div(total, count)


def joined_at(ufunc, input, positions, updates, nan_first: bool) -> numpy.ndarray:
    """`ufunc.at` in the order of elements: -0.0 is below +0.0, and a NaN is the most extreme number."""
    result = keys(input, nan_first=nan_first).copy()
    ufunc.at(result, positions, keys(updates, nan_first=nan_first))
    return elements(result, input.dtype, nan_first=nan_first)
