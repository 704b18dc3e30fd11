"""Comparison. Core v1 has none."""

from ..ir import PythonFunction, np, op
from ._comparison import Comparison


@op
class GreaterEqual(Comparison):
    """`lhs >= rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    peer = "jax.numpy.greater_equal"
    python_function = PythonFunction(
        "greater_equal",
        """True where x >= y.

        >>> mind.greater_equal(np.float32([1, 3]), np.float32([2, 3]))
        array([False,  True])
        """,
    )

    def evaluate(self, lhs, rhs):
        return np.greater_equal(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.linalg.map(lambda s, x, y: s.of(dtype).greater_equal(x, y), (lhs, rhs), result)
