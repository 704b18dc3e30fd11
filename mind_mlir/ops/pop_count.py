"""Bits counted. Core v1 has none."""

from ..ir import Growth, Linearity, Rounding, i8, i16, i32, np, op, u64
from ._bitwise import unsigned
from ._elementwise import Unary
from ._rules import integer_only


@op
class PopCount(Unary):
    """How many bits of `input` are 1, in its own dtype.

    Pairs of bits are added, then pairs of those sums, then all bytes. Warren, Hacker's Delight, 5-1.
    """

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.BITS)
    peer = "jax.lax.population_count"

    def infer_type(self, input):
        integer_only("PopCount", input)
        return input

    def evaluate(self, input):
        x = unsigned(np.asarray(input))
        bits = x.dtype.type
        x = x - ((x >> bits(1)) & bits(_repeated(0x55, x.dtype.itemsize)))
        pairs = bits(_repeated(0x33, x.dtype.itemsize))
        x = (x & pairs) + ((x >> bits(2)) & pairs)
        x = (x + (x >> bits(4))) & bits(_repeated(0x0F, x.dtype.itemsize))
        total = np.zeros(x.shape, x.dtype)
        for n in range(x.dtype.itemsize):
            total = total + ((x >> bits(8 * n)) & bits(0xFF))
        return np.asarray(total).view(input.dtype)

    def lower(self, e, result, input):
        return e.linalg.map(_count, (input,), result)

    @classmethod
    def samples(cls):
        return [(cls(), (t,)) for t in (i32(2, 3), i8(19), i16(), u64(7), i32(0, 3))]


def _repeated(byte, width):
    """The number of so many bytes that are all the same."""
    return byte * ((256**width - 1) // 255)


def _right(s, x, bits):
    return s.op("arith.shrui", x, s.number(bits))


def _count(s, x):
    width = s.bits // 8
    x = s.sub(x, s.bit_and(_right(s, x, 1), s.number(_repeated(0x55, width))))
    pairs = s.number(_repeated(0x33, width))
    x = s.add(s.bit_and(x, pairs), s.bit_and(_right(s, x, 2), pairs))
    x = s.bit_and(s.add(x, _right(s, x, 4)), s.number(_repeated(0x0F, width)))
    # the product's highest byte is the sum of all bytes
    return _right(s, s.mul(x, s.number(_repeated(0x01, width))), s.bits - 8)
