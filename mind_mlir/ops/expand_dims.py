"""New axes of extent 1. Spec: Core IR, Shape manipulation; docs/semantics.md, ExpandDims."""

from dataclasses import replace

from ..ir import Growth, Linearity, Op, Rounding, f32, f64, i64, np, op
from ..ir.attributes import Axes
from ._rules import names, normal_axes


@op
class ExpandDims(Op):
    """Insert axes of extent 1, so that `axes` are their positions in the result."""

    axes: Axes

    linearity = Linearity.JOINT
    moves_nothing = True
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def positions(self, rank):
        """Positions of the new axes in the result, ascending."""
        return tuple(sorted(normal_axes("ExpandDims", self.axes, rank + len(self.axes))))

    def infer_type(self, input):
        return input.with_shape(tuple(_inserted(input.shape, self.positions(input.rank), 1)))

    def canonical(self, input):
        return replace(self, axes=self.positions(input.rank))

    def evaluate(self, input):
        return np.expand_dims(input, self.positions(input.ndim))

    def adjoint(self, b, ct, operands, wrt):
        # y = expand(x, axes)  ->  x̄ += squeeze(ȳ, axes)
        return b.Squeeze(ct, axes=self.positions(operands[0].type.rank))

    def fold(self, b, input):
        return None if self.axes else input

    def dims(self, input):
        d = names(input.rank)
        return f"{' '.join(d)} -> {' '.join(_inserted(d, self.positions(input.rank), '1'))}"

    def lower(self, e, result, input):
        return e.tensor.reshaped(input, result)

    @classmethod
    def samples(cls):
        return [
            (cls((0, 2)), (f32(3, 4),)),
            (cls((-1,)), (f64(3),)),
            (cls((0,)), (f32(),)),
            (cls((0, 1)), (i64(),)),
            (cls(()), (f32(2),)),
            (cls((1,)), (f32(0, 2),)),
        ]


def _inserted(items, positions, what):
    """`items` as a list, with `what` at these positions of the result."""
    result = list(items)
    for p in positions:
        result.insert(p, what)
    return result
