"""A module in global view, made into what each rank of its mesh runs.  docs/sharding.md; after Nabla, GSPMD, Shardy.

Operations are taken in order.  Each is cut along mesh axes by the names of its dimensions, in the way that sends the
fewest bytes, counted are its operands on their way to where it wants them and what its partial sums cost.  Constants,
and what only moves elements (Transpose, Reshape, Broadcast, …), wait until something uses them, and are then made where
they are wanted: so a reshard goes before a transpose, and a value that has been moved is not moved again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...ir import Builder, Environment, MindError, Module, Reject, Value, ValueId
from ...ir.gc import without_gc
from ...ir.places import place
from ..verify import verify
from .machine import ORDINARY, Machine

if TYPE_CHECKING:
    from .records import Partitioned


@without_gc
def partition(
    m: Module,
    *,
    products_per_byte: int = ORDINARY.products_per_byte,
    bytes_per_operation: int = ORDINARY.bytes_per_operation,
) -> Module:
    """What each rank of the mesh runs: local shapes, and operations between ranks where values must move.

    Inputs without a sharding are whole on every rank; a gradient that is an output comes to lie as its value.  The
    remark behind an Input says how it lies.  The options are the `Machine` by which ways to cut are compared.
    MindError: any code of `verify`, E7007 for an option below 1, E8002 without a mesh, E8005 for partial sums that
    cannot be made, E8006 for an operation between ranks.
    """
    return partitioned(m, Machine(products_per_byte, bytes_per_operation)).module


@without_gc
def partitioned(m: Module, machine: Machine = ORDINARY) -> Partitioned:
    """As `partition`, with how Inputs and outputs lie, and what moves."""
    from .search import decided  # when one is needed: the package imports this file

    return decided(global_view(m)[0], machine).run()


def global_view(m: Module) -> tuple[Module, dict[ValueId, ValueId]]:
    """The module, verified, in operations that can be cut further, and where its values are there.

    E8002 without a mesh, E8006 for an operation between ranks.
    """
    verify(m)
    if m.mesh is None:
        help = "a line such as `mesh: dp = 2` names the axes, jit takes mesh="
        raise MindError.of("E8002", "the module has no mesh", help=help)
    b = Builder(m.source, m.mesh)
    env: Environment[Value] = Environment()
    for o in m.operations:
        operands = env.read(o)
        if o.op.across_ranks:
            message = f"{o.opcode} stands in a module that is to be partitioned"
            why = Reject("E8006", message, help="Reshard says how a value lies; partition writes what moves it")
            raise MindError([place(m, o, why)])
        first = len(b.operations)
        if (v := o.op.decomposed(b, *operands)) is not None:
            b.operations[first:] = [replace(made, span=o.span) for made in b.operations[first:]]
        else:
            v = b.append(o.op, tuple([v.id for v in operands]), o.types, o.span)
        made = v if isinstance(v, tuple) else (v,)
        env.write(o, [b.place(x, r.sharding) for r, x in zip(o.results, made)])
    return b.finish(env.of(m.outputs), env.pairs(m.gradients)), {i: v.id for i, v in env.items()}
