"""A slice whose position is known when it runs. Not in the specification; docs/semantics.md, Slices at positions."""

from ..ir import Growth, Linearity, Op, Rounding, f32, f64, i32, i64, op
from ..ir.attributes import Extents
from ._rules import names
from ._starts import check_sizes, check_starts, place


@op
class DynamicSlice(Op):
    """`sizes` elements of `input` from `starts` on: an integer scalar for each axis.

    A start from which the slice does not fit counts as the nearest one from which it does.
    """

    sizes: Extents

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input, *starts):
        check_starts("DynamicSlice", input, starts, 1)
        check_sizes("DynamicSlice", input, self.sizes, "sizes")
        return input.with_shape(self.sizes)

    def evaluate(self, input, *starts):
        return input[place(input.shape, self.sizes, starts)]

    def adjoint(self, b, ct, operands, wrt):
        # y = x[s…]  ->  x̄[s…] += ȳ
        input, *starts = operands
        return b.DynamicUpdateSlice(b.zeros(input.type), ct, *starts)

    def fold(self, b, input, *starts):
        if input.shape == self.sizes:
            return input
        if all(start.op.literal is not None for start in starts):
            where = place(input.shape, self.sizes, [start.op.literal.to_numpy(()) for start in starts])
            return b.Slice(input, [s.start for s in where], [s.stop for s in where], [1] * len(where))
        return None

    def dims(self, input, *starts):
        d = " ".join([name if n == size else "_" for name, n, size in zip(names(input.rank), input.shape, self.sizes)])
        return f"{d}{', ' * len(starts)} -> {d}"

    def localized(self, result, input, *starts):
        return DynamicSlice(result.shape)

    def lower(self, e, result, input, *starts):
        return input if e.type(input) == result else e.slices.read(input, starts, result)

    @classmethod
    def samples(cls):
        return [
            (cls((2,)), (f32(5), i64())),
            (cls((4, 2)), (f64(4, 5), i32(), i64())),
            (cls((2, 5)), (i32(4, 5), i32(), i32())),
            (cls((1, 3, 1)), (f32(2, 3, 4), i64(), i64(), i64())),
            (cls((4,)), (f32(4), i64())),  # the whole
            (cls(()), (f32(),)),
            (cls((0, 2)), (f32(3, 4), i64(), i64())),
            (cls((0,)), (f32(0), i64())),
        ]
