"""Shows the four stages of one gradient side by side: the function, linearize, unzip, transpose, canonicalize.

    python examples/stages.py [--svg FILE.svg]

Operations of the function are plain, those that are linear in tangents green, and those of the reversed part blue.
"""

import argparse

from rich.console import Console
from rich.table import Table
from rich.text import Text

import mind_mlir as mind
from mind_mlir.passes import canonicalize, linearize, transpose, unzip
from mind_mlir.passes.propagate import differential

FUNCTION = """
%0 = Input {name = "x"} : tensor<f32[3]>
%1 = Input {name = "w"} : tensor<f32[]>
%2 = Mul (%0, %1) : tensor<f32[3]>
%3 = Exp (%2) : tensor<f32[3]>
%4 = Sum (%3) {axes = [], keepdims = false} : tensor<f32[]>
outputs: %4
"""


def column(m: mind.Module, marked: set[int], style: str) -> Text:
    """A module with one short line for each operation; those in `marked` have the style."""
    text = Text()
    for o in m.operations:
        what = o.op.name if o.opcode == "Input" else " ".join(f"%{i}" for i in o.operands)
        shape = "×".join(map(str, o.type.shape)) or "·"
        text.append(f"%{o.id} = {o.opcode} {what} : {shape}\n", style if o.id in marked else "")
    text.append("outputs: " + ", ".join(f"%{i}" for i in m.outputs), "bold")
    for what, pairs in (("tangents", m.tangents), ("gradients", m.gradients)):
        if pairs:
            text.append(f"\n{what}: " + ", ".join(f"%{x} → %{y}" for x, y in pairs), "bold")
    return text


def new_since(m: mind.Module, before: mind.Module) -> set[int]:
    """The ids of operations that the module before does not have: another op, or on other values."""
    known: dict[int, tuple] = {}
    old = []
    for o in before.operations:
        known[o.id] = (o.op, tuple(known[i] for i in o.operands))
        old.append(known[o.id])
    mine: dict[int, tuple] = {}
    new = set()
    for o in m.operations:
        mine[o.id] = (o.op, tuple(mine[i] for i in o.operands))
        if mine[o.id] not in old:
            new.add(o.id)
    return new


def main() -> None:
    parser = argparse.ArgumentParser(description="Show the four stages of one gradient side by side.")
    parser.add_argument("--svg", metavar="FILE.svg", help="also write the table as a picture")
    arguments = parser.parse_args()

    f = canonicalize(mind.parse(FUNCTION))
    linear = linearize(f)
    unzipped = unzip(linear)
    transposed = transpose(unzipped)
    gradient = canonicalize(transposed)

    table = Table(title="Σ exp(x · w) and its gradient", pad_edge=False)
    columns = [
        ("f", f, set(), ""),
        ("linearize", linear, set(differential(linear)), "green"),
        ("unzip", unzipped, set(differential(unzipped)), "green"),
        ("transpose", transposed, new_since(transposed, f), "blue"),
        ("canonicalize", gradient, new_since(gradient, f), "blue"),
    ]
    for title, *_ in columns:
        table.add_column(title, no_wrap=True)
    table.add_row(*(column(m, marked, style) for _, m, marked, style in columns))
    console = Console(record=bool(arguments.svg), width=150)
    console.print(table)
    if arguments.svg:
        console.save_svg(arguments.svg, title="The stages of a gradient")


if __name__ == "__main__":
    main()
