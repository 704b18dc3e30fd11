"""Shift. Core v1 has none; docs/semantics.md, Bits and shifts."""

from ..ir import np, op
from ._bitwise import Shift, outside, signed, unsigned


@op
class ShiftRightArithmetic(Shift):
    """`lhs` shifted right by `rhs` bits, its first bit repeated from the left, signed or not.

    By the width or more, or below 0, every bit is the first one.
    """

    def evaluate(self, lhs, rhs):
        width = 8 * lhs.dtype.itemsize
        amount = unsigned(np.asarray(rhs))
        last = np.array(width - 1, amount.dtype)
        return np.right_shift(signed(np.asarray(lhs)), signed(np.minimum(amount, last))).view(lhs.dtype)

    def lower(self, e, result, lhs, rhs):
        return e.linalg.map(_shift, (lhs, rhs), result)


def _shift(s, x, amount):
    within = s.select(outside(s, amount), s.number(s.bits - 1), amount)
    return s.op("arith.shrsi", x, within)
