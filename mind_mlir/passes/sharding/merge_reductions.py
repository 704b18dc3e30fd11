"""Merges small AllReduces that do not depend on each other: each takes the time to begin, however little it sends.

Gradients of biases, norms and losses are a few values each; merged, they are one message (Li et al., PyTorch
Distributed, 2020, merge gradients into buckets for the same reason).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...ir import Builder, Environment, Module, Operation, Value, ValueId
from ...ir.gc import without_gc
from ..verify import verify
from .machine import ORDINARY

Kind = tuple[int, str, str, str, bool]
"""What merged AllReduces have in common: their round, axis, element type, kind, and whether the result counts once."""


@without_gc
def merge_reductions(m: Module, *, largest: int = ORDINARY.worth_merging) -> Module:
    """Make one AllReduce of those along an axis that have at most `largest` bytes and do not depend on each other.

    It is for the modules that `partition` makes. The bytes that are sent stay the same, and the sums have the same
    terms. An operation may be moved after one that does not need it. MindError: any code of `verify`.
    """
    verify(m)
    rounds = _rounds(m, largest)
    groups: dict[Kind, list[Operation]] = {}
    for o in m.operations:
        if _is_small(m, o, largest):
            groups.setdefault(_kind(o, rounds), []).append(o)
    if all(len(group) == 1 for group in groups.values()):
        return m
    return _Merging(m, rounds, groups).run()


def _is_small(m: Module, o: Operation, largest: int) -> bool:
    return o.opcode == "AllReduce" and 0 < m.values[o.operands[0]].type.nbytes <= largest


def _kind(o: Operation, rounds: dict[ValueId, int]) -> Kind:
    op = o.op
    return rounds[o.operands[0]], op.axis, str(o.type.dtype), op.kind, op.invariant  # type: ignore[attr-defined]


def _rounds(m: Module, largest: int) -> dict[ValueId, int]:
    """Value -> its round: the largest number of small AllReduces one after the other on a path to it.

    Those whose operands are of one round do not depend on each other.
    """
    rounds: dict[ValueId, int] = {}
    for o in m.operations:
        here = max((rounds[i] for i in o.operands), default=0) + _is_small(m, o, largest)
        rounds.update(dict.fromkeys(o.ids, here))
    return rounds


@dataclass
class _Merging:
    """Writes the module in the order of rounds: the operations of one, then the AllReduces that begin the next."""

    m: Module
    rounds: dict[ValueId, int]
    groups: dict[Kind, list[Operation]]

    def run(self) -> Module:
        self.b = Builder(self.m.source, self.m.mesh)
        self.env: Environment[Value] = Environment()
        m, env = self.m, self.env
        merged = {o.id for group in self.groups.values() for o in group}
        waiting = deque(sorted(self.groups.items(), key=lambda entry: entry[0][0]))
        for o in sorted(m.operations, key=lambda o: self.rounds[o.ids[0]]):  # sorting keeps the order within a round
            while waiting and waiting[0][0][0] < self.rounds[o.ids[0]]:
                self._reduce(waiting.popleft()[1])
            if o.ids[0] not in merged:
                self.b.repeat(o, env)
        result = self.b.finish(env.of(m.outputs), env.pairs(m.gradients), env.pairs(m.tangents))
        return replace(result, notes={self.env[i].id: text for i, text in self.m.notes.items() if i in self.env})

    def _reduce(self, group: Sequence[Operation]) -> None:
        if len(group) == 1:
            self.b.repeat(group[0], self.env)
            return
        b, end = self.b, 0
        rows = [b.Reshape(self.env[o.operands[0]], (o.type.size,)) for o in group]
        total = b.emit(group[0].op, self._joined(rows), span=group[0].span)
        for o in group:
            start, end = end, end + o.type.size
            part = b.Slice(total, starts=(start,), ends=(end,), steps=(1,))
            self.env.write(o, [b.Reshape(part, o.type.shape)])

    def _joined(self, rows: Sequence[Value]) -> Value:
        """The rows one after the other, joined by halves, so each element is copied log₂ of their number times."""
        if len(rows) == 1:
            return rows[0]
        half = len(rows) // 2
        first, second = self._joined(rows[:half]), self._joined(rows[half:])
        return self._padded(first, 0, second.type.size) + self._padded(second, first.type.size, 0)

    def _padded(self, row: Value, low: int, high: int) -> Value:
        """A row between zeros, with signs such that adding them changes no bit."""
        b = self.b
        if row.type.dtype.is_float:  # x + -0.0 has the bits of x for every x, and x + 0.0 not those of -0.0
            return b.Neg(b.Pad(b.Neg(row), low=(low,), high=(high,), interior=(0,)))
        return b.Pad(row, low=(low,), high=(high,), interior=(0,))
