"""Reciprocal.  Core v1 has none; the derivative of Log.  Spec: Autodiff, Activation operations."""

from ..ir import Linearity, np, op
from ._elementwise import Unary


@op
class Reciprocal(Unary):
    """`1 / input`, rounded once.  ±inf at ±0, ±0 at ±inf."""

    linearity = Linearity.NONLINEAR
    core_v1 = False

    def evaluate(self, input):
        return np.divide(np.ones((), input.dtype), input)

    def jvp(self, b, primals, tangents, result):
        # y = 1/x  ->  ẏ = -ẋ ⊙ y²
        return -(tangents[0] * (result * result))

    def lower(self, e, result, input):
        return e.map(lambda s, x: s.div(s.number(1), x), (input,), result)
