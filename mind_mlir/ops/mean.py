"""Arithmetic mean along axes. Spec: Core IR, Reductions; docs/semantics.md, Sums."""

import math

from ..ir import Growth, Rounding, TensorType, op
from ..ir.attributes import Axes, Flag
from ._reduction import Reduction
from ._rules import names


@op
class Mean(Reduction):
    """Sum of `input` along `axes`, divided by the number of elements summed, not of axes. NaN over nothing."""

    axes: Axes
    keepdims: Flag

    rounding = Rounding(Growth.SUMS, after=1)  # the division

    def count(self, input):
        """Elements that go into one element of the result."""
        return math.prod(input.shape[a] for a in self.reduced(input))

    def evaluate(self, input):
        return self.total(input) / input.dtype.type(self.count(TensorType.of_array(input)))

    def jvp(self, b, primals, tangents, result):
        # over nothing the mean is NaN, which is a constant
        return super().jvp(b, primals, tangents, result) if self.count(primals[0].type) else None

    def adjoint(self, b, ct, operands, wrt):
        # y = (1/N) Σ x  ->  x̄ += (1/N) ȳ at every position that was summed
        input = operands[0].type
        count = self.count(input)
        return self.spread(b, ct * (1 / count), input) if count else b.zeros(input)

    def fold(self, b, input):
        return input if input.type.rank == 0 else None  # x / 1

    def dims(self, input):
        gone = self.reduced(input)  # a mean of means is no mean: these stay whole
        left = ["_" if i in gone else d for i, d in enumerate(names(input.rank))]
        _, right = super().dims(input).split("->")
        return f"{' '.join(left)} ->{right}"

    def decomposed(self, b, input):
        return b.Sum(input, self.axes, self.keepdims) / n if (n := self.count(input.type)) else None

    def lower(self, e, result, input):
        total = e.reduction.sum(input, self.reduced(e.type(input)), result)
        count = self.count(e.type(input))
        return e.linalg.map(lambda s, x: s.div(x, s.number(count)), (total,), result)
