"""Scalar i64 literal. Spec: Core IR, Constants."""

from ..ir import DType, Literal, op
from ..ir.attributes import I64Scalar
from ._scalar import Scalar


@op
class ConstI64(Scalar):
    """The rank-0 i64 constant `value`."""

    value: I64Scalar

    @classmethod
    def samples(cls):
        return [(cls(Literal.scalar(DType.I64, x)), ()) for x in (-3, 0, 9223372036854775807)]
