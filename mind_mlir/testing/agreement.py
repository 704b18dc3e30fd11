"""Native results held against the interpreter's, as closely as a numerics mode promises.

strict is the same bits everywhere.  The other modes leave the rounding of some operations open; what does not depend
on one of those has the same bits still, and everything else a bound for each element, from the values and magnitudes
in this very run (`rounding`).  A term that is wrong or missing is far outside of it.
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
    """One output: `differs` where it is further off than allowed; `worst` is the largest difference in units of that.

    `radius` is what is allowed: 0 the same bits, inf anything.  `same` is true where every bit is equal.
    """

    differs: numpy.ndarray
    radius: numpy.ndarray
    worst: float
    same: numpy.ndarray

    @property
    def compared(self) -> int:
        """Elements that may not be anything."""
        return int(np.isfinite(self.radius).sum())


def allowed(m: Module, arrays: Sequence[Any], numerics: str = "default") -> list[numpy.ndarray]:
    """For each output and element, how far native code may lie from `interpret(m, *arrays)`.

    0 is the same bits, inf is anything.  The arguments are those of a run that succeeds.
    """
    known: dict[int, Known] = {o.id: Known(a) for o, a in zip(m.inputs, arrays)}
    last_use = {i: n for n, o in enumerate(m.operations) for i in o.operands}
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
    """Each output of native code against that of the interpreter, for the arguments that gave both."""
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
    """Element by element; the sign and payload of a NaN are free."""
    a, b = np.ascontiguousarray(a).reshape(np.shape(a)), np.ascontiguousarray(b).reshape(np.shape(b))
    if (a.dtype, a.shape) != (b.dtype, b.shape):
        raise TypeError(f"a {a.dtype}{list(a.shape)} against a {b.dtype}{list(b.shape)}")
    kind = f"i{a.itemsize}"
    same = a.view(kind) == b.view(kind)
    return np.asarray(same | (np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" else same)
