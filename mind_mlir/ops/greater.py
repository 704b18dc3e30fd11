"""Comparison.  Core v1 has none; the derivative of Relu chooses by it.  Spec: Autodiff, Activation operations."""

from ..ir import DType, Linearity, TensorType, np, op
from ._elementwise import Binary


@op
class Greater(Binary):
    """1 where `lhs > rhs`, else 0, as i32; broadcasting.  0 where either is NaN."""

    linearity = Linearity.CONSTANT
    core_v1 = False

    def infer_type(self, lhs, rhs):
        return TensorType(DType.I32, super().infer_type(lhs, rhs).shape)

    def evaluate(self, lhs, rhs):
        return np.greater(lhs, rhs).astype(np.int32)

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.map(lambda s, x, y: s.from_condition(s.of(dtype).greater(x, y)), (lhs, rhs), result)
