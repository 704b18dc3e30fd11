"""Comparison. Core v1 has none."""

from ..ir import PythonFunction, np, op
from ._comparison import Comparison


@op
class LessEqual(Comparison):
    """`lhs <= rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    peer = "jax.numpy.less_equal"
    python_function = PythonFunction(
        "less_equal",
        """True where x <= y.

        >>> mind.less_equal(np.float32([1, 3]), np.float32([2, 3]))
        array([ True,  True])
        """,
    )

    def evaluate(self, lhs, rhs):
        return np.less_equal(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.linalg.map(lambda s, x, y: s.of(dtype).less_equal(x, y), (lhs, rhs), result)
