"""Another shape for the same elements. Spec: Core IR, Shape manipulation; docs/semantics.md, Reshape."""

import math
from dataclasses import replace

from ..ir import Growth, Linearity, Op, Reject, Rounding, TensorType, f32, f64, i64, np, op
from ..ir.attributes import Ints
from ._factors import factored
from ._rules import check_extents


@op
class Reshape(Op):
    """The same elements in row-major order under `new_shape`; one entry may be -1 and is worked out."""

    new_shape: Ints

    linearity = Linearity.JOINT
    moves_nothing = True
    keeps_nan_bits = True
    rounding = Rounding(Growth.MOVES)

    def infer_type(self, input):
        return input.with_shape(self.resolved(input))

    def resolved(self, input):
        """`new_shape` with its -1 worked out. E3006 for other negative entries, E3007 if the counts differ."""
        shape = self.new_shape
        for i, n in enumerate(shape):
            if n < -1:
                raise Reject("E3006", f"entry {i} of Reshape to {list(shape)} is {n}", at="new_shape")
        if shape.count(-1) > 1:
            raise Reject("E3006", f"Reshape to {list(shape)} has more than one -1", at="new_shape")
        if -1 not in shape:
            if math.prod(shape) != input.size:
                raise self._counts(input, f"{math.prod(shape)} elements")
            return shape
        known = math.prod(n for n in shape if n != -1)
        if known == 0:
            raise self._counts(input, "a 0 beside a -1, so the -1 is not determined")
        if input.size % known:
            raise self._counts(input, f"a -1 beside {known} elements, which do not divide {input.size}")
        return check_extents("Reshape", tuple(input.size // known if n == -1 else n for n in shape))

    def _counts(self, input, found):
        return Reject(
            "E3007",
            f"Reshape of {list(input.shape)} with {input.size} elements to {list(self.new_shape)} with {found}",
            at="new_shape",
        )

    def check_core_v1(self, input):
        for i, n in enumerate(self.new_shape):
            if n == 0:
                raise Reject(
                    "E3006",
                    f"entry {i} of Reshape to {list(self.new_shape)} is 0",
                    help="Core v1 has positive entries and one -1; --profile=extended also has 0",
                    at="new_shape",
                )

    def canonical(self, input):
        return replace(self, new_shape=self.resolved(input))

    def evaluate(self, input):
        return np.reshape(input, self.resolved(TensorType.of_array(input)))

    def adjoint(self, b, ct, operands, wrt):
        # y = reshape(x)  ->  x̄ += reshape(ȳ)
        return b.Reshape(ct, new_shape=operands[0].shape)

    def fold(self, b, input):
        if input.type.shape == self.new_shape:
            return input
        if isinstance(input.op, Reshape):
            return b.Reshape(input.operands[0], new_shape=self.new_shape)
        return None

    def dims(self, input):
        return factored(input.shape, self.resolved(input))

    def localized(self, result, input):
        return Reshape(result.shape)

    def lower(self, e, result, input):
        return e.tensor.reshaped(input, result)

    @classmethod
    def samples(cls):
        return [
            (cls((6,)), (f32(2, 3),)),
            (cls((3, -1)), (f64(2, 3),)),
            (cls(()), (f32(1, 1),)),
            (cls((1,)), (i64(),)),
            (cls((1, 1)), (i64(),)),
            (cls((2, 3, 2)), (f32(4, 3),)),
            (cls((4, 2, -1)), (f32(2, 4, 5),)),  # split and merged
            (cls((0, 7)), (f32(3, 0),)),
            (cls((-1, 2)), (f32(0, 2),)),
        ]
