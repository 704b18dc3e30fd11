"""Reverse mode: ẋ -> ẏ run backwards is ȳ -> x̄.  Spec: Autodiff, Model; design after Slang's transposition."""

from __future__ import annotations

from typing import Literal

from ..ir import Module, Operation, Value, ValueId
from ..ir.gc import without_gc
from .propagate import differential, tangent_outputs
from .rules import RULE_ERRORS, RuleBuilder, fresh, owed, rule_failed, unknown


@without_gc
def transpose(m: Module, *, seed: Literal["input", "ones"] = "input") -> Module:
    """Reverse mode: run the linear part of a linearized module backwards; cotangents in, gradients out.

    `seed` input gives the module one more Input for each float output, its cotangent, named ct0, ct1, … by the
    position of the output; ones takes ones instead.  Outputs are the primal outputs, then the gradients in the order
    of the Inputs; the line `gradients:` has the pairs.  Contributions to one value are added in reverse order of use.

    MindError: E5006 if the module is not linearized, E5002 to E5004 if a rule is at fault.
    """
    linear = differential(m)
    primal_outputs, tangents = tangent_outputs(m, linear)
    b = RuleBuilder(m.source)
    env: dict[ValueId, Value] = {}
    for o in m.inputs:
        if o.id not in linear:
            b.repeat(o, env)
    names = {o.op.name for o in m.inputs if o.id not in linear}  # type: ignore[attr-defined]
    cotangents = []
    for n, t in tangents:
        type = m[t].type
        if seed == "input":
            cotangents.append(b.Input(fresh(f"ct{n}", names), type))
        else:
            cotangents.append(b.full(type, 1))
    for o in m.operations:
        if o.id not in linear and o.id not in env:
            b.repeat(o, env)
    bar: dict[ValueId, Value] = {}
    for (_, t), ct in zip(tangents, cotangents):
        if t in linear:
            bar[t] = bar[t] + ct if t in bar else ct
    for o in reversed(m.operations):
        if o.id in bar and o.operands:
            b.span = o.span
            _add_contributions(m, o, b, env, linear, bar)
    b.span = None
    order = {o.id: n for n, o in enumerate(m.inputs)}
    pairs = [(env[x], bar.get(t) or b.zeros(m[t].type)) for x, t in sorted(m.tangents, key=lambda pair: order[pair[0]])]
    return b.finish([env[i] for i in primal_outputs] + [g for _, g in pairs], pairs)


def _add_contributions(
    m: Module,
    o: Operation,
    b: RuleBuilder,
    env: dict[ValueId, Value],
    linear: dict[ValueId, ValueId],
    bar: dict[ValueId, Value],
) -> None:
    """x̄ += the adjoint of `o` applied to ȳ, for every differential operand x."""
    operands = tuple([env.get(i) or unknown(m[i]) for i in o.operands])
    for wrt, i in enumerate(o.operands):
        if i not in linear:
            continue
        try:
            contribution = o.op.adjoint(b, bar[o.id], operands, wrt)
        except RULE_ERRORS as why:
            raise rule_failed(m, o, "adjoint", why) from why
        contribution = owed(m, o, "adjoint", b, contribution, m[i].type)
        bar[i] = bar[i] + contribution if i in bar else contribution
