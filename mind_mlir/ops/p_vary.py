"""A value that ranks share, from here on as one value of each rank. Extension; docs/sharding.md; JAX's pvary."""

from ..ir import f32, f64, i32, op
from ..ir.attributes import Count, Name
from ._collective import Collective


@op
class PVary(Collective):
    """`input`, the same on all ranks along `axis`, and now counted once for each rank; nothing is sent."""

    axis: Name
    size: Count

    mnemonic = "pvary"
    keeps_nan_bits = True

    @staticmethod
    def sent(held, n):
        return 0

    def infer_type(self, input):
        self.check_size()
        return input

    def across(self, values):
        return list(values)

    def adjoint(self, b, ct, operands, wrt):
        # y_r = x, which counts once  ->  x̄ += Σ_r ȳ_r, which counts once
        return b.AllReduce(ct, self.axis, self.size, "sum", True)

    def dims(self, input):
        return "... -> ..."

    def lower(self, e, result, input):
        return input

    @classmethod
    def samples(cls):
        return [
            (cls("dp", 1), (f32(2, 3),)),
            (cls("dp", 1), (f64(),)),
            (cls("dp", 1), (i32(0, 2),)),
        ]
