"""What the scalar constants share."""

from __future__ import annotations

from typing import Any

from ..ir import OPS, Linearity, Literal, Op, TensorType


class Scalar(Op):
    """A rank-0 constant of one dtype."""

    linearity = Linearity.CONSTANT
    foldable = False
    value: Literal

    @property
    def literal(self) -> Literal:
        return self.value

    def infer_type(self) -> TensorType:
        return TensorType(self.value.dtype, ())

    def canonical(self) -> Op:
        """The same constant as a ConstTensor, so that one value has one form."""
        const_tensor: Any = OPS["ConstTensor"]
        return const_tensor(self.value, self.value.dtype, ())

    def evaluate(self):
        return self.value.to_numpy(())

    def lower(self, e, result):
        return e.literal(self.value, result)
