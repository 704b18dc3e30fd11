"""One element. Spec: Core IR, Indexing and slicing; docs/semantics.md, Index."""

from dataclasses import replace

from ..ir import Growth, Linearity, Op, Reject, Rounding, f32, f64, i64, op
from ..ir.attributes import Ints


@op
class Index(Op):
    """The element at `indices`, a scalar. Negative indices count from the end; out of range is E6001 before a run."""

    indices: Ints

    linearity = Linearity.JOINT
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        if len(self.indices) != input.rank:
            raise Reject(
                "E4006",
                f"Index of a rank-{input.rank} operand takes {input.rank} indices, found {len(self.indices)}",
                note=f"input is {input}",
                at="indices",
            )
        return input.with_shape(())

    def check_before_run(self, input):
        for axis, (i, n) in enumerate(zip(self.indices, input.shape)):
            if not -n <= i < n:
                raise Reject(
                    "E6001",
                    f"Index {list(self.indices)} is out of bounds for {list(input.shape)}",
                    label=f"index {i} at axis {axis} of extent {n}",
                    at="indices",
                )

    def position(self, shape):
        """The indices counted from 0."""
        return tuple(i + n if i < 0 else i for i, n in zip(self.indices, shape))

    def canonical(self, input):
        if not all(-n <= i < n for i, n in zip(self.indices, input.shape)):
            return self  # a valid module; the error comes when it is run
        return replace(self, indices=self.position(input.shape))

    def evaluate(self, input):
        return input[self.position(input.shape)]

    def adjoint(self, b, ct, operands, wrt):
        # y = x[i]  ->  x̄[i] += ȳ
        shape = operands[0].shape
        position = self.position(shape)
        element = b.Reshape(ct, new_shape=(1,) * len(shape))
        return b.Pad(element, position, [n - 1 - i for i, n in zip(position, shape)], [0] * len(shape))

    def dims(self, input):
        return f"{' '.join('_' * input.rank)} ->"

    def lower(self, e, result, input):
        return e.tensor.element(input, self.position(e.type(input).shape), result)

    @classmethod
    def samples(cls):
        return [
            (cls((2, 1)), (f32(3, 4),)),
            (cls((-1, -4)), (f64(3, 4),)),
            (cls(()), (f32(),)),
            (cls((0,)), (i64(1),)),
        ]
