"""Inverse hyperbolic sine: ln(1 + |x| + x² / (1 + √(x² + 1))), fdlibm's s_asinh; for large |x| ln |x| + ln 2."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._formula import Formula
from ._logarithm import LARGE, LN2, logarithm_of_one_more


@op
class Asinh(Formula):
    """`asinh(input)`. Zeros keep their sign; ±inf and NaN stay."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.arcsinh"
    python_function = PythonFunction(
        "asinh",
        """The inverse hyperbolic sine of x.

        >>> mind.asinh(np.float32([0, 1]))
        array([0.       , 0.8813736], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        one, size = w.number(1.0), w.absolute(x)
        large = w.greater(size, w.number(LARGE))
        square = w.mul(size, size)
        t = w.add(size, w.div(square, w.add(one, w.sqrt(w.add(square, one)))))
        y = logarithm_of_one_more(w, w.select(large, size, t))
        return s.from_f64(w.copy_sign(w.select(large, w.add(y, w.number(LN2)), y), x))

    def jvp(self, b, primals, tangents, result):
        # y = asinh x  ->  ẏ = ẋ / √(x² + 1), which is 1 / cosh y
        return tangents[0] * b.Reciprocal(b.Cosh(result))
