"""Axes of extent 1 removed. Spec: Core IR, Shape manipulation."""

from dataclasses import replace

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i64, np, op
from ..ir.attributes import Axes
from ._rules import names, normal_axes


@op
class Squeeze(Op):
    """Remove `axes`, each of extent 1. Empty `axes` removes nothing."""

    axes: Axes

    linearity = Linearity.JOINT
    moves_nothing = True
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        gone = normal_axes("Squeeze", self.axes, input.rank)
        for a in gone:
            if input.shape[a] != 1:
                raise Reject(
                    "E3009",
                    f"Squeeze of axis {a} with extent {input.shape[a]}",
                    note=f"input is {input}",
                    help="only axes of extent 1 can go",
                    at="axes",
                )
        return input.with_shape(tuple(n for i, n in enumerate(input.shape) if i not in gone))

    def canonical(self, input):
        return replace(self, axes=tuple(sorted(normal_axes("Squeeze", self.axes, input.rank))))

    def evaluate(self, input):
        return np.squeeze(input, axis=self.axes)

    def adjoint(self, b, ct, operands, wrt):
        # y = squeeze(x, axes)  ->  x̄ += expand(ȳ, axes)
        return b.ExpandDims(ct, axes=normal_axes("Squeeze", self.axes, operands[0].type.rank))

    def fold(self, b, input):
        return None if self.axes else input

    def dims(self, input):
        gone = normal_axes("Squeeze", self.axes, input.rank)
        d = ["1" if i in gone else n for i, n in enumerate(names(input.rank))]
        return f"{' '.join(d)} -> {' '.join(n for i, n in enumerate(d) if i not in gone)}"

    def lower(self, e, result, input):
        return e.tensor.reshaped(input, result)

    @classmethod
    def samples(cls):
        return [
            (cls((0, 2)), (f32(1, 3, 1, 4),)),
            (cls((-1,)), (f64(3, 1),)),
            (cls((0,)), (i64(1),)),
            (cls(()), (f32(2, 1),)),
            (cls((1,)), (f32(0, 1),)),
        ]
