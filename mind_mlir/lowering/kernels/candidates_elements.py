"""Records to try for element-wise kernels, transposes, sums and positions, and which can be used: see candidates.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..rules.element_rules import ElementRecord, borders_agree
from ..rules.position_rules import PositionRecord
from ..rules.sum_rules import SumRecord
from ..rules.transpose_rules import ORDERS, TransposeRecord
from ..targets.cpus import Cpu
from . import positions, sum_problem, transposing
from .candidates import Fault, fields_that_differ
from .element_program import Program

_BLOCKS = (16, 32, 64, 128, 256)
_MOST_VECTORS, _MOST_AHEAD = 16, 1024
_STREAMING = "stores past the caches need a result of the module, and rows that fit"


def elementwise_near(p: Program, r: ElementRecord, cpu: Cpu) -> Iterator[ElementRecord]:
    """Records with other numbers of vectors, narrower ones, another distance of fetches, or stores into the caches."""
    most = max(1, p.extents[-1] // r.lanes)
    yield from (replace(r, vectors=n) for n in (1, 2, 4, 8) if n <= most and n != r.vectors)
    if r.ahead:
        yield from (replace(r, ahead=n) for n in (4, 8, 16, 32, 64) if n != r.ahead)
    if r.streaming:
        yield replace(r, streaming=False)
    elif r.lanes >= 4:
        yield replace(r, lanes=r.lanes // 2, vectors=min(2 * r.vectors, 8))


def elementwise_fault(p: Program, r: ElementRecord, rule: ElementRecord, cpu: Cpu) -> Fault:
    """The field of a record that cannot be used, and why; None if all can."""
    most = cpu.vector_bytes // p.widest()
    if not 1 <= r.lanes <= most or most % r.lanes:
        return "lanes", f"lanes divide {most}, found {r.lanes}"
    if not 1 <= r.vectors <= _MOST_VECTORS:
        return "vectors", f"vectors are 1 to {_MOST_VECTORS}, found {r.vectors}"
    if r.streaming and (not rule.streaming or r.lanes != rule.lanes):
        return "streaming", _STREAMING
    if r.streaming and any(s.access.strides[-1] != 1 for s in p.stores):
        return "streaming", "stores past the caches need results whose rows are contiguous"
    if not 0 <= r.ahead <= _MOST_AHEAD:
        return "ahead", f"ahead is 0 to {_MOST_AHEAD} rows, found {r.ahead}"
    return None


def transpose_near(p: transposing.Problem, r: TransposeRecord, cpu: Cpu) -> Iterator[TransposeRecord]:
    """Records with other blocks, or that go through them the other way."""
    yield from (replace(r, order=order) for order in ORDERS if order != r.order)
    if r.streaming:
        yield replace(r, streaming=False, rows=64, columns=64)
        return
    rows, columns = p.program.extents[-2:]
    blocks = [(n, n) for n in _BLOCKS] + [(n, 4 * n) for n in _BLOCKS] + [(4 * n, n) for n in _BLOCKS]
    cut = dict.fromkeys((min(m, rows), min(n, columns)) for m, n in [*blocks, (rows, columns)])
    yield from (replace(r, rows=m, columns=n) for m, n in cut if (m, n) != (min(r.rows, rows), min(r.columns, columns)))


def transpose_fault(p: transposing.Problem, r: TransposeRecord, rule: TransposeRecord, cpu: Cpu) -> Fault:
    """The field of a record that cannot be used, and why; None if all can."""
    if r.lanes != rule.lanes:
        return "lanes", f"squares are of {rule.lanes} here, found {r.lanes}"
    most = cpu.vector_bytes // p.program.widest()
    if not 1 <= r.lanes <= most or r.lanes & (r.lanes - 1):
        return "lanes", f"lanes are a power of 2 up to {most}, found {r.lanes}"
    if r.order not in ORDERS:
        return "order", f"orders are {', '.join(ORDERS)}, found {r.order}"
    for name in ("rows", "columns"):
        if getattr(r, name) < 1:
            return name, f"{name} are 1 or more, found {getattr(r, name)}"
    if r.streaming and not (rule.streaming and borders_agree(p.program.stores[0].access.strides, r.lanes)):
        return "streaming", _STREAMING
    return None


def reduction_near(p: sum_problem.Problem, r: SumRecord, cpu: Cpu) -> Iterator[SumRecord]:
    """Records with other vectors and strips, that read other numbers of rows at a time, or that have other loops."""
    most = min(cpu.vector_bytes // p.dtype.width, r.wide)
    yield from (replace(r, lanes=n) for n in (r.lanes // 2, r.lanes * 2) if 2 <= n <= most)
    yield from (replace(r, rows=n) for n in (1, 2, 4, 8) if n != r.rows and not r.run % n)
    if r.schedule != "minor":
        yield from (replace(r, strip=n) for n in (r.strip // 4, r.strip // 2, r.strip * 2) if n and not n % r.lanes)
    yield replace(r, unrolled=not r.unrolled)


def reduction_fault(p: sum_problem.Problem, r: SumRecord, rule: SumRecord, cpu: Cpu) -> Fault:
    """The field of a record that cannot be used, and why; None if all can."""
    for name in fields_that_differ(r, rule, "schedule", "wide", "run", "in_order"):
        return name, f"{name} decides the bits of results, and is not for tuning"
    most = min(cpu.vector_bytes // p.dtype.width, r.wide)
    if r.lanes < 2 or r.lanes > most or r.lanes & (r.lanes - 1):
        return "lanes", f"lanes are a power of 2 up to {most}, found {r.lanes}"
    if r.strip < 1 or r.strip % r.lanes:
        return "strip", f"strip is a multiple of the {r.lanes} lanes, found {r.strip}"
    if r.rows < 1 or r.run % r.rows:
        return "rows", f"rows divide {r.run}, found {r.rows}"
    if r.part < 1:
        return "part", f"part is a number of bytes, found {r.part}"
    return None


def positions_near(p: positions.Problem, r: PositionRecord, cpu: Cpu) -> Iterator[PositionRecord]:
    """Records with other blocks, or narrower vectors."""
    most = p.lines.extent // r.lanes
    yield from (replace(r, vectors=n) for n in (2, 4, 8, 16) if n <= most and n != r.vectors)
    if r.lanes >= 4:
        yield replace(r, lanes=r.lanes // 2)


def positions_fault(p: positions.Problem, r: PositionRecord, rule: PositionRecord, cpu: Cpu) -> Fault:
    """The field of a record that cannot be used, and why; None if all can."""
    most = cpu.lanes(p.dtype)
    if not 2 <= r.lanes <= most or r.lanes & (r.lanes - 1):
        return "lanes", f"lanes are a power of 2 from 2 to {most}, found {r.lanes}"
    if not 2 <= r.vectors <= _MOST_VECTORS or r.vectors & (r.vectors - 1):
        return "vectors", f"vectors are a power of 2 from 2 to {_MOST_VECTORS}, found {r.vectors}"
    if r.vectors * r.lanes > p.lines.extent:
        return "vectors", f"a line of {p.lines.extent} elements fills no {r.vectors} vectors of {r.lanes}"
    return None
