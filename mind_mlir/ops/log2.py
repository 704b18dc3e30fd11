"""Logarithm to base 2: FreeBSD's e_log2, ln x in two parts times 1 / ln 2 in two parts."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._formula import Formula
from ._logarithm import logarithm_to_base

INVERSE_HI, INVERSE_LO = 1.44269504072144627571e00, 1.67517131648865118353e-10  # 1 / ln 2
TWO_HI, TWO_LO = 1.0, 0.0  # the logarithm of 2


@op
class Log2(Formula):
    """The logarithm of `input` to base 2. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 2."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.log2"
    python_function = PythonFunction(
        "log2",
        """The logarithm to base 2: -inf at 0, NaN below.

        >>> mind.log2(np.float32([1, 8]))
        array([0., 3.], dtype=float32)
        """,
    )

    def formula(self, s, input):
        y = logarithm_to_base(s.f64, s.to_f64(input), (INVERSE_HI, INVERSE_LO), (TWO_HI, TWO_LO))
        return s.from_f64(y)

    def jvp(self, b, primals, tangents, result):
        # y = ln x / ln 2  ->  ẏ = ẋ ⊙ 1/(x ln 2)
        return tangents[0] * ((INVERSE_HI + INVERSE_LO) * b.Reciprocal(primals[0]))

    def smooth_at(self, input):
        return bool((input > 0.15).all())
