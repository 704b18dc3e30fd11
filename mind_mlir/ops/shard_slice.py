"""The part of a value that belongs to the rank that runs this. Extension; docs/sharding.md."""

from ..ir import f32, f64, i64, np, op
from ..ir.attributes import Count, Name
from ._collective import Collective


@op
class ShardSlice(Collective):
    """`result_r = part r of input` along `dim`; nothing is sent. The ranks along `axis` cut it evenly (E8006).

    The operand is the same on all ranks, and counts once.
    """

    axis: Name
    size: Count
    dim: Count

    keeps_nan_bits = True

    @staticmethod
    def sent(held, n):
        return 0

    @property
    def cut(self):
        return self.dim

    def infer_type(self, input):
        return self.part_type("dim", self.dim, input)

    def across(self, values):
        return [np.split(v, self.size, axis=self.dim)[r] for r, v in enumerate(values)]

    def adjoint(self, b, ct, operands, wrt):
        # y_r = part r of x, which counts once  ->  x̄ += [ȳ_0 | ȳ_1 | …], which counts once
        return b.AllGather(ct, self.axis, self.size, self.dim, True)

    def lower(self, e, result, input):
        return e.shard.shard_slice(input, self.axis, self.size, self.dim, result)

    @classmethod
    def samples(cls):
        return [
            (cls("tp", 1, 0), (f32(4, 3),)),
            (cls("tp", 1, 1), (f64(2, 3, 2),)),
            (cls("tp", 1, 0), (i64(0, 2),)),
        ]
