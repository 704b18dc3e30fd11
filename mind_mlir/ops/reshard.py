"""Another sharding of a value. Extension; docs/sharding.md."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i64, op
from ..ir.attributes import Spec
from ..ir.mesh import P


@op
class Reshard(Op):
    """`input` with the sharding `to`. The value is the same.

    It occurs in modules in global view; `partition` replaces it by the operations that send data between ranks. Without
    a mesh it does nothing, so one machine runs the same module.
    """

    to: Spec

    linearity = Linearity.JOINT
    core_v1 = False
    keeps_nan_bits = True
    foldable = False  # a constant with a sharding keeps it
    rounding = Rounding(Growth.MOVES)

    @property
    def placement(self):
        return self.to

    def infer_type(self, input):
        if self.to.rank != input.rank:
            message = f"Reshard to {self.to}, which has {self.to.rank} dimensions, of {input}"
            raise Reject("E8003", message, help="one entry for each dimension: _ where it stays whole", at="to")
        return input

    def check_mesh(self, mesh, input):
        if mesh is not None:
            try:
                self.to.check(mesh, input)
            except Reject as why:
                why.at = "to"
                raise

    def evaluate(self, input):
        return input

    def adjoint(self, b, ct, operands, wrt):
        # y = x  ->  x̄ += ȳ, to which `transpose` gives the sharding of x
        return ct

    def fold(self, b, input):
        # of two placements in a row the second counts; whether it may leave partial sums, the first tells
        if isinstance(input.op, Reshard) and not self.to.unreduced:
            return b.Reshard(input.operands[0], self.to)
        return None

    def dims(self, input):
        return "... -> ..."

    def lower(self, e, result, input):
        return input

    @classmethod
    def samples(cls):
        return [
            (cls(P(None, None)), (f32(2, 3),)),
            (cls(P()), (f64(),)),
            (cls(P(None, None)), (i64(0, 2),)),
        ]
