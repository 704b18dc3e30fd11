"""Multiplication. Spec: Core IR, Binary operations."""

from ..ir import Growth, Linearity, Literal, Rounding, np, op
from ._elementwise import Binary
from ._rules import stretched, unbroadcast


@op
class Mul(Binary):
    """`lhs · rhs`, element by element, broadcasting. Integers wrap."""

    linearity = Linearity.EACH
    commutative = True
    rounding = Rounding(Growth.TERMS)
    peer = "jax.numpy.multiply"

    def evaluate(self, lhs, rhs):
        return np.multiply(lhs, rhs)

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ ⊙ x₂  ->  x̄₁ += ȳ ⊙ x₂,  x̄₂ += ȳ ⊙ x₁
        return unbroadcast(b, ct * operands[1 - wrt], operands[wrt].type)

    def fold(self, b, lhs, rhs):
        for one, x in ((lhs, rhs), (rhs, lhs)):  # 1 ⊙ x is x for every number, and NaN for a NaN
            if _is_one(one):
                return stretched(b, x, self.infer_type(lhs.type, rhs.type).shape)
        return super().fold(b, lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        return e.linalg.elementwise("linalg.mul", lambda s, x, y: s.mul(x, y), (lhs, rhs), result)


def _is_one(v):
    return v.op.literal == Literal.scalar(v.dtype, 1)
