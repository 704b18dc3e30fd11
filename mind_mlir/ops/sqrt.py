"""Square root."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._formula import Formula


@op
class Sqrt(Formula):
    """`√input`, rounded once. NaN below 0; -0.0 gives -0.0."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.sqrt"
    python_function = PythonFunction(
        "sqrt",
        """The square root of x; NaN below 0.

        >>> mind.sqrt(np.float32([4, 2]))
        array([2.       , 1.4142135], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.sqrt(input)

    def jvp(self, b, primals, tangents, result):
        # y = √x  ->  ẏ = ẋ / 2y, inf at 0
        return tangents[0] * (0.5 * b.Reciprocal(result))

    def smooth_at(self, input):
        return bool((input > 0.15).all())
