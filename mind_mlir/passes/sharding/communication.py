"""How many operations between ranks one run of a module has, and how many bytes each rank sends in them.

Bytes are those of a ring, as moves.py counts them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...ir import Builder, Module, Value, ValueId
from ...ir.diagnostics import count
from .moves import sent
from .partition import partitioned
from .partitioner import Communication


@dataclass(frozen=True)
class CommunicationReport:
    """What moves in one run; `minimum` is in bytes, None where it is not known."""

    moves: tuple[Communication, ...]
    minimum: int | None

    @property
    def nbytes(self) -> int:
        """Bytes that each rank sends."""
        return sum(c.nbytes for c in self.moves)

    def lines(self) -> list[str]:
        """The report as comments behind a module's text."""
        out = [f"# communication: {count(len(self.moves), 'operation')}, {count(self.nbytes, 'byte')} per rank"]
        calls: Counter[tuple[str, str]] = Counter()
        sent: Counter[tuple[str, str]] = Counter()
        for c in self.moves:
            calls[c.opcode, c.axis] += 1
            sent[c.opcode, c.axis] += c.nbytes
        for (opcode, axis), n in sorted(calls.items()):
            out.append(f"#   {n} {opcode} along {axis}, {count(sent[opcode, axis], 'byte')}")
        if self.minimum is not None:
            out.append(f"#   minimum: {count(self.minimum, 'byte')}")
        return out


def communication(m: Module) -> CommunicationReport:
    """What moves when a module runs: one of one rank, or one in global view, as `partition` would make it.

    The minimum is that of the same module where only Inputs and results are placed, and is known if no value moves
    twice in it.  MindError: as for `partition`.
    """
    if any(o.op.across_ranks for o in m.operations):
        return CommunicationReport(tuple(_of_local(m)), None)
    found = partitioned(m).communication
    free = partitioned(_placed_at_ends(m)).communication
    repeated = Counter((c.of, c.opcode, c.axis) for c in free)
    known = all(n == 1 for n in repeated.values())
    return CommunicationReport(found, min(sum(c.nbytes for c in free), _bytes(found)) if known else None)


def _bytes(moves: Iterable[Communication]) -> int:
    return sum(c.nbytes for c in moves)


def _of_local(m: Module) -> Iterable[Communication]:
    for o in m.operations:
        if o.op.across_ranks:
            axis, n = o.op.axis, o.op.size  # type: ignore[attr-defined]
            if nbytes := sent(o.opcode, m[o.operands[0]].type.nbytes, n):
                yield Communication(o.opcode, axis, nbytes, o.id)


def _placed_at_ends(m: Module) -> Module:
    """The module with its Inputs and results placed, and everything between them open."""
    ends = {*m.outputs, *(g for _, g in m.gradients)}
    b = Builder(m.source, m.mesh)
    env: dict[ValueId, Value] = {}
    for o in m.operations:
        if o.op.placement is not None and o.id not in ends:
            env[o.id] = env[o.operands[0]]
            continue
        v = b.append(o.op, tuple([env[i].id for i in o.operands]), o.type, o.span)
        env[o.id] = b.place(v, o.sharding if o.opcode == "Input" or o.id in ends else None)
    made = b.finish([env[i] for i in m.outputs], [(env[x], env[g]) for x, g in m.gradients])
    return replace(made, notes={})
