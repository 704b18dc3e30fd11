"""Arc tangent of a quotient. Not in the specification; docs/semantics.md, Circular functions."""

from ..ir import Growth, Linearity, PythonFunction, Rounding, np, op
from ._arcs import HALF_PI, HALF_PI_LOW, arc_tangent
from ._formula import BinaryFormula

STEEP = 2.0**64  # from this quotient on the angle is π/2


@op
class Atan2(BinaryFormula):
    """The angle in [-π, π] of the point with the coordinates `rhs` and `lhs`, in this order; broadcasting.

    Signs of zeros count: the angle is ±0 or ±π on the axis of `rhs`. NaN if either is NaN.
    """

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS)
    peer = "jax.numpy.arctan2"
    in_math = True
    python_function = PythonFunction(
        "atan2",
        """The angle in [-π, π] of the point with the coordinates y and x, in this order.

        >>> mind.atan2(np.float32([1, 1]), np.float32([1, -1]))
        array([0.7853982, 2.3561945], dtype=float32)
        """,
    )

    def formula(self, s, lhs, rhs):
        w, y, x = s.f64, s.to_f64(lhs), s.to_f64(rhs)
        zero, inf = w.number(0.0), w.number(float("inf"))
        a, b = w.absolute(y), w.absolute(x)
        both_infinite = w.both(w.equal(a, inf), w.equal(b, inf))
        t = w.select(both_infinite, w.number(1.0), w.select(w.equal(a, zero), zero, w.div(a, b)))
        angle = arc_tangent(w, t)
        is_left = w.both(w.less(w.copy_sign(w.number(1.0), x), zero), w.less(t, w.number(STEEP)))
        left = w.sub(w.number(2 * HALF_PI), w.sub(angle, w.number(2 * HALF_PI_LOW)))
        angle = w.copy_sign(w.select(is_left, left, angle), y)
        return s.from_f64(w.select(w.unordered(x, y), w.number(float("nan")), angle))

    def jvp(self, b, primals, tangents, result):
        # φ = atan2(y, x)  ->  φ̇ = (x ⊙ ẏ - y ⊙ ẋ) / (x² + y²)
        y, x = primals
        of_y, of_x = tangents
        square = x * x + y * y
        first = None if of_y is None else of_y * (x / square)
        if of_x is None:
            return first
        second = of_x * (y / square)
        return -second if first is None else first - second

    def smooth_at(self, lhs, rhs):
        # away from the origin and from the jump on the negative axis of rhs
        return bool((np.abs(lhs) > 0.2).all())
