"""Checks before a run how much memory a module needs at once, and whether the machine has it."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator, Mapping

from ..ir import Function, MindError, Module, Op, Operation, Reject, TensorType
from ..ir.places import place

LARGEST = 2**62
"""More bytes than any address space has; a limit for the products that MLIR computes in 64 bits."""

MAX_RANK = 31
"""The most axes of an array. NumPy 1 has up to 32, and a sum needs one more than its operand."""


def available() -> int:
    """The bytes of memory that this process may use: the machine's, or less if a limit is set."""
    limits = [LARGEST]
    with contextlib.suppress(AttributeError, ValueError, OSError):
        limits.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError), open(path) as f:
            limits.append(int(f.read()))
    try:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            limits.append(soft)
    except ImportError:
        pass
    return min(limits)


def check_memory(m: Module, limit: int | None = None) -> None:
    """E6004 if a value, or all values that are live at once, need more than `limit` bytes (default: the machine's)."""
    limit = available() if limit is None else limit
    fit: set[TensorType] = set()
    peaks: dict[Function, int] = {}
    for f in m.functions:
        peaks[f] = _checked_peak(f.body, peaks, limit, fit)
    _checked_peak(m, peaks, limit, fit)


def _checked_peak(m: Module, peaks: Mapping[Function, int], limit: int, fit: set[TensorType]) -> int:
    """The most bytes that are live at once; `fit` are types that are known to fit. E6004."""
    peak = 0
    for o, scratch, needed in _live(m, peaks):
        for what, t in (*(("makes", t) for t in o.types), *(("needs", t) for t in scratch)):
            if t not in fit:
                try:
                    check_type(f"{o.opcode} {what} {t}", t, limit)
                except Reject as why:
                    raise MindError([place(m, o, why)]) from None
                fit.add(t)
        if needed > limit:
            message = f"{_bytes(needed)} are needed at once at %{o.results[0].id}; {_bytes(limit)} are available"
            raise MindError([place(m, o, Reject("E6004", message, at="value"))])
        peak = max(peak, needed)
    return peak


def peak_memory(m: Module) -> int:
    """The most bytes that are live at once: Inputs, values that are still used, outputs, and scratch.

    An operation that holds functions needs what the hungriest of them does besides its parameters.
    """
    peaks: dict[Function, int] = {}
    for f in m.functions:
        peaks[f] = _peak(f.body, peaks)
    return _peak(m, peaks)


def _peak(m: Module, peaks: Mapping[Function, int]) -> int:
    return max((needed for _, _, needed in _live(m, peaks)), default=0)


def _live(m: Module, peaks: Mapping[Function, int]) -> Iterator[tuple[Operation, tuple[TensorType, ...], int]]:
    """Every operation with its scratch, and the bytes that are live while it runs; `peaks` has those of functions."""
    last_use = m.last_use
    forever = {*m.outputs, *(o.id for o in m.inputs)}
    ends: dict[int, list[int]] = {}
    for i, n in last_use.items():
        if i not in forever:
            ends.setdefault(n, []).append(i)
    values = m.values
    sizes: dict[int, int] = {}
    live = 0
    for n, o in enumerate(m.operations):
        for r in o.results:
            sizes[r.id] = r.type.nbytes
            live += sizes[r.id]
        scratch = o.op.scratch(*(values[i].type for i in o.operands))
        inside = 0
        if o.op.function_attributes:
            inside = max([peaks[f] - sum([t.nbytes for t in f.in_types]) for f in o.op.functions()], default=0)
        yield o, scratch, live + inside + sum(t.nbytes for t in scratch)
        for i in ends.get(n, ()):
            live -= sizes[i]
        for r in o.results:
            if r.id not in last_use and r.id not in forever:
                live -= sizes[r.id]


def check_type(what: str, t: TensorType, limit: int) -> None:
    """E6003 for a rank that arrays cannot have, E6004 unless an array of this type fits into `limit` bytes."""
    if t.rank > MAX_RANK:
        raise Reject("E6003", f"{what} of rank {t.rank}; arrays have up to {MAX_RANK} axes", at="type")
    if t.nbytes > limit:
        raise Reject("E6004", f"{what}, {_bytes(t.nbytes)}; {_bytes(limit)} are available", at="type")
    if (reach := _reach(t)) > limit:
        raise Reject("E6004", f"{what}, whose extents other than 0 span {_bytes(reach)}", at="type")


def check_addressable(t: TensorType) -> None:
    """E6004 for tensors larger than any memory. MLIR multiplies all extents except 0 in 64 bits."""
    if _reach(t) > LARGEST:
        raise Reject("E6004", f"{t} is larger than any memory")


def _reach(t: TensorType) -> int:
    """The bytes without extents of 0, since NumPy and MLIR multiply the others even beside a 0."""
    return t.dtype.width * math.prod(n or 1 for n in t.shape)


def check_before_run(m: Module) -> None:
    """Errors of valid modules that are known before anything runs: E6001 for a constant index, E6004."""
    for f in m.functions:
        _check_operations(f.body)
    _check_operations(m)
    check_memory(m)


def _check_operations(m: Module) -> None:
    values = m.values
    for o in m.operations:
        try:
            o.op.check_before_run(*(values[i].type for i in o.operands))
        except Reject as why:
            raise MindError([place(m, o, why)]) from None


def checks_indices(op: Op) -> bool:
    """True if a run may meet an index that is out of bounds, in the operation or in a function that it holds."""
    inside = [o.op for f in op.functions() for o in f.body.every_operation]
    return any(getattr(x, "oob", None) == "error" for x in (op, *inside))


def _bytes(n: int) -> str:
    for unit, size in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6)):
        if n >= size:
            return f"{n / size:.1f} {unit}" if n < 10**18 else f"{n:.1e} bytes"
    return f"{n} bytes"
