"""Comparison. Core v1 has none."""

from ..ir import PythonFunction, np, op
from ._comparison import Comparison


@op
class Less(Comparison):
    """`lhs < rhs`, element by element, as i1; broadcasting. False where either is NaN; false is less than true."""

    peer = "jax.numpy.less"
    python_function = PythonFunction(
        "less",
        """True where x < y; what `x < y` gives for traced values.

        >>> mind.less(np.float32([1, 3]), np.float32([2, 3]))
        array([ True, False])
        """,
    )

    def evaluate(self, lhs, rhs):
        return np.less(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        dtype = e.type(lhs).dtype
        return e.linalg.map(lambda s, x, y: s.of(dtype).less(x, y), (lhs, rhs), result)
