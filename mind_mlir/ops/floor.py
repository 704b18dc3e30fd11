"""Rounding down to integers."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._formula import Formula


@op
class Floor(Formula):
    """The largest integer that is not above `input`. Zeros keep their sign; inf and NaN stay."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, exact=True)
    peer = "jax.numpy.floor"
    python_function = PythonFunction(
        "floor",
        """The largest integer that is not above x, as a float. The derivative is 0.

        >>> mind.floor(np.float32([-1.5, 2.5]))
        array([-2.,  2.], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.floor(input)

    def fold(self, b, input):
        return input if isinstance(input.op, Floor) else None

    def smooth_at(self, input):
        return bool((np.abs(input - np.rint(input)) > 1e-2).all())
