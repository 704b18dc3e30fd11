"""Remainder. Not in the specification; docs/semantics.md, Remainder.

|x| = a · 2^e and |y| = m · 2^f with integers a and m of as many bits as the mantissa has, so |x| mod |y| is
(a · 2^(e-f) mod m) · 2^f. The power modulo m is squared and doubled by the bits of e - f, and no step is rounded.
"""

from ..ir import Growth, Linearity, PythonFunction, Rounding, i8, i32, i64, np, op, u64
from ._elementwise import Binary
from ._exponential import scaled_by_power
from ._formula import BinaryFormula
from ._logarithm import SCALE, SMALLEST_NORMAL
from ._pairs import product
from ._rules import stretched


@op
class Remainder(BinaryFormula):
    """What is left of `lhs` after whole `rhs`, element by element, broadcasting; it has the sign of `rhs`.

    Exact, but for one rounding where the signs differ. A remainder modulo 0 is 0 for integers, NaN for floats.
    """

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS)
    peer = "jax.numpy.remainder"
    python_function = PythonFunction(
        "remainder",
        """What is left of x after whole y, with the sign of y, as x % y in Python.

        >>> mind.remainder(np.float32([5, -5]), 3)
        array([2., 1.], dtype=float32)
        """,
    )

    def infer_type(self, lhs, rhs):
        return Binary.infer_type(self, lhs, rhs)

    def evaluate(self, *operands):
        lhs, rhs = operands
        if lhs.dtype.kind == "f":
            return super().evaluate(lhs, rhs)
        # NumPy gives 0 for the smallest integer modulo -1
        return np.remainder(lhs, np.where(rhs == 0, 1, rhs).astype(rhs.dtype))

    def formula(self, s, lhs, rhs):
        w = s.f64
        short = s.dtype.width < w.dtype.width
        return s.from_f64(_remainder(w, s.to_f64(lhs), s.to_f64(rhs), _short_product if short else product, short))

    def fused_f64(self, s, lhs, rhs):
        return _remainder(s, lhs, rhs, _fused_product, False)

    def jvp(self, b, primals, tangents, result):
        # y = x₁ - n · x₂ with an integral n  ->  ẏ = ẋ₁ - ẋ₂ ⊙ (x₁ - y) / x₂
        lhs, rhs = tangents
        if rhs is None:
            return stretched(b, lhs, result.shape)
        second = rhs * ((primals[0] - result) / primals[1])
        return -second if lhs is None else lhs - second

    def smooth_at(self, lhs, rhs):
        if rhs.dtype.kind != "f":
            return True
        if (np.abs(rhs) <= 0.4).any():
            return False
        n = lhs / rhs
        return bool((np.abs(n - np.rint(n)) > 0.05).all())

    @classmethod
    def samples(cls):
        return [*super().samples(), *[(cls(), (t, t)) for t in (i32(3), i64(2, 3), i8(19), u64(3))]]

    def lower(self, e, result, lhs, rhs):
        if result.dtype.is_float:
            return self.lower_by_name(e, result, lhs, rhs)
        return e.linalg.map(_of_integers, (lhs, rhs), result)


def _of_integers(s, x, y):
    zero = s.number(0)
    # there is no quotient by 0, nor of the smallest integer by -1; 1 leaves nothing, as these shall
    overflow = s.both(s.equal(x, s.number(s.smallest)), s.equal(y, s.number(-1)))
    safe = s.select(s.either(s.equal(y, zero), overflow), s.number(1), y)
    left = s.sub(x, s.mul(s.div(x, safe), safe))
    differ = s.either(s.both(s.less(left, zero), s.greater(y, zero)), s.both(s.greater(left, zero), s.less(y, zero)))
    return s.select(differ, s.add(left, y), left)


def _remainder(w, x, y, product, short):
    one, zero = w.number(1.0), w.number(0.0)
    a, b = w.absolute(x), w.absolute(y)
    inf = w.number(float("inf"))
    left = w.select(w.less(a, b), a, _of_magnitudes(w, a, b, product, short))
    differ = w.less(w.mul(w.copy_sign(one, x), w.copy_sign(one, y)), zero)
    left = w.select(w.both(differ, w.less(zero, left)), w.sub(b, left), left)
    is_number = w.both(w.less(a, inf), w.less(zero, b))
    return w.select(is_number, w.copy_sign(left, y), w.number(float("nan")))


def _of_magnitudes(w, a, b, product, short):
    """a mod b for 0 < b <= a, finite. `short` numbers are f32, whose exponents differ less."""
    i = w.integers
    m_a, e = _integer(w, a, short)
    m, f = _integer(w, b, short)
    d = i.sub(e, f)
    d = i.select(i.less(d, i.number(0)), i.number(0), d)
    steps = 5 if short else 7  # 2^d = (2^(d >> steps))^(2^steps) · …, and the first power is below m
    power = w.from_bits(i.shift_left(i.add(i.shift_right(d, steps), i.number(1023)), 52))
    for n in reversed(range(steps)):
        power = _modulo(w, power, power, m, product)
        twice = _near_zero(w, w.add(power, power), m)
        bit = i.number(1 << n)
        power = w.select(i.equal(i.bit_and(d, bit), bit), twice, power)
    left = _modulo(w, m_a, power, m, product)
    left = w.select(w.less(left, w.number(0.0)), w.add(left, m), left)
    return scaled_by_power(w, left, f)


def _integer(w, x, short):
    """m and e with x = m · 2^e, m integral with as many bits as a mantissa has."""
    i = w.integers
    tiny = w.less(x, w.number(SMALLEST_NORMAL))
    bits = w.to_bits(w.select(tiny, w.mul(x, w.number(SCALE)), x))
    mantissa = 23 if short else 52
    e = i.sub(i.shift_right(bits, 52), i.number(1023 + mantissa))
    e = i.sub(e, i.select(tiny, i.number(54), i.number(0)))
    m = i.add(i.bit_and(bits, i.number((1 << 52) - 1)), i.number((1023 + mantissa) << 52))
    return w.from_bits(m), e


def _modulo(w, x, y, m, product):
    """x · y modulo m, of a magnitude of at most m / 2, if the product is at most m²."""
    p, p_low = product(w, x, y)
    # rounding p, its quotient and n leave up to one m
    n = w.round_even(w.div(p, m))
    q, q_low = product(w, n, m)
    return _near_zero(w, w.add(w.sub(p, q), w.sub(p_low, q_low)), m)


def _near_zero(w, x, m):
    """x modulo m with a magnitude of at most m / 2, for one up to 3/2 m."""
    nearer = w.sub(x, w.copy_sign(m, x))
    return w.select(w.less(w.absolute(nearer), w.absolute(x)), nearer, x)


def _short_product(w, x, y):
    return w.mul(x, y), w.number(0.0)


def _fused_product(w, x, y):
    p = w.mul(x, y)
    return p, w.fma(x, y, w.negative(p))
