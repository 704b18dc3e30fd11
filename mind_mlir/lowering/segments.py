"""Long modules in segments: neighbouring operations, each a module of its own, which are lowered one by one.

Fusion and the analysis of copies take more than linear time in the length of a function; over segments of bounded
length they are linear in that of the module.  What one segment makes and another reads goes through memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..ir import OPS, Module, Operation, ValueId

LONGEST = 384
"""Operations of a segment; the shortest has half as many, but for the last one."""


@dataclass(frozen=True)
class Segment:
    """Operations of a module in a row, with an Input for each value that comes from before.

    Ids of values are those of the whole module, so that errors name them: `inputs` and `outputs` are what the segment
    reads and what is read after it.  Segments with equal `key` compute the same.
    """

    module: Module
    inputs: tuple[ValueId, ...]
    outputs: tuple[ValueId, ...]
    key: tuple[Any, ...]


def segments(m: Module) -> Iterator[Segment]:
    """Cut a module, where the least memory goes from one segment to the next."""
    given = set(m.outputs)
    computing = [o for o in m.operations if not _is_everywhere(o) or (o.id in given and o.opcode != "Input")]
    last = {i: n for n, o in enumerate(computing) for i in o.operands}
    last.update((i, len(computing)) for i in m.outputs)
    crossing = _crossing(computing, last)
    start = 0
    while start < len(computing):
        end = len(computing)
        if end - start > LONGEST:
            end = min(range(start + LONGEST // 2, start + LONGEST + 1), key=lambda n: (crossing[n], -n))
        yield _segment(m, computing[start:end], [o.id for o in computing[start:end] if last.get(o.id, -1) >= end])
        start = end


def _is_everywhere(o: Operation) -> bool:
    """True for what costs nothing to have in several segments: the module's Inputs, and constants."""
    return o.opcode in ("Input", "ConstTensor")


def _crossing(computing: list[Operation], last: dict[ValueId, int]) -> list[int]:
    """For each place between operations, the bytes made before it that are read after it; 64 for a value at least."""
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


def _segment(m: Module, computing: list[Operation], outputs: list[ValueId]) -> Segment:
    made = {o.id for o in computing}
    input_op: Any = OPS["Input"]
    used = [m.by_id[i] for i in dict.fromkeys(i for o in computing for i in o.operands) if i not in made]
    constants = [o for o in used if o.opcode == "ConstTensor"]
    inputs = [o for o in used if o.opcode != "ConstTensor"]
    given = [replace(o, op=input_op(f"in{n}", o.type), operands=()) for n, o in enumerate(inputs)]
    operations = (*given, *constants, *computing)
    number = {o.id: n for n, o in enumerate(operations)}
    key = (
        tuple((o.op, tuple(number[i] for i in o.operands), o.type, o.sharding) for o in operations),
        tuple(number[i] for i in outputs),
        tuple(o.id for o in computing if any(not m.by_id[i].type.dtype.is_float for i in o.operands)),  # told by errors
    )
    module = Module(operations, tuple(outputs), mesh=m.mesh, source=m.source)
    return Segment(module, tuple(o.id for o in inputs), tuple(outputs), key)
