"""Reciprocal square root, `1 / √x`."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._formula import Formula

TINY, SCALE = 2.0**-100, 2.0**24  # below, `a` would be subnormal


@op
class Rsqrt(Formula):
    """`1 / √input`. ±inf at ±0, NaN below 0, 0 at inf."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, ulps=3, pole=True)
    peer = "jax.lax.rsqrt"
    python_function = PythonFunction(
        "rsqrt",
        """1 / √x: inf at 0, NaN below.

        >>> mind.rsqrt(np.float32([4, 2]))
        array([0.5       , 0.70710677], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w = s.f64
        return s.from_f64(w.div(w.number(1.0), w.sqrt(s.to_f64(input))))

    def fused_f32(self, s, input):
        one = s.number(1.0)
        tiny = s.less(input, s.number(TINY))
        x = s.select(tiny, s.mul(input, s.number(SCALE * SCALE)), input)
        root = s.sqrt(x)
        y = s.div(one, root)
        # x = root² + a and 1 = y·root + b, both exact: 1/√x = y + y·(b - a·y²/2)
        a, b = s.fma(s.negative(root), root, x), s.fma(s.negative(y), root, one)
        error = s.fma(s.mul(s.mul(a, s.number(-0.5)), y), y, b)
        y = s.select(s.unordered(error, error), y, s.fma(y, error, y))  # NaN where y is 0 or inf
        return s.mul(y, s.select(tiny, s.number(SCALE), one))

    def jvp(self, b, primals, tangents, result):
        # y = x^-1/2  ->  ẏ = -ẋ ⊙ y³/2
        return tangents[0] * (-0.5 * (result * result * result))

    def smooth_at(self, input):
        return bool((input > 0.15).all())
