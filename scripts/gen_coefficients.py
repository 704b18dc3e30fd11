#!/usr/bin/env python3
"""Write mind_mlir/ops/_coefficients.py: the minimax polynomials of functions.

Each is found by Remez's exchange in decimal arithmetic of 60 digits and then rounded to its dtype, term by term. It has
the smallest largest relative error of the result. This takes a few seconds.
With --check: write nothing, and fail if the file is not what would be written.
"""

from __future__ import annotations

import decimal
import math
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "mind_mlir" / "ops" / "_coefficients.py"

HEAD = '''\
# Written by scripts/gen_coefficients.py; do not edit.
"""Minimax polynomials, lowest power first. A comment says the largest relative error before rounding."""
'''

GRID = 800
"""The number of intervals of the grid on which extrema are searched; it is dense at both ends."""

decimal.getcontext().prec = 60
decimal.getcontext().Emin = -(10**6)
LN2 = Decimal(2).ln()
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
ANGLE = PI / 4 + Decimal("0.006")


@dataclass(frozen=True)
class Problem:
    """The polynomial of `degree` on [low, high] with the least maximum of |weight · (function - polynomial)|."""

    name: str
    width: int  # of the dtype, in bytes
    degree: int
    low: Decimal
    high: Decimal
    function: Callable[[Decimal], Decimal]
    weight: Callable[[Decimal], Decimal]
    stepwise: bool = False
    """True if a coefficient is rounded before those after it are found, which then make up for that."""


def exponential(name: str, width: int, degree: int) -> Problem:
    """The q with e^r = 1 + r + r²·q(r); the interval is wider than [-ln2/2, ln2/2] by what rounding may add."""
    bound = LN2 / 2 * Decimal("1.0001")
    return Problem(name, width, degree, -bound, bound, lambda r: (r.exp() - 1 - r) / r**2, lambda r: r**2 / r.exp())


def logarithm(name: str, width: int, degree: int) -> Problem:
    """The q with ln(1 + r) = r + r²·q(r), for 1 + r in [3/4, 3/2)."""
    low, high = Decimal("-0.25"), Decimal("0.5")
    return Problem(
        name,
        width,
        degree,
        low,
        high,
        lambda r: ((1 + r).ln() - r) / r**2,
        lambda r: abs(r**2 / (1 + r).ln()),
    )


def quotient_logarithm(name: str, width: int, degree: int) -> Problem:
    """The p with ln(1 + f) = 2·s + s·z·p(z), s = f / (2 + f) and z = s², for 1 + f in [3/4, 3/2): |s| <= 1/5."""

    def twice_atanh_by_s(z: Decimal) -> Decimal:
        s = z.sqrt()
        return ((1 + s) / (1 - s)).ln() / s

    return Problem(
        name,
        width,
        degree,
        Decimal(0),
        Decimal("0.040001"),
        lambda z: (twice_atanh_by_s(z) - 2) / z,
        lambda z: z / twice_atanh_by_s(z),
    )


def hyperbolic_sine(name: str, width: int, degree: int) -> Problem:
    """The p with sinh x = x + x³·p(x²), for |x| up to 1."""

    def sinh_by_x(z: Decimal) -> Decimal:
        x = z.sqrt()
        return (x.exp() - (-x).exp()) / (2 * x)

    return Problem(
        name,
        width,
        degree,
        Decimal(0),
        Decimal(1),
        lambda z: (sinh_by_x(z) - 1) / z,
        lambda z: z / sinh_by_x(z),
        stepwise=True,
    )


def hyperbolic_tangent(name: str, width: int, degree: int, high: str) -> Problem:
    """The p with tanh x = x + x³·p(x²), for |x| up to `high`."""

    def tanh_by_x(z: Decimal) -> Decimal:
        x = z.sqrt()
        e = (2 * x).exp()
        return (e - 1) / (e + 1) / x

    return Problem(
        name,
        width,
        degree,
        Decimal(0),
        Decimal(high) ** 2,
        lambda z: (tanh_by_x(z) - 1) / z,
        lambda z: z / tanh_by_x(z),
        stepwise=width == 4,
    )


def sine(name: str, width: int, degree: int) -> Problem:
    """The p with sin r = r + r·z·p(z), z = r², up to r = π/4 and what rounding the number of quarter turns adds."""

    def sine_by_r(z: Decimal) -> Decimal:
        return series(lambda n: -z / ((2 * n) * (2 * n + 1)))

    return Problem(
        name,
        width,
        degree,
        Decimal(0),
        ANGLE**2,
        lambda z: (sine_by_r(z) - 1) / z,
        lambda z: z / sine_by_r(z),
        stepwise=True,
    )


def cosine(name: str, width: int, degree: int) -> Problem:
    """The p with cos r = 1 - z/2 + z²·p(z), z = r², for the same angles."""

    def cosine_by_z(z: Decimal) -> Decimal:
        return series(lambda n: -z / ((2 * n - 1) * (2 * n)))

    return Problem(
        name,
        width,
        degree,
        Decimal(0),
        ANGLE**2,
        lambda z: (cosine_by_z(z) - 1 + z / 2) / z**2,
        lambda z: z**2 / cosine_by_z(z),
        stepwise=True,
    )


def error_by_x(z: Decimal) -> Decimal:
    """erf(x) / x, with z = x²: 2/√π · e^-z · (1 + 2z/3 + (2z)²/(3·5) + …)."""
    return 2 / PI.sqrt() * (-z).exp() * series(lambda n: 2 * z / (2 * n + 1))


def error_near_zero(name: str, width: int, degree: int) -> Problem:
    """The p with erf x = x + x·p(z), z = x², up to 1."""
    return Problem(
        name,
        width,
        degree,
        Decimal(0),
        Decimal(1),
        lambda z: error_by_x(z) - 1,
        lambda z: 1 / error_by_x(z),
        stepwise=True,
    )


def error_above(name: str, width: int, degree: int) -> Problem:
    """The p with 1 - erf x = 2^(-x·p(x)), for x from 0.95 to 3.95; the error is that of erf x."""

    def complement(x: Decimal) -> Decimal:
        return 1 - x * error_by_x(x * x)

    return Problem(
        name,
        width,
        degree,
        Decimal("0.95"),
        Decimal("3.95"),
        lambda x: -complement(x).ln() / x / LN2,
        lambda x: LN2 * x * complement(x) / (1 - complement(x)),
        stepwise=True,
    )


def quotient_log2(name: str, width: int, degree: int) -> Problem:
    """The p with log2 m = q·p(z), q = (m - 1) / (m + 1) and z = q², for m in [3/4, 3/2): |q| <= 1/5."""

    def log2_by_q(z: Decimal) -> Decimal:
        q = z.sqrt()
        return ((1 + q) / (1 - q)).ln() / q / LN2

    return Problem(name, width, degree, Decimal(0), Decimal("0.040001"), log2_by_q, lambda z: 1 / log2_by_q(z))


def power_of_two(name: str, width: int, degree: int) -> Problem:
    """The p with 2^r = 1 + r·p(r), for r in [-1/2, 1/2]."""
    half = Decimal("0.5")
    return Problem(
        name,
        width,
        degree,
        -half,
        half,
        lambda r: ((r * LN2).exp() - 1) / r,
        lambda r: abs(r) * (-r * LN2).exp(),
        stepwise=width == 4,
    )


def log_gamma(x: Decimal) -> Decimal:
    """ln Γ(x), for x > 0: Stirling's series at x + n, less the logarithms of x, x + 1, …"""
    below = Decimal(1)
    while x < STIRLING:
        below *= x
        x += 1
    return (x - HALF) * x.ln() - x + (2 * PI).ln() / 2 + stirling(x) - below.ln()


def stirling(x: Decimal) -> Decimal:
    """The sum of B_2j / (2j·(2j - 1)·x^(2j - 1)), for large x."""
    return sum((b / (2 * j * (2 * j - 1) * x ** (2 * j - 1)) for j, b in enumerate(BERNOULLI, 1)), Decimal(0))


def digamma(x: Decimal) -> Decimal:
    """The derivative of ln Γ(x), for x > 0."""
    above = Decimal(0)
    while x < STIRLING:
        above += 1 / x
        x += 1
    terms = (b / (2 * j * x ** (2 * j)) for j, b in enumerate(BERNOULLI, 1))
    return x.ln() - HALF / x - sum(terms, Decimal(0)) - above


def bernoulli(count: int) -> list[Decimal]:
    """B_2, B_4, …, by the sum of binomial(n + 1, k)·B_k over k <= n, which is 0."""
    found = [Fraction(1)]
    for n in range(1, 2 * count + 1):
        found.append(-sum((math.comb(n + 1, k) * b for k, b in enumerate(found)), Fraction(0)) / (n + 1))
    return [Decimal(b.numerator) / b.denominator for b in found[2::2]]


HALF = Decimal("0.5")
STIRLING = 40
"""From here on the series has 60 digits."""

BERNOULLI = bernoulli(40)
DIGAMMA_ZERO = Decimal("1.46163214496836234126265954232572132846819620400644629512959841")


def gamma_between_zeros(name: str, width: int, degree: int) -> Problem:
    """The q with ln Γ(1 + t) = t·(t - 1)·q(t - 1/2), for t from 0 to 1."""

    def quotient(u: Decimal) -> Decimal:
        t = u + HALF
        return log_gamma(1 + t) / (t * (t - 1))

    bound = HALF * Decimal("1.0000001")  # at 1/2 it is 0 by 0
    return Problem(name, width, degree, -bound, bound, quotient, lambda u: 1 / quotient(u))


def gamma_above(name: str, width: int, degree: int) -> Problem:
    """The p with ln Γ(x) = (x - 1/2)·ln x - x + ln(2π)/2 + p(z)/x, z = 1/x², from x = 8 on."""

    def times_x(z: Decimal) -> Decimal:
        x = 1 / z.sqrt()
        return (log_gamma(x) - (x - HALF) * x.ln() + x - (2 * PI).ln() / 2) * x if x < STIRLING else stirling(x) * x

    return Problem(name, width, degree, Decimal(0), 1 / Decimal(64), times_x, lambda z: Decimal(1))


def digamma_around_zero(name: str, width: int, degree: int) -> Problem:
    """The q with ψ(1 + t) = (t - t0)·q(t - 1/2), t0 its zero, for t from 0 to 1."""

    def quotient(u: Decimal) -> Decimal:
        return digamma(1 + HALF + u) / (1 + HALF + u - DIGAMMA_ZERO)

    return Problem(name, width, degree, -HALF, HALF, quotient, lambda u: 1 / quotient(u))


def digamma_above(name: str, width: int, degree: int) -> Problem:
    """The p with ψ(x) = ln x - 1/2x - z·p(z), z = 1/x², from x = 2 on."""

    def rest(z: Decimal) -> Decimal:
        x = 1 / z.sqrt()
        if x > STIRLING:
            return sum((b / (2 * j) * z ** (j - 1) for j, b in enumerate(BERNOULLI, 1)), Decimal(0))
        return (x.ln() - HALF / x - digamma(x)) / z

    return Problem(name, width, degree, Decimal(0), Decimal("0.25"), rest, lambda z: z / digamma(1 / z.sqrt()))


def series(factor: Callable[[int], Decimal]) -> Decimal:
    """The sum of 1 and terms of which the n-th is the one before times factor(n)."""
    total = term = Decimal(1)
    n = 0
    while abs(term) > Decimal("1e-60") * abs(total):
        n += 1
        term *= factor(n)
        total += term
    return total


PROBLEMS = (
    exponential("EXP_F32", 4, 4),
    exponential("EXP_F64", 8, 9),
    exponential("EXPM1_F32", 4, 5),
    logarithm("LOG_F32", 4, 8),
    quotient_logarithm("LOG_F64", 8, 7),
    hyperbolic_sine("SINH_F32", 4, 3),
    hyperbolic_tangent("TANH_F32", 4, 6, "0.9"),
    hyperbolic_tangent("TANH_F64", 8, 10, "0.6"),
    sine("SIN_F32", 4, 2),
    cosine("COS_F32", 4, 2),
    error_near_zero("ERF_F32", 4, 6),
    error_above("ERFC_F32", 4, 5),
    quotient_log2("LOG2_F64", 8, 4),
    power_of_two("EXP2_F32", 4, 5),
    power_of_two("EXP2_F64", 8, 6),
    gamma_between_zeros("LOG_GAMMA_F64", 8, 21),
    gamma_above("LOG_GAMMA_ABOVE_F64", 8, 7),
    digamma_around_zero("DIGAMMA_F64", 8, 22),
    digamma_above("DIGAMMA_ABOVE_F64", 8, 15),
)


def solve(rows: list[list[Decimal]]) -> list[Decimal]:
    """The solution of a linear system whose rows end in their right-hand sides."""
    n = len(rows)
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(i + 1, n):
            factor = rows[r][i] / rows[i][i]
            rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    out = [Decimal(0)] * n
    for i in reversed(range(n)):
        out[i] = (rows[i][n] - sum(rows[i][j] * out[j] for j in range(i + 1, n))) / rows[i][i]
    return out


def value(coefficients: list[Decimal], x: Decimal) -> Decimal:
    total = Decimal(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def extrema(errors: list[Decimal], count: int) -> list[int]:
    """The `count` successive positions of the grid at which errors of alternating sign are largest."""
    found: list[int] = []
    for i, e in enumerate(errors):
        if found and (errors[found[-1]] > 0) == (e > 0):
            if abs(e) > abs(errors[found[-1]]):
                found[-1] = i
        else:
            found.append(i)
    while len(found) > count:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def minimax(p: Problem) -> tuple[list[Decimal], Decimal]:
    """The coefficients and the largest weighted error."""
    middle, half = (p.low + p.high) / 2, (p.high - p.low) / 2
    # near 0 the functions are differences of nearly equal numbers, so it is left out
    grid = [middle - half * Decimal(math.cos(math.pi * i / GRID)) for i in range(GRID + 1)]
    grid = [x if abs(x) > Decimal("1e-9") else Decimal("1e-9") for x in grid]
    f, w = [p.function(x) for x in grid], [p.weight(x) for x in grid]
    n = p.degree
    places = [round(GRID * i / (n + 1)) for i in range(n + 2)]
    seen: list[list[int]] = []
    while True:
        # the error has one size at n + 2 points, with alternating sign
        rows = [[*(grid[i] ** k for k in range(n + 1)), (-1) ** r / w[i], f[i]] for r, i in enumerate(places)]
        *coefficients, _ = solve([[Decimal(x) for x in row] for row in rows])
        errors = [wi * (fi - value(coefficients, x)) for x, fi, wi in zip(grid, f, w)]
        found = extrema(errors, n + 2)
        seen.append(places)
        if found in seen or len(found) < n + 2:  # neighbours on the grid may alternate
            return coefficients, max(map(abs, errors))
        places = found


def coefficients(p: Problem) -> tuple[list[float], Decimal]:
    """The coefficients as they are written, and the largest weighted error of the polynomial."""
    found, error = minimax(p)
    if not p.stepwise:
        return [rounded(c, p.width) for c in found], error
    written: list[float] = []
    rest = p
    while rest.degree >= 0:
        written.append(rounded(minimax(rest)[0][0], p.width))
        rest = after(rest, Decimal(written[-1]))
    return written, error


def after(p: Problem, first: Decimal) -> Problem:
    """The polynomial q for which first + x·q(x) is the best there is."""
    return replace(
        p, degree=p.degree - 1, function=lambda x: (p.function(x) - first) / x, weight=lambda x: abs(x) * p.weight(x)
    )


def rounded(c: Decimal, width: int) -> float:
    return float(c) if width == 8 else float(struct.unpack("f", struct.pack("f", float(c)))[0])


def text() -> str:
    out = [HEAD]
    for p in PROBLEMS:
        found, error = coefficients(p)
        out.append(f"\n{p.name} = (  # 2^{math.log2(error):.1f}\n")
        out += [f"    {c!r},\n" for c in found]
        out.append(")\n")
    return "".join(out)


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text():
            print(f"{TARGET.name} is out of date: run scripts/gen_coefficients.py", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
