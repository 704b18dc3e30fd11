"""Shift. Core v1 has none; docs/semantics.md, Bits and shifts."""

from ..ir import np, op
from ._bitwise import Shift, outside, unsigned


@op
class ShiftRightLogical(Shift):
    """`lhs` shifted right by `rhs` bits, zeros from the left; 0 where that is the width or more, or below 0."""

    def evaluate(self, lhs, rhs):
        amount = unsigned(np.asarray(rhs))
        inside = amount < 8 * lhs.dtype.itemsize
        shifted = np.right_shift(unsigned(np.asarray(lhs)), np.where(inside, amount, np.zeros((), amount.dtype)))
        return np.where(inside, shifted, np.zeros((), shifted.dtype)).view(lhs.dtype)

    def lower(self, e, result, lhs, rhs):
        return e.linalg.map(_shift, (lhs, rhs), result)


def _shift(s, x, amount):
    zero, none = s.number(0), outside(s, amount)
    return s.select(none, zero, s.op("arith.shrui", x, s.select(none, zero, amount)))
