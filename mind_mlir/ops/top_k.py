"""The largest elements. Not in the specification; docs/semantics.md, Order."""

from ..ir import DType, Growth, Linearity, Op, Reject, Rounding, TensorType, f32, f64, i32, i64, np, op
from ..ir.attributes import Count
from ._order import check_axis, sorted_order, taken


@op
class TopK(Op):
    """The `k` largest elements along the last axis, the largest first, and their i64 indices.

    Of equal elements the one with the lower index comes first; a NaN is above every number.
    """

    k: Count

    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.WHOLE)
    result_names = ("values", "indices")
    core_v1 = False
    keeps_nan_bits = True

    def infer_type(self, input):
        check_axis("TopK", max(input.rank - 1, 0), input)
        if self.k > input.shape[-1]:
            raise Reject(
                "E3011",
                f"TopK takes the {self.k} largest of extent {input.shape[-1]}",
                note=f"input is {input}",
                at="k",
            )
        shape = (*input.shape[:-1], self.k)
        return input.with_shape(shape), TensorType(DType.I64, shape)

    def evaluate(self, input):
        order = sorted_order(input, input.ndim - 1, True)[..., : self.k].astype(np.int64)
        return np.take_along_axis(input, order, -1), order

    def jvp(self, b, primals, tangents, result):
        # y = x[i], i of the largest  ->  ẏ = ẋ[i]
        return taken(b, tangents[0], result[1], primals[0].type.rank - 1), None

    def lower(self, e, result, input):
        return e.order.largest(input, self.k)

    def smooth_at(self, input):
        ascending = np.sort(input.astype(np.float64), -1)
        return bool((np.diff(ascending, axis=-1) > 1e-3).all())

    @classmethod
    def samples(cls):
        return [
            (cls(2), (f32(7),)),
            (cls(5), (f64(3, 5),)),
            (cls(3), (i32(2, 4, 3),)),
            (cls(4), (f32(2, 200),)),
            (cls(200), (f64(300),)),
            (cls(1), (i64(70),)),
            (cls(0), (f32(3, 4),)),
            (cls(0), (f32(2, 0),)),
        ]
