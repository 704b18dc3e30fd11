"""Hyperbolic tangent.

By t = e^2|x| - 1 it is 1 - 2 / (t + 2), and around 0, by t = e^-2|x| - 1, it is -t / (t + 2): fdlibm's s_tanh. From 22
on (in f32 from 9.02 on) the result is 1.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._exponential import exponential_less_one, reduced
from ._formula import Formula
from ._pairs import error_of_sum

FAR = 0.75  # from here on 2 / (t + 2) is so small that its error is


@op
class Tanh(Formula):
    """`tanh(input)`. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, ulps=3)
    peer = "jax.numpy.tanh"
    in_math = True
    python_function = PythonFunction(
        "tanh",
        """The hyperbolic tangent of x.

        >>> mind.tanh(np.float32([0, 1]))
        array([0.       , 0.7615942], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x, two = s.f64, s.to_f64(input), s.f64.number(2.0)
        size = w.absolute(x)
        far = w.greater(size, w.number(FAR))
        size = w.clamped(size, 0.0, 22.0)
        t = exponential_less_one(w, w.mul(size, w.select(far, two, w.number(-2.0))))
        u = w.add(t, two)
        q = w.div(w.select(far, two, w.negative(t)), u)
        q = w.sub(q, w.mul(q, w.div(error_of_sum(w, t, two, u), u)))
        return s.from_f64(w.copy_sign(w.select(far, w.sub(w.number(1.0), q), q), x))

    def fused_f32(self, s, input):
        # with t = e^-2|x| - 1 in two parts, high and low: -t / (2 + t), mended by what rounding has left out
        one, two = s.number(1.0), s.number(2.0)
        n, r, small = reduced(s, s.clamped(s.mul(s.absolute(input), s.number(-2.0)), -18.04, 0.0))
        factor = s.power_of_two(n)
        a = s.sub(one, factor)
        p = s.add(r, small)
        b = s.mul(factor, p)
        high = s.sub(a, b)  # 1 - e^-2|x|
        errors = s.add(s.sub(s.sub(one, a), factor), s.sub(s.sub(a, high), b))
        low = s.fma(s.negative(factor), s.add(s.sub(r, p), small), errors)
        over = s.sub(two, high)
        left = s.sub(s.sub(two, over), high)  # 2 - high = over + left
        inverse = s.div(one, over)
        q = s.mul(high, inverse)
        rest = s.add(s.fma(s.negative(q), over, high), low)
        rest = s.fma(s.negative(q), s.sub(left, low), rest)
        return s.copy_sign(s.fma(rest, inverse, q), input)

    def jvp(self, b, primals, tangents, result):
        # y = tanh x  ->  ẏ = ẋ ⊙ (1 - y²)
        return tangents[0] * (1 - result * result)
