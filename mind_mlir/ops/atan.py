"""Arc tangent. Not in the specification; docs/semantics.md, Circular functions."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._arcs import arc_tangent
from ._formula import Formula


@op
class Atan(Formula):
    """The angle in [-π/2, π/2] whose tangent is the input. Zeros keep their sign, NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.arctan"
    in_math = True
    python_function = PythonFunction(
        "atan",
        """The angle in [-π/2, π/2] whose tangent is x.

        >>> mind.atan(np.float32([0, 1]))
        array([0.       , 0.7853982], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        y = w.copy_sign(arc_tangent(w, w.absolute(x)), x)
        return s.from_f64(w.select(w.unordered(x, x), x, y))

    def jvp(self, b, primals, tangents, result):
        # y = atan x  ->  ẏ = ẋ / (1 + x²)
        (x,) = primals
        return tangents[0] / (1 + x * x)
