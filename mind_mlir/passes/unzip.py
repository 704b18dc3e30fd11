"""Moves the primal part of a module before the part that is linear in the tangents. Design after Slang's unzip."""

from __future__ import annotations

from ..ir import Environment, Module, Value
from ..ir.gc import without_gc
from .derivative_rules import RuleBuilder
from .propagate import differential


@without_gc
def unzip(m: Module) -> Module:
    """Inputs, then primal operations, then those that are linear in the tangents, each in their order.

    E5006 if the module is not linearized.
    """
    linear = differential(m)
    b = RuleBuilder(m.source, m.mesh)
    env: Environment[Value] = Environment()
    for o in m.inputs:
        b.repeat(o, env)
    late = []
    for o in m.operations:
        if not linear.keys().isdisjoint(o.ids):
            late.append(o)
        elif not env.has(o):
            b.repeat(o, env)
    for o in late:
        if not env.has(o):  # not the Inputs of tangents: they are in front
            b.repeat(o, env)
    return b.finish(env.of(m.outputs), tangents=env.pairs(m.tangents))
