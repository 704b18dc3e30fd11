"""Cuts a segment of small operations into parts of one each: calls of functions, and views of their results.

However long a module is, it has few different small operations, so nearly every call is of a function that exists.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir import Operation, ValueId
from ..memory.views import shown_at
from .segments import Segment, segment

_PRODUCTS = ("MatMul", "Dot", "DotGeneral")


@dataclass(frozen=True)
class Parts:
    """`calls` are segments of one operation; `views` are value -> the value that contains it, and the first byte."""

    calls: tuple[Segment, ...]
    views: dict[ValueId, tuple[ValueId, int]]


def parts(s: Segment) -> Parts:
    """The parts of a fine segment, in order.

    A Slice, and the Transpose of an operand of a product, are part of the operation that reads them.
    """
    outputs = set(s.outputs)
    makers = {i: o for o in s.operations for i in o.ids}
    views = {
        o.ids[0]: (o.operands[0], at)
        for o in s.operations
        if o.ids[0] not in outputs and (at := _shown_at(s, o)) is not None
    }
    computed = {o.ids: _with_folded(o, makers, views) for o in s.operations if o.ids[0] not in views}
    needed = outputs
    calls = []
    for o in reversed(s.operations):
        if o.ids[0] in views:
            needed.add(views[o.ids[0]][0])
        elif not needed.isdisjoint(o.ids) or not _is_foldable(o):
            calls.append(segment(s.whole, computed[o.ids], o.ids))
            needed.update(calls[-1].inputs)
    return Parts(tuple(reversed(calls)), views)


def _shown_at(s: Segment, o: Operation) -> int | None:
    """The byte of the operand at which the result begins; None also for constants, which are not in callers' memory."""
    if len(o.results) > 1 or any(s.whole.by_id[i].op.literal is not None for i in o.operands):
        return None
    return shown_at(o, [s.whole.values[i].type for i in o.operands])


def _is_foldable(o: Operation) -> bool:
    return o.opcode in ("Slice", "Transpose")


def _with_folded(
    o: Operation, makers: dict[ValueId, Operation], views: dict[ValueId, tuple[ValueId, int]]
) -> list[Operation]:
    """An operation after those that are done while it reads its operands."""
    found: dict[ValueId, Operation] = {}
    for i in o.operands:
        maker = makers.get(i)
        if maker is None or i in views or not _is_foldable(maker):
            continue
        if maker.opcode == "Slice" or o.opcode in _PRODUCTS:
            found |= {p.ids[0]: p for p in _with_folded(maker, makers, views)}
    return [*found.values(), o]
