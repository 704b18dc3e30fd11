"""Checks the arrays of a call against the module's Inputs, and those of `out=`, before anything runs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import MindError, Module, TensorType, np
from ..ir.diagnostics import count

if TYPE_CHECKING:
    import numpy


def bind(
    names: Sequence[str], types: Sequence[TensorType], arrays: Sequence[Any], named: Mapping[str, Any]
) -> list[numpy.ndarray]:
    """The arguments as C-ordered arrays of the Inputs' types, in order. E6009 says which one does not fit, and why."""
    values = by_position(names, types, arrays, named)
    return [checked(f"argument {n}", t, value) for n, t, value in zip(names, types, values)]


def by_position(
    names: Sequence[str], types: Sequence[TensorType], arrays: Sequence[Any], named: Mapping[str, Any]
) -> list[Any]:
    """The argument for each Input, in order, whatever its type. E6009 if there are too many, or one is missing."""
    if len(arrays) > len(names):
        message = f"{count(len(names), 'argument')} expected, found {len(arrays)}"
        raise MindError.of("E6009", message, note=_signature(names, types))
    given = dict(zip(names, arrays))
    for name, value in named.items():
        if name in given:
            raise MindError.of("E6009", f"argument {name} is given twice: by position and by name")
        if name not in names:
            raise MindError.of("E6009", f"no Input is named {name}", note=_signature(names, types))
        given[name] = value
    missing = [n for n in names if n not in given]
    if missing:
        raise missing_arguments(missing, names, types)
    return [given[n] for n in names]


def missing_arguments(
    missing: Sequence[str], names: Sequence[str], types: Sequence[TensorType], help: str = ""
) -> MindError:
    """E6009 for the Inputs in `missing`, which got no argument; `names` and `types` are those of all."""
    what = f"arguments {', '.join(missing)} are" if len(missing) > 1 else f"argument {missing[0]} is"
    return MindError.of("E6009", f"{what} missing", note=_signature(names, types), help=help)


def checked(what: str, type: TensorType, value: Any, instead: str = "") -> numpy.ndarray:
    """`value` as a C-ordered, aligned array of exactly this type; NumPy scalars serve as rank-0 arrays.

    Else E6009, with help on what to pass: `instead` with the type's {shape} and {dtype}, or how to make `value` fit.
    """
    if isinstance(value, np.generic):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        raise _wrong(what, type, instead, f"a {value.__class__.__name__}", f"np.asarray(x, {type.dtype.in_numpy})")
    if value.dtype != type.dtype.numpy or value.shape != type.shape:  # text of a dtype takes 4 µs: on errors alone
        found = f"{value.dtype}{list(value.shape)}"
        if value.dtype == type.dtype.numpy:
            raise _wrong(what, type, instead, found, "an array of that shape; nothing is broadcast at a call")
        if not value.dtype.isnative:
            found += " in the other byte order"
        raise _wrong(what, type, instead, found, f"x.astype({type.dtype.in_numpy})")
    if not value.flags.c_contiguous:
        layout = "Fortran-ordered" if value.flags.f_contiguous else "strided"
        raise _wrong(what, type, instead, f"a {layout} array", "np.ascontiguousarray(x)")
    if not value.flags.aligned:
        raise _wrong(what, type, instead, "an array that is not aligned in memory", "x.copy()")
    return value


def checked_outputs(types: Sequence[TensorType], out: Any, inputs: Sequence[numpy.ndarray]) -> list[numpy.ndarray]:
    """The arrays of `out=`, one for each output. E6009 unless they are writable and share no memory with any other."""
    arrays = [out] if isinstance(out, np.ndarray) else list(out) if isinstance(out, (list, tuple)) else None
    if arrays is None or len(arrays) != len(types):
        found = f"a {out.__class__.__name__}" if arrays is None else f"{len(arrays)}"
        raise MindError.of("E6009", f"out= takes {count(len(types), 'array')}, found {found}")
    for n, (t, a) in enumerate(zip(types, arrays)):
        checked(f"out[{n}]", t, a, instead="np.empty({shape}, {dtype})")
        if not a.flags.writeable:
            raise MindError.of("E6009", f"out[{n}] is read-only", help="np.empty_like(x) makes a writable array")
    _check_apart(arrays, inputs)
    return arrays


def _check_apart(outputs: Sequence[numpy.ndarray], inputs: Sequence[numpy.ndarray]) -> None:
    """E6009 for the first array of `out=` that shares memory with one before it or with an argument."""
    overlap = _overlapping([*outputs, *inputs])
    others = [(a, f"out[{n}]") for n, a in enumerate(outputs) if n in overlap]
    arguments = [(a, "an argument") for n, a in enumerate(inputs, len(outputs)) if n in overlap]
    for n, (a, name) in enumerate(others):
        for other, what in (*others[:n], *arguments):
            if np.may_share_memory(a, other):
                raise MindError.of("E6009", f"{name} shares memory with {what}", help="pass an array of its own")


def _overlapping(arrays: Sequence[numpy.ndarray]) -> set[int]:
    """The positions of C-ordered arrays that may share memory with another one, found by sorting their addresses."""
    found = set[int]()
    ranges = sorted((a.ctypes.data, a.nbytes, n) for n, a in enumerate(arrays) if a.nbytes)
    end, last = 0, -1
    for at, size, n in ranges:
        if at < end:
            found |= {n, last}
        if at + size > end:
            end, last = at + size, n
    return found


def _wrong(what: str, type: TensorType, instead: str, found: str, fix: str) -> MindError:
    name = what.removeprefix("argument ")
    if name.isidentifier():
        fix = re.sub(r"\bx\b", name, fix)
    fix = instead.format(shape=type.shape, dtype=type.dtype.in_numpy) or fix
    return MindError.of("E6009", f"{what}: expected {type}, found {found}", help=f"pass {fix}")


def _signature(names: Sequence[str], types: Sequence[TensorType]) -> str:
    shown = [f"{n}: {t}" for n, t in zip(names[:20], types)]
    return f"the Inputs are ({', '.join(shown)}{', …' if len(names) > 20 else ''})"


def random_arguments(m: Module, seed: int) -> dict[str, numpy.ndarray]:
    """An array for each Input, by name.

    Floats are standard normal; truth values are either; integers are from 0 to 7, and indices at most the last position
    that they can name.
    """
    rows: dict[int, int] = {}
    for o in m.operations:
        if "indices" in o.op.operand_names:
            indices = o.operands[o.op.operand_names.index("indices")]
            rows[indices] = min(o.op.span(m.values[o.operands[0]].type), rows.get(indices, 8))
    types = {o.op.name: o.type for o in m.inputs}  # type: ignore[attr-defined]
    most = {o.op.name: max(rows.get(o.id, 8), 1) for o in m.inputs}  # type: ignore[attr-defined]
    return random_arrays(types, seed, most)


def random_arrays(
    types: Mapping[str, TensorType], seed: int, most: Mapping[str, int] | None = None
) -> dict[str, numpy.ndarray]:
    """An array of each type, by name: floats are standard normal, truth values either, integers below `most`, or 0."""
    r = np.random.default_rng(seed)
    out: dict[str, numpy.ndarray] = {}
    for name, type in types.items():
        top = (most or {}).get(name, 1)
        if type.dtype.is_bool:
            top = 2
        values = r.standard_normal(type.shape) if type.dtype.is_float else r.integers(0, top, type.shape)
        out[name] = np.asarray(values).astype(type.dtype.numpy)
    return out
