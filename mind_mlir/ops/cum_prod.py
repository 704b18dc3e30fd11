"""Cumulative product along an axis. Core v1 has none; docs/semantics.md, Cumulative operations."""

from ..ir import Growth, Linearity, Rounding, np, op
from ..ir.attributes import Count, Flag
from ._cumulative import Cumulative, tangents_by_pairs


@op
class CumProd(Cumulative):
    """The product of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""

    axis: Count
    reverse: Flag

    kind = "prod"
    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.WHOLE)

    def evaluate(self, input):
        x = self.turned(input)
        return self.turned(np.multiply.accumulate(x, axis=self.axis, dtype=x.dtype))

    def jvp(self, b, primals, tangents, result):
        # y_i = Π x_j over j <= i  ->  ẏ by pairs: (x, ẋ), (z, ż) make (x z, ẋ z + x ż), which holds at zeros, too
        return tangents_by_pairs(b, self, primals[0], tangents[0], lambda x, dx, z, dz: (x * z, dx * z + x * dz))
