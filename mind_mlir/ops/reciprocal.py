"""Reciprocal. Core v1 has none; the derivative of Log. Spec: Autodiff, Activation operations."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._elementwise import Unary


@op
class Reciprocal(Unary):
    """`1 / input`, rounded once. ±inf at ±0, ±0 at ±inf."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, pole=True)
    peer = "jax.numpy.reciprocal"
    python_function = PythonFunction(
        "reciprocal",
        """1 / x, of f32 or f64.

        >>> mind.reciprocal(np.float32([2, 4]))
        array([0.5 , 0.25], dtype=float32)
        """,
    )

    def evaluate(self, input):
        return np.divide(np.ones((), input.dtype), input)

    def jvp(self, b, primals, tangents, result):
        # y = 1/x  ->  ẏ = -ẋ ⊙ y²
        return -(tangents[0] * (result * result))

    def smooth_at(self, input):
        return bool((np.abs(input) > 0.4).all())

    def lower(self, e, result, input):
        return e.linalg.map(lambda s, x: s.div(s.number(1), x), (input,), result)
