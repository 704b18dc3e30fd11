"""Rounding up to integers."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._formula import Formula


@op
class Ceil(Formula):
    """The smallest integer that is not below `input`. Zeros keep their sign; inf and NaN stay."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, exact=True)
    peer = "jax.numpy.ceil"
    python_function = PythonFunction(
        "ceil",
        """The smallest integer that is not below x, as a float. The derivative is 0.

        >>> mind.ceil(np.float32([-1.5, 2.5]))
        array([-1.,  3.], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.ceil(input)

    def fold(self, b, input):
        return input if isinstance(input.op, Ceil) else None

    def smooth_at(self, input):
        return bool((np.abs(input - np.rint(input)) > 1e-2).all())
