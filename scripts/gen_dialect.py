#!/usr/bin/env python3
"""Write the forms of the dialect `mind` that follow from the op classes.

dialect/include/Mind/MindOps.td (ODS) and MindOps.def (lists), dialect/lib/OpRules.cpp (the rules in C++),
dialect/mind.irdl.mlir (IRDL) and mind_mlir/dialects/_mind_ops_gen.py (Python).
With --check: write nothing, and fail if a file is not what would be written.
"""

from __future__ import annotations

import inspect
import keyword
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
from _cpp_rules import has_type_rule, rules_text

from mind_mlir.dialects.encoding import Encoded, class_name, dialect_ops, encoded_attributes, op_name
from mind_mlir.dialects.irdl import irdl_text
from mind_mlir.ir import Op
from mind_mlir.ir.attributes import DataKind, PaddingKind

ROOT = Path(__file__).resolve().parent.parent
NOTE = "written by scripts/gen_dialect.py from the op classes; do not edit"


# dialect/include/Mind/MindOps.td


ODS_HEAD = f"""\
// {NOTE}

#ifndef MIND_OPS_TD
#define MIND_OPS_TD

include "Mind/MindBase.td"

"""


def ods() -> str:
    return ODS_HEAD + "\n".join(definition(cls) for cls in dialect_ops()) + "\n#endif // MIND_OPS_TD\n"


def definition(cls: type[Op]) -> str:
    attributes = encoded_attributes(cls)
    arguments = [*map(tensor, cls.operand_names), *(f"{constraint(a)}:${a.name}" for a in attributes)]
    traits = ["Commutative"] if cls.commutative else []
    traits += ["Mind_AcrossRanks"] if cls.across_ranks else []
    # operations between ranks too: outside of its branch, one would wait for ranks that do not run it
    traits += [] if may_fail(cls) or cls.across_ranks else ["AlwaysSpeculatable"]
    # of the constants, only the one whose attribute is its elements, into which MLIR folds the others
    traits += ["ConstantLike"] if any(isinstance(a.kind, DataKind) for a in attributes) else []
    summary, _, rest = inspect.cleandoc(cls.__doc__ or "").partition("\n")
    base = "Mind_TypedOp" if has_type_rule(cls) else "Mind_Op"
    lines = [
        f'def Mind_{class_name(cls)} : {base}<"{cls.mnemonic}", [{", ".join(traits)}]> {{',
        f"  let summary = {quoted(summary)};",
        *([f"  let description = [{{\n{indented(rest.strip())}\n  }}];"] if rest.strip() else []),
        f"  let arguments = (ins{' ' if arguments else ''}{', '.join(arguments)});",
        f"  let results = (outs {', '.join(map(tensor, cls.result_names))});",
        f'  let assemblyFormat = "{assembly_format(cls, attributes)}";',
        *(["  let hasFolder = 1;"] if cls.has_one_result() else []),
        "}",
    ]
    return "\n".join(lines) + "\n"


def tensor(name: str) -> str:
    """An operand or a result; `*parts` stands for any number of them."""
    return f"Variadic<Mind_Tensor>:${name[1:]}" if name.startswith("*") else f"Mind_Tensor:${name}"


def may_fail(cls: type[Op]) -> bool:
    """True if a run may find an index out of bounds, so that MLIR must not move the operation out of a branch."""
    return "oob" in cls.attribute_names or cls.check_before_run is not Op.check_before_run


def constraint(a: Encoded) -> str:
    if a.is_required:
        return a.encoding.ods
    if a.default is None:
        return f"OptionalAttr<{a.encoding.ods}>"
    if isinstance(a.default, bool):
        return f'DefaultValuedAttr<{a.encoding.ods}, "{str(a.default).lower()}">'
    if isinstance(a.default, int):
        return f'DefaultValuedAttr<{a.encoding.ods}, "{a.default}">'
    if isinstance(a.default, tuple):
        return f'DefaultValuedAttr<{a.encoding.ods}, "{{{", ".join(map(str, a.default))}}}">'
    return f'DefaultValuedStrAttr<{a.encoding.ods}, "{a.default}">'


def assembly_format(cls: type[Op], attributes: list[Encoded]) -> str:
    """`mind.sum %x, axes = [0], keepdims = false : (tensor<2x3xf32>) -> tensor<3xf32>`.

    Any number of operands is in parentheses, because MLIR would go on reading after the comma that follows. The last
    attribute may be left out if it has a default. With two of them, a comma would not say which one follows.
    """
    if any(isinstance(a.kind, DataKind) for a in attributes):
        return "$data attr-dict `:` type($result)"
    pieces = [f"`(` ${name[1:]} `)`" if name.startswith("*") else f"${name}" for name in cls.operand_names]
    optional = attributes[-1:] if attributes and not attributes[-1].is_required else []
    pieces += [f"`{a.name}` `=` {directive(a)}" for a in attributes if a not in optional]
    text = " `,` ".join(pieces)
    text += "".join(f" (`,` `{a.name}` `=` ${a.name}^)?" for a in optional)
    types = "functional-type(operands, results)" if cls.operand_names else "type($result)"
    return f"{text} attr-dict `:` {types}"


def directive(a: Encoded) -> str:
    return f"custom<Padding>(${a.name})" if isinstance(a.kind, PaddingKind) else f"${a.name}"


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


# dialect/include/Mind/MindOps.def


LISTS = {
    "MIND_OP": "Every operation of the dialect, for code that is written once for all of them.",
    "MIND_TYPED_OP": "Those whose types C++ infers.",
    "MIND_FOLDED_OP": "Those with one result, which may be folded.",
    "MIND_LOWERED_EMPTY_OP": "Those whose lowering runs even where the result has no element.",
}


def op_list() -> str:
    every = dialect_ops()
    chosen = {
        "MIND_TYPED_OP": filter(has_type_rule, every),
        "MIND_FOLDED_OP": [cls for cls in every if cls.has_one_result()],
        "MIND_LOWERED_EMPTY_OP": [cls for cls in every if cls.lowers_empty],
    }
    lists = [
        f"// {use}\n#ifdef {macro}\n"
        + "".join(f"{macro}({class_name(cls)})\n" for cls in chosen.get(macro, every))
        + f"#undef {macro}\n#endif\n"
        for macro, use in LISTS.items()
    ]
    return f"// {NOTE}\n\n" + "\n".join(lists)


# mind_mlir/dialects/_mind_ops_gen.py


PYTHON_HEAD = f'''\
# {NOTE}
# ruff: noqa: E501  the lines are the first lines of the docstrings
"""The operations of the dialect `mind` as classes and functions, for MLIR's Python bindings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ..ir import DType
from ..ir.mesh import PartitionSpec
from .building import Built, attribute, build, register_op

'''


def op_classes() -> str:
    return PYTHON_HEAD + "\n\n".join(op_class(cls) for cls in dialect_ops())


def op_class(cls: type[Op]) -> str:
    return "\n".join(_class_lines(cls)) + "\n\n\n" + "\n".join(_function_lines(cls)) + "\n"


def _summary(cls: type[Op]) -> str:
    return inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]


def _class_lines(cls: type[Op]) -> Iterator[str]:
    yield "@register_op"
    yield f"class {class_name(cls)}(Built):"
    yield f'    """{_summary(cls)}"""'
    yield ""
    yield f'    OPERATION_NAME = "{op_name(cls)}"'
    yield from _value_lines("operands", cls.operand_names)
    if not cls.has_one_result():
        yield from _value_lines("results", cls.result_names)
    for a in encoded_attributes(cls):
        yield ""
        yield "    @property"
        yield f"    def {a.name}(self) -> Any:"
        yield f'        return attribute(self, "{a.name}")'


def _value_lines(of: str, names: Sequence[str]) -> Iterator[str]:
    """A property for each operand, or each result; a list for the rest of them, `*parts`."""
    for i, name in enumerate(names):
        is_open = name.startswith("*")
        yield ""
        yield "    @property"
        yield f"    def {name.removeprefix('*')}(self) -> {'list[ir.Value]' if is_open else 'ir.Value'}:"
        yield f"        return {f'list(self.operation.{of}[{i}:])' if is_open else f'self.operation.{of}[{i}]'}"


def _function_lines(cls: type[Op]) -> Iterator[str]:
    attributes = encoded_attributes(cls)
    parameters = [f"{name}: Any" for name in cls.operand_names]
    parameters += [
        f"{a.name}: {a.encoding.python}" + ("" if a.is_required else f" = {python_literal(a.default)}")
        for a in attributes
    ]
    is_open = bool(cls.operand_names) and cls.operand_names[-1].startswith("*")
    keywords = [*([] if is_open else ["*"]), "result: Any = None", "loc: Any = None", "ip: Any = None"]
    given = "{" + ", ".join(f'"{a.name}": {a.name}' for a in attributes) + "}"
    operands = "[" + ", ".join(cls.operand_names) + "]"
    name = cls.mnemonic + "_" * keyword.iskeyword(cls.mnemonic)
    made = "ir.Value" if cls.has_one_result() else "list[ir.Value]"
    head = f"def {name}({', '.join([*parameters, *keywords])}) -> {made}:"
    if len(head) > 120:
        head = f"def {name}(\n    {', '.join([*parameters, *keywords])}\n) -> {made}:"
    yield head
    yield f'    """{_summary(cls)}"""'
    made = f'build("{cls.opcode}", {operands}, {given}, result, loc, ip)'
    yield f"    return {made}" if cls.has_one_result() else f"    return list({made})"


def python_literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


# All of them


def rules() -> str:
    return rules_text(NOTE)


def irdl() -> str:
    return f"// {NOTE}\n\n{irdl_text()}"


FILES = {
    ROOT / "dialect" / "include" / "Mind" / "MindOps.td": ods,
    ROOT / "dialect" / "include" / "Mind" / "MindOps.def": op_list,
    ROOT / "dialect" / "lib" / "OpRules.cpp": rules,
    ROOT / "dialect" / "mind.irdl.mlir": irdl,
    ROOT / "mind_mlir" / "dialects" / "_mind_ops_gen.py": op_classes,
}


def main() -> int:
    texts = {path: text() for path, text in FILES.items()}
    if sys.argv[1:] == ["--check"]:
        stale = [p.name for p, text in texts.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
        if stale:
            print(f"{', '.join(stale)} out of date: run scripts/gen_dialect.py", file=sys.stderr)
        return int(bool(stale))
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # what is built from it stays
            path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
