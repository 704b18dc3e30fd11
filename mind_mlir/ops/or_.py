"""Bits, or truth values. Core v1 has none."""

from ..ir import np, op
from ._bitwise import Bitwise


@op
class Or(Bitwise):
    """`lhs` or `rhs` or both, bit by bit, of integers or i1; broadcasting."""

    peer = "jax.numpy.bitwise_or"

    def evaluate(self, lhs, rhs):
        return np.bitwise_or(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        return e.linalg.map(lambda s, x, y: s.bit_or(x, y), (lhs, rhs), result)
