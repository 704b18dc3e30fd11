"""Numbers around and between elements. Not in the specification; docs/semantics.md, Elements at other positions."""

from ..ir import Reject, f32, f64, i32, op
from ._padded import Padding
from ._rules import same_dtype


@op
class PadWith(Padding):
    """`low[i]` copies of `value` before, `high[i]` after, and `interior[i]` between neighbours, along every axis i.

    `value` is a scalar. Extents, and what negative numbers mean, are as for Pad.
    """

    def infer_type(self, input, value):
        same_dtype("PadWith", input, value, ("input", "value"))
        if value.rank:
            raise Reject("E3002", f"PadWith takes a scalar as value, value is {value}", at="operand 1")
        return self.padded_type(input)

    def evaluate(self, input, value):
        return self.padded(input, value)

    def adjoint(self, b, ct, operands, wrt):
        input, value = operands
        # y = v, y[low::interior + 1] = x  ->  x̄ += ȳ[low::interior + 1],  v̄ += Σ of the rest of ȳ
        if wrt == 0:
            return self.unpadded(b, ct, input.shape)
        zero = b.zeros(value.type)
        where = b.emit(self, b.full(input.type, 0), b.full(value.type, 1))
        return b.Sum(b.Select(b.Greater(where, zero), ct, zero), axes=[], keepdims=False)

    def fold(self, b, input, value):
        return input if self.changes_nothing(input.type) else None

    def dims(self, input, value):
        d = self.axes_text(input)
        return f"{d}, -> {d}"

    def lower(self, e, result, input, value):
        return self.placed(e, result, input, lambda e: e.linalg.map(lambda s, v: v, (value,), result))

    @classmethod
    def samples(cls):
        return [
            (cls((1, 0), (2, 0), (0, 0)), (f32(2, 3), f32())),
            (cls((0, 1), (0, 0), (0, 0)), (f64(3, 2), f64())),
            (cls((0,), (1,), (1,)), (f64(3), f64())),
            (cls((2,), (1,), (0,)), (i32(0), i32())),
            (cls((), (), ()), (f32(), f32())),
            (cls((0, 0), (0, 0), (0, 0)), (f32(0, 2), f32())),
            (cls((-1, -2), (-4, 1), (1, 2)), (f64(4, 3), f64())),
            (cls((-3,), (4,), (0,)), (f32(2), f32())),  # none of the elements is left
        ]
