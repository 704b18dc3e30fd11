"""Elements of another type. Core v1 converts nothing; docs/semantics.md, Conversions."""

from ..ir import (
    DType,
    Growth,
    Linearity,
    Op,
    Rounding,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i32,
    i64,
    np,
    op,
    u8,
    u32,
    u64,
)
from ..ir.attributes import DTypeAttr
from ..ir.halves import narrowed, widened


@op
class Convert(Op):
    """`input` with elements of the type `to`.

    Floats are rounded to nearest even, to 16 bits by way of f32; integers wrap; i1 is 0 or 1, and what is not 0 becomes
    true. Of a float, an integer is its part toward zero, or the nearest one that there is, and 0 for NaN.
    """

    to: DTypeAttr

    linearity = Linearity.JOINT
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    widens = False

    def infer_type(self, input):
        return TensorType(self.to, input.shape)

    def evaluate(self, input):
        to, input = self.to, widened(input)
        if to.is_half:  # by way of f32
            return narrowed(np.asarray(input.astype(np.float32)), to)
        if to.is_bool:
            return np.not_equal(input, np.zeros((), input.dtype))
        if input.dtype.kind != "f" or to.is_float:
            return input.astype(to.numpy)
        x = input.astype(np.float64)
        below, above = x < float(to.smallest), x >= float(to.largest + 1)
        inside = np.where(below | above | (x != x), 0.0, x).astype(to.numpy)
        smallest, largest = (np.array(n, to.numpy) for n in (to.smallest, to.largest))
        return np.where(below, smallest, np.where(above, largest, inside))

    def adjoint(self, b, ct, operands, wrt):
        # y = x in another format  ->  x̄ += ȳ in x's
        return b.Convert(ct, to=operands[wrt].dtype)

    def fold(self, b, input):
        return input if input.type.dtype is self.to else None

    def dims(self, input):
        return "... -> ..."

    def smooth_at(self, input):
        return input.dtype.kind in "biu" or self.to.is_float

    def lower(self, e, result, input):
        dtype = e.type(input).dtype
        if dtype == self.to:
            return input
        return e.linalg.map(lambda s, x: s.converted(x, s.of(dtype)), (input,), result)

    @classmethod
    def samples(cls):
        pairs = [
            (f32(2, 3), "f64"),
            (f64(3), "f32"),
            (f32(19), "i8"),
            (f32(5), "u64"),
            (f64(2, 2), "i32"),
            (f32(4), "i1"),
            (i64(), "f32"),
            (u64(9), "f32"),
            (i1(3), "f32"),
            (i1(2, 9), "i8"),
            (u8(5), "i32"),
            (i8(5), "u32"),
            (i64(3), "u8"),
            (i32(0, 3), "i1"),
            (f32(19), "bf16"),
            (bf16(3), "f16"),
            (f16(3), "f64"),
            (f64(5), "f16"),
            (i64(5), "bf16"),
            (bf16(5), "u8"),
            (u32(3), "u32"),
        ]
        return [(cls(DType(to)), (t,)) for t, to in pairs]
