"""Multiplication.  Spec: Core IR, Binary operations."""

from ..ir import Linearity, np, op
from ._elementwise import Binary
from ._rules import unbroadcast


@op
class Mul(Binary):
    """`lhs · rhs`, element by element, broadcasting.  Integers wrap."""

    linearity = Linearity.EACH
    commutative = True

    def evaluate(self, lhs, rhs):
        return np.multiply(lhs, rhs)

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ ⊙ x₂  ->  x̄₁ += ȳ ⊙ x₂,  x̄₂ += ȳ ⊙ x₁
        return unbroadcast(b, ct * operands[1 - wrt], operands[wrt].type)

    def lower(self, e, result, lhs, rhs):
        return e.elementwise("linalg.mul", lambda s, x, y: s.mul(x, y), (lhs, rhs), result)
