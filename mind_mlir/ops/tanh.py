"""Hyperbolic tangent.

By t = e^2|x| - 1 it is 1 - 2 / (t + 2), and around 0, by t = e^-2|x| - 1, it is -t / (t + 2): fdlibm's s_tanh. From 22
on the result is 1.

With fused multiply-add it is x + x·z·p(z), z = x², a polynomial, up to 0.9 (f64: 0.6), and 1 - 2 / (e^2|x| + 1) above:
there the quotient is below the result, so that its error is less than an ulp of it.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._coefficients import EXP_F32, EXP_F64, TANH_F32, TANH_F64
from ._exponential import exponential_less_one, power_and_rest
from ._formula import Formula
from ._logarithm import F32_LN2, LN2
from ._pairs import error_of_sum

FAR = 0.75  # from here on 2 / (t + 2) is so small that its error is
NEAR_F32, END_F32 = 0.9, 9.02  # from the second on the nearest float is 1
NEAR_F64, END_F64 = 0.6, 19.07


@op
class Tanh(Formula):
    """`tanh(input)`. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, ulps=4)  # `evaluate` is up to 1.9 ulp off in f64, native code 1.3
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
        return _fused(s, input, TANH_F32, EXP_F32, F32_LN2, NEAR_F32, END_F32)

    def fused_f64(self, s, input):
        return _fused(s, input, TANH_F64, EXP_F64, LN2, NEAR_F64, END_F64)

    def jvp(self, b, primals, tangents, result):
        # y = tanh x  ->  ẏ = ẋ ⊙ (1 - y²)
        return tangents[0] * (1 - result * result)


def _fused(s, x, tangent, exponential, ln2, near, end):
    """tanh x by a polynomial up to `near` and by e^2|x| above; from `end` on it is 1."""
    size, one = s.absolute(x), s.number(1.0)
    z = s.mul(x, x)
    small = s.fma(s.mul(x, z), s.fused_polynomial(z, tangent), x)
    least = s.select(s.less(size, s.number(end)), size, s.number(end))
    power, p = power_and_rest(s, s.add(least, least), (ln2,), exponential)
    q = s.div(s.number(2.0), s.fma(p, power, s.add(power, one)))  # e^2|x| + 1 is rounded once
    return s.copy_sign(s.select(s.less(s.number(near), size), s.sub(one, q), small), x)
