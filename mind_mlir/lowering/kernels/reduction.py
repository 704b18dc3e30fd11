"""Sums along axes, in an order that depends on the shape alone, with the accuracy of adding in pairs.

`out[c · d] += term(x[a · d], …)`, over loops of which `out` does not move along some.  The order of additions is
stated in docs/numerics.md, Sums.  It names neither vectors nor caches nor threads, so every CPU gives the same bits.
Integers wrap, for which any order is right.  Where floats are to be added one after the other, as strict numerics asks,
the lanes are different sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import Any

from ...ir import DType
from ..targets.cpus import Cpu
from .chain import Ref, Step, Terms, is_local, read_results
from .nest import FUNCTIONS, PURE, Access, Nest, simplified
from .vector_code import Code

UNIT, WIDE = 64, 256
"""Bytes: rows are folded into wider ones of whole units that are at least wide.  Part of the order of additions."""


@dataclass(frozen=True)
class Record:
    """How sums are cut up.

    `schedule` is one of

        minor    lines of neighbouring terms, each folded into rows
        columns  rows of neighbouring sums
        folded   short rows, several of which are taken as one
        staged   short lines: first the other axes, as columns into scratch memory, then the lines as minor

    `wide` terms of a line are one row; `run` rows are added one after the other, `run` such sums likewise, and so on
    up, unless sums are taken `in_order`, term by term.  The rest has no influence on bits: `lanes` elements are one
    vector; partial sums of `strip` columns stay in a near cache, for which `rows` rows are read at a time; a run is
    straight code if `unrolled`; where there are too few sums to share, a thread takes about `part` bytes at a time.
    """

    schedule: str
    wide: int
    run: int
    in_order: bool
    lanes: int
    strip: int
    rows: int
    unrolled: bool
    part: int


@dataclass(frozen=True)
class Problem:
    """A sum with its loops told apart.

    In `nest.inputs` stand what the terms are computed from, what the operations on the sums read, and what is stored.
    Loop `v` runs along vectors, `ks` are the other loops that add up and `kept` those that do not, outermost first.
    """

    nest: Nest
    inputs: int
    before: tuple[Step, ...]
    term: Ref
    reads: int
    after: tuple[Step, ...]
    stored: tuple[Ref, ...]
    initial: Any
    in_order: bool
    v: int
    ks: tuple[int, ...]
    kept: tuple[int, ...]

    @property
    def dtype(self) -> DType:
        return self.nest.dtype

    @property
    def terms(self) -> tuple[Access, ...]:
        """What the terms are computed from."""
        return self.nest.inputs[: self.inputs]

    @property
    def extras(self) -> tuple[Access, ...]:
        """What the operations on the sums read."""
        return self.nest.inputs[self.inputs : self.inputs + self.reads]

    @property
    def stores(self) -> tuple[tuple[Ref, Access], ...]:
        """What is stored, and where."""
        return tuple(zip(self.stored, self.nest.inputs[self.inputs + self.reads :]))

    @property
    def is_minor(self) -> bool:
        """True if the loop along vectors adds up."""
        return self.nest.reduction[self.v]

    def extent(self, d: int | None) -> int:
        """Turns of a loop; 1 for none."""
        return 1 if d is None else self.nest.extents[d]


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


def told_apart(nest: Nest, inputs: int, in_order: bool) -> tuple[Nest, int, tuple[int, ...], tuple[int, ...]] | None:
    """A nest with as few loops as can be, the one along vectors, the others that add up and those that do not.

    The widest input decides.  None if terms would change their order though they are to be added `in_order`.
    """
    nest = nest.with_dims([d for d, n in enumerate(nest.extents) if n != 1])
    widest = _widest(nest, inputs)
    if widest is not None:
        steps = widest.strides
        order = sorted(range(len(nest.extents)), key=lambda d: -(steps[d] or 1 << 62))
        if in_order and [d for d in order if nest.reduction[d]] != [d for d in range(len(order)) if nest.reduction[d]]:
            return None
        nest = simplified(nest.with_dims(order))
    if not nest.extents:
        nest = _with_one_loop(nest)
    widest = _widest(nest, inputs)
    dims = range(len(nest.extents))
    strides = widest.strides if widest is not None else (0,) * len(dims)
    v = min(dims, key=lambda d: (strides[d] or 1 << 62, -d))
    ks = tuple(d for d in dims if nest.reduction[d] and d != v)
    return nest, v, ks, tuple(d for d in dims if not nest.reduction[d] and d != v)


def _widest(nest: Nest, inputs: int) -> Access | None:
    """The first input with the most elements."""
    memory = [a for a in nest.inputs[:inputs] if a.is_memory]
    return max(memory, key=lambda a: prod(n for n, s in zip(nest.extents, a.strides) if s), default=None)


def _with_one_loop(nest: Nest) -> Nest:
    """A nest without loops, with one of a single turn that adds up."""

    def moved(a: Access) -> Access:
        return replace(a, strides=(1,))

    return replace(
        nest,
        extents=(1,),
        reduction=(True,),
        inputs=tuple(map(moved, nest.inputs)),
        output=replace(nest.output, strides=(0,)),
    )


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


def folded_rows(n: int, width: int) -> int:
    """How many rows of n elements, each of `width` bytes, are taken as one: a power of 2, 1 for long ones."""
    unit, wide = UNIT // width, WIDE // width
    if n >= wide or (2 * n > wide and n % unit):
        return 1
    rows = unit // gcd(n, unit)
    while rows * n < wide:
        rows *= 2
    return rows


def can_fold(p: Problem) -> bool:
    """True if rows lie one behind the other in everything that terms are computed from."""
    if p.is_minor or len(p.ks) != 1:
        return False
    t, n = p.ks[0], p.extent(p.v)
    return all(a.strides[p.v] in (0, 1) and a.strides[t] == n * a.strides[p.v] for a in p.terms)


def output_loop(p: Problem) -> int | None:
    """The loop along which neighbouring sums lie closest; None if there is one sum."""
    return min(p.kept, key=lambda d: (p.nest.output.strides[d], -d), default=None)


def emit(code: Code, p: Problem, r: Record) -> None:
    """Write the loops.  ValueError if the record does not fit the problem."""
    from .sums_columns import Columns
    from .sums_minor import Minor
    from .sums_staged import Folded, Staged
    from .sums_turned import Turned

    schedules: dict[str, Any] = {
        "minor": Turned if r.in_order else Minor,
        "columns": Columns,
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
