"""Reverse mode: transposes the map ẋ -> ẏ to ȳ -> x̄. Spec: Autodiff, Model; design after Slang's transposition."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Literal

from ..ir import Environment, MindError, Module, Operation, PartitionSpec, Value, ValueId
from ..ir.gc import without_gc
from ..ir.places import interface_line
from .derivative_rules import RULE_ERRORS, RuleBuilder, fresh, owed, rule_failed, unknown
from .propagate import differential, is_zero


@without_gc
def transpose(
    m: Module,
    *,
    seed: Literal["input", "ones"] = "input",
    accumulate: Literal["deferred", "eager"] = "deferred",
) -> Module:
    """Reverse mode: run the linear part of a linearized module backwards; cotangents in, gradients out.

    `seed` input gives the module one more Input for each float output, its cotangent, named ct0, ct1, … by the
    position of the output; ones takes ones instead. Outputs are the primal outputs, then the gradients in the order
    of the Inputs; the line `gradients:` has the pairs. Contributions to a value are added from its last use to its
    first.
    On a mesh a gradient gets the sharding of its Input: `accumulate` deferred adds contributions without moving them,
    eager moves each to the sharding of its value before it is added (Nabla's autograd, Sharding-Aware Cotangent
    Accumulation).

    MindError: E5006 if the module is not linearized, E5002 to E5004 if a rule is at fault.
    """
    linear = differential(m)
    primal_outputs, tangents = _outputs(m, linear)
    b = RuleBuilder(m.source, m.mesh)
    env: Environment[Value] = Environment()
    for o in m.inputs:
        if o.id not in linear:  # an Input has one result
            b.repeat(o, env)
    names = {o.op.name for o in m.inputs if o.id not in linear}  # type: ignore[attr-defined]
    cotangents = []
    for n, t in tangents:
        type = m.values[t].type
        if seed == "input":
            cotangents.append(b.Input(fresh(f"ct{n}", names), type))
        else:
            cotangents.append(b.full(type, 1))
    for o in m.operations:
        if not env.has(o) and linear.keys().isdisjoint(o.ids):
            b.repeat(o, env)
    bar: dict[ValueId, Value] = {}
    for (_, t), ct in zip(tangents, cotangents):
        if t in linear:
            bar[t] = bar[t] + ct if t in bar else ct
    for o in reversed(m.operations):
        if o.operands and not bar.keys().isdisjoint(o.ids):
            b.span = o.span
            _add_contributions(m, o, b, env, linear, bar, accumulate == "eager")
    b.span = None
    order = {o.id: n for n, o in enumerate(m.inputs)}
    pairs = []
    for x, t in sorted(m.tangents, key=lambda pair: order[pair[0]]):
        g = bar.get(t) or b.zeros(m.values[t].type)
        pairs.append((env[x], _moved(b, g, m.values[x].sharding)))  # finalise
    return b.finish(env.of(primal_outputs) + [g for _, g in pairs], pairs)


def _add_contributions(
    m: Module,
    o: Operation,
    b: RuleBuilder,
    env: Environment[Value],
    linear: dict[ValueId, ValueId],
    bar: dict[ValueId, Value],
    eager: bool,
) -> None:
    """x̄ += the adjoint of `o` applied to ȳ, for every differential operand x."""
    operands = tuple([env.get(i) or unknown(m.values[i]) for i in o.operands])
    cotangents = tuple([bar.get(i) for i in o.ids])
    wrt = [n for n, i in enumerate(o.operands) if i in linear]
    ct = cotangents if len(cotangents) > 1 else cotangents[0]

    def by_rule() -> Iterator[object]:  # the rule is asked as each contribution is needed
        yield from o.op.adjoints(b, ct, operands, wrt)

    found = by_rule()
    for i in [o.operands[n] for n in wrt]:
        try:
            given = next(found, None)
        except RULE_ERRORS as why:
            raise rule_failed(m, o, "adjoint", why) from why
        contribution = owed(m, o, "adjoint", b, given, m.values[i].type)
        if eager or o.op.placement is not None:  # the adjoint of a move moves back
            contribution = _moved(b, contribution, m.values[i].sharding)
        bar[i] = bar[i] + contribution if i in bar else contribution


def _moved(b: RuleBuilder, cotangent: Value, to: PartitionSpec | None) -> Value:
    """A cotangent, moved to a sharding in which partial sums are added; unchanged if `to` is None."""
    return cotangent if to is None else b.Reshard(cotangent, to.resolved)


def _outputs(m: Module, linear: Container[ValueId]) -> tuple[tuple[ValueId, ...], tuple[tuple[int, ValueId], ...]]:
    """The primal outputs, and the tangents of the float ones, each with the position of its output.

    E5006 if the outputs are not primals followed by tangents of the same types, which are `linear` or zero.
    """
    count = _primal_count(m)
    primals = m.outputs[:count]
    pairs = tuple(zip([n for n, i in enumerate(primals) if m.values[i].type.dtype.is_float], m.outputs[count:]))
    for n, i in enumerate(primals):
        if i in linear:
            raise _bad_outputs(m, f"%{i}, output {n}, is differential and is among the primals")
    for n, t in pairs:
        i = primals[n]
        if m.values[t].type != m.values[i].type:
            raise _bad_outputs(m, f"%{i} is {m.values[i].type}, its tangent %{t} is {m.values[t].type}")
        if t not in linear and not is_zero(t, m.__getitem__):
            raise _bad_outputs(m, f"%{t}, the tangent of %{i}, is neither differential nor zero")
    return primals, pairs


def _primal_count(m: Module) -> int:
    """The number of outputs that are primals, if a tangent for each float one follows them."""
    floats = 0
    for count, i in enumerate(m.outputs, start=1):
        floats += m.values[i].type.dtype.is_float
        if count + floats == len(m.outputs):
            return count
    raise _bad_outputs(m, "the outputs are not those of a linearized module")


def _bad_outputs(m: Module, message: str) -> MindError:
    source, line = interface_line(m, "output")
    help = "first the outputs of the function, then the tangents of the float ones"
    return MindError.of("E5006", message, source, line, help=help)
