"""Every value's sharding, written into the module.  docs/sharding.md."""

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
    """Give every value a sharding: from those that Inputs and others have, by each operation's dimensions.

    What is open stays open: constants, and what is made of them alone, lie where they are used.  Options and MindError:
    as for `partition`.
    """
    from .search import decided  # when one is needed: the package imports this file

    further, place = global_view(m)
    p = decided(further, Machine(products_per_byte, bytes_per_operation))
    p.place_all()
    specs = {r.id: _sharding(p, r, place[r.id]) for r in m.values.values()}
    return replace(m, operations=tuple([o.with_shardings(specs) for o in m.operations]), notes={})


def _sharding(p: Partitioner, r: Result, there: ValueId) -> PartitionSpec | None:
    """How a value lies.  An output is a partial sum only where the module says so, also one that waits as one."""
    spec = p.known(there)
    if spec is not None and r.sharding is None and there in p.results:
        return p.decisions.outputs.get(there, spec.resolved)
    return spec
