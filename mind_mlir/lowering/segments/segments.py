"""Cuts a long module into segments of neighbouring operations, which are lowered one by one.

Fusion and the analysis of copies take more than linear time in the length of a function; with segments of bounded
length, their time is linear in the length of the module. A value that one segment makes and another reads goes through
memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...ir import OPS, Module, Operation, ValueId
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
    given: tuple[Operation, ...]
    """The operations that make the inputs."""
    constants: tuple[Operation, ...]
    operations: tuple[Operation, ...]
    outputs: tuple[ValueId, ...]
    is_fine: bool = False

    @property
    def inputs(self) -> tuple[ValueId, ...]:
        return tuple([o.id for o in self.given])

    @kept_property
    def module(self) -> Module:
        """The segment as a module of its own."""
        input_op: Any = OPS["Input"]
        given = [replace(o, op=input_op(f"in{n}", o.type), operands=()) for n, o in enumerate(self.given)]
        operations = (*given, *self.constants, *self.operations)
        return Module(operations, self.outputs, mesh=self.whole.mesh, source=self.whole.source)

    @kept_property
    def formula(self) -> tuple[Any, ...]:
        """A key of what the segment computes: it is equal for segments that compute the same."""
        number = {o.id: n for n, o in enumerate((*self.given, *self.constants, *self.operations))}
        return (
            tuple([(o.type, o.sharding) for o in self.given]),
            tuple([(o.op, o.type, o.sharding) for o in self.constants]),
            tuple([(o.op, tuple([number[i] for i in o.operands]), o.type, o.sharding) for o in self.operations]),
            tuple([number[i] for i in self.outputs]),
        )

    @kept_property
    def key(self) -> tuple[Any, ...]:
        """A key that is equal for segments that compute the same and report the same errors."""
        told = tuple([o.id for o in self.operations if _may_fail(o, self.whole.by_id)])
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
            found.append(segment(m, part, [o.id for o in part if last.get(o.id, -1) >= end], is_fine))
            start = end
    return found, outputs


def segment(m: Module, computing: Sequence[Operation], outputs: Sequence[ValueId], is_fine: bool = False) -> Segment:
    """The segment that computes these operations of a module."""
    made = {o.id for o in computing}
    used = [m.by_id[i] for i in dict.fromkeys([i for o in computing for i in o.operands]) if i not in made]
    constants = tuple([o for o in used if o.op.literal is not None])
    given = tuple([o for o in used if o.op.literal is None])
    return Segment(m, given, constants, tuple(computing), tuple(outputs), is_fine)


def _distinct(m: Module) -> tuple[list[Operation], tuple[ValueId, ...]]:
    """The operations without small ones that equal an earlier one, and the outputs.

    Large results are computed again if the module has them twice, since keeping one may take much memory.
    """
    first: dict[Any, ValueId] = {}
    same: dict[ValueId, ValueId] = {}
    kept = []
    for o in m.operations:
        operands = tuple([same.get(i, i) for i in o.operands])
        if o.opcode != "Input" and not o.op.across_ranks and o.type.size < SMALL:
            known = first.setdefault((o.op, operands, o.type, o.sharding), o.id)
            if known != o.id:
                same[o.id] = known
                continue
        kept.append(o if operands == o.operands else replace(o, operands=operands))
    return kept, tuple([same.get(i, i) for i in m.outputs])


def _needed(m: Module, operations: Sequence[Operation], outputs: Sequence[ValueId]) -> list[Operation]:
    """The operations that compute the outputs, may fail, or are done together with other ranks."""
    given = set(outputs)
    needed = set(outputs)
    for o in reversed(operations):
        if o.id in needed or o.op.across_ranks or _may_fail(o, m.by_id):
            needed.add(o.id)
            needed.update(o.operands)
    return [
        o for o in operations if o.id in needed and (not _is_everywhere(o) or (o.id in given and o.opcode != "Input"))
    ]


def _is_everywhere(o: Operation) -> bool:
    """True for operations that may be in several segments at no cost: the module's Inputs, and constants."""
    return o.opcode == "Input" or o.op.literal is not None


def _may_fail(o: Operation, by_id: dict[ValueId, Operation]) -> bool:
    """True for an operation that can fail at run time, such as one that reads indices."""
    return any(not by_id[i].type.dtype.is_float for i in o.operands)


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
    if o.op.across_ranks or o.opcode == "ScatterAdd":
        return False
    types = [m.by_id[i].type for i in o.operands]
    return o.type.size < SMALL and (all(t.size < SMALL for t in types) or shown_at(o, types) is not None)


def _crossing(computing: list[Operation], last: dict[ValueId, int]) -> list[int]:
    """For each position between operations, the bytes made before it and read after it, at least 64 for each value."""
    change = [0] * (len(computing) + 2)
    for n, o in enumerate(computing):
        size = max(o.type.nbytes, 64)
        change[n + 1] += size
        change[max(last.get(o.id, n), n) + 1] -= size
    total, out = 0, []
    for c in change:
        total += c
        out.append(total)
    return out
