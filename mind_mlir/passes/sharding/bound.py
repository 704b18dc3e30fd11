"""The least number of bytes that any partition of a module sends, where it is known.

A rank has to receive the elements of an Input that it needs and does not hold. If each of n ranks along an axis holds
one term of B bytes, and nothing of the others', a rank sends B (n - 1) / n for a sum that is cut, and twice that for a
sum that is whole (Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, 2009). One move sends just that.

Of other values nothing is known: a product of small operands need not be added up, since operands can be gathered.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...ir import Mesh, Module, Operation, PartitionSpec, TensorType, ValueId
from .dimensions import dimensions
from .moves import moves


def least_sent(m: Module, inputs: Iterable[PartitionSpec], outputs: Iterable[PartitionSpec]) -> int | None:
    """The bound, in bytes, for a module in global view with these shardings; None unless known for every output."""
    assert m.mesh is not None, "global_view checks for it"
    shardings = dict(zip([o.id for o in m.inputs], inputs))
    least: dict[ValueId, int] = {}
    for id, target in zip(m.outputs, outputs):
        found = None if len(m[id].results) > 1 else _of_output(m, m.mesh, shardings, m[id], target)
        if found is None:
            return None
        source, nbytes = found
        least[source] = max(least.get(source, 0), nbytes)  # what is received for one output may serve another
    return sum(least.values())


def _of_output(
    m: Module, mesh: Mesh, shardings: dict[ValueId, PartitionSpec], o: Operation, target: PartitionSpec
) -> tuple[ValueId, int] | None:
    """The Input from which an output is made, and the bound for it in bytes; None if it is not known."""
    o = _unmoved(m, o)
    if len(o.results) > 1:
        return None
    if o.opcode == "Input":
        nbytes = _one_move(mesh, o.type, shardings[o.id], target)
        return None if nbytes is None else (o.id, nbytes)
    if o.opcode == "Sum" and (x := _unmoved(m, m[o.operands[0]])).opcode == "Input":
        dims = dimensions(o.op, [x.type], o.type)
        by_name = dict(dims.cuts(mesh, dims.operands[0], shardings[x.id]))
        cut = dims.axes(dims.result, by_name)
        partial = [a for d in dims.contracted for a in by_name.get(d, ())]
        nbytes = _one_move(mesh, o.type, PartitionSpec(*cut, unreduced=partial), target)
        return None if nbytes is None else (x.id, nbytes)
    return None


def _unmoved(m: Module, o: Operation) -> Operation:
    """The operation whose value this is, before any Reshard."""
    while o.op.placement is not None:
        o = m[o.operands[0]]
    return o


def _one_move(mesh: Mesh, type: TensorType, source: PartitionSpec, target: PartitionSpec) -> int | None:
    """The bytes that at most one move sends; None if the way takes several moves, or padding."""
    if not set(target.unreduced) <= set(source.unreduced):
        return None
    if any(n % mesh.parts(axes) for spec in (source, target) for n, axes in zip(type.shape, spec.axes)):
        return None
    steps = moves(mesh, type, source, target)
    return sum(step.nbytes for step in steps) if len(steps) <= 1 else None
