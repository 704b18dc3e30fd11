"""A module as a Graphviz graph: a node for each value, an edge for each use."""

from __future__ import annotations

from ..ir import Module, Op

_LONGEST = 60


def dot(m: Module) -> str:
    """The graph in the dot language; draw it with `dot -Tsvg`."""
    lines = ["digraph module {", '  node [shape=box, fontname="monospace"];']
    for o in m.operations:
        name = o.op.name if o.opcode == "Input" else o.opcode  # type: ignore[attr-defined]
        attributes = "" if o.opcode == "Input" else _start(o.op)
        label = "\n".join(filter(None, [f"%{o.id} {name}", attributes, str(o.type)]))
        style = ', style=filled, fillcolor="lightgray"' if o.opcode == "Input" else ""
        lines.append(f"  v{o.id} [label={_quoted(label)}{style}];")
        many = len(o.operands) > 1
        for role, i in zip(o.op.operand_names, o.operands):
            lines.append(f"  v{i} -> v{o.id}" + (f" [label={_quoted(role)}]" if many else "") + ";")
    for n, i in enumerate(m.outputs):
        lines.append(f'  out{n} [shape=plaintext, label="out{n}"];')
        lines.append(f"  v{i} -> out{n};")
    return "\n".join([*lines, "}"]) + "\n"


def _start(op: Op) -> str:
    """The attributes, cut where they are long."""
    text = ""
    for piece in op.attribute_pieces():
        text += piece
        if len(text) > _LONGEST:
            return text[: _LONGEST - 1] + "…"
    return text


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
