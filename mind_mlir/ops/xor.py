"""Bits, or truth values. Core v1 has none."""

from ..ir import np, op
from ._bitwise import Bitwise


@op
class Xor(Bitwise):
    """`lhs` or `rhs`, not both, bit by bit, of integers or i1; broadcasting."""

    peer = "jax.numpy.bitwise_xor"

    def evaluate(self, lhs, rhs):
        return np.bitwise_xor(lhs, rhs)

    def lower(self, e, result, lhs, rhs):
        return e.linalg.map(lambda s, x, y: s.bit_xor(x, y), (lhs, rhs), result)
