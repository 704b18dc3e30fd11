"""Positions along an axis. Not in the specification; docs/semantics.md, Elements at other positions."""

from ..ir import DType, Growth, Linearity, Op, Rounding, TensorType, np, op
from ..ir.attributes import Count, DTypeAttr, Extents
from ._rules import names, numbers_only, one_axis


@op
class Iota(Op):
    """`result[…, i, …] = i` along `axis`: a constant that takes no memory where what uses it is one loop with it.

    Integers wrap around, floats are rounded once.
    """

    shape: Extents
    axis: Count
    dtype: DTypeAttr

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.MOVES)

    def infer_type(self):
        result = TensorType(self.dtype, self.shape)
        numbers_only("Iota", result)
        one_axis("Iota", self.axis, result)
        return result

    def evaluate(self):
        count = np.arange(self.shape[self.axis]).astype(self.dtype.numpy)
        ones = [1] * len(self.shape)
        ones[self.axis] = -1
        return np.broadcast_to(count.reshape(ones), self.shape)

    def dims(self):
        return f"-> {' '.join('_' if i == self.axis else d for i, d in enumerate(names(len(self.shape))))}"

    def localized(self, result):
        return Iota(result.shape, self.axis, self.dtype)

    def lower(self, e, result):
        return e.linalg.counted(self.axis, result)

    @classmethod
    def samples(cls):
        return [
            (cls((5,), 0, DType.I64), ()),
            (cls((3, 4), 1, DType.I32), ()),
            (cls((3, 4), 0, DType.F32), ()),
            (cls((40, 40), 1, DType.F64), ()),
            (cls((2, 0), 0, DType.I64), ()),
            (cls((0,), 0, DType.F32), ()),
        ]
