"""Arc sine. Not in the specification; docs/semantics.md, Circular functions.

It has a class, as Acos has, because `atan2(x, sqrt(1 - x²))` loses digits near ±1.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._arcs import HALF_PI_LOW, QUARTER_PI, arc_sine, inside_or_nan
from ._formula import Formula


@op
class Asin(Formula):
    """The angle in [-π/2, π/2] whose sine is the input. NaN outside of [-1, 1]; zeros keep their sign."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.arcsin"
    in_math = True
    python_function = PythonFunction(
        "asin",
        """The angle in [-π/2, π/2] whose sine is x: NaN outside of [-1, 1].

        >>> mind.asin(np.float32([0, 1]))
        array([0.       , 1.5707964], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        two, p = w.number(2.0), arc_sine(w, x)
        rest = w.mul(w.mul(two, p.s), p.r)
        rest = w.sub(rest, w.sub(w.number(HALF_PI_LOW), w.mul(two, p.s_rest)))
        first = w.sub(w.number(QUARTER_PI), w.mul(two, p.s_head))
        outer = w.copy_sign(w.sub(w.number(QUARTER_PI), w.sub(rest, first)), x)
        return s.from_f64(inside_or_nan(w, x, w.select(p.is_outer, outer, w.add(x, w.mul(x, p.r)))))

    def jvp(self, b, primals, tangents, result):
        # y = asin x  ->  ẏ = ẋ / sqrt((1 - x) (1 + x))
        (x,) = primals
        return tangents[0] / b.Sqrt((1 - x) * (1 + x))

    def smooth_at(self, input):
        return bool((np.abs(input) < 0.8).all())
