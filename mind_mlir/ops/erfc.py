"""Complementary error function. Not in the specification; docs/semantics.md, Error functions.

It has a class because `1 - erf x` loses all digits where erf x is near 1.
"""

import math

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._error_function import END, MIDDLE, NEAR, ONE, parts
from ._formula import Formula


@op
class Erfc(Formula):
    """`1 - erf(input)`, with all digits for large inputs. 0 at inf, 2 at -inf; NaN stays NaN."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.scipy.special.erfc"
    in_math = True
    python_function = PythonFunction(
        "erfc",
        """1 - erf(x), with all digits where erf(x) is near 1.

        >>> mind.erfc(np.float32([0, 5]))
        array([1.0000000e+00, 1.5374598e-12], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        one, p = w.number(1.0), parts(w, x)
        a, negative = w.absolute(x), w.less(x, w.number(0.0))
        # from 1/2 on 1 - x is exact
        above, below = w.sub(w.sub(one, x), p.near), w.sub(one, w.add(x, p.near))
        near = w.select(w.less(x, w.number(0.5)), below, above)
        middle = w.sub(w.number(1.0 - ONE), p.middle)
        middle = w.select(negative, w.add(one, w.add(w.number(ONE), p.middle)), middle)
        y = w.select(negative, w.sub(w.number(2.0), p.tail), p.tail)
        y = w.select(w.less(a, w.number(MIDDLE)), middle, y)
        y = w.select(w.less(a, w.number(NEAR)), near, y)
        y = w.select(w.less(w.number(END), x), w.number(0.0), y)
        return s.from_f64(w.select(w.unordered(x, x), x, y))

    def jvp(self, b, primals, tangents, result):
        # y = erfc x  ->  ẏ = -ẋ ⊙ 2/√π · e^(-x²)
        (x,) = primals
        return tangents[0] * (b.Exp(-(x * x)) * (-2 / math.sqrt(math.pi)))
