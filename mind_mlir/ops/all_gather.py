"""The parts that ranks hold, put together on each of them. Extension; docs/sharding.md."""

from ..ir import f32, f64, i32, np, op
from ..ir.attributes import Count, Flag, Name
from ._collective import Collective
from ._rules import check_extents


@op
class AllGather(Collective):
    """`result = [input_0 | input_1 | …]` along `dim`, from the ranks along `axis` in order, the same on each.

    With `invariant`, the result counts once: its cotangent is the same on all ranks, and not one of each to be added.
    """

    axis: Name
    size: Count
    dim: Count
    invariant: Flag = False

    keeps_nan_bits = True

    @staticmethod
    def sent(held, n):
        return held * (n - 1)

    def infer_type(self, input):
        self.check_size()
        self.check_dim("dim", self.dim, input)
        shape = tuple(n * self.size if i == self.dim else n for i, n in enumerate(input.shape))
        return input.with_shape(check_extents("AllGather", shape))

    def across(self, values):
        return [np.concatenate(values, axis=self.dim)] * len(values)

    def adjoint(self, b, ct, operands, wrt):
        # y_r = [x_0 | x_1 | …]  ->  x̄_s += part s of Σ_r ȳ_r, or part s of ȳ itself where y counts once
        if self.invariant:
            return b.ShardSlice(ct, self.axis, self.size, self.dim)
        return b.ReduceScatter(ct, self.axis, self.size, self.dim)

    def lower(self, e, result, input):
        return e.shard.all_gather(input, self.axis, self.size, self.dim, result)

    @classmethod
    def samples(cls):
        return [
            (cls("dp", 1, 0), (f32(2, 3),)),
            (cls("dp", 1, 1), (f64(2, 3, 2),)),
            (cls("dp", 1, 1, True), (f32(2, 3),)),
            (cls("dp", 1, 0), (i32(0, 2),)),
        ]
