"""What the scalar constants share."""

from __future__ import annotations

from ..ir import Literal, Op, TensorType


class Scalar(Op):
    """A rank-0 constant of one dtype."""

    foldable = False
    value: Literal

    def infer_type(self) -> TensorType:
        return TensorType(self.value.dtype, ())

    def evaluate(self):
        return self.value.to_numpy(())

    def lower(self, e, result):
        return e.literal(self.value, result)
