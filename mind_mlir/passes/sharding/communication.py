"""How many operations between ranks one run of a module has, and how many bytes each rank sends in them.

Bytes are those of a ring, as operations between ranks count them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...ir import Module
from ...ir.diagnostics import count
from .bound import least_sent
from .partition import partitioned
from .records import Communication


@dataclass(frozen=True)
class CommunicationReport:
    """The operations between ranks of one run; no partition sends less than `minimum` bytes, None if not known."""

    moves: tuple[Communication, ...]
    minimum: int | None

    @property
    def nbytes(self) -> int:
        """Bytes that each rank sends."""
        return sum(c.nbytes for c in self.moves)

    def lines(self) -> list[str]:
        """The report as lines of comments, to follow a module's text."""
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
    """The communication of one run of a module for one rank, or of a module in global view after `partition`.

    The minimum is the bound of `least_sent`. MindError: as for `partition`.
    """
    if any(o.op.across_ranks for o in m.operations):
        return CommunicationReport(tuple(_of_local(m)), None)
    found = partitioned(m)
    return CommunicationReport(found.communication, least_sent(m, found.inputs, found.outputs))


def _of_local(m: Module) -> Iterable[Communication]:
    for o in m.operations:
        if o.op.across_ranks:
            op: Any = o.op
            if nbytes := op.sent(m.values[o.operands[0]].type.nbytes, op.size):
                yield Communication(o.opcode, op.axis, nbytes, o.id)
