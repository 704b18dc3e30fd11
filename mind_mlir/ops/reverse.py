"""Elements in the opposite order. Not in the specification; docs/semantics.md, Elements at other positions."""

from ..ir import Growth, Linearity, Op, Rounding, f32, f64, i32, np, op
from ..ir.attributes import Axes
from ._rules import names, normal_axes


@op
class Reverse(Op):
    """The elements in the opposite order along every axis in `axes`; none for `axes = []`."""

    axes: Axes

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        normal_axes("Reverse", self.axes, input.rank)
        return input

    def canonical(self, input):
        axes = normal_axes("Reverse", self.axes, input.rank)
        return Reverse(tuple([i for i in range(input.rank) if i in axes and input.shape[i] > 1]))

    def evaluate(self, input):
        return np.flip(input, self.axes)

    def adjoint(self, b, ct, operands, wrt):
        # y[…, i, …] = x[…, n - 1 - i, …]  ->  x̄[…, i, …] += ȳ[…, n - 1 - i, …]
        return b.emit(self, ct)

    def fold(self, b, input):
        if not self.axes:
            return input
        if isinstance(input.op, Reverse):
            axes = input.op.axes
            return b.Reverse(
                input.operands[0], axes=[i for i in range(input.type.rank) if (i in axes) != (i in self.axes)]
            )
        return None

    def dims(self, input):
        axes = normal_axes("Reverse", self.axes, input.rank)
        d = " ".join("_" if i in axes else name for i, name in enumerate(names(input.rank)))
        return f"{d} -> {d}"

    def lower(self, e, result, input):
        axes = normal_axes("Reverse", self.axes, result.rank)
        return e.linalg.reversed(input, axes, result)

    @classmethod
    def samples(cls):
        return [
            (cls((0,)), (f32(5),)),
            (cls((1,)), (f64(3, 4),)),
            (cls((-1, 0)), (i32(2, 3, 4),)),
            (cls((0, 1)), (f32(70, 33),)),
            (cls(()), (f32(2, 3),)),
            (cls(()), (f32(),)),
            (cls((0,)), (f32(1, 3),)),
            (cls((0,)), (f32(0, 2),)),
        ]
