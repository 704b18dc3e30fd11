"""Cumulative sum along an axis. Core v1 has none; docs/semantics.md, Cumulative operations."""

from ..ir import Growth, Linearity, Rounding, f32, f64, np, op
from ..ir.attributes import Count, Flag
from ._cumulative import Cumulative


@op
class CumSum(Cumulative):
    """The sum of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""

    axis: Count
    reverse: Flag

    kind = "sum"
    linearity = Linearity.JOINT
    rounding = Rounding(Growth.SUMS)

    def evaluate(self, input):
        x = self.turned(input)
        return self.turned(np.add.accumulate(x, axis=self.axis, dtype=x.dtype))

    def adjoint(self, b, ct, operands, wrt):
        # y_i = Σ x_j over j <= i  ->  x̄_j += Σ ȳ_i over i >= j
        return b.CumSum(ct, self.axis, not self.reverse)

    @classmethod
    def samples(cls):
        long = [(cls(0, False), (f64(1001),)), (cls(1, True), (f32(3, 602),))]  # by parts
        return [*super().samples(), *long]
