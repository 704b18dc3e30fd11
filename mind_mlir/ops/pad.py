"""Zeros around and between elements, or fewer of them. Core v1 has none; the adjoint of Slice. Spec: Autodiff."""

from ..ir import f32, f64, i32, op
from ._padded import Padding


@op
class Pad(Padding):
    """`low[i]` zeros before, `high[i]` after, and `interior[i]` between neighbours, along every axis i.

    An axis of extent n gets extent `low + n + (n - 1) · interior + high`, where n - 1 is 0 for n = 0. A negative `low`
    or `high` removes that many, elements and zeros between them. PadWith takes another number than 0.
    """

    def infer_type(self, input):
        return self.padded_type(input)

    def evaluate(self, input):
        return self.padded(input, 0)

    def adjoint(self, b, ct, operands, wrt):
        # y[low::interior + 1] = x  ->  x̄ += ȳ[low::interior + 1]
        return self.unpadded(b, ct, operands[0].shape)

    def fold(self, b, input):
        return input if self.changes_nothing(input.type) else None

    def dims(self, input):
        d = self.axes_text(input)
        return f"{d} -> {d}"

    def lower(self, e, result, input):
        return self.placed(e, result, input, lambda e: e.linalg.filled(result, 0))

    @classmethod
    def samples(cls):
        return [
            (cls((1, 0), (2, 1), (0, 0)), (f32(2, 3),)),
            (cls((0, 1), (0, 0), (2, 1)), (f64(3, 2),)),
            (cls((1,), (1,), (3,)), (i32(1),)),  # no neighbours
            (cls((1, 0), (0, 0), (2**63 - 1, 1)), (f32(1, 2),)),  # however large the gap
            (cls((0, 0), (0, 2), (0, 0)), (f32(3, 4),)),
            (cls((), (), ()), (f32(),)),
            (cls((2,), (3,), (1,)), (f32(0),)),
            (cls((0, 1), (0, 1), (0, 0)), (f32(0, 2),)),
            (cls((0,), (0,), (0,)), (f32(3),)),
            (cls((-1, 2), (-2, -1), (0, 0)), (f32(5, 3),)),
            (cls((-1, -2), (-4, 1), (1, 2)), (f64(4, 3),)),  # from between elements, and from an element on
            (cls((-2,), (-1,), (0,)), (f32(3),)),
        ]
