"""Rounding to the nearest integers."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._formula import Formula


@op
class Round(Formula):
    """The integer nearest to `input`; of two, the even one. Zeros keep their sign; inf and NaN stay."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, exact=True)
    peer = "jax.numpy.round"
    python_function = PythonFunction(
        "round",
        """The integer nearest to x, as a float; of two, the even one. The derivative is 0.

        >>> mind.round(np.float32([-1.5, 2.5]))
        array([-2.,  2.], dtype=float32)
        """,
    )

    def formula(self, s, input):
        return s.round_even(input)

    def fold(self, b, input):
        return input if isinstance(input.op, Round) else None

    def smooth_at(self, input):
        return bool((np.abs(input - np.floor(input) - 0.5) > 1e-2).all())
