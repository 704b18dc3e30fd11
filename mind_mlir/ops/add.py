"""Addition. Spec: Core IR, Binary operations."""

from ..ir import Growth, Linearity, Rounding, np, op
from ._elementwise import Binary
from ._rules import stretched, unbroadcast


@op
class Add(Binary):
    """`lhs + rhs`, element by element, broadcasting. Integers wrap."""

    linearity = Linearity.JOINT
    commutative = True
    rounding = Rounding(Growth.TERMS)
    peer = "jax.numpy.add"

    def evaluate(self, lhs, rhs):
        return np.add(lhs, rhs)

    def jvp(self, b, primals, tangents, result):
        lhs, rhs = tangents
        if lhs is None or rhs is None:
            return stretched(b, rhs if lhs is None else lhs, result.shape)
        return lhs + rhs

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ + x₂  ->  x̄ᵢ += ȳ
        return unbroadcast(b, ct, operands[wrt].type)

    def lower(self, e, result, lhs, rhs):
        return e.linalg.elementwise("linalg.add", lambda s, x, y: s.add(x, y), (lhs, rhs), result)
