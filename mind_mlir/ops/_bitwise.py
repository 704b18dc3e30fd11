"""What operations on bits share: type rules and samples."""

from __future__ import annotations

from ..ir import Growth, Linearity, Op, Rounding, TensorType, i1, i8, i16, i32, i64, u8, u16, u32, u64
from ._elementwise import Binary
from ._rules import broadcast, integer_only, no_float, same_dtype


class Bitwise(Binary):
    """Two operands of one dtype, integers or truth values; the result has the broadcast shape."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    commutative = True
    rounding = Rounding(Growth.BITS)

    def infer_type(self, lhs: TensorType, rhs: TensorType) -> TensorType:
        no_float(self.opcode, lhs)
        same_dtype(self.opcode, lhs, rhs)
        return lhs.with_shape(broadcast(self.opcode, lhs.shape, rhs.shape))

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        types = [
            (i1(2, 3), i1(3)),
            (i1(), i1()),
            (i32(2, 1), i32(3)),  # both stretch
            (i8(17), i8(17)),
            (u64(2, 2), u64()),
            (u16(0, 3), u16(3)),
        ]
        return [(cls(), pair) for pair in types]


class Shift(Binary):
    """Integers, and by how many bits each is shifted, in the same dtype; the result has the broadcast shape."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.BITS)

    def infer_type(self, lhs: TensorType, rhs: TensorType) -> TensorType:
        integer_only(self.opcode, lhs)
        same_dtype(self.opcode, lhs, rhs)
        return lhs.with_shape(broadcast(self.opcode, lhs.shape, rhs.shape))

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        types = [
            (i32(2, 3), i32(3)),
            (i64(), i64()),
            (u32(5), u32(5)),
            (i8(2, 1), i8(9)),  # both stretch
            (u8(17), u8()),
            (i16(0, 3), i16(3)),
        ]
        return [(cls(), pair) for pair in types]


def unsigned(x):
    """The same bits as numbers without a sign."""
    return x.view(f"u{x.dtype.itemsize}")


def signed(x):
    """The same bits as numbers whose first bit is the sign."""
    return x.view(f"i{x.dtype.itemsize}")


def outside(s, amount):
    """True for an amount that is no position of a bit: below 0, or the width or more."""
    return s.either(s.less(amount, s.number(0)), s.greater(amount, s.number(s.bits - 1)))
