"""What the reductions share: the type rule, and the order in which floats are added.

A sum runs over the reduced axes one at a time, from the last to the first. Along one axis of extent n: cut it into
blocks of 128 consecutive terms, the last one shorter; add each block from its first term to its last, starting at
+0.0; if there was more than one block, sum the block sums in the same way. So the order depends on the shape alone,
and the error of a sum of 10^6 terms is that of about 300 additions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..ir import Growth, Linearity, Op, Rounding, Shape, TensorType, Value, f32, f64, i32, i64, np, u8
from ..ir.attributes import Axes, Flag
from ._rules import float_only, names, normal_axes, numbers_only, stretched

if TYPE_CHECKING:
    import numpy

BLOCK = 128
"""Terms added one by one. The emitter has the same number on its own: the oracle shares nothing with it."""


@dataclass(frozen=True)
class Reduction(Op):
    """One operand, of which `axes` go, or stay as extents of 1 with `keepdims`.

    Takes floats, and other numbers unless `floats_only`.
    """

    axes: Axes
    keepdims: Flag

    floats_only = True
    linearity = Linearity.JOINT
    rounding = Rounding(Growth.SUMS)

    def reduced(self, input: TensorType) -> tuple[int, ...]:
        """The axes that go, ascending."""
        if not self.axes:  # empty means all, to [], whatever keepdims says
            return tuple(range(input.rank))
        return tuple(sorted(normal_axes(self.opcode, self.axes, input.rank)))

    def total(self, x: numpy.ndarray) -> numpy.ndarray:
        """The sum of `x` along the axes that go, in the order above and in the result's shape. Integers wrap."""
        type = TensorType.of_array(x)
        result = x
        for axis in reversed(self.reduced(type)):
            result = _sum_last(np.moveaxis(result, axis, -1))
        return np.reshape(result, self.infer_type(type).shape)

    def spread(self, b, ct, input: TensorType) -> Value:
        """`ct` at every position of `input` that went into it."""
        gone = self.reduced(input)
        if not (self.axes and self.keepdims):
            ct = b.ExpandDims(ct, axes=gone)
        return stretched(b, ct, input.shape)

    def infer_type(self, input: TensorType) -> TensorType:
        if self.floats_only:
            float_only(self.opcode, input)
        numbers_only(self.opcode, input)
        return input.with_shape(self.left(input))

    def left(self, input: TensorType) -> Shape:
        """The shape of the result."""
        gone = self.reduced(input)
        if self.axes and self.keepdims:
            return tuple([1 if i in gone else n for i, n in enumerate(input.shape)])
        return tuple([n for i, n in enumerate(input.shape) if i not in gone])

    def canonical(self, input: TensorType) -> Op:
        if not self.axes:
            return replace(self, keepdims=False)
        return replace(self, axes=self.reduced(input))

    def dims(self, input: TensorType) -> str:
        gone = self.reduced(input)
        result = ["1" if i in gone else d for i, d in enumerate(names(input.rank))]
        if not (self.axes and self.keepdims):
            result = [d for d in result if d != "1"]
        return f"{' '.join(names(input.rank))} -> {' '.join(result)}"

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        out: list[tuple[Op, tuple[TensorType, ...]]] = [
            (cls((1,), False), (f32(3, 4, 5),)),
            (cls((1,), True), (f32(3, 4, 5),)),
            (cls((2, 0), False), (f32(3, 4, 5),)),
            (cls((-1,), True), (f64(3, 4),)),
            (cls((), True), (f32(2, 3),)),  # full reduction ignores keepdims
            (cls((), False), (f32(),)),
            (cls((0,), False), (f32(0, 3),)),  # over nothing
            (cls((0, 1), True), (f64(2, 0, 3),)),
            (cls((1,), False), (f32(0, 3),)),
            (cls((0, 1), False), (f32(0, 300),)),  # over nothing, where one axis has three blocks
            (cls((0,), False), (f32(300, 2),)),  # three blocks, the last one short
            (cls((), False), (f32(17000),)),  # two levels of blocks
        ]
        return out + (
            []
            if cls.floats_only
            else [(cls((0,), False), (i64(3, 2),)), (cls((), False), (i32(2, 2),)), (cls((1,), False), (u8(2, 300),))]
        )


def _sum_last(x: numpy.ndarray) -> numpy.ndarray:
    """The sum along the last axis, which goes."""
    while True:
        n = x.shape[-1]
        blocks = [_block(x[..., : n - n % BLOCK].reshape(*x.shape[:-1], n // BLOCK, BLOCK))] if n >= BLOCK else []
        if n % BLOCK or not n:
            blocks.append(_block(x[..., n - n % BLOCK :])[..., np.newaxis])
        x = np.concatenate(blocks, axis=-1)
        if x.shape[-1] == 1:
            return x[..., 0]


def _block(x: numpy.ndarray) -> numpy.ndarray:
    """The sum along the last axis, term by term."""
    total = np.zeros(x.shape[:-1], x.dtype)
    for i in range(x.shape[-1]):
        total = total + x[..., i]
    return np.asarray(total)
