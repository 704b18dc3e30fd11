"""What comparisons share: the type rule, the edges, the samples."""

from __future__ import annotations

from ..ir import DType, Growth, Linearity, Op, Rounding, TensorType, f32, f64, i1, i8, i64, np, u32
from ._elementwise import Binary
from ._rules import broadcast, same_dtype


class Comparison(Binary):
    """Two operands of one dtype, truth values too; the result has the broadcast shape and i1."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, compares=True)

    def infer_type(self, lhs: TensorType, rhs: TensorType) -> TensorType:
        same_dtype(self.opcode, lhs, rhs)
        return TensorType(DType.I1, broadcast(self.opcode, lhs.shape, rhs.shape))

    def smooth_at(self, lhs, rhs):
        return bool((np.abs(lhs.astype(np.float64) - rhs.astype(np.float64)) > 1e-2).all())

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        types = [
            (f32(2, 3), f32(2, 3)),
            (f32(2, 1), f32(3)),  # both stretch
            (f64(17), f64()),
            (f32(), f32()),
            (i64(3), i64(2, 1)),
            (u32(2, 9), u32(9)),
            (i8(0, 3), i8(3)),
            (i1(2, 3), i1(3)),
        ]
        return [(cls(), pair) for pair in types]
