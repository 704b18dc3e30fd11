"""Comparison. Core v1 has none."""

from ..ir import PythonFunction, np, op
from ._comparison import Comparison


@op
class NotEqual(Comparison):
    """`lhs != rhs`, element by element, as i1; broadcasting. True where either is NaN."""

    commutative = True
    peer = "jax.numpy.not_equal"
    python_function = PythonFunction(
        "not_equal",
        """True where x != y.

        >>> mind.not_equal(np.float32([1, 3]), np.float32([2, 3]))
        array([ True, False])
        """,
    )

    def evaluate(self, lhs, rhs):
        return np.not_equal(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.linalg.map(lambda s, x, y: s.of(dtype).not_equal(x, y), (lhs, rhs), result)
