"""Permuted axes. Spec: Core IR, Shape manipulation."""

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i32, np, op
from ..ir.attributes import Ints
from ._rules import names


@op
class Transpose(Op):
    """`result.shape[i] = input.shape[permutation[i]]`."""

    permutation: Ints

    linearity = Linearity.JOINT
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        p, rank = self.permutation, input.rank
        if len(p) != rank:
            raise self._bad(input, f"its length is {len(p)}")
        for i, a in enumerate(p):
            if not 0 <= a < rank:
                raise self._bad(input, f"entry {i} is {a}")
            if a in p[:i]:
                raise self._bad(input, f"{a} stands twice")
        return input.with_shape(tuple(input.shape[a] for a in p))

    def _bad(self, input, why):
        return Reject(
            "E3008",
            f"Transpose takes a permutation of {input.rank} axes, found {list(self.permutation)}: {why}",
            note=f"input is {input}",
            at="permutation",
        )

    def evaluate(self, input):
        return np.transpose(input, self.permutation)

    def adjoint(self, b, ct, operands, wrt):
        # y = transpose(x, p)  ->  x̄ += transpose(ȳ, p⁻¹)
        p = self.permutation
        return b.Transpose(ct, permutation=sorted(range(len(p)), key=p.__getitem__))

    def fold(self, b, input):
        if self.permutation == tuple(range(input.type.rank)):
            return input
        if isinstance(input.op, Transpose):
            inner = input.op.permutation
            return b.Transpose(input.operands[0], permutation=tuple(inner[a] for a in self.permutation))
        return None

    def dims(self, input):
        d = names(input.rank)
        return f"{' '.join(d)} -> {' '.join(d[a] for a in self.permutation)}"

    def lower(self, e, result, input):
        return e.linalg.transposed(input, self.permutation, result)

    @classmethod
    def samples(cls):
        return [
            (cls((1, 0)), (f32(4, 5),)),
            (cls((2, 0, 1)), (f64(2, 3, 4),)),
            (cls((0, 1)), (i32(2, 3),)),
            (cls(()), (f32(),)),
            (cls((2, 0, 1)), (f32(3, 0, 10),)),
        ]
