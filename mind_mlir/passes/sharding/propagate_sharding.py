"""Every value's sharding, written into the module.  docs/sharding.md."""

from __future__ import annotations

from dataclasses import replace

from ...ir import Module
from ...ir.gc import without_gc
from .partition import Partitioner, global_view


@without_gc
def propagate_sharding(m: Module) -> Module:
    """Give every value a sharding: from those that Inputs and others have, by each operation's dimensions.

    What is open stays open: constants, and what is made of them alone, lie where they are used.  MindError: as for
    `partition`.
    """
    further, place = global_view(m)
    p = Partitioner(further)
    p.place_all()
    specs = {o.id: p.known(place[o.id]) for o in m.operations}
    placed = [o if specs[o.id] == o.sharding else replace(o, sharding=specs[o.id]) for o in m.operations]
    return replace(m, operations=tuple(placed), notes={})
