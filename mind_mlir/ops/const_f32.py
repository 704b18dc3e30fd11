"""Scalar f32 literal. Spec: Core IR, Constants."""

from ..ir import DType, Literal, op
from ..ir.attributes import F32Scalar
from ._scalar import Scalar


@op
class ConstF32(Scalar):
    """The rank-0 f32 constant `value`."""

    value: F32Scalar

    @classmethod
    def samples(cls):
        return [(cls(Literal.scalar(DType.F32, x)), ()) for x in (0.1, -0.0, float("inf"))]
