"""Negation. Spec: Core IR, Activation and elementwise unary operations."""

from ..ir import Growth, Linearity, Rounding, np, op
from ._elementwise import Unary


@op
class Neg(Unary):
    """`-input`. Flips the sign of zeros and NaNs too; the smallest integer is its own negative."""

    linearity = Linearity.JOINT
    floats_only = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.TERMS, exact=True, unsigned="Relu")  # |-x| is x where x is not negative
    peer = "jax.numpy.negative"

    def evaluate(self, input):
        return np.negative(input)

    def adjoint(self, b, ct, operands, wrt):
        # y = -x  ->  x̄ += -ȳ
        return -ct

    def fold(self, b, input):
        return input.operands[0] if isinstance(input.op, Neg) else None

    def lower(self, e, result, input):
        if result.dtype.is_float:
            return e.linalg.named("linalg.negf", (input,), result)
        return e.linalg.map(lambda s, x: s.sub(s.number(0), x), (input,), result)
