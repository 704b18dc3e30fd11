"""Draws a module as a Graphviz graph: a node for each operation, an edge for each use of a value.

Derivatives are coloured: tangents and gradients, and the operations that only they need. A function that operations
hold is a cluster with a graph of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..ir import MindError, Module, Op, ValueId
from ..passes.propagate import differential

_LONGEST = 60

_INPUT, _TANGENT, _BACKWARD, _GRADIENT = "lightgray", "lightblue", "moccasin", "palegreen"


def dot(m: Module) -> str:
    """The graph in the dot language; draw it with `dot -Tsvg`."""
    lines = ["digraph module {", '  node [shape=box, fontname="monospace"];']
    colours = _colours(m)
    if legend := _legend(m):
        lines.append(f"  label={_quoted(legend)};")
    lines += _nodes(m, "", colours)
    for k, f in enumerate(m.functions):
        lines.append(f"  subgraph cluster{k} {{")
        lines.append(f"    label={_quoted(f'@{f.name}')};")
        lines += [f"  {line}" for line in _nodes(f.body, f"f{k}_", _colours(f.body))]
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def _nodes(m: Module, prefix: str, colours: Mapping[ValueId, str]) -> list[str]:
    """The operations and outputs of the module, or of the body of a function; their names begin with `prefix`."""
    lines = []
    for o in m.operations:
        name = o.op.name if o.opcode == "Input" else o.opcode  # type: ignore[attr-defined]
        attributes = "" if o.opcode == "Input" else _start(o.op)
        made = ", ".join([f"%{i}" for i in o.ids])
        label = "\n".join(filter(None, [f"{made} {name}", attributes, ", ".join(map(str, o.types))]))
        colour = next((colours[i] for i in o.ids if i in colours), None)
        style = f', style=filled, fillcolor="{colour}"' if colour else ""
        lines.append(f"  {prefix}v{o.ids[0]} [label={_quoted(label)}{style}];")
        for n, i in enumerate(o.operands):
            roles = [o.op.operand_name(n)] if len(o.operands) > 1 else []
            if len(m[i].results) > 1:
                roles.insert(0, f"%{i}")
            edge = f" [label={_quoted(' '.join(roles))}]" if roles else ""
            lines.append(f"  {prefix}v{m[i].ids[0]} -> {prefix}v{o.ids[0]}{edge};")
    for n, (i, role) in enumerate(zip(m.outputs, _output_roles(m))):
        lines.append(f"  {prefix}out{n} [shape=plaintext, label={_quoted(role)}];")
        edge = f' [label="%{i}"]' if len(m[i].results) > 1 else ""
        lines.append(f"  {prefix}v{m[i].ids[0]} -> {prefix}out{n}{edge};")
    return lines


def _colours(m: Module) -> dict[ValueId, str]:
    colours: dict[ValueId, str] = {}
    if m.gradients:
        gradients = {g for _, g in m.gradients}
        primal = _needed(m, [i for i in m.outputs if i not in gradients])
        colours = {i: _BACKWARD for o in m.operations if primal.isdisjoint(o.ids) for i in o.ids}
        colours |= dict.fromkeys(gradients, _GRADIENT)
    if m.tangents:
        colours |= dict.fromkeys(_differential(m), _TANGENT)
    return colours | {o.id: _INPUT for o in m.inputs if colours.get(o.id) != _TANGENT}


def _legend(m: Module) -> str:
    tangents = f"{_TANGENT}: differential" if m.tangents else ""
    gradients = f"{_BACKWARD}: for gradients alone\n{_GRADIENT}: gradients" if m.gradients else ""
    return "\n".join(filter(None, [tangents, gradients]))


def _output_roles(m: Module) -> list[str]:
    """For each output its name, such as `out0`, and for a gradient the Input that it belongs to."""
    of = {g: m[x].op.name for x, g in m.gradients if m[x].opcode == "Input"}  # type: ignore[attr-defined]
    return [f"out{n}" + (f"\ngradient of {of[i]}" if i in of else "") for n, i in enumerate(m.outputs)]


def _needed(m: Module, values: Iterable[ValueId]) -> set[ValueId]:
    """The values, and all that they are computed from."""
    needed = set(values)
    for o in reversed(m.operations):
        if not needed.isdisjoint(o.ids):
            needed.update(o.operands)
    return needed


def _differential(m: Module) -> Iterable[ValueId]:
    try:
        return differential(m)
    except MindError:  # a module whose tangents are not linear is drawn as well
        return [t for _, t in m.tangents]


def _start(op: Op) -> str:
    """The text of the attributes, shortened if it is long."""
    text = ""
    for piece in op.attribute_pieces():
        text += piece
        if len(text) > _LONGEST:
            return text[: _LONGEST - 1] + "…"
    return text


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
