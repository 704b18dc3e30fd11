"""Splits a module in two: what can be computed before some of the Inputs are known, and the rest."""

from __future__ import annotations

from collections.abc import Iterable

from ..ir import Builder, Environment, Module, Operation, Value, ValueId
from ..ir.gc import without_gc
from .derivative_rules import fresh


@without_gc
def split(m: Module, late: Iterable[ValueId], early_outputs: int) -> tuple[Module, Module]:
    """The part of a module that runs before its Inputs `late` are known, and the part that runs after that.

    The early module has the other Inputs; its outputs are the first `early_outputs` of the module, which depend on no
    late Input, and then the residuals, which the late module needs. That one has an Input for each residual, r0, r1, …
    in the same order, then the late Inputs; its outputs are the rest of the module's. Constants are in both.
    """
    waiting = set(late)
    for o in m.operations:
        if not waiting.isdisjoint(o.operands):
            waiting.update(o.ids)
    assert waiting.isdisjoint(m.outputs[:early_outputs]), "an early output depends on a late Input"

    early, late_builder = Builder(m.source), Builder(m.source)
    env: Environment[Value] = Environment()
    for o in m.operations:
        if waiting.isdisjoint(o.ids):
            env.write(o, _unplaced(early, o, env))
    needed = {i: None for o in m.operations if not waiting.isdisjoint(o.ids) for i in o.operands if i not in waiting}
    needed.update((i, None) for i in m.outputs[early_outputs:] if i not in waiting)
    residuals = [i for i in needed if m[i].op.literal is None]

    names = {o.op.name for o in m.inputs if o.id in waiting}  # type: ignore[attr-defined]
    later: Environment[Value] = Environment()
    for n, i in enumerate(residuals):
        later[i] = late_builder.Input(fresh(f"r{n}", names), m.values[i].type)
    for i in needed:
        if i not in later:
            later.write(m[i], _unplaced(late_builder, m[i], later))
    for o in m.operations:
        if not waiting.isdisjoint(o.ids):
            later.write(o, _unplaced(late_builder, o, later))
    outputs = [*m.outputs[:early_outputs], *residuals]
    return early.finish(env.of(outputs)), late_builder.finish(later.of(m.outputs[early_outputs:]))


def _unplaced(b: Builder, o: Operation, env: Environment[Value]) -> tuple[Value, ...]:
    """Write an operation into a module without a mesh."""
    return b.append(o.op, tuple([v.id for v in env.read(o)]), o.types, o.span)
