"""Subtraction. Spec: Core IR, Binary operations."""

from ..ir import Growth, Linearity, Rounding, np, op
from ._elementwise import Binary
from ._rules import stretched, unbroadcast


@op
class Sub(Binary):
    """`lhs - rhs`, element by element, broadcasting. Integers wrap."""

    linearity = Linearity.JOINT
    rounding = Rounding(Growth.TERMS, unsigned="Add")
    peer = "jax.numpy.subtract"

    def evaluate(self, lhs, rhs):
        return np.subtract(lhs, rhs)

    def jvp(self, b, primals, tangents, result):
        lhs, rhs = tangents
        if lhs is None:
            return stretched(b, -rhs, result.shape)
        return stretched(b, lhs, result.shape) if rhs is None else lhs - rhs

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ - x₂  ->  x̄₁ += ȳ,  x̄₂ += -ȳ
        ct = unbroadcast(b, ct, operands[wrt].type)
        return ct if wrt == 0 else -ct

    def lower(self, e, result, lhs, rhs):
        return e.linalg.elementwise("linalg.sub", lambda s, x, y: s.sub(x, y), (lhs, rhs), result)
