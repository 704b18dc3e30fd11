"""Cuts a long module into segments of neighbouring operations, which are lowered one by one.

Fusion and the analysis of copies take more than linear time in the length of a function; with segments of bounded
length, their time is linear in the length of the module. A value that one segment makes and another reads goes through
memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...ir import OPS, Module, Operation, Result, ValueId
from ...ir.kept import kept_property
from ..memory.views import shown_at

LONGEST = 384
"""The most operations of a segment; it has at least half as many, except before one of another kind and at the end."""

SMALL = 1024
"""Results of at least so many elements are fused in long modules; for fewer, calls take less time than to compile more.
"""

FINE = 16
"""So many small operations one after the other are a segment of their own, which is made of calls."""


@dataclass(frozen=True)
class Segment:
    """Neighbouring operations of a module, with an Input for each value that comes from before.

    Ids of values are those of the whole module, so that errors name them: `inputs` are the values that the segment
    reads, `outputs` those that are read after it. If it is `fine`, all of its operations are small.
    """

    whole: Module
    given: tuple[Result, ...]
    """The inputs."""
    constants: tuple[Operation, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[ValueId, ...]
    is_fine: bool = False

    @property
    def inputs(self) -> tuple[ValueId, ...]:
        return tuple([r.id for r in self.given])

    @kept_property
    def module(self) -> Module:
        """The segment as a module of its own."""
        input_op: Any = OPS["Input"]
        given = [Operation(input_op(f"in{n}", r.type), (), (r,)) for n, r in enumerate(self.given)]
        operations = (*given, *self.constants, *self.operations)
        return Module(operations, self.outputs, mesh=self.whole.mesh, source=self.whole.source)

    @kept_property
    def formula(self) -> tuple[Any, ...]:
        """A key of what the segment computes: it is equal for segments that compute the same."""
        made = [r for o in (*self.constants, *self.operations) for r in o.results]
        number = {r.id: n for n, r in enumerate((*self.given, *made))}
        return (
            tuple([(r.type, r.sharding) for r in self.given]),
            tuple([(o.op, _form(o)) for o in self.constants]),
            tuple([(o.op, tuple([number[i] for i in o.operands]), _form(o)) for o in self.operations]),
            tuple([number[i] for i in self.outputs]),
        )

    @kept_property
    def key(self) -> tuple[Any, ...]:
        """A key that is equal for segments that compute the same and report the same errors."""
        told = tuple([o.ids[0] for o in self.operations if _may_fail(o, self.whole)])
        return self.formula, told, self.is_fine


def segments(m: Module) -> tuple[list[Segment], tuple[ValueId, ...]]:
    """Cut a module where the least memory goes from one segment to the next; returns the segments, and its outputs.

    Dead operations are left out, and so are small ones that equal an earlier one.
    """
    distinct, outputs = _distinct(m)
    computing = _needed(m, distinct, outputs)
    last = {i: n for n, o in enumerate(computing) for i in o.operands}
    last.update((i, len(computing)) for i in outputs)
    crossing = _crossing(computing, last)
    found = []
    for begin, stop, is_fine in _runs(m, computing):
        start = begin
        while start < stop:
            end = stop
            if end - start > LONGEST:
                end = min(range(start + (LONGEST + 1) // 2, start + LONGEST + 1), key=lambda n: (crossing[n], -n))
            part = computing[start:end]
            found.append(segment(m, part, [i for o in part for i in o.ids if last.get(i, -1) >= end], is_fine))
            start = end
    return found, outputs


def segment(m: Module, computing: Sequence[Operation], outputs: Sequence[ValueId], is_fine: bool = False) -> Segment:
    """The segment that computes these operations of a module."""
    made = {i for o in computing for i in o.ids}
    used = [i for i in dict.fromkeys([i for o in computing for i in o.operands]) if i not in made]
    constants = tuple([m.by_id[i] for i in used if m.by_id[i].op.literal is not None])
    given = tuple([m.values[i] for i in used if m.by_id[i].op.literal is None])
    return Segment(m, given, constants, tuple(computing), tuple(outputs), is_fine)


def _distinct(m: Module) -> tuple[list[Operation], tuple[ValueId, ...]]:
    """The operations without small ones that equal an earlier one, and the outputs.

    Large results are computed again if the module has them twice, since keeping one may take much memory.
    """
    first: dict[Any, tuple[ValueId, ...]] = {}
    same: dict[ValueId, ValueId] = {}
    kept = []
    for o in m.operations:
        operands = tuple([same.get(i, i) for i in o.operands])
        if o.opcode != "Input" and not o.op.across_ranks and all(r.type.size < SMALL for r in o.results):
            known = first.setdefault((o.op, operands, _form(o)), o.ids)
            if known != o.ids:
                same.update(zip(o.ids, known))
                continue
        kept.append(o if operands == o.operands else replace(o, operands=operands))
    return kept, tuple([same.get(i, i) for i in m.outputs])


def _needed(m: Module, operations: Sequence[Operation], outputs: Sequence[ValueId]) -> list[Operation]:
    """The operations that compute the outputs, may fail, or are done together with other ranks."""
    given = set(outputs)
    needed = set(outputs)
    for o in reversed(operations):
        if o.op.across_ranks or not needed.isdisjoint(o.ids) or _may_fail(o, m):
            needed.update(o.ids)
            needed.update(o.operands)
    return [
        o
        for o in operations
        if o.ids[0] in needed and (not _is_everywhere(o) or (o.ids[0] in given and o.opcode != "Input"))
    ]


def _is_everywhere(o: Operation) -> bool:
    """True for operations that may be in several segments at no cost: the module's Inputs, and constants."""
    return o.opcode == "Input" or o.op.literal is not None


def _form(o: Operation) -> tuple[Any, ...]:
    """A key of the types and shardings of the results."""
    return tuple([(r.type, r.sharding) for r in o.results])


def _may_fail(o: Operation, m: Module) -> bool:
    """True for an operation that can fail at run time, such as one that reads indices."""
    return bool(o.op.function_attributes) or any(not m.values[i].type.dtype.is_float for i in o.operands)


def _runs(m: Module, computing: Sequence[Operation]) -> Iterator[tuple[int, int, bool]]:
    """Begin, end and whether it is fine, for runs of small operations, which are fine, and of all others."""
    small = [_is_small(m, o) for o in computing]
    begin = n = 0
    while n < len(small):
        end = n
        while end < len(small) and small[end]:
            end += 1
        if end - n >= FINE:
            if begin < n:
                yield begin, n, False
            yield n, end, True
            begin = end
        n = max(end, n + 1)
    if begin < len(small):
        yield begin, len(small), False


def _is_small(m: Module, o: Operation) -> bool:
    """True for operations that are never fused, run in one process, and are not best done in an operand's memory."""
    if o.op.across_ranks or o.op.updates_operand:
        return False
    types = [m.values[i].type for i in o.operands]
    return all(r.type.size < SMALL for r in o.results) and (
        all(t.size < SMALL for t in types) or shown_at(o, types) is not None
    )


def _crossing(computing: list[Operation], last: dict[ValueId, int]) -> list[int]:
    """For each position between operations, the bytes made before it and read after it, at least 64 for each value."""
    change = [0] * (len(computing) + 2)
    for n, o in enumerate(computing):
        for r in o.results:
            size = max(r.type.nbytes, 64)
            change[n + 1] += size
            change[max(last.get(r.id, n), n) + 1] -= size
    total, out = 0, []
    for c in change:
        total += c
        out.append(total)
    return out
