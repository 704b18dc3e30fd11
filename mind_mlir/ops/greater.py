"""Comparison. Core v1 has none; the derivative of Relu chooses by it. Spec: Autodiff, Activation operations."""

from ..ir import Literal, PythonFunction, np, op
from ._comparison import Comparison


@op
class Greater(Comparison):
    """`lhs > rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    peer = "jax.numpy.greater"
    python_function = PythonFunction(
        "greater",
        """True where x > y; what `x > y` gives for traced values.

        >>> mind.greater(np.float32([1, 3]), np.float32([2, 3]))
        array([False, False])
        """,
    )

    def evaluate(self, lhs, rhs):
        return np.greater(lhs, rhs)

    def fold(self, b, lhs, rhs):
        # relu(x) > 0 where x > 0, and only there; of the two, an Input is in memory in any case
        if lhs.op.opcode == "Relu" and rhs.op.literal == Literal.scalar(rhs.dtype, 0):
            (x,) = lhs.operands
            if x.op.opcode == "Input":
                return b.Greater(x, rhs)
        return super().fold(b, lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.linalg.map(lambda s, x, y: s.of(dtype).greater(x, y), (lhs, rhs), result)
