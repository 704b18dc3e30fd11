"""Runs all ranks of a mesh in one process, one operation at a time: the oracle for what runs on MPI.

Like `interpret` it calls each operation's `evaluate`, and `across` for operations between ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir import Environment, MindError, Module, Reject, np
from ..ir.places import place
from ..passes.preflight import check_before_run
from ..passes.verify import verify
from .arguments import bind

if TYPE_CHECKING:
    import numpy


def simulate(m: Module, arguments: Sequence[Sequence[Any]]) -> list[tuple[numpy.ndarray, ...]]:
    """For each rank, its outputs of a module for one rank; `arguments` are those of each rank, by position.

    MindError: any code of `verify`, E6001 and E6004 as `interpret`, E8007 for another number of ranks than the mesh
    has.
    """
    check_before_run(verify(m))
    ranks = 1 if m.mesh is None else m.mesh.size
    if len(arguments) != ranks:
        raise MindError.of("E8007", f"the mesh has {ranks} ranks, arguments are given for {len(arguments)}")
    names, types = [o.op.name for o in m.inputs], [o.type for o in m.inputs]  # type: ignore[attr-defined]
    envs: list[Environment[Any]] = [
        Environment(zip((o.id for o in m.inputs), bind(names, types, a, {}))) for a in arguments
    ]
    with np.errstate(all="ignore"):
        for o in m.operations:
            if o.opcode == "Input":
                continue
            operands = [env.read(o) for env in envs]
            try:
                results: list[tuple[numpy.ndarray, ...]]
                if o.op.across_ranks and m.mesh is not None:
                    results = [(np.asarray(x),) for x in _across(m, o.op, [x for (x,) in operands])]
                else:
                    results = [o.op.result_arrays(*x) for x in operands]
            except Reject as why:
                raise MindError([place(m, o, why)]) from None
            for env, result in zip(envs, results):
                env.write(o, result)
    return [tuple(np.array(env[i], order="C", copy=True) for i in m.outputs) for env in envs]


def _across(m: Module, op: Any, values: list[Any]) -> list[Any]:
    """The results of an operation between ranks, on all ranks, from its operands there."""
    assert m.mesh is not None
    results: list[Any] = [None] * len(values)
    for rank in range(len(values)):
        group = m.mesh.group(rank, op.axis)
        if group[0] == rank:
            for r, result in zip(group, op.across([values[r] for r in group])):
                results[r] = result
    return results
