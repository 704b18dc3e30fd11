"""What element-wise operations share: the type rule, the named dimensions, the samples."""

from __future__ import annotations

from ..ir import Builder, DType, Op, TensorType, Value, f32, f64, i8, i32, i64, u16, u64
from ._rules import broadcast, float_only, numbers_only, same_numbers, unstretched


class Unary(Op):
    """One operand; the result has its type. Takes floats, and other numbers unless `floats_only`."""

    floats_only = True

    def infer_type(self, input: TensorType) -> TensorType:
        if self.floats_only:
            float_only(self.opcode, input)
        numbers_only(self.opcode, input)
        return input

    def dims(self, input: TensorType) -> str:
        return "... -> ..."

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        types = [f32(2, 3), f32(), f64(17), f64(0, 3), f32(2, 5, 1)]
        return [(cls(), (t,)) for t in types + ([] if cls.floats_only else [i32(4), i64(2, 2), i8(5), u16(3)])]


class Binary(Op):
    """Two operands of one dtype, no truth values; the result has the broadcast shape."""

    def infer_type(self, lhs: TensorType, rhs: TensorType) -> TensorType:
        same_numbers(self.opcode, lhs, rhs)
        return lhs.with_shape(broadcast(self.opcode, lhs.shape, rhs.shape))

    def fold(self, b: Builder, lhs: Value, rhs: Value) -> Value | None:
        return unstretched(b, self, lhs, rhs)

    def dims(self, lhs: TensorType, rhs: TensorType) -> str:
        return "..., ... -> ..."

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
            ((2, 3), (2, 3)),
            ((2, 1), (3,)),  # both stretch
            ((), (4, 2)),
            ((), ()),
            ((3, 1, 5), (1, 4, 1)),
            ((0, 3), (1, 3)),
            ((1,), (0,)),  # 1 stretches to nothing
        ]
        pairs = [(TensorType(d, a), TensorType(d, b)) for d in (DType.F32, DType.I64) for a, b in shapes]
        return [(cls(), p) for p in [*pairs, (f64(17), f64(17)), (i32(3), i32(3)), (i8(19), i8()), (u64(3), u64(3))]]
