"""Writes every value's sharding into the module. docs/sharding.md."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...ir import Module, PartitionSpec, Result, ValueId
from ...ir.gc import without_gc
from .machine import ORDINARY, Machine
from .partition import global_view

if TYPE_CHECKING:
    from .partitioner import Partitioner


@without_gc
def propagate_sharding(
    m: Module,
    *,
    products_per_byte: int = ORDINARY.products_per_byte,
    bytes_per_operation: int = ORDINARY.bytes_per_operation,
) -> Module:
    """Give every value a sharding, from those that Inputs and others have, by each operation's dimensions.

    Constants, and what is made of them alone, get none: they are made with the sharding that their users want. Options
    and MindError: as for `partition`.
    """
    from .search import decided  # here, because the package imports this file

    further, there = global_view(m)
    p = decided(further, Machine(products_per_byte, bytes_per_operation))
    p.shard_all()
    specs = {r.id: _sharding(p, r, there[r.id]) for r in m.values.values()}
    return replace(m, operations=tuple([o.with_shardings(specs) for o in m.operations]), notes={})


def _sharding(p: Partitioner, r: Result, there: ValueId) -> PartitionSpec | None:
    """The sharding of a value. An output is a partial sum only if the module says so."""
    spec = p.known(there)
    if spec is not None and r.sharding is None and there in p.results:
        return p.decisions.outputs.get(there, spec.resolved)
    return spec
