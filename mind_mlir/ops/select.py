"""Choice between two values. Core v1 has none; the derivative of Relu. Spec: Autodiff, Activation operations."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i1, i64, np, op, u8
from ._rules import broadcast, same_dtype, stretched, unbroadcast, unstretched


@op
class Select(Op):
    """`lhs` where `condition` is true, else `rhs`; broadcasting. What is not chosen has no influence, NaN or not."""

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    rounding = Rounding(Growth.CHOICE)

    def infer_type(self, condition, lhs, rhs):
        if not condition.dtype.is_bool:
            raise Reject(
                "E2005",
                f"Select takes an i1 condition, condition is {condition}",
                help="NotEqual of it and 0 is one, and so is what any comparison gives",
                at="operand 0",
            )
        same_dtype("Select", lhs, rhs)
        return lhs.with_shape(broadcast("Select", condition.shape, broadcast("Select", lhs.shape, rhs.shape)))

    def evaluate(self, condition, lhs, rhs):
        return np.where(condition, lhs, rhs)

    def jvp(self, b, primals, tangents, result):
        # what is not chosen has the tangent 0
        lhs, rhs = (b.zeros(result.type.with_shape(())) if t is None else t for t in tangents[1:])
        return stretched(b, b.Select(primals[0], lhs, rhs), result.shape)

    def adjoint(self, b, ct, operands, wrt):
        # y = x₁ if c else x₂  ->  x̄₁ += ȳ if c else 0,  x̄₂ += 0 if c else ȳ
        zero = b.zeros(ct.type.with_shape(()))
        chosen = b.Select(operands[0], *((ct, zero) if wrt == 1 else (zero, ct)))
        return unbroadcast(b, chosen, operands[wrt].type)

    def fold(self, b, condition, lhs, rhs):
        same = lhs.id == rhs.id and lhs.type == self.infer_type(condition.type, lhs.type, rhs.type)
        return lhs if same else unstretched(b, self, condition, lhs, rhs)

    def dims(self, condition, lhs, rhs):
        return "..., ..., ... -> ..."

    def lower(self, e, result, condition, lhs, rhs):
        return e.linalg.map(lambda s, c, x, y: s.select(c, x, y), (condition, lhs, rhs), result)

    @classmethod
    def samples(cls):
        return [
            (cls(), (i1(2, 3), f32(2, 3), f32(2, 3))),
            (cls(), (i1(3), f32(2, 1), f32())),
            (cls(), (i1(2, 1), f64(), f64(4))),
            (cls(), (i1(), i64(2), i64(2))),
            (cls(), (i1(), f32(), f32())),
            (cls(), (i1(5), i1(5), i1())),
            (cls(), (i1(19), u8(19), u8(19))),
            (cls(), (i1(0, 3), f32(1, 3), f32())),
        ]
