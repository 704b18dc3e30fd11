"""Extents of 1 stretched. Core v1 has none; the adjoint of Sum. Spec: Autodiff, Reductions."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i64, np, op
from ..ir.attributes import Extents
from ._rules import before_stretching, broadcast, names, unbroadcast


@op
class Broadcast(Op):
    """`input` stretched to `shape`: leading axes are new, extents of 1 are repeated."""

    shape: Extents

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        if broadcast("Broadcast", input.shape, self.shape) != self.shape:
            raise Reject(
                "E3001",
                f"Broadcast of {list(input.shape)} to {list(self.shape)} would shrink it",
                note=f"input is {input}",
                at="shape",
            )
        return input.with_shape(self.shape)

    def evaluate(self, input):
        return np.broadcast_to(input, self.shape)

    def adjoint(self, b, ct, operands, wrt):
        # y = x stretched  ->  x̄ += Σ ȳ over what was stretched
        return unbroadcast(b, ct, operands[0].type)

    def fold(self, b, input):
        if input.shape == self.shape:
            return input
        inner = before_stretching(input)
        return None if inner is None else b.Broadcast(inner, shape=self.shape)

    def dims(self, input):
        d = names(len(self.shape))
        lead = len(self.shape) - input.rank
        terms = ["1" if n != self.shape[lead + i] else d[lead + i] for i, n in enumerate(input.shape)]
        return f"{' '.join(terms)} -> {' '.join(d)}"

    def localized(self, result, input):
        return Broadcast(result.shape)

    def lower(self, e, result, input):
        return e.linalg.map(lambda s, x: x, (input,), result)

    @classmethod
    def samples(cls):
        return [
            (cls((4, 3)), (f32(1, 3),)),
            (cls((2, 3)), (f64(),)),
            (cls((2, 4, 3)), (f32(4, 1),)),
            (cls((2, 2)), (i64(2, 2),)),
            (cls((0, 3)), (f32(1, 3),)),  # 1 stretches to nothing
            (cls((2, 0)), (f32(0),)),
            (cls(()), (f32(),)),
            (cls((1, 1)), (f32(1),)),
        ]
