"""Cosine. Not in the specification; docs/semantics.md, Circular functions."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._circular import Circular


@op
class Cos(Circular):
    """`cos(input)`, of radians. NaN at ±inf and NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS, ulps=3)
    peer = "jax.numpy.cos"
    in_math = True
    ahead = 1
    python_function = PythonFunction(
        "cos",
        """The cosine of x radians.

        >>> mind.cos(np.float32([0, 1]))
        array([1.       , 0.5403023], dtype=float32)
        """,
    )

    def jvp(self, b, primals, tangents, result):
        # y = cos x  ->  ẏ = -ẋ ⊙ sin x
        return -(tangents[0] * b.Sin(primals[0]))
