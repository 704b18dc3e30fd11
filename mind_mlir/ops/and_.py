"""Bits, or truth values. Core v1 has none."""

from ..ir import np, op
from ._bitwise import Bitwise


@op
class And(Bitwise):
    """`lhs` and `rhs`, bit by bit, of integers or i1; broadcasting."""

    peer = "jax.numpy.bitwise_and"

    def evaluate(self, lhs, rhs):
        return np.bitwise_and(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        return e.linalg.map(lambda s, x, y: s.bit_and(x, y), (lhs, rhs), result)
