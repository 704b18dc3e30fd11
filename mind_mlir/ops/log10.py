"""Logarithm to base 10: FreeBSD's e_log10, ln x in two parts times 1 / ln 10 in two parts."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._formula import Formula
from ._logarithm import logarithm_to_base

INVERSE_HI, INVERSE_LO = 4.34294481878168880939e-01, 2.50829467116452752298e-11  # 1 / ln 10
TWO_HI, TWO_LO = 3.01029995663611771306e-01, 3.69423907715893078616e-13  # the logarithm of 2


@op
class Log10(Formula):
    """The logarithm of `input` to base 10. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 10."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.log10"
    python_function = PythonFunction(
        "log10",
        """The logarithm to base 10: -inf at 0, NaN below.

        >>> mind.log10(np.float32([1, 1000]))
        array([0., 3.], dtype=float32)
        """,
    )

    def formula(self, s, input):
        y = logarithm_to_base(s.f64, s.to_f64(input), (INVERSE_HI, INVERSE_LO), (TWO_HI, TWO_LO))
        return s.from_f64(y)

    def jvp(self, b, primals, tangents, result):
        # y = ln x / ln 10  ->  ẏ = ẋ ⊙ 1/(x ln 10)
        return tangents[0] * ((INVERSE_HI + INVERSE_LO) * b.Reciprocal(primals[0]))

    def smooth_at(self, input):
        return bool((input > 0.15).all())
