"""Magnitude."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._elementwise import Unary


@op
class Abs(Unary):
    """`|input|`. The smallest integer is its own magnitude; of NaN the sign is cleared."""

    linearity = Linearity.NONLINEAR
    floats_only = False
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.MONOTONE, exact=True)
    peer = "jax.numpy.abs"
    python_function = PythonFunction(
        "abs",
        """The magnitude of x; the derivative at 0 is 0.

        >>> mind.abs(np.float32([-1.5, 2]))
        array([1.5, 2. ], dtype=float32)
        """,
    )

    def evaluate(self, input):
        return np.asarray(np.abs(input))

    def jvp(self, b, primals, tangents, result):
        # y = |x|  ->  ẏ = ẋ ⊙ sign x, 0 at 0
        return tangents[0] * b.Sign(primals[0])

    def fold(self, b, input):
        return input if isinstance(input.op, Abs) or not input.dtype.is_signed else None

    def smooth_at(self, input):
        return bool((np.abs(input) > 1e-2).all())

    def lower(self, e, result, input):
        if result.dtype.is_float:
            return e.linalg.map(lambda s, x: s.absolute(x), (input,), result)
        return e.linalg.map(lambda s, x: s.select(s.less(x, s.number(0)), s.sub(s.number(0), x), x), (input,), result)
