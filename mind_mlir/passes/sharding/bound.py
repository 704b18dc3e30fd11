"""Bytes that no partition of a module sends less of, where that is known.

A rank that is to hold elements of an Input which it does not hold has to receive them; and where ranks along an axis
each hold a term of B bytes, and nothing of the others', the sum takes B (n - 1) / n if it ends cut and twice that if it
ends whole (Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, 2009).  That is what one move sends.

Of other values nothing is known: a product of small operands need not be added up, for operands can be gathered.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir import Mesh, Module, Operation, PartitionSpec, TensorType, ValueId
from .dimensions import dimensions
from .moves import moves


def least_sent(m: Module, inputs: Iterable[PartitionSpec], outputs: Iterable[PartitionSpec]) -> int | None:
    """The bound of a module in global view whose Inputs and outputs lie so; None unless it holds for every output."""
    assert m.mesh is not None, "global_view checks for it"
    lies = dict(zip([o.id for o in m.inputs], inputs))
    least: dict[ValueId, int] = {}
    for id, target in zip(m.outputs, outputs):
        found = None if len(m[id].results) > 1 else _of_output(m, m.mesh, lies, m[id], target)
        if found is None:
            return None
        source, nbytes = found
        least[source] = max(least.get(source, 0), nbytes)  # of one Input, what one output takes may serve another
    return sum(least.values())


def _of_output(
    m: Module, mesh: Mesh, lies: dict[ValueId, PartitionSpec], o: Operation, target: PartitionSpec
) -> tuple[ValueId, int] | None:
    """The Input that an output is made of, and the bound for it."""
    o = _unmoved(m, o)
    if len(o.results) > 1:
        return None
    if o.opcode == "Input":
        nbytes = _one_move(mesh, o.type, lies[o.id], target)
        return None if nbytes is None else (o.id, nbytes)
    if o.opcode == "Sum" and (x := _unmoved(m, m[o.operands[0]])).opcode == "Input":
        dims = dimensions(o.op, [x.type], o.type)
        by_name = dict(dims.cuts(mesh, dims.operands[0], lies[x.id]))
        cut = dims.axes(dims.result, by_name)
        partial = [a for d in dims.contracted for a in by_name.get(d, ())]
        nbytes = _one_move(mesh, o.type, PartitionSpec(*cut, unreduced=partial), target)
        return None if nbytes is None else (x.id, nbytes)
    return None


def _unmoved(m: Module, o: Operation) -> Operation:
    """What a value is that Reshard only moves."""
    while o.op.placement is not None:
        o = m[o.operands[0]]
    return o


def _one_move(mesh: Mesh, type: TensorType, source: PartitionSpec, target: PartitionSpec) -> int | None:
    """What one move sends, or none; None if it takes several, or padding."""
    if not set(target.unreduced) <= set(source.unreduced):
        return None
    if any(n % mesh.parts(axes) for spec in (source, target) for n, axes in zip(type.shape, spec.axes)):
        return None
    steps = moves(mesh, type, source, target)
    return sum(step.nbytes for step in steps) if len(steps) <= 1 else None
