"""Sum along axes. Spec: Core IR, Reductions; docs/semantics.md, Sums."""

from ..ir import op
from ..ir.attributes import Axes, Flag
from ._reduction import Reduction


@op
class Sum(Reduction):
    """Sum of `input` along `axes`; empty `axes` sums everything to a scalar. 0 over nothing; integers wrap."""

    axes: Axes
    keepdims: Flag

    floats_only = False

    def evaluate(self, input):
        return self.total(input)

    def adjoint(self, b, ct, operands, wrt):
        # y = Σ x  ->  x̄ += ȳ at every position that was summed
        return self.spread(b, ct, operands[0].type)

    def fold(self, b, input):
        return input if input.type.rank == 0 else None  # no axis, nothing to add

    def lower(self, e, result, input):
        return e.reduction.sum(input, self.reduced(e.type(input)), result)
