"""mind-run --compare: compares the results of compiled code with the interpreter's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir import MindError, Module, np
from ..ir.diagnostics import count


def compare(
    m: Module,
    arrays: Sequence[Any],
    native: Sequence[Any],
    expected: Sequence[Any],
    numerics: str,
    tolerance: float | None,
    target: str = "cpu",
) -> str:
    """One line that says how well outputs agree. E7011 for the first value that is further off than allowed.

    Allowed is what `numerics` allows for these arguments, or a relative `tolerance` if it is not None; 0 stands for
    equal bits. NaNs are equal whatever their payload.
    """
    from ..testing.agreement import compared

    found = compared(m, arrays, native, expected, "strict" if tolerance is not None else numerics)
    worst, free = 0.0, 0
    for n, (a, b, c) in enumerate(zip(native, expected, found)):
        differs = c.differs if not tolerance else c.differs & ~_within(a, b, tolerance)
        if differs.any():
            where = tuple(int(i) for i in np.argwhere(differs)[0])
            more = "" if tolerance is not None or numerics == "strict" else f" by more than numerics={numerics} allows"
            limit = f", by up to {c.radius[where]:.3g} here" if more and c.radius[where] else ""
            values = f"{int(differs.sum())} of {differs.size} values of out{n}: {m.output_types[n]}"
            raise MindError.of(
                "E7011",
                f"out{n}{list(where)} is {a[where]!s} on {target} and {b[where]!s} on interpret",
                note=f"{values} differ{more}{limit}",
            )
        worst = max(worst, c.worst)
        free += int((~c.same & ~np.isfinite(c.radius)).sum())
    equal = f"{count(len(found), 'output')} equal on {target} and interpret"
    if all(c.same.all() for c in found):
        return equal
    if tolerance is not None:
        return f"{equal} within {tolerance:g}"
    unknown = f"; of {count(free, 'value')} nothing can be said" if free else ""
    return f"{equal} up to rounding, at most {worst:.2g} of what numerics={numerics} allows{unknown}"


def _within(a: Any, b: Any, tolerance: float) -> Any:
    """True where floats differ by no more than `tolerance` of the second; never at an infinity or a NaN."""
    with np.errstate(invalid="ignore"):
        return (a.dtype.kind in "fV") & np.isfinite(b) & (np.abs(a - b) <= tolerance * np.abs(b))
