"""The smaller of two. Core v1 has none; docs/semantics.md, Extremes."""

from ..ir import PythonFunction, op
from ._extremes import Extreme


@op
class Minimum(Extreme):
    """The smaller one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""

    kind = "min"
    peer = "jax.numpy.minimum"
    python_function = PythonFunction(
        "minimum",
        """The smaller one of x and y, element by element; NaN if either is. Equal ones share the derivative.

        >>> mind.minimum(np.float32([1, 3]), 2)
        array([1., 2.], dtype=float32)
        """,
    )
