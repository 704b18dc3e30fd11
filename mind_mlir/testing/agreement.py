"""Compares native results with the interpreter's, as closely as a numerics mode promises.

In strict all bits are the same. The other modes leave the rounding of some operations open: values that depend on none
of these have the same bits still, and all others a bound for each element, from the values and magnitudes in this run
(`rounding`). A wrong or missing term is far outside of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..ir import Module, np
from .rounding import Known, results_of

if TYPE_CHECKING:
    import numpy


@dataclass(frozen=True)
class Comparison:
    """The comparison of one output: `differs` is true where it is further off than `radius` allows.

    A radius of 0 allows the same bits alone, one of inf anything. `worst` is the largest difference in units of the
    radius, and `same` is true where all bits are equal.
    """

    differs: numpy.ndarray
    radius: numpy.ndarray
    worst: float
    same: numpy.ndarray

    @property
    def compared(self) -> int:
        """The number of elements with a finite radius."""
        return int(np.isfinite(self.radius).sum())


def allowed(m: Module, arrays: Sequence[Any], numerics: str = "default") -> list[numpy.ndarray]:
    """For each output and element, how far native code may be from `interpret(m, *arrays)`.

    0 allows the same bits alone, inf anything. The arguments must be those of a run that succeeds.
    """
    known: dict[int, Known] = {o.id: Known(a) for o, a in zip(m.inputs, arrays)}
    last_use = m.last_use
    kept = set(m.outputs)
    with np.errstate(all="ignore"):
        for n, o in enumerate(m.operations):
            if o.ids[0] not in known:
                operands = [known[i] for i in o.operands]
                values = o.op.result_arrays(*[x.value for x in operands])
                known.update(zip(o.ids, results_of(o.op, values, operands, numerics), strict=True))
            for i in o.operands:
                if last_use[i] == n and i not in kept:
                    known.pop(i, None)
    return [known[i].radii for i in m.outputs]


def compared(
    m: Module, arrays: Sequence[Any], found: Sequence[Any], expected: Sequence[Any], numerics: str = "default"
) -> list[Comparison]:
    """Compare each output of native code with that of the interpreter, for the arguments that gave both."""
    alike = [_same_bits(a, b) for a, b in zip(found, expected, strict=True)]
    if all(x.all() for x in alike) or numerics == "strict":
        return [Comparison(~x, np.zeros(x.shape), 0.0, x) for x in alike]
    radii = allowed(m, arrays, numerics)
    return [_within(a, b, x, r) for a, b, x, r in zip(found, expected, alike, radii, strict=True)]


def _within(found: Any, expected: Any, same: numpy.ndarray, radius: numpy.ndarray) -> Comparison:
    with np.errstate(all="ignore"):
        distance = np.abs(np.asarray(found, np.float64) - np.asarray(expected, np.float64))
        near = np.isinf(radius) | (distance <= radius)  # a NaN is not
        off = np.where(np.isfinite(radius) & (radius > 0) & np.isfinite(distance), distance / radius, 0.0)
    return Comparison(~(same | near), radius, float(off.max(initial=0.0)), same)


def _same_bits(a: Any, b: Any) -> numpy.ndarray:
    """True for elements with equal bits; the sign and payload of a NaN do not matter."""
    a, b = np.ascontiguousarray(a).reshape(np.shape(a)), np.ascontiguousarray(b).reshape(np.shape(b))
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        raise TypeError(f"a {a.dtype}{list(a.shape)} against a {b.dtype}{list(b.shape)}")
    kind = f"i{a.itemsize}"
    same = a.view(kind) == b.view(kind)
    return np.asarray(same | (np.isnan(a) & np.isnan(b)) if a.dtype.kind in "fV" else same)
