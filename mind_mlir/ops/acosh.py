"""Inverse hyperbolic cosine: with t = x - 1, ln(1 + t + √(2t + t²)), fdlibm's e_acosh; for large x ln x + ln 2."""

from math import nan

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._formula import Formula
from ._logarithm import LARGE, LN2, logarithm_of_one_more


@op
class Acosh(Formula):
    """`acosh(input)`. NaN below 1; inf and NaN stay."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.arccosh"
    python_function = PythonFunction(
        "acosh",
        """The inverse hyperbolic cosine of x; NaN below 1.

        >>> mind.acosh(np.float32([1, 2]))
        array([0.      , 1.316958], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        large = w.greater(x, w.number(LARGE))
        t = w.sub(x, w.number(1.0))
        t = w.add(t, w.sqrt(w.add(w.add(t, t), w.mul(t, t))))
        y = logarithm_of_one_more(w, w.select(large, x, t))
        y = w.select(large, w.add(y, w.number(LN2)), y)
        return s.from_f64(w.select(w.less(x, w.number(1.0)), w.number(nan), y))

    def jvp(self, b, primals, tangents, result):
        # y = acosh x  ->  ẏ = ẋ / √(x² - 1), which is 1 / sinh y
        return tangents[0] * b.Reciprocal(b.Sinh(result))

    def smooth_at(self, input):
        return bool((input > 1.1).all())
