"""Forward mode: y = f(x)  ->  y, ẏ = f(x), f'(x)·ẋ. Spec: Autodiff, Derivative rules; after Slang's linearize."""

from __future__ import annotations

from typing import Literal

from ..ir import OPS, Environment, MindError, Module, Operation, Reject, Result, Value, ValueId
from ..ir.diagnostics import count, short
from ..ir.gc import without_gc
from ..ir.op import Linearity
from ..ir.places import place, written
from .canonicalize import canonicalize
from .derivative_rules import RULE_ERRORS, RuleBuilder, each_of, fresh, owed, rule_failed
from .propagate import is_zero, linear_operands


@without_gc
def linearize(
    m: Module, *, wrt: tuple[int | str, ...] | None = None, profile: Literal["core-v1", "extended"] = "extended"
) -> Module:
    """Forward mode: add the tangent of each operation that depends on the inputs `wrt`.

    `wrt` are Inputs, by position or by name; None takes all of f32 and f64. Their tangents are new Inputs after
    the module's own, in `wrt` order, and the line `tangents:` has the pairs. Outputs are those of the module, then the
    tangents of the float ones. Runs on the canonical form of `m`.

    MindError: any code of `verify`; E5001 for an operation without a derivative in `profile`; E5005 for an Input that
    is not there or not a float; E6001 for a constant index out of bounds; E5002 to E5004 if a rule is at fault.
    """
    m = canonicalize(m)
    inputs = chosen_inputs(m, wrt)
    b = RuleBuilder(m.source, m.mesh)
    env: Environment[Value] = Environment()
    for o in m.inputs:
        b.repeat(o, env)
    tangent: dict[ValueId, Value] = {}
    names = {o.op.name for o in m.inputs}  # type: ignore[attr-defined]
    pairs = []
    linear: set[ValueId] = set()  # what depends on tangents
    for o in inputs:
        name = fresh(f"{o.op.name}.dot", names)  # type: ignore[attr-defined]
        (t,) = b.append(OPS["Input"](name, o.type), (), o.types, o.span)  # type: ignore[call-arg]
        tangent[o.id] = t
        if o.sharding is not None:
            b.place(t, o.sharding.resolved)
        linear.add(t.id)
        pairs.append((env[o.id], tangent[o.id]))
    for o in m.operations[len(m.inputs) :]:
        b.repeat(o, env)
        if o.op.linearity is Linearity.CONSTANT or True not in [r.type.dtype.is_float for r in o.results]:
            continue
        tangents = tuple([tangent.get(i) for i in o.operands])
        if any(t is not None for t in tangents):
            _check_rule(m, o, profile)
            b.span = o.span
            start, first = len(b.operations), b.values_made
            found = _tangents_of(m, o, b, tuple(env.read(o)), tangents, tuple(env.of(o.ids)))
            if found:
                _check_linear(m, o, b, start, linear, [v for _, v in found])
            for r, value in found:
                tangent[r.id] = value
                if r.sharding is not None and value.id >= first:
                    b.place(value, r.sharding.resolved)  # of a tangent, the ranks hold no partial sums
    b.span = None
    outputs = env.of(m.outputs)
    types = [(i, m.values[i].type) for i in m.outputs]
    tangents_out = [tangent.get(i) or b.zeros(type) for i, type in types if type.dtype.is_float]
    return b.finish(outputs + tangents_out, tangents=pairs)


def chosen_inputs(m: Module, wrt: tuple[int | str, ...] | None) -> list[Operation]:
    """The Inputs at these positions or of these names, or all of a float dtype. E5005."""
    if wrt is None:
        return [o for o in m.inputs if o.type.dtype.is_float]
    if not wrt:
        raise MindError.of("E5005", "wrt names no input", help="leave it out for all of f32 and f64")
    names: list[str] = [o.op.name for o in m.inputs]  # type: ignore[attr-defined]
    position = {name: n for n, name in enumerate(names)}
    out: dict[int, Operation] = {}
    for which in wrt:
        if isinstance(which, str) and which not in position:
            raise MindError.of("E5005", f"no Input is named {short(which)}", help=f"Inputs: {', '.join(names[:20])}")
        n = position[which] if isinstance(which, str) else which
        if not 0 <= n < len(m.inputs):
            have = f"the module has {count(len(m.inputs), 'input')}, counted from 0"
            raise MindError.of("E5005", f"wrt names input {n}, which does not exist", help=have)
        o = m.inputs[n]
        if not o.type.dtype.is_float:
            help = "wrt counts Inputs from 0; left out, it is all of f32 and f64"
            why = Reject(
                "E5005", f'Input "{names[n]}" is {o.type}; only f32 and f64 have gradients', help=help, at="type"
            )
            raise MindError([place(m, o, why)])
        if n in out:
            raise MindError.of("E5005", f"wrt names input {n} twice")
        out[n] = o
    return list(out.values())


def _check_rule(m: Module, o: Operation, profile: str) -> None:
    """E5001 if `o` has no derivative in the profile; E6001 if it takes a constant index out of bounds."""
    has_rule = o.op.linearity is not Linearity.OPAQUE
    if has_rule and (profile == "extended" or o.op.core_v1_gradient):
        try:
            o.op.check_before_run(*[m.values[i].type for i in o.operands])
        except Reject as why:
            raise MindError([place(m, o, why)]) from None
        return
    where = f" in profile {profile}" if has_rule else ""
    refused = Reject(
        "E5001",
        f"autodiff does not support {o.opcode}{where}",
        label=f"{written(m, o)} depends on an input that is differentiated",
        help="--profile=extended has its derivative" if has_rule else "give it a jvp, or differentiate another input",
    )
    raise MindError([place(m, o, refused)])


def _tangents_of(
    m: Module,
    o: Operation,
    b: RuleBuilder,
    primals: tuple[Value, ...],
    tangents: tuple[Value | None, ...],
    results: tuple[Value, ...],
) -> list[tuple[Result, Value]]:
    """The results whose tangents are not zero, each with its own."""
    several = len(results) > 1
    try:
        found = o.op.jvp(b, primals, tangents, results if several else results[0])
    except RULE_ERRORS as why:
        raise rule_failed(m, o, "jvp", why) from why
    each = zip(o.results, each_of(m, o, "jvp", found))
    return [(r, owed(m, o, "jvp", b, v, r.type)) for r, v in each if v is not None and r.type.dtype.is_float]


def _check_linear(
    m: Module, o: Operation, b: RuleBuilder, start: int, linear: set[ValueId], found: list[Value]
) -> None:
    """E5002 unless what the rule of `o` has made since `start`, and what it has `found`, are linear in tangents.

    Adds the ids that depend on tangents to `linear`.
    """
    wrong = ""
    for made in b.operations[start:]:
        try:
            if linear_operands(made, linear, b.operation):
                linear.update(made.ids)
        except Reject:
            wrong = f"is not linear in the tangents, because of its {made.opcode}"
            break
    else:
        if any(v.id not in linear and not is_zero(v.id, b.operation) for v in found):
            wrong = "gives a value that depends on no tangent"
    if wrong:
        rejected = Reject("E5002", f"rule jvp of {o.opcode} at {written(m, o)} {wrong}", help=_JVP)
        raise MindError([place(m, o, rejected)])


_JVP = "a jvp is written in operations that are linear in the tangents, and returns None for a tangent of zero"
