"""Sine. Not in the specification; docs/semantics.md, Circular functions."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._circular import Circular


@op
class Sin(Circular):
    """`sin(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS, ulps=3)
    peer = "jax.numpy.sin"
    in_math = True
    python_function = PythonFunction(
        "sin",
        """The sine of x radians.

        >>> mind.sin(np.float32([0, 1]))
        array([0.        , 0.84147096], dtype=float32)
        """,
    )

    def jvp(self, b, primals, tangents, result):
        # y = sin x  ->  ẏ = ẋ ⊙ cos x
        return tangents[0] * b.Cos(primals[0])
