"""Sign."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._elementwise import Unary


@op
class Sign(Unary):
    """1 where `input > 0`, -1 where `input < 0`; zeros and NaN stay."""

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
        one = np.ones((), input.dtype)
        return np.where(input > 0, one, np.where(input < 0, -one, input))

    def fold(self, b, input):
        return input if isinstance(input.op, Sign) else None

    def smooth_at(self, input):
        return bool((np.abs(input) > 1e-2).all())

    def lower(self, e, result, input):
        return e.linalg.map(
            lambda s, x: s.select(
                s.greater(x, s.number(0)), s.number(1), s.select(s.less(x, s.number(0)), s.number(-1), x)
            ),
            (input,),
            result,
        )
