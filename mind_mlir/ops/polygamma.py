"""Polygamma functions, the derivatives of Digamma. Not in the specification; docs/semantics.md, Gamma functions.

ψₙ(x) = (-1)^(n+1)·n!·ζ(n+1, x), where Hurwitz' ζ(s, x) = Σ 1/(x + k)^s over k >= 0. The sum over k < SHIFT is computed
term by term, in units of the first one, and that from there on by Euler-Maclaurin's formula: Σ 1/(a + k)^s is
E(a)/(n·a^n), with E(a) = 1 + n/2a + Σ B_2j/(2j)! · n·(n + 1)·…·(n + 2j - 1)/a^2j. From x = n + FAR on that is all. The
first term is a power of two, by log2 n! - (n + 1)·log2 x in two parts. At x < 0, less the nearest integer d, the sum is
ζ(s, d) + (-1)^s·(ζ(s, 1 - d) - ζ(s, 1 - x)).
"""

import decimal
import math
from decimal import Decimal
from fractions import Fraction

from ..ir import Growth, Linearity, Reject, Rounding, f32, f64, op
from ..ir.attributes import Count
from ._exponential import exponential, scaled_by_power
from ._formula import Formula
from ._gamma_function import from_integer, is_pole, mirrored
from ._logarithm import logarithm_of_one_more
from ._logarithm_pair import log2_pair, power_of_two_of_pair
from ._pairs import error_of_sum, product

MOST = 1000
"""Up to this order s·log2 x keeps its digits."""

SHIFT, FAR = 9, 8
MANY = 2
"""From this order on powers by products are too far off."""

BEYOND = 2044  # 2^±BEYOND is inf or 0

BERNOULLI = (
    Fraction(1, 6),
    Fraction(-1, 30),
    Fraction(1, 42),
    Fraction(-1, 30),
    Fraction(5, 66),
    Fraction(-691, 2730),
    Fraction(7, 6),
    Fraction(-3617, 510),
    Fraction(43867, 798),
    Fraction(-174611, 330),
    Fraction(854513, 138),
    Fraction(-236364091, 2730),
)
"""B_2, B_4, …"""


@op
class Polygamma(Formula):
    """The derivative of Digamma of an `order`. At 0, -1, -2, … and -inf it is inf, or NaN if the order is even."""

    order: Count

    linearity = Linearity.NONLINEAR
    core_v1 = False
    rounding = Rounding(Growth.ELEMENTS)
    apart = True

    def infer_type(self, input):
        if not 1 <= self.order <= MOST:
            raise Reject("E4013", f"{self.opcode} takes orders 1 to {MOST}, found {self.order}", at="order")
        return super().infer_type(input)

    def formula(self, s, input):
        w, x = s.f64, s.to_f64(input)
        n, d = self.order, from_integer(w, x)
        y = _times_zeta(w, n, mirrored(w, x), _by_products if n < MANY else _by_logarithm)
        other = w.sub(_times_zeta(w, n, w.sub(w.number(1.0), d), _by_products), y)
        below = w.add(_times_zeta(w, n, d, _by_products), other if n % 2 else w.negative(other))
        y = w.select(w.less(x, w.number(0.0)), below, y)
        y = w.select(w.equal(x, w.number(math.inf)), w.number(0.0), y)
        y = w.select(is_pole(w, x), w.number(math.inf if n % 2 else math.nan), y)
        return s.from_f64(w.select(w.unordered(x, x), x, y if n % 2 else w.negative(y)))

    def lower(self, e, result, input):
        return e.linalg.map(lambda s, x: s.function(f"mind.Polygamma {self.order}", x), (input,), result)

    def jvp(self, b, primals, tangents, result):
        # y = ψₙ(x)  ->  ẏ = ẋ ⊙ ψₙ₊₁(x)
        return tangents[0] * b.Polygamma(primals[0], self.order + 1)

    def smooth_at(self, input):
        return bool((input > 0.6).all())

    @classmethod
    def samples(cls):
        orders = (1, 2, 3, 1, 4, 10)
        types = (f32(2, 3), f32(), f64(17), f64(0, 3), f64(3), f64(2, 1))
        return [(cls(n), (t,)) for n, t in zip(orders, types)]


def _times_zeta(w, n, x, power):
    """n!·ζ(n + 1, x), for positive x and those between ±1/2."""
    is_far = w.less(w.number(n + FAR), x)
    a = w.select(is_far, x, w.add(x, w.number(SHIFT)))
    tail = _euler_maclaurin(w, n, w.div(w.number(1.0), a))
    total, low = _sum(w, n, x, w.mul(w.div(a, w.number(n)), tail), power)
    total, low = w.select(is_far, tail, total), w.select(is_far, w.number(0.0), low)
    y, k = _largest_term(w, n, w.absolute(x), is_far)
    p, p_low = product(w, y, total)
    y = scaled_by_power(w, w.add(p, w.add(p_low, w.mul(y, low))), k)
    return w.select(w.less(x, w.number(0.0)), y if n % 2 else w.negative(y), y)


def _largest_term(w, n, x, is_far):
    """y and k with n! / x^(n + 1) = y · 2^k, or (n - 1)! / x^n if far."""
    i = w.integers
    near, near_low, near_exponent = _log2_of_factorial(n)
    far, far_low, far_exponent = _log2_of_factorial(n - 1)
    high, low = log2_pair(w, x)
    power = w.select(is_far, w.number(-n), w.number(-n - 1))
    high, low = w.mul(high, power), w.mul(low, power)
    factor = w.select(is_far, w.number(far), w.number(near))
    factor_low = w.select(is_far, w.number(far_low), w.number(near_low))
    total = w.add(high, factor)
    low = w.add(w.add(low, factor_low), error_of_sum(w, high, factor, total))
    y, k = power_of_two_of_pair(w, total, low)
    k = i.add(k, i.select(is_far, i.number(far_exponent), i.number(near_exponent)))
    k = i.select(i.less(k, i.number(-BEYOND)), i.number(-BEYOND), k)
    return y, i.select(i.greater(k, i.number(BEYOND)), i.number(BEYOND), k)


def _log2_of_factorial(n):
    """log2 n! as two numbers and an integer."""
    factorial = math.factorial(n)
    exponent = factorial.bit_length() - 1
    c = decimal.Context(prec=40)
    rest = c.divide(c.ln(c.divide(Decimal(factorial), Decimal(1 << exponent))), c.ln(Decimal(2)))
    return float(rest), float(c.subtract(rest, Decimal(float(rest)))), exponent


def _sum(w, n, x, tail, power):
    """x^(n + 1)·ζ(n + 1, x) in two parts: 1 and powers of x / (x + k), and the last of these by `tail`."""
    total, low = w.mul(power(w, n + 1, x, SHIFT), tail), w.number(0.0)
    terms = [power(w, n + 1, x, k) for k in range(SHIFT - 1, 0, -1)]
    for term in [*terms, w.number(1.0)]:
        before, total = total, w.add(total, term)
        low = w.add(low, error_of_sum(w, before, term, total))
    return total, low


def _euler_maclaurin(w, n, v):
    """E(1/v)."""
    rising, coefficients = Fraction(1), [0.0]
    for j, b in enumerate(BERNOULLI, 1):
        rising *= Fraction((n + 2 * j - 2) * (n + 2 * j - 1), (2 * j - 1) * 2 * j)
        coefficients.append(float(b * rising))
    rest = w.add(w.mul(v, w.number(n / 2)), w.polynomial(w.mul(v, v), coefficients))
    return w.add(w.number(1.0), rest)


def _by_products(w, s, x, k):
    """(x / (x + k))^s, by squaring."""
    found, x = None, w.div(x, w.add(x, w.number(k)))
    while s:
        if s & 1:
            found = x if found is None else w.mul(found, x)
        s >>= 1
        if s:
            x = w.mul(x, x)
    return found


def _by_logarithm(w, s, x, k):
    """(x / (x + k))^s of a positive x, which for many factors is closer."""
    log = logarithm_of_one_more(w, w.div(w.number(k), x))
    return exponential(w, w.mul(log, w.number(-s)))
