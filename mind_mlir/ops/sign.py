"""Sign."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._elementwise import Unary


@op
class Sign(Unary):
    """1 where `input > 0`, -1 where `input < 0`; zeros and NaN stay. Of integers too."""

    linearity = Linearity.CONSTANT
    floats_only = False
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, exact=True)
    peer = "jax.numpy.sign"
    python_function = PythonFunction(
        "sign",
        """1 where x > 0, -1 where x < 0; zeros and NaN stay. The derivative is 0.

        >>> mind.sign(np.float32([-3, 0, 2]))
        array([-1.,  0.,  1.], dtype=float32)
        """,
    )

    def evaluate(self, input):
        return np.where(
            input > 0, np.ones((), input.dtype), np.where(input < 0, np.array(-1).astype(input.dtype), input)
        )

    def fold(self, b, input):
        return input if isinstance(input.op, Sign) else None

    def smooth_at(self, input):
        return bool((np.abs(input) > 1e-2).all())

    def lower(self, e, result, input):
        if not result.dtype.is_signed:
            return e.linalg.map(lambda s, x: s.select(s.greater(x, s.number(0)), s.number(1), x), (input,), result)
        return e.linalg.map(_sign, (input,), result)


def _sign(s, x):
    below = s.select(s.less(x, s.number(0)), s.number(-1), x)
    return s.select(s.greater(x, s.number(0)), s.number(1), below)
