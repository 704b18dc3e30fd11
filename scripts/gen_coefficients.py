#!/usr/bin/env python3
"""Write mind_mlir/ops/_coefficients.py: the minimax polynomials of functions.

Each is found by Remez's exchange in decimal arithmetic of 60 digits and then rounded to its dtype, term by term. It has
the smallest largest relative error of the result. This takes about a second.
With --check: write nothing, and fail if the file is not what would be written.
"""

from __future__ import annotations

import decimal
import math
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
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
    )


PROBLEMS = (
    exponential("EXP_F32", 4, 4),
    exponential("EXP_F64", 8, 9),
    exponential("EXPM1_F32", 4, 5),
    logarithm("LOG_F32", 4, 8),
    quotient_logarithm("LOG_F64", 8, 7),
    hyperbolic_sine("SINH_F32", 4, 3),
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
    while True:
        # the error has one size at n + 2 points, with alternating sign
        rows = [[*(grid[i] ** k for k in range(n + 1)), (-1) ** r / w[i], f[i]] for r, i in enumerate(places)]
        *coefficients, _ = solve([[Decimal(x) for x in row] for row in rows])
        errors = [wi * (fi - value(coefficients, x)) for x, fi, wi in zip(grid, f, w)]
        found = extrema(errors, n + 2)
        if found == places or len(found) < n + 2:
            return coefficients, max(map(abs, errors))
        places = found


def rounded(c: Decimal, width: int) -> float:
    return float(c) if width == 8 else float(struct.unpack("f", struct.pack("f", float(c)))[0])


def text() -> str:
    out = [HEAD]
    for p in PROBLEMS:
        coefficients, error = minimax(p)
        out.append(f"\n{p.name} = (  # 2^{math.log2(error):.1f}\n")
        out += [f"    {rounded(c, p.width)!r},\n" for c in coefficients]
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
