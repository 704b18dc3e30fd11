"""Tangent. Not in the specification; docs/semantics.md, Circular functions.

It has a class because a quotient of sine and cosine is off by up to 1.8 ulp, and reduces the angle twice.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._circular import finite_or_nan, has_bit, reduced, tangent, with_zeros
from ._formula import Formula


@op
class Tan(Formula):
    """`tan(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS)
    peer = "jax.numpy.tan"
    in_math = True
    python_function = PythonFunction(
        "tan",
        """The tangent of x radians.

        >>> mind.tan(np.float32([0, 1]))
        array([0.       , 1.5574077], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        q, r, low = reduced(s, x)
        y = tangent(w, r, low, has_bit(w.integers, q, 1))
        return s.from_f64(finite_or_nan(w, x, with_zeros(w, x, y)))

    def jvp(self, b, primals, tangents, result):
        # y = tan x  ->  ẏ = ẋ ⊙ (1 + y²)
        return tangents[0] * (1 + result * result)

    def smooth_at(self, input):
        return bool((np.abs(np.cos(input)) > 0.3).all())
