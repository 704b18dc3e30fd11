"""Every rank sends each other one a part. Extension; docs/sharding.md."""

from ..ir import f32, f64, i32, np, op
from ..ir.attributes import Count, Name
from ._collective import Collective
from ._rules import check_extents


@op
class AllToAll(Collective):
    """`result_r = [part r of input_0 | part r of input_1 | …]`: parts along `split`, put together along `concat`.

    The ranks along `axis` cut `split` evenly (E8006). A value that was cut along `concat` is cut along `split` then.
    """

    axis: Name
    size: Count
    split: Count
    concat: Count

    keeps_nan_bits = True

    @property
    def cut(self):
        return self.split

    def infer_type(self, input):
        self.check_size()
        self.check_dim("split", self.split, input)
        self.check_dim("concat", self.concat, input)
        shape = list(input.shape)
        shape[self.split] = self.part("split", self.split, input)
        shape[self.concat] *= self.size
        return input.with_shape(check_extents("AllToAll", tuple(shape)))

    def across(self, values):
        parts = [np.split(v, self.size, axis=self.split) for v in values]
        return [np.concatenate([p[r] for p in parts], axis=self.concat) for r in range(self.size)]

    def adjoint(self, b, ct, operands, wrt):
        # y = the parts exchanged  ->  x̄ += ȳ exchanged back
        return b.AllToAll(ct, self.axis, self.size, self.concat, self.split)

    def lower(self, e, result, input):
        return e.shard.all_to_all(input, self.axis, self.size, self.split, self.concat, result)

    @classmethod
    def samples(cls):
        return [
            (cls("tp", 1, 0, 1), (f32(4, 3),)),
            (cls("tp", 1, 2, 0), (f64(2, 3, 2),)),
            (cls("tp", 1, 0, 0), (f32(4, 2),)),
            (cls("tp", 1, 1, 0), (i32(0, 2),)),
        ]
