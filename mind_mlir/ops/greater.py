"""Comparison. Core v1 has none; the derivative of Relu chooses by it. Spec: Autodiff, Activation operations."""

from ..ir import DType, Growth, Linearity, Literal, PythonFunction, Rounding, TensorType, np, op
from ._elementwise import Binary


@op
class Greater(Binary):
    """1 where `lhs > rhs`, else 0, as i32; broadcasting. 0 where either is NaN."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, compares=True)
    python_function = PythonFunction(
        "greater",
        """1 where x > y, else 0, as i32; what `x > y` gives for traced values.

        >>> mind.greater(np.float32([1, 3]), 2)
        array([0, 1], dtype=int32)
        """,
    )

    def infer_type(self, lhs, rhs):
        return TensorType(DType.I32, super().infer_type(lhs, rhs).shape)

    def evaluate(self, lhs, rhs):
        return np.greater(lhs, rhs).astype(np.int32)

    def fold(self, b, lhs, rhs):
        # relu(x) > 0 where x > 0, and only there; of the two, an Input is in memory in any case
        if lhs.op.opcode == "Relu" and rhs.op.literal == Literal.scalar(rhs.dtype, 0):
            (x,) = lhs.operands
            if x.op.opcode == "Input":
                return b.Greater(x, rhs)
        return super().fold(b, lhs, rhs)

    def smooth_at(self, lhs, rhs):
        return bool((np.abs(lhs.astype(np.float64) - rhs.astype(np.float64)) > 1e-2).all())

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.linalg.map(lambda s, x, y: s.from_condition(s.of(dtype).greater(x, y)), (lhs, rhs), result)
