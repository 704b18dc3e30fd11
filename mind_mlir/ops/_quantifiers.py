"""Whether any, or all, truth values along axes are true."""

from __future__ import annotations

from ..ir import DType, Linearity, Reject, TensorType, Value, np
from ._reduction import Reduction
from ._rules import names


class Quantifier(Reduction):
    """A reduction of truth values."""

    core_v1 = False
    linearity = Linearity.CONSTANT

    kind = ""
    """max for any, min for all: false is below true."""

    def infer_type(self, input: TensorType) -> TensorType:
        if not input.dtype.is_bool:
            help = "NotEqual with 0 makes truth values of numbers"
            raise Reject("E2005", f"{self.opcode} takes i1, input is {input}", help=help, at="operand 0")
        return input.with_shape(self.left(input))

    def evaluate(self, input):
        axes = self.reduced(TensorType.of_array(input))
        found = np.any(input, axis=axes) if self.kind == "max" else np.all(input, axis=axes)
        return np.reshape(found, self.infer_type(TensorType.of_array(input)).shape)

    def fold(self, b, input: Value) -> Value | None:
        return input if input.type.rank == 0 else None

    def dims(self, input: TensorType) -> str:
        gone = self.reduced(input)
        left = ["_" if i in gone else d for i, d in enumerate(names(input.rank))]
        _, right = super().dims(input).split("->")
        return f"{' '.join(left)} ->{right}"

    def lower(self, e, result: TensorType, input):
        return e.reduction.reduced(self.kind, input, self.reduced(e.type(input)), result)

    @classmethod
    def samples(cls):
        of = [((1,), False, (3, 4, 5)), ((2, 0), True, (3, 4, 5)), ((-1,), True, (3, 40)), ((), True, (2, 3))]
        of += [((), False, ()), ((0,), False, (0, 3)), ((1,), False, (3, 0)), ((0,), False, (300, 7))]
        return [(cls(axes, keepdims), (TensorType(DType.I1, shape),)) for axes, keepdims, shape in of]
