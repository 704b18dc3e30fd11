"""Rectified linear unit. Spec: Core IR, Activation and elementwise unary operations."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._elementwise import Unary


@op
class Relu(Unary):
    """`x if x > 0 else 0`, literally: NaN gives 0, and -0.0 gives +0.0."""

    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.MONOTONE, exact=True)
    python_function = PythonFunction(
        "relu",
        """`x if x > 0 else 0`; the derivative at 0 is 0.

        >>> mind.relu(np.float32([-1, 2]))
        array([0., 2.], dtype=float32)
        """,
    )

    def evaluate(self, input):
        return np.where(input > 0, input, np.zeros((), input.dtype))

    def jvp(self, b, primals, tangents, result):
        # y = x if x > 0 else 0  ->  ẏ = ẋ if x > 0 else 0; a choice, because inf · 0 is NaN
        # y > 0 where x > 0, and only there: x need not be kept for it
        zero = b.zeros(result.type.with_shape(()))
        return b.Select(b.Greater(result, zero), tangents[0], zero)

    def fold(self, b, input):
        return input if isinstance(input.op, Relu) else None

    def smooth_at(self, input):
        return bool((np.abs(input) > 1e-2).all())

    def lower(self, e, result, input):
        return e.linalg.map(lambda s, x: s.select(s.greater(x, s.number(0)), x, s.number(0)), (input,), result)
