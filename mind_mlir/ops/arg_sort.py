"""The indices that sort. Not in the specification; docs/semantics.md, Order."""

from ..ir import DType, Growth, Linearity, Op, Rounding, TensorType, f32, f64, i32, i64, np, op
from ..ir.attributes import Count, Flag
from ._order import check_axis, sorted_order
from ._rules import names


@op
class ArgSort(Op):
    """The i64 indices along `axis` of the elements in ascending order, or in descending order.

    Equal elements keep their order; a NaN is above every number.
    """

    axis: Count
    descending: Flag = False

    linearity = Linearity.CONSTANT
    rounding = Rounding(Growth.WHOLE)
    core_v1 = False

    def infer_type(self, input):
        check_axis("ArgSort", self.axis, input)
        return TensorType(DType.I64, input.shape)

    def evaluate(self, input):
        return sorted_order(input, self.axis, self.descending).astype(np.int64)

    def dims(self, input):
        d = " ".join("_" if i == self.axis else name for i, name in enumerate(names(input.rank)))
        return f"{d} -> {d}"

    def lower(self, e, result, input):
        return e.order.arg_sorted(input, self.axis, self.descending)

    @classmethod
    def samples(cls):
        return [
            (cls(0), (f32(7),)),
            (cls(1), (f64(3, 5),)),
            (cls(0, True), (i32(4, 3),)),
            (cls(1), (i64(2, 40, 3),)),
            (cls(0), (f32(1, 2),)),
            (cls(1), (f32(2, 0),)),
        ]
