#!/usr/bin/env python3
"""Write docs/ops.md, docs/derivatives.md, docs/errors.md and the tables of docs/pipelines.md from the code.

With --check: write nothing, and fail if a file is not what would be written.
"""

from __future__ import annotations

import inspect
import itertools
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)

import mind_mlir.lowering  # noqa: F401  registers its passes
from mind_mlir.cli._reporting import USAGE_CODES
from mind_mlir.ir import OPS, Builder, DType, Linearity, Op, Reject, TensorType, f32, print_module
from mind_mlir.ir.codes import CODES
from mind_mlir.passes.registry import PASSES, PIPELINES, show_option

DOCS = Path(__file__).resolve().parent.parent / "docs"

NOTE = "<!-- written by scripts/gen_docs.py; do not edit -->\n"
BEGIN, END = "<!-- begin: written by scripts/gen_docs.py -->", "<!-- end -->"

CHAPTERS = {
    "E1": "Text",
    "E2": "Types",
    "E3": "Shapes",
    "E4": "Definitions and attributes",
    "E5": "Automatic differentiation",
    "E6": "Run time",
    "E7": "Pipelines and commands",
    "E8": "Sharding and ranks",
    "E9": "Faults of the toolchain",
}


# docs/ops.md


def ops() -> str:
    out = [
        NOTE,
        "# Operations\n",
        "Each operation is one class in one file of `mind_mlir/ops/`; this page is written from them. Operands come",
        "first, by position. Attributes follow by name: `{axes = [0], keepdims = false}` in text, keyword arguments in",
        "Python. [semantics.md](semantics.md) says what they mean where the specification is silent.\n",
        "| operation | operands | attributes | profile |",
        "|---|---|---|---|",
        *(_row(OPS[name]) for name in sorted(OPS)),
        "",
    ]
    for name in sorted(OPS):
        out += _section(OPS[name])
    return "\n".join(out).rstrip() + "\n"


def _row(cls: type[Op]) -> str:
    operands = ", ".join(map(_listed, cls.operand_names)) or "–"
    attributes = ", ".join(cls.attribute_names) or "–"
    return f"| [{cls.opcode}](#{cls.opcode.lower()}) | {operands} | {attributes} | {_profile(cls)} |"


def _profile(cls: type[Op]) -> str:
    return "core-v1" if cls.core_v1 else "extended"


def _section(cls: type[Op]) -> Iterator[str]:
    yield f"## {cls.opcode}\n"
    yield inspect.cleandoc(cls.__doc__ or "") + "\n"
    yield f"- Specification: {_specification(cls)}"
    yield f"- Profile: {_profile(cls)}"
    if cls.python_function is not None:
        yield f"- In Python: `mind.{cls.python_function.name}({', '.join('xy'[: len(cls.operand_names)])})`"
    if cls.operand_names:
        yield f"- Operands: {_operands(cls)}"
    if not cls.has_one_result():
        yield f"- Results: {', '.join(f'`{_listed(name)}`' for name in cls.result_names)}"
    for name, kind in cls.kinds.items():
        if kind.implied:
            yield f"- `{name}`: {kind.wants}, written as the result type"
        else:
            default = f"; {kind.show(cls.defaults[name])} if left out" if name in cls.defaults else ""
            yield f"- Attribute `{name}`: {kind.wants}{default}"
    if cls.commutative:
        yield "- Commutative: canonicalize orders the operands by ascending id"
    yield f"\n```mindir\n{_example(cls)}```\n"


def _specification(cls: type[Op]) -> str:
    """The text after `Spec:` in the docstring of an op's file."""
    first = (sys.modules[cls.__module__].__doc__ or "").partition("\n")[0]
    return first.partition("Spec: ")[2].partition(";")[0].rstrip(".") or "an operation of this toolchain"


def _samples(cls: type[Op]) -> list[tuple[Op, tuple[TensorType, ...]]]:
    return cls.samples() or [(cls(name="x", type=f32(2, 3)), ())]  # type: ignore[call-arg]  Input alone has none


def _operands(cls: type[Op]) -> str:
    """The operands, with the dtypes that the type rule accepts, found by calling it."""
    op, types = _samples(cls)[0]
    accepted = []
    for dtypes in itertools.product(DType, repeat=len(types)):
        try:
            op.infer_type(*(replace(t, dtype=d) for t, d in zip(types, dtypes)))
        except Reject:
            continue
        accepted.append(dtypes)
    columns = [list(dict.fromkeys(column)) for column in zip(*accepted)]
    if len(types) > 1 and len(accepted) == len(columns[0]):
        return f"`{'`, `'.join(map(_listed, cls.operand_names))}`, of one dtype: {_names(columns[0])}"
    return "; ".join(f"`{_listed(name)}`: {_names(column)}" for name, column in zip(cls.operand_names, columns))


def _listed(name: str) -> str:
    """A name of operands or of results; `parts …` where there may be any number of them."""
    return f"{name[1:]} …" if name.startswith("*") else name


def _names(dtypes: list[DType]) -> str:
    """Element types by kind where all of a kind are there, such as `i1, integers`."""
    kinds = {
        "any dtype": lambda d: True,
        "numbers": lambda d: not d.is_bool,
        "floats": lambda d: d.is_float,
        "integers": lambda d: d.is_integer,
    }
    found, rest = [], list(dtypes)
    for name, has in kinds.items():
        if all(d in rest for d in DType if has(d)):
            found.append(name)
            rest = [d for d in rest if not has(d)]
    return " or ".join([*map(str, rest), *found])


def _example(cls: type[Op]) -> str:
    """The first sample as a module, whose Inputs have the operands' names."""
    op, types = _samples(cls)[0]
    b = Builder()
    names = [cls.operand_name(n) for n in range(len(types))]
    return print_module(b.finish(b.emit_all(op, *[b.Input(name, t) for name, t in zip(names, types)])))


# docs/derivatives.md

DERIVATIVES = """# Derivatives

This page has the derivative of every operation on one page. It is written from the comments beside the rules in
`mind_mlir/ops/`. [gradients.md](gradients.md) says how the rules make forward and reverse mode.

y is the result and x an operand, or x₁ and x₂ are two. ẏ is the tangent of y and ȳ its cotangent. `+=` adds to the
cotangent of an operand, which starts as zero. ⊙ multiplies element by element. An index such as in x_r counts the ranks
along a mesh axis. Where an operand was broadcast, its cotangent is then summed over what was stretched.
"""

LINEARITIES = {
    Linearity.JOINT: (
        "Linear in all operands together",
        "The tangent is the operation on the tangents, for y = L(x), ẏ = L(ẋ), unless an equation for ẏ is there.",
    ),
    Linearity.EACH: (
        "Linear in each operand",
        "The tangent is the product rule: for y = x₁ · x₂, ẏ = ẋ₁ · x₂ + x₁ · ẋ₂.",
    ),
    Linearity.NONLINEAR: (
        "Not linear",
        "The tangent is stated. It is made of operations that are linear in the tangents, whose adjoints give x̄.",
    ),
}


def derivatives() -> str:
    out = [NOTE, DERIVATIVES]
    for linearity, (title, tangent) in LINEARITIES.items():
        out += [f"## {title}\n", f"{tangent}\n", "| operation | value | derivative |", "|---|---|---|"]
        for name in sorted(OPS):
            if OPS[name].linearity is linearity:
                out += [f"| [{name}](ops.md#{name.lower()}) | {y} | {rule} |" for y, rule in _equations(OPS[name])]
        out.append("")
    constant = [n for n in sorted(OPS) if OPS[n].linearity is Linearity.CONSTANT and n != "Input"]
    links = ", ".join(f"[{n}](ops.md#{n.lower()})" for n in constant)
    out += [
        "## Without a derivative\n",
        "These have the derivative zero wherever it exists:",
        f"{links}.",
        "The tangent of an [Input](ops.md#input) is another Input.",
    ]
    return "\n".join(out) + "\n"


def _equations(cls: type[Op]) -> list[tuple[str, str]]:
    """The equations of the value and of the derivative, from the comments `# y = …  ->  …` in the rules."""
    own = next(c for c in cls.__mro__ if {"jvp", "adjoint"} & c.__dict__.keys())
    rules = [own.__dict__[rule] for rule in ("jvp", "adjoint") if rule in own.__dict__]
    found = [e for rule in rules for e in re.findall(r"^ *# (.*=.*)  ->  (.*)$", inspect.getsource(rule), re.MULTILINE)]
    assert found, f"{inspect.getsourcefile(cls)}: no rule has a comment of the form # y = …  ->  …"
    return [(y.replace("|", "\\|"), rule.replace("|", "\\|")) for y, rule in found]


# docs/errors.md


def errors() -> str:
    out = [
        NOTE,
        "# Error codes\n",
        "Every error has a stable code, one sentence, the location, and what to do if that is known.",
        "`mind-opt --explain CODE` prints an entry of this page.\n",
        "Exit status of the commands: 0 fine; 1 the input was at fault; 2 usage, which is",
        f"{', '.join(sorted(USAGE_CODES))}; 3 a fault of the toolchain, which is E9.\n",
    ]
    for chapter, entries in itertools.groupby(CODES.values(), lambda e: e.code[:2]):
        out += [f"## {chapter}: {CHAPTERS[chapter]}\n"]
        for e in entries:
            out += [f"### {e.code}\n", f"**{e.title}.** {e.when}\n", f"What to do: {e.fix}\n"]
    return "\n".join(out).rstrip() + "\n"


# docs/pipelines.md


def passes() -> str:
    out = ["| pass | takes | gives | what it does | options |", "|---|---|---|---|---|"]
    for (level, name), info in PASSES.items():
        options = "<br>".join(f"`{k}={show_option(v)}`" for k, v in info.defaults.items()) or "–"
        out.append(f"| `{name}` | {level.value} | {info.target.value} | {info.summary} | {options} |")
    out += ["", "| named pipeline | level | stands for |", "|---|---|---|"]
    for (level, name), text in PIPELINES.items():
        out.append(f"| `{name}` | {level.value} | `{text.replace(',', ', ')}` |")
    return "\n".join(out) + "\n"


def pipelines(current: str) -> str:
    """The page with new tables between the two marks."""
    before, rest = current.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{passes()}\n{END}{after}"


def pages() -> dict[Path, str]:
    """Path -> text, for every page that is written here."""
    page = DOCS / "pipelines.md"
    return {
        DOCS / "ops.md": ops(),
        DOCS / "derivatives.md": derivatives(),
        DOCS / "errors.md": errors(),
        page: pipelines(page.read_text(encoding="utf-8")),
    }


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        stale = [p.name for p, text in pages().items() if not p.exists() or p.read_text(encoding="utf-8") != text]
        if stale:
            print(f"docs/{', docs/'.join(stale)} out of date: run scripts/gen_docs.py", file=sys.stderr)
        return int(bool(stale))
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
