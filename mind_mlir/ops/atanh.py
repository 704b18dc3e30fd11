"""Inverse hyperbolic tangent: ln(1 + 2x / (1 - x)) / 2, fdlibm's e_atanh."""

from math import nan

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._formula import Formula
from ._logarithm import logarithm_of_one_more


@op
class Atanh(Formula):
    """`atanh(input)`. ±inf at ±1, NaN beyond; zeros keep their sign, NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.arctanh"
    python_function = PythonFunction(
        "atanh",
        """The inverse hyperbolic tangent of x: ±inf at ±1, NaN beyond.

        >>> mind.atanh(np.float32([0, 0.5]))
        array([0.        , 0.54930615], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        one, size = w.number(1.0), w.absolute(x)
        double, rest = w.add(size, size), w.sub(one, size)
        # below 1/2, where 1 - x is rounded, 2x / (1 - x) = 2x + 2x·x / (1 - x)
        near = w.less(size, w.number(0.5))
        t = w.div(w.select(near, w.mul(double, size), double), rest)
        y = w.mul(w.number(0.5), logarithm_of_one_more(w, w.select(near, w.add(double, t), t)))
        y = w.select(w.greater(size, one), w.number(nan), y)
        return s.from_f64(w.copy_sign(y, x))

    def jvp(self, b, primals, tangents, result):
        # y = atanh x  ->  ẏ = ẋ / (1 - x²)
        (x,) = primals
        return tangents[0] * b.Reciprocal((1 - x) * (1 + x))

    def smooth_at(self, input):
        return bool((np.abs(input) < 0.85).all())
