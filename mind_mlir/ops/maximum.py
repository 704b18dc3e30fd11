"""The larger of two. Core v1 has none; docs/semantics.md, Extremes."""

from ..ir import PythonFunction, op
from ._extremes import Extreme


@op
class Maximum(Extreme):
    """The larger one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""

    kind = "max"
    peer = "jax.numpy.maximum"
    python_function = PythonFunction(
        "maximum",
        """The larger one of x and y, element by element; NaN if either is. Equal ones share the derivative.

        >>> mind.maximum(np.float32([1, 3]), 2)
        array([2., 3.], dtype=float32)
        """,
    )
