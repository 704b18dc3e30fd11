"""What is no infinity and no NaN. Core v1 has none."""

import math

from ..ir import DType, Growth, Linearity, Rounding, TensorType, np, op
from ._elementwise import Unary
from ._rules import float_only


@op
class IsFinite(Unary):
    """True where `input` is neither an infinity nor NaN, as i1."""

    linearity = Linearity.CONSTANT
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, compares=True)
    peer = "jax.numpy.isfinite"

    def infer_type(self, input):
        float_only("IsFinite", input)
        return TensorType(DType.I1, input.shape)

    def evaluate(self, input):
        return np.isfinite(input)

    def lower(self, e, result, input):
        dtype = e.type(input).dtype
        return e.linalg.map(lambda s, x: _is_finite(s.of(dtype), x), (input,), result)


def _is_finite(s, x):
    return s.both(s.less(x, s.number(math.inf)), s.greater(x, s.number(-math.inf)))
