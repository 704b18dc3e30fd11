"""The same bits as elements of another type. Core v1 has none."""

from ..ir import DType, Growth, Linearity, Op, Reject, Rounding, TensorType, f32, f64, i16, i32, i64, np, op, u8, u32
from ..ir.attributes import DTypeAttr


@op
class BitCast(Op):
    """The bits of `input` as elements of the type `to`, which is as wide."""

    to: DTypeAttr

    linearity = Linearity.CONSTANT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.BITS)

    def infer_type(self, input):
        if input.dtype.bits != self.to.bits:
            raise Reject(
                "E2005",
                f"BitCast makes {self.to} of elements of {self.to.bits} bits, input is {input}",
                help="Convert gives the same number in another type",
                at="operand 0",
            )
        return TensorType(self.to, input.shape)

    def evaluate(self, input):
        return np.ascontiguousarray(input).view(self.to.numpy).reshape(input.shape)

    def fold(self, b, input):
        return input if input.type.dtype is self.to else None

    def dims(self, input):
        return "... -> ..."

    def lower(self, e, result, input):
        dtype = e.type(input).dtype
        return e.linalg.map(lambda s, x: s.same_bits(x, s.of(dtype)), (input,), result)

    @classmethod
    def samples(cls):
        pairs = [
            (f32(2, 3), "i32"),
            (u32(3), "f32"),
            (f64(), "i64"),
            (i64(0, 3), "f64"),
            (u8(19), "i8"),
            (i16(3), "u16"),
            (i32(2), "i32"),
        ]
        return [(cls(DType(to)), (t,)) for t, to in pairs]
