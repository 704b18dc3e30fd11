"""Rejects modules that break SSA, a type rule or the chosen profile. Spec: Core IR, Verification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from ..ir import (
    Diagnostic,
    Function,
    MindError,
    Module,
    Operation,
    Reject,
    Source,
    Span,
    TensorType,
    check_operand_count,
)
from ..ir.attributes import AxesKind
from ..ir.diagnostics import MAX_ERRORS, count, short
from ..ir.gc import without_gc
from ..ir.parser import locate_interface
from ..ir.places import interface_line, place, where
from ..ir.printer import print_module

MAX_NESTING = 200
"""How deep functions may be nested: interpreters go down one level of Python for each."""

Check = Callable[[Operation, tuple[TensorType, ...]], None]


@without_gc
def verify(
    m: Module,
    *,
    profile: Literal["core-v1", "extended"] = "extended",
    strict_axes: bool = False,
    strict_positive_dims: bool = False,
    strict_matmul2d: bool = False,
) -> Module:
    """Check every rule of Core IR; returns the module itself.

    `profile` core-v1 refuses operations beyond Core v1. `strict_axes` refuses negative axes, `strict_positive_dims`
    extents of 0, `strict_matmul2d` MatMul of other ranks than 2. Each line is checked with the types that the lines
    above it declare, so independent errors are reported together, up to 20. Raises MindError.
    """
    if not isinstance(m, Module):
        how = "mind.parse reads one from text, mind.trace(f, x).module has that of a function"
        raise TypeError(f"expected a Module, found {type(m).__name__}; {how}")
    if profile not in ("core-v1", "extended"):
        raise MindError.of("E7007", f"no profile is named {profile}", help="profiles: core-v1, extended")
    checks: list[Check] = []
    if profile == "core-v1":
        checks.append(lambda o, types: o.op.check_core_v1(*types))
    if strict_axes:
        checks.append(_no_negative_axes)
    if strict_positive_dims:
        checks.append(_no_zero_extents)
    if strict_matmul2d:
        checks.append(_matmul_of_matrices)

    errors: list[Diagnostic] = []
    if m.functions:
        errors += _functions(m, checks)
    errors += _lines(m, checks, sound=not errors)
    if errors:
        raise MindError(errors[:MAX_ERRORS])
    return m


def _lines(m: Module, checks: Sequence[Check], sound: bool) -> list[Diagnostic]:
    """The errors in the operations and the interface of a module, or of the body of a function.

    Unless functions are `sound`, operations that hold some are not judged.
    """
    types: dict[int, TensorType] = {}
    first: dict[int, Operation] = {}
    names: dict[str, Operation] = {}
    errors: list[Diagnostic] = []
    has_mesh = m.mesh is not None
    for o in m.operations:
        op = o.op
        results = o.results
        if twice := [n for n, r in enumerate(results) if first.setdefault(r.id, o) is not o or _again(o, n)]:
            errors += [_twice(m, o, n, first[results[n].id]) for n in twice]
        elif sound or not op.function_attributes:
            try:
                operands = tuple([types[i] for i in o.operands])
                if len(operands) != len(op.operand_names):
                    check_operand_count(op, len(operands))
                for check in checks:
                    check(o, operands)
                inferred = op.infer_type(*operands)
                if len(results) > 1 or inferred != results[0].type:
                    _has_types(o, inferred)
                if has_mesh or op.across_ranks or results[0].sharding is not None or len(results) > 1:
                    _fits_mesh(m, o, operands)
                if op.opcode == "Input":
                    _new_name(o, names)
            except KeyError:
                errors += [_undefined(m, o, n, i) for n, i in enumerate(o.operands) if i not in types]
            except Reject as why:
                errors.append(place(m, o, why))
        for r in results:
            types[r.id] = r.type
        if len(errors) >= MAX_ERRORS:
            break
    else:
        errors += _interface(m, types)
    return errors


def _functions(m: Module, checks: Sequence[Check]) -> list[Diagnostic]:
    """The errors in the functions of a module."""
    errors: list[Diagnostic] = []
    names: dict[str, Function] = {}
    depths: dict[Function, int] = {}
    for f in m.functions:
        depths[f] = depth = 1 + max([depths[g] for o in f.body.operations for g in o.op.functions()], default=0)
        if names.setdefault(f.name, f) is not f:
            errors += _named_alike(m, names[f.name], f)
        elif depth > MAX_NESTING:
            errors.append(_at(f, Reject("E4017", f"@{f.name} holds functions that are nested {depth - 1} deep")))
        else:
            errors += _function(f, checks, sound=not errors)
        if len(errors) >= MAX_ERRORS or depth > MAX_NESTING:
            break
    return errors


def _function(f: Function, checks: Sequence[Check], sound: bool) -> Iterator[Diagnostic]:
    """The errors in the body of a function, without those in functions that it holds."""
    body = f.body
    for what, is_there in (
        ("a mesh", body.mesh is not None),
        ("gradients", body.gradients),
        ("tangents", body.tangents),
    ):
        if is_there:
            yield _at(f, Reject("E4017", f"@{f.name} has {what}", help="they belong in the module itself"))
            return
    if not body.outputs:
        yield _at(f, Reject("E4014", f"@{f.name} has no outputs", help="end it with `outputs: %id`"))
        return
    for found in _lines(body, checks, sound):
        if body.source is None and found.source is not None:  # its own text, where a reader knows which
            found = replace(found, source=Source(f"<@{f.name}>", found.source.text))
        yield found


def _at(f: Function, why: Reject) -> Diagnostic:
    """The diagnostic for `why` at the beginning of a function."""
    if f.body.source is not None and f.span is not None:
        return why.located(f.body.source, f.span)
    text = f"func @{f.name} {{"
    return why.located(Source("<module>", text), Span(0, len(text) - 2))


def _named_alike(m: Module, first: Function, second: Function) -> list[Diagnostic]:
    """E4019 at the first operation that holds `second`."""
    for module in (*[f.body for f in m.functions], m):
        for o in module.operations:
            if second in o.op.functions():
                message = f"{o.opcode} holds @{second.name}, which is another function than one of that name before"
                note = f"the one before is {first!r}, this one {second!r}"
                return [place(module, o, Reject("E4019", message, note=note, help="give one of them another name"))]
    raise AssertionError("an operation holds it")


def _again(o: Operation, n: int) -> bool:
    """True if an earlier result of the operation has the id of result `n`."""
    return n > 0 and o.results[n].id in o.ids[:n]


def _has_types(o: Operation, inferred: TensorType | tuple[TensorType, ...]) -> None:
    """E2001, E2008 unless the results have the types that are inferred."""
    if not isinstance(inferred, tuple):
        inferred = (inferred,)
    if len(inferred) != len(o.results):
        message = f"{o.opcode} has {count(len(inferred), 'result')}, the line names {len(o.results)}"
        raise Reject("E2008", message, at="value")
    for n, (type, r) in enumerate(zip(inferred, o.results)):
        if type != r.type:
            which = f" as result {n}" if len(inferred) > 1 else ""
            at = f"type {n}" if len(inferred) > 1 else "type"
            raise Reject("E2001", f"{o.opcode} gives {type}{which}, the line says {r.type}", at=at)


def _fits_mesh(m: Module, o: Operation, operands: tuple[TensorType, ...]) -> None:
    """E8002 to E8006 unless the operation and its sharding fit the module's mesh."""
    o.op.check_mesh(m.mesh, *operands)
    at = "sharding" if len(o.results) == 1 else "shardings"
    for r in o.results:
        if r.sharding is None:
            continue
        if o.op.placement not in (None, r.sharding):
            message = f"{o.opcode} to {o.op.placement} says that its value is sharded as {r.sharding}"
            raise Reject("E8004", message, help="leave out one of the two", at=at)
        try:
            r.sharding.check(m.mesh, r.type)
        except Reject as why:
            why.at = at
            raise


def _undefined(m: Module, o: Operation, n: int, id: int) -> Diagnostic:
    source, span = where(m, o, f"operand {n}")
    later = m.by_id.get(id)
    if later is None:
        return Diagnostic("E4001", f"%{id} is not defined", source, span, help="an operand refers to an earlier line")
    _, there = where(m, later, f"value {later.ids.index(id)}")
    remark = ((there, f"%{id} is defined here"),)
    return Diagnostic("E4001", f"%{id} is used before it is defined", source, span, related=remark)


def _twice(m: Module, o: Operation, n: int, first: Operation) -> Diagnostic:
    id = o.results[n].id
    source, span = where(m, o, f"value {n}")
    _, there = where(m, first, f"value {first.ids.index(id)}")
    return Diagnostic("E4002", f"%{id} is defined twice", source, span, related=((there, "it is first defined here"),))


def _new_name(o: Operation, names: dict[str, Operation]) -> None:
    name: str = o.op.name  # type: ignore[attr-defined]
    if name in names:
        raise Reject("E4004", f'Input "{short(name)}" exists already, as %{names[name].id}', at="name")
    names[name] = o


def _interface(m: Module, types: dict[int, TensorType]) -> list[Diagnostic]:
    if not m.outputs:
        source = m.source or Source("<module>", print_module(m))
        end = Span(len(source.text), len(source.text))
        return [Diagnostic("E4014", "the module has no outputs", source, end, help="end it with `outputs: %id`")]
    missing = [("output", n, i) for n, i in enumerate(m.outputs) if i not in types]
    for what, pairs in (("gradient", m.gradients), ("tangent", m.tangents)):
        missing += [(what, n, i) for n, pair in enumerate(pairs) for i in pair if i not in types]
    errors, lines = [], {}
    for what, n, i in missing[:MAX_ERRORS]:
        if what not in lines:
            source, line = interface_line(m, what)
            lines[what] = source, line, locate_interface(source, line)
        source, line, places = lines[what]
        message = f"{what} {n} refers to %{i}, which is not defined"
        errors.append(Diagnostic("E4003", message, source, places.get(f"{what} {n}", line)))
    return errors or _pairs(m)


def _pairs(m: Module) -> list[Diagnostic]:
    """A gradient has the type of its value (E5002), a tangent is a fresh Input of the type of its Input (E5006)."""
    errors = []

    def complain(code: str, what: str, n: int, message: str) -> None:
        source, line = interface_line(m, what)
        errors.append(Diagnostic(code, message, source, locate_interface(source, line).get(f"{what} {n}", line)))

    values = m.values
    for n, (x, g) in enumerate(m.gradients):
        if values[x].type != values[g].type:
            complain("E5002", "gradient", n, f"%{x} is {values[x].type}, its gradient %{g} is {values[g].type}")
    uses = Counter(t for _, t in m.tangents) + Counter({x for x, _ in m.tangents})
    seen: set[int] = set()
    for n, (x, t) in enumerate(m.tangents):
        if m[x].opcode != "Input" or m[t].opcode != "Input":
            complain("E5006", "tangent", n, f"%{x} -> %{t} is not a pair of Inputs")
        elif m[x].type != m[t].type:
            complain("E5006", "tangent", n, f"%{x} is {m[x].type}, its tangent %{t} is {m[t].type}")
        elif not m[x].type.dtype.is_float:
            complain("E5006", "tangent", n, f"%{x} is {m[x].type}, which has no tangent")
        elif uses[t] > 1:
            complain("E5006", "tangent", n, f"%{t} is in more than one pair")
        elif x in seen:
            complain("E5006", "tangent", n, f"%{x} has more than one tangent")
        seen.add(x)
    return errors[:MAX_ERRORS]


def _no_negative_axes(o: Operation, types: tuple[TensorType, ...]) -> None:
    for name, kind in o.op.kinds.items():
        if isinstance(kind, AxesKind):
            for a in getattr(o.op, name):
                if a < 0:
                    raise Reject(
                        "E3004", f"{o.op.opcode} axis {a} is negative", help="--strict-axes refuses it", at=name
                    )


def _no_zero_extents(o: Operation, types: tuple[TensorType, ...]) -> None:
    for type in o.types:
        if 0 in type.shape:
            i = type.shape.index(0)
            raise Reject("E3006", f"extent {i} of {type} is 0", help="--strict-positive-dims refuses it", at="type")


def _matmul_of_matrices(o: Operation, types: tuple[TensorType, ...]) -> None:
    if o.op.opcode == "MatMul":
        for i, (name, t) in enumerate(zip(o.op.operand_names, types)):
            if t.rank != 2:
                raise Reject(
                    "E3002",
                    f"MatMul takes rank 2, {name} is {t}",
                    help="--strict-matmul2d refuses it",
                    at=f"operand {i}",
                )
