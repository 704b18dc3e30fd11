"""Comparison. Core v1 has none."""

from ..ir import PythonFunction, np, op
from ._comparison import Comparison


@op
class Equal(Comparison):
    """`lhs == rhs`, element by element, as i1; broadcasting. False where either is NaN; -0.0 equals 0.0."""

    commutative = True
    peer = "jax.numpy.equal"
    python_function = PythonFunction(
        "equal",
        """True where x == y.

        >>> mind.equal(np.float32([1, 3]), np.float32([2, 3]))
        array([False,  True])
        """,
    )

    def evaluate(self, lhs, rhs):
        return np.equal(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.linalg.map(lambda s, x, y: s.of(dtype).equal(x, y), (lhs, rhs), result)
