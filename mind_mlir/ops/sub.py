"""Subtraction.  Spec: Core IR, Binary operations."""

from ..ir import np, op
from ._elementwise import Binary


@op
class Sub(Binary):
    """`lhs - rhs`, element by element, broadcasting.  Integers wrap."""

    def evaluate(self, lhs, rhs):
        return np.subtract(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        return e.elementwise("linalg.sub", lambda s, x, y: s.sub(x, y), (lhs, rhs), result)
