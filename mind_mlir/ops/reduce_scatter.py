"""The sum of what ranks hold, a part of it on each. Extension; docs/sharding.md."""

from ..ir import DType, f32, f64, i64, np, op
from ..ir.attributes import Count, Name
from ..ir.halves import narrowed, widened
from ._collective import Collective
from ._rules import numbers_only


@op
class ReduceScatter(Collective):
    """`result_r = part r of Σ_s input_s` along `dim`, for the ranks along `axis`, which cut it evenly (E8006)."""

    axis: Name
    size: Count
    dim: Count

    widens = True

    @property
    def cut(self):
        return self.dim

    def infer_type(self, input):
        numbers_only("ReduceScatter", input)
        return self.part_type("dim", self.dim, input)

    def across(self, values):
        total = widened(values[0])
        for value in values[1:]:
            total = total + widened(value)
        total = narrowed(total, DType.of(values[0].dtype))
        return np.split(total, self.size, axis=self.dim)

    def adjoint(self, b, ct, operands, wrt):
        # y_r = part r of Σ_s x_s  ->  x̄_s += [ȳ_0 | ȳ_1 | …]
        return b.AllGather(ct, self.axis, self.size, self.dim)

    def lower(self, e, result, input):
        return e.shard.reduce_scatter(input, self.axis, self.size, self.dim, result)

    @classmethod
    def samples(cls):
        return [
            (cls("dp", 1, 0), (f32(4, 3),)),
            (cls("dp", 1, 2), (f64(2, 3, 2),)),
            (cls("dp", 1, 0), (i64(0, 2),)),
        ]
