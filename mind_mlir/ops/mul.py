"""Multiplication.  Spec: Core IR, Binary operations."""

from ..ir import np, op
from ._elementwise import Binary


@op
class Mul(Binary):
    """`lhs · rhs`, element by element, broadcasting.  Integers wrap."""

    commutative = True

    def evaluate(self, lhs, rhs):
        return np.multiply(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        return e.elementwise("linalg.mul", lambda s, x, y: s.mul(x, y), (lhs, rhs), result)
