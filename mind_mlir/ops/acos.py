"""Arc cosine. Not in the specification; docs/semantics.md, Circular functions."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._arcs import HALF_PI, HALF_PI_LOW, arc_sine, inside_or_nan
from ._formula import Formula


@op
class Acos(Formula):
    """The angle in [0, π] whose cosine is the input. NaN outside of [-1, 1]."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.arccos"
    in_math = True
    python_function = PythonFunction(
        "acos",
        """The angle in [0, π] whose cosine is x: NaN outside of [-1, 1].

        >>> mind.acos(np.float32([1, 0]))
        array([0.       , 1.5707964], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        two, p = w.number(2.0), arc_sine(w, x)
        inner = w.sub(x, w.sub(w.number(HALF_PI_LOW), w.mul(x, p.r)))
        inner = w.sub(w.number(HALF_PI), inner)
        above = w.mul(two, w.add(p.s_head, w.add(w.mul(p.r, p.s), p.s_rest)))
        below = w.add(p.s, w.sub(w.mul(p.r, p.s), w.number(HALF_PI_LOW)))
        below = w.sub(w.number(2 * HALF_PI), w.mul(two, below))
        outer = w.select(w.less(x, w.number(0.0)), below, above)
        return s.from_f64(inside_or_nan(w, x, w.select(p.is_outer, outer, inner)))

    def jvp(self, b, primals, tangents, result):
        # y = acos x  ->  ẏ = -ẋ / sqrt((1 - x) (1 + x))
        (x,) = primals
        return -(tangents[0] / b.Sqrt((1 - x) * (1 + x)))

    def smooth_at(self, input):
        return bool((np.abs(input) < 0.8).all())
