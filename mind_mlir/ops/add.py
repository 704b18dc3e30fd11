"""Addition.  Spec: Core IR, Binary operations."""

from ..ir import np, op
from ._elementwise import Binary


@op
class Add(Binary):
    """`lhs + rhs`, element by element, broadcasting.  Integers wrap."""

    commutative = True

    def evaluate(self, lhs, rhs):
        return np.add(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        return e.elementwise("linalg.add", lambda s, x, y: s.add(x, y), (lhs, rhs), result)
