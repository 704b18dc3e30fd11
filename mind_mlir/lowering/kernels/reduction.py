"""Sums along axes, in an order that depends on the shape alone, with the accuracy of adding in pairs.

`out[c · d] += term(x[a · d], …)`, over loops of which `out` does not move along some. The order of additions is
stated in docs/numerics.md, Sums. It names neither vectors nor caches nor threads, so every CPU gives the same bits.
Integers wrap, for which any order is right, and so it is for the largest and the smallest element. Where floats are to
be added one after the other, as strict numerics asks, the lanes are different sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...ir import DType
from ..rules.choice import Choice
from ..rules.sum_rules import SumRecord, choose_sum
from ..targets.cpus import Cpu
from .chain import Terms, is_local, read_results
from .nest import PURE, Nest
from .sum_problem import Problem, told_apart
from .sums_minor import Minor
from .sums_staged import Folded, Staged
from .sums_turned import Turned
from .sums_wide import by_columns
from .vector_code import Code

KINDS = {
    f"arith.{name}": kind
    for kind, names in {
        "sum": ("addf", "addi"),
        "prod": ("mulf", "muli"),
        "max": ("maximumf", "maxsi", "maxui"),
        "min": ("minimumf", "minsi", "minui"),
    }.items()
    for name in names
}
"""The operation that joins two elements -> the kind of reduction."""


def match(nests: Sequence[Nest]) -> Problem | None:
    """One sum along axes, perhaps after a fill of its result and operations that make its terms, and before others."""
    at = [n for n, nest in enumerate(nests) if not nest.is_elementwise]
    if len(at) != 1:
        return None
    main, before = nests[at[0]], list(nests[: at[0]])
    joined = _joined(main)
    if joined is None or 0 in main.extents or not _moves_along_kept(main):
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
    term = terms.read(before, joined.term)
    results = read_results(main, nests[at[0] + 1 :])
    if term is None or results is None or (initial is None and is_local(main.output.value)):
        return None
    after, extras, stores = results
    accesses = (*terms.inputs, *extras, *(a for _, a in stores))
    told = told_apart(replace(main, inputs=accesses), len(terms.inputs), joined.in_order)
    if told is None:
        return None
    nest, loops = told
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
        joined.kind,
        joined.in_order,
        loops.v,
        loops.ks,
        loops.kept,
        joined.dtype,
    )


@dataclass(frozen=True)
class _Joined:
    """The value that a body joins with what was there before, by which kind of reduction, and whether in order.

    `dtype` tells whether integers have signs, which MLIR's type of the memory does not.
    """

    term: Any
    kind: str
    in_order: bool
    dtype: DType


def _joined(nest: Nest) -> _Joined | None:
    """What the body joins; None if it does something else."""
    *body, last = nest.body()
    before = nest.arguments()[-1]
    found = [o for o in body if o.result == last.operands[0]]
    if not found or found[0].name not in KINDS:
        return None
    join = found[0]
    others = [v for v in join.operands if v != before]
    uses = sum(list(o.operands).count(before) for o in (*body, last))
    pure = all(o.name.startswith(PURE) and len(o.results) == 1 for o in body)
    if len(others) != 1 or uses != 1 or not pure:
        return None
    flags = str(join.attributes["fastmath"]) if "fastmath" in join.attributes else ""
    rounds = join.name in ("arith.addf", "arith.mulf")
    in_order = rounds and "reassoc" not in flags and "fast>" not in flags
    dtype = DType(f"u{nest.dtype.bits}") if join.name.endswith("ui") else nest.dtype
    return _Joined(others[0], KINDS[join.name], in_order, dtype)


def _moves_along_kept(nest: Nest) -> bool:
    """True if exactly the loops that add up have stride 0 in the result."""
    loops = zip(nest.extents, nest.reduction, nest.output.strides)
    return all(gone == (s == 0) for n, gone, s in loops if n != 1)


def choose(p: Problem, cpu: Cpu, numerics: str) -> Choice[SumRecord]:
    """The record for a problem."""
    return choose_sum(p.sum, cpu, numerics)


def emit(code: Code, p: Problem, r: SumRecord) -> None:
    """Write the loops. ValueError if the record does not fit the problem."""
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
    if r.schedule == "folded" and not p.sum.can_fold:
        raise ValueError("rows with gaps between them cannot be folded")
    if (r.schedule in ("minor", "staged")) != p.is_minor:
        raise ValueError(f"the loop along vectors {'adds' if p.is_minor else 'does not add'} up")
    schedules[r.schedule](code, p, r).write()
