"""Bits, or truth values, inverted. Core v1 has none."""

from ..ir import Growth, Linearity, Rounding, i1, i8, i32, np, op, u64
from ._elementwise import Unary
from ._rules import no_float


@op
class Not(Unary):
    """Every bit of `input` inverted, of integers or i1."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.BITS)
    peer = "jax.numpy.bitwise_not"

    def infer_type(self, input):
        no_float("Not", input)
        return input

    def evaluate(self, input):
        return np.invert(input)

    def fold(self, b, input):
        return input.operands[0] if isinstance(input.op, Not) else None

    def lower(self, e, result, input):
        return e.linalg.map(lambda s, x: s.bit_xor(x, s.number(-1)), (input,), result)

    @classmethod
    def samples(cls):
        return [(cls(), (t,)) for t in (i1(2, 3), i1(), i8(19), i32(0, 3), u64(2))]
