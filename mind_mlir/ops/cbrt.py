"""Cube root.

FreeBSD's s_cbrt: a third of the exponent, by the bits, makes a first approximation, a polynomial one of 23 bits, and a
step of Newton's the value.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, op
from ._formula import Formula

P = (1.87595182427177009643, -1.88497979543377169875, 1.621429720105354466140)
P_CUBED = (-0.758397934778766047437, 0.145996192886612446982)
THIRD = 0x55555556  # 2^32 / 3, rounded up
BIAS = 715094163  # (1023 - 1023 / 3 - 0.03306235651) · 2^20: makes a third of the upper half of the bits a cube root's
SMALLEST_NORMAL = 2.2250738585072014e-308
SCALE, UNSCALE = 2.0**54, 2.0**-18  # makes subnormals normal
HALF_BIT, MASK = 0x80000000, -0x40000000  # rounds to 23 bits


@op
class Cbrt(Formula):
    """`∛input`, of negative numbers too. Zeros keep their sign; inf and NaN stay."""

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE)
    peer = "jax.numpy.cbrt"
    python_function = PythonFunction(
        "cbrt",
        """The cube root of x, of negative numbers too.

        >>> mind.cbrt(np.float32([8, -27]))
        array([ 2., -3.], dtype=float32)
        """,
    )

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        i, size = w.integers, w.absolute(x)
        tiny = w.less(size, w.number(SMALLEST_NORMAL))
        size = w.select(tiny, w.mul(size, w.number(SCALE)), size)
        third = i.shift_right(i.mul(i.shift_right(w.to_bits(size), 32), i.number(THIRD)), 32)
        t = w.from_bits(i.shift_left(i.add(third, i.number(BIAS)), 32))
        r = w.mul(w.mul(t, t), w.div(t, size))
        cubed = w.mul(w.mul(w.mul(r, r), r), w.polynomial(r, P_CUBED))
        t = w.mul(t, w.add(w.polynomial(r, P), cubed))
        t = w.from_bits(i.bit_and(i.add(w.to_bits(t), i.number(HALF_BIT)), i.number(MASK)))
        # t² is exact: ∛x = t + t·(x/t² - t) / (2t + x/t²)
        r = w.div(size, w.mul(t, t))
        t = w.add(t, w.mul(t, w.div(w.sub(r, t), w.add(w.add(t, t), r))))
        t = w.copy_sign(w.select(tiny, w.mul(t, w.number(UNSCALE)), t), x)
        stays = w.either(w.equal(x, w.number(0.0)), w.unordered(w.sub(x, x), x))  # x - x is NaN for inf
        return s.from_f64(w.select(stays, x, t))

    def jvp(self, b, primals, tangents, result):
        # y = ∛x  ->  ẏ = ẋ / 3y², inf at 0
        return tangents[0] * ((1 / 3) * b.Reciprocal(result * result))

    def smooth_at(self, input):
        return bool((abs(input) > 0.15).all())
