"""The sum, or the extreme, of what ranks hold, on each of them. Extension; docs/sharding.md."""

from functools import reduce

from ..ir import DType, f32, f64, i32, i64, np, op, u8
from ..ir.attributes import Count, Flag, Name, ReductionKind
from ..ir.halves import narrowed, widened
from ._collective import Collective
from ._rules import numbers_only


@op
class AllReduce(Collective):
    """`result = Σ_r input_r` over the ranks along `axis`, the same on each; `kind` max and min take extremes.

    With `invariant`, the result counts once: its cotangent is the same on all ranks, and not one of each to be added.
    NaN on a rank is NaN in the result, whatever the kind.
    """

    axis: Name
    size: Count
    kind: ReductionKind = "sum"
    invariant: Flag = False

    widens = True

    @staticmethod
    def sent(held, n):
        return 2 * held * (n - 1) // n  # a part of the sum to each rank, and from there to all

    def infer_type(self, input):
        self.check_size()
        numbers_only("AllReduce", input)
        return input

    def across(self, values):
        combine = {"sum": np.add, "max": np.maximum, "min": np.minimum}[self.kind]
        total = narrowed(reduce(combine, map(widened, values)), DType.of(values[0].dtype))
        return [total] * len(values)

    def linear_in(self, operands):
        return self.kind == "sum"

    def jvp(self, b, primals, tangents, result):
        if self.kind == "sum":
            return super().jvp(b, primals, tangents, result)
        # y = max_r x_r  ->  ẏ = Σ_r w_r ⊙ ẋ_r,  w_r = [x_r = y] / Σ_s [x_s = y]: ranks that reach it share alike
        (x,) = primals
        apart = b.Greater(result, x) if self.kind == "max" else b.Greater(x, result)
        reaches = b.Select(apart, b.zeros(x.type.with_shape(())), b.full(x.type.with_shape(()), 1))
        weight = reaches * b.Reciprocal(b.AllReduce(reaches, self.axis, self.size))
        return b.AllReduce(weight * tangents[0], self.axis, self.size, "sum", self.invariant)

    def adjoint(self, b, ct, operands, wrt):
        # y_r = Σ_s x_s  ->  x̄_s += Σ_r ȳ_r, or ȳ itself where y counts once
        return b.PVary(ct, self.axis, self.size) if self.invariant else b.AllReduce(ct, self.axis, self.size)

    def dims(self, input):
        return "... -> ..."

    def lower(self, e, result, input):
        if self.kind == "sum" or result.dtype.is_signed:
            return e.shard.all_reduce(input, self.axis, self.size, self.kind)
        # with the first bit flipped, numbers without a sign are in the order of those with one
        moved = e.linalg.map(_first_bit_flipped, (input,), result)
        return e.linalg.map(_first_bit_flipped, (e.shard.all_reduce(moved, self.axis, self.size, self.kind),), result)

    @classmethod
    def samples(cls):
        return [
            (cls("dp", 1), (f32(2, 3),)),
            (cls("dp", 1, "max"), (f64(4),)),
            (cls("dp", 1, "min"), (f32(2, 2),)),
            (cls("dp", 1, "sum", True), (f32(),)),
            (cls("dp", 1, "max", True), (f32(3),)),
            (cls("dp", 1), (i64(0, 3),)),
            (cls("dp", 1, "min"), (i32(3),)),
            (cls("dp", 1, "max"), (u8(3),)),
        ]


def _first_bit_flipped(s, x):
    return s.bit_xor(x, s.number(2 ** (s.bits - 1)))
