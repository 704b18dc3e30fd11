"""A slice put at a position known when it runs. Not in the specification; docs/semantics.md, Slices at positions."""

from ..ir import Growth, Linearity, Op, Rounding, f32, f64, i32, i64, op
from ._rules import names, same_dtype
from ._starts import check_sizes, check_starts, place


@op
class DynamicUpdateSlice(Op):
    """`input`, with `update` instead of its elements from `starts` on: an integer scalar for each axis.

    A start from which the update does not fit counts as the nearest one from which it does.
    """

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    updates_operand = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input, update, *starts):
        same_dtype("DynamicUpdateSlice", input, update, ("input", "update"))
        check_starts("DynamicUpdateSlice", input, starts, 2)
        check_sizes("DynamicUpdateSlice", input, update.shape, "operand 1")
        return input

    def evaluate(self, input, update, *starts):
        result = input.copy()
        result[place(input.shape, update.shape, starts)] = update
        return result

    def adjoint(self, b, ct, operands, wrt):
        # y = x, y[s…] = u  ->  x̄ += ȳ with 0 at s…,  ū += ȳ[s…]
        _, update, *starts = operands
        if wrt == 0:
            return b.DynamicUpdateSlice(ct, b.zeros(update.type), *starts)
        return b.DynamicSlice(ct, *starts, sizes=update.shape)

    def fold(self, b, input, update, *starts):
        if update.type == input.type:
            return update
        return None if update.type.size else input

    def dims(self, input, update, *starts):
        d = [name if n == size else "_" for name, n, size in zip(names(input.rank), input.shape, update.shape)]
        term = " ".join(d)
        return f"{term}, {term}{', ' * len(starts)} -> {term}"

    def lower(self, e, result, input, update, *starts):
        if e.type(update) == result:
            return update
        return e.slices.written(input, update, starts) if e.type(update).size else input

    @classmethod
    def samples(cls):
        return [
            (cls(), (f32(5), f32(2), i64())),
            (cls(), (f64(4, 5), f64(4, 2), i32(), i64())),
            (cls(), (i32(4, 5), i32(2, 5), i32(), i32())),
            (cls(), (f32(2, 3, 4), f32(1, 3, 1), i64(), i64(), i64())),
            (cls(), (f32(4), f32(4), i64())),  # the whole
            (cls(), (f32(), f32())),
            (cls(), (f32(3, 4), f32(0, 2), i64(), i64())),
            (cls(), (f32(0), f32(0), i64())),
        ]
