"""Scalar f64 literal. Spec: Core IR, Constants."""

from ..ir import DType, Literal, op
from ..ir.attributes import F64Scalar
from ._scalar import Scalar


@op
class ConstF64(Scalar):
    """The rank-0 f64 constant `value`."""

    value: F64Scalar

    @classmethod
    def samples(cls):
        return [(cls(Literal.scalar(DType.F64, x)), ()) for x in (0.1, -0.0, 5e-324)]
