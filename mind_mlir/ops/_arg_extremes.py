"""Where the largest and the smallest element are along an axis."""

from __future__ import annotations

from typing import Any

from ..ir import DType, Growth, Linearity, Op, Reject, Rounding, TensorType, f32, np
from ..ir.attributes import Count, Flag
from ._along_axis import check_axis, samples
from ._extremes import largest, smallest
from ._rules import names


class ArgExtreme(Op):
    """The position of the first largest or smallest element along an axis, as i64."""

    axis: Count
    keepdims: Flag

    linearity = Linearity.CONSTANT
    rounding = Rounding(Growth.WHOLE)
    core_v1 = False

    kind = ""
    """max or min."""

    def infer_type(self, input):
        check_axis(self.opcode, self.axis, input)
        if not input.shape[self.axis]:
            raise Reject(
                "E3006",
                f"{self.opcode} takes the position of one of 0 elements along axis {self.axis}",
                note=f"input is {input}",
                at="axis",
            )
        around = input.shape[: self.axis], input.shape[self.axis + 1 :]
        return TensorType(DType.I64, (*around[0], *((1,) if self.keepdims else ()), *around[1]))

    def evaluate(self, input):
        whole = (largest if self.kind == "max" else smallest)(input, (self.axis,))
        reached = (input == np.expand_dims(whole, self.axis)) | (input != input)
        return np.argmax(reached, axis=self.axis, keepdims=self.keepdims).astype(np.int64)

    def dims(self, input):
        before, after = names(input.rank)[: self.axis], names(input.rank)[self.axis + 1 :]
        return f"{' '.join([*before, '_', *after])} -> {' '.join([*before, *(['_'] if self.keepdims else []), *after])}"

    def lower(self, e, result, input):
        return e.reduction.arg_extreme(self.kind, input, self.axis, result)

    @classmethod
    def samples(cls):
        made: Any = cls
        found = [(o, t) for keepdims in (False, True) for o, t in samples(made, keepdims) if t[0].shape[o.axis]]
        return [*found, (made(0, False), (f32(5000),)), (made(1, True), (f32(2, 9001, 2),))]
