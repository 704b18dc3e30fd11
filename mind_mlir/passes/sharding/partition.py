"""Makes of a module in global view what each rank of its mesh runs. docs/sharding.md; after Nabla, GSPMD, Shardy.

Operations are taken in order. Each is cut along mesh axes by the names of its dimensions, in the way that sends the
fewest bytes, for its operands to get the shardings that it wants and for its partial sums to be added. Constants, and
operations that only move elements (Transpose, Reshape, Broadcast, …), wait until something uses them, and are then made
with the sharding that it wants: so a reshard goes before a transpose, and a value is not moved twice.
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
    """Make the module that each rank runs: shapes are local, and values are moved by operations between ranks.

    Inputs without a sharding are whole on every rank; a gradient that is an output gets the sharding of its value. The
    remark after an Input is its sharding. The options are the `Machine` by which ways to cut are compared.
    MindError: any code of `verify`, E7007 for an option below 1, E8002 without a mesh, E8005 for partial sums that
    cannot be made, E8006 for an operation between ranks.
    """
    return partitioned(m, Machine(products_per_byte, bytes_per_operation)).module


@without_gc
def partitioned(m: Module, machine: Machine = ORDINARY) -> Partitioned:
    """As `partition`, with the shardings of Inputs and outputs, and all communication."""
    from .search import decided  # here, because the package imports this file

    return decided(global_view(m)[0], machine).run()


def global_view(m: Module) -> tuple[Module, dict[ValueId, ValueId]]:
    """The module, verified and in operations that can be cut further; and value -> its value there.

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
            message = f"{o.opcode} occurs in a module that is to be partitioned"
            why = Reject("E8006", message, help="Reshard gives a value a sharding; partition writes what moves it")
            raise MindError([place(m, o, why)])
        first = len(b.operations)
        if (v := o.op.decomposed(b, *operands)) is not None:
            b.operations[first:] = [replace(made, span=o.span) for made in b.operations[first:]]
        else:
            v = b.append(o.op, tuple([v.id for v in operands]), o.types, o.span)
        made = v if isinstance(v, tuple) else (v,)
        env.write(o, [b.place(x, r.sharding) for r, x in zip(o.results, made)])
    return b.finish(env.of(m.outputs), env.pairs(m.gradients)), {i: v.id for i, v in env.items()}
