"""Sums along axes, in an order that depends on the shape alone, with the accuracy of adding in pairs.

`out[c · d] += term(x[a · d], …)`, over loops of which `out` does not move along some.  The order of additions is
stated in docs/numerics.md, Sums.  It names neither vectors nor caches nor threads, so every CPU gives the same bits.
Integers wrap, for which any order is right.  Where floats are to be added one after the other, as strict numerics asks,
the lanes are different sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

from ..targets.cpus import Cpu
from .chain import Terms, is_local, read_results
from .nest import FUNCTIONS, PURE, Nest
from .sum_problem import UNIT, WIDE, Problem, Record, folded_rows, output_loop, told_apart
from .sums_minor import Minor
from .sums_staged import Folded, Staged
from .sums_turned import Turned
from .sums_wide import by_columns
from .vector_code import Code


def match(nests: Sequence[Nest]) -> Problem | None:
    """One sum along axes, perhaps after a fill of its result and operations that make its terms, and before others."""
    at = [n for n, nest in enumerate(nests) if not nest.is_elementwise]
    if len(at) != 1:
        return None
    main, before = nests[at[0]], list(nests[: at[0]])
    value = _added(main)
    if value is None or 0 in main.extents or not _moves_along_kept(main):
        return None
    initial = None
    for n, nest in enumerate(before):
        if nest.output.value == main.output.value:
            if nest.op.name != "linalg.fill" or nest.inputs[0].is_memory or initial is not None:
                return None
            if not main.covers_result:
                return None  # the rest keeps the initial value
            initial = nest.inputs[0].value
            del before[n]
            break
    terms = Terms(main)
    term = terms.read(before, value[0])
    results = read_results(main, nests[at[0] + 1 :])
    if term is None or results is None or (initial is None and is_local(main.output.value)):
        return None
    after, extras, stores = results
    accesses = (*terms.inputs, *extras, *(a for _, a in stores))
    told = told_apart(replace(main, inputs=accesses), len(terms.inputs), value[1])
    if told is None:
        return None
    nest, v, ks, kept = told
    stored = tuple(ref for ref, _ in stores)
    return Problem(
        nest,
        len(terms.inputs),
        tuple(terms.steps),
        term,
        len(extras),
        tuple(after),
        stored,
        initial,
        value[1],
        v,
        ks,
        kept,
    )


def _added(nest: Nest) -> tuple[Any, bool] | None:
    """The value that the body adds to what was there before, and whether in order."""
    *body, last = nest.body()
    before = nest.arguments()[-1]
    found = [o for o in body if o.result == last.operands[0]]
    if not found or found[0].name not in ("arith.addf", "arith.addi"):
        return None
    add = found[0]
    others = [v for v in add.operands if v != before]
    uses = sum(list(o.operands).count(before) for o in (*body, last))
    pure = all(o.name.startswith(PURE) and len(o.results) == 1 for o in body)
    if len(others) != 1 or uses != 1 or not pure:
        return None
    flags = str(add.attributes["fastmath"]) if "fastmath" in add.attributes else ""
    return others[0], add.name == "arith.addf" and "reassoc" not in flags and "fast>" not in flags


def _moves_along_kept(nest: Nest) -> bool:
    """True if exactly the loops that add up leave the result's place as it is."""
    loops = zip(nest.extents, nest.reduction, nest.output.strides)
    return all(gone == (s == 0) for n, gone, s in loops if n != 1)


# Rules


def choose(p: Problem, cpu: Cpu, numerics: str) -> Record | None:
    """The record for a problem; None for the few sums in order that lanes are no help with."""
    width, n = p.dtype.width, p.extent(p.v)
    if p.in_order:
        sums = p.extent(output_loop(p)) if p.is_minor else n
        if len(p.ks) + p.is_minor > 1 or sums < 4:
            return None
    schedule, work = _schedule(p), _work(p)
    row = width * n
    if schedule == "staged":
        row *= prod(p.extent(d) for d in p.kept)
    elif schedule == "folded":
        row *= folded_rows(n, width)
    near = prod(p.nest.extents) * width <= cpu.l3
    # From memory, rows of up to two pages are read faster one by one than several together, of which at most eight are.
    # Wide loads save time where there is more to do: work on terms, lanes to add, rows that begin within a line of a
    # cache; else narrow ones are faster.
    read = sum(a.is_memory and any(a.strides[k] for k in p.ks) for a in p.terms)
    rows = 1 if row <= (1 << 10 if near else 8 << 10) else max(1, 8 >> max(0, read - 1).bit_length())
    busy = (
        row < WIDE if schedule == "minor" and not p.in_order else near or (rows == 1 and row >= 1 << 10 and row % UNIT)
    )
    lanes = min(cpu.vector_bytes, 64 if work > 4 or busy else 32) // width
    if p.in_order and schedule == "minor":
        rows = 8 if near or row * lanes > (32 << 10) else 1
    return Record(
        schedule,
        wide=WIDE // width,
        run=8,
        in_order=p.in_order,
        lanes=lanes,
        strip=(32 << 10) // width,
        rows=rows,
        unrolled=work <= 8 and min(n, WIDE // width) <= 8 * lanes,
        part=64 << 10,
    )


def _work(p: Problem) -> int:
    """About how many operations one term takes."""
    names = [str(o.name) for s in p.before for o in s.nest.body()]
    arithmetic = [name for name in names if name.startswith("arith.") and name != "arith.constant"]
    return len(arithmetic) + 16 * sum(name.startswith(FUNCTIONS) for name in names)


def _schedule(p: Problem) -> str:
    n = p.extent(p.v)
    if p.is_minor:
        others = prod(p.extent(k) for k in p.ks)
        return "staged" if others >= 8 and n < 4096 else "minor"
    rows = folded_rows(n, p.dtype.width)
    if p.in_order or rows == 1 or not can_fold(p) or p.extent(p.ks[0]) < 8 * rows:
        return "columns"
    return "folded"


def can_fold(p: Problem) -> bool:
    """True if rows lie one behind the other in everything that terms are computed from."""
    if p.is_minor or len(p.ks) != 1:
        return False
    t, n = p.ks[0], p.extent(p.v)
    return all(a.strides[p.v] in (0, 1) and a.strides[t] == n * a.strides[p.v] for a in p.terms)


def emit(code: Code, p: Problem, r: Record) -> None:
    """Write the loops.  ValueError if the record does not fit the problem."""
    schedules: dict[str, Any] = {
        "minor": Turned if r.in_order else Minor,
        "columns": by_columns,
        "folded": Folded,
        "staged": Staged,
    }
    if r.schedule not in schedules:
        raise ValueError(f"a sum has no schedule {r.schedule}; there are {', '.join(schedules)}")
    if any(n < 2 or n & (n - 1) for n in (r.run, r.wide)):
        raise ValueError(f"run and wide are powers of 2, found {r.run} and {r.wide}")
    if r.schedule == "folded" and not can_fold(p):
        raise ValueError("rows that do not lie one behind the other cannot be folded")
    if (r.schedule in ("minor", "staged")) != p.is_minor:
        raise ValueError(f"the loop along vectors {'adds' if p.is_minor else 'does not add'} up")
    schedules[r.schedule](code, p, r).write()
