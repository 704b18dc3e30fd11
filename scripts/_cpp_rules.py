"""dialect/lib/OpRules.cpp: the rules of the op classes in C++.

Of `infer_type`, `canonical`, `fold`, `check_before_run` and `lower` an operation has what `_cpp_code` translates.
What it does not is a null pointer, and a comment says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from _cpp_code import Function
from _cpp_words import Untranslatable, literal, quoted

from mind_mlir.dialects.encoding import Encoded, dialect_ops, encoded_attributes, op_name
from mind_mlir.ir import Op
from mind_mlir.ir.attributes import (
    ChoiceKind,
    CountKind,
    DataKind,
    DTypeKind,
    FlagKind,
    IntsKind,
    NameKind,
    PaddingKind,
    ScalarKind,
    ShapeKind,
    ShardingKind,
)

RULES = ("infer_type", "canonical", "fold", "check_before_run", "lower")
KINDS = {
    ShapeKind: "Extents",
    IntsKind: "Ints",
    FlagKind: "Flag",
    ChoiceKind: "Choice",
    NameKind: "Name",
    CountKind: "Count",
    ShardingKind: "Sharding",
    PaddingKind: "Padding",
    ScalarKind: "Scalar",
    DataKind: "Data",
    DTypeKind: "ElementType",
}
HEAD = """\
#include "Rules.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::mind;

"""


class Rules:
    """The functions that are translated so far, each with its text, before those that call it."""

    def __init__(self) -> None:
        self.names: dict[tuple[Any, type[Op] | None], str] = {}
        self.texts: dict[str, str] = {}
        self.failed: dict[tuple[Any, type[Op] | None], Untranslatable] = {}

    def call(self, fn: Any, cls: type[Op] | None) -> str:
        """The name of a function in C++; as a method of `cls` unless that is None."""
        key = (fn, cls)
        if key in self.failed:
            raise self.failed[key]
        if key not in self.names:
            owner = cls.opcode if cls else fn.__module__.rpartition(".")[2].strip("_")
            name = f"{owner}_{fn.__name__.strip('_')}"
            while name in self.texts:  # of a base class, reached by super()
                name += "_of_base"
            self.names[key] = name  # before its text: it may call itself
            self.texts[name] = ""
            try:
                text = "\n".join(Function(fn, cls, self.call).lines(name))
            except Untranslatable as why:
                del self.names[key], self.texts[name]
                self.failed[key] = why
                raise
            del self.texts[name]
            self.texts[name] = text  # after the functions that it calls
        return self.names[key]

    def rule(self, cls: type[Op], rule: str) -> tuple[str, str]:
        """The name in C++ of a rule, or nullptr and the reason why there is none."""
        fn = getattr(cls, rule)
        if fn is getattr(Op, rule):
            return "nullptr", ""
        names, texts = dict(self.names), dict(self.texts)
        try:
            return self.call(fn, cls), ""
        except Untranslatable as why:
            self.names, self.texts = names, texts  # what only this one calls
            return "nullptr", str(why)


def has_type_rule(cls: type[Op]) -> bool:
    """True if C++ infers the types of the results."""
    return Rules().rule(cls, "infer_type")[0] != "nullptr"


def rules_text(note: str) -> str:
    rules = Rules()
    entries = [_entry(rules, cls) for cls in dialect_ops()]
    declared = "\n".join(f"static Object {name}(Rule &rule, Args args);" for name in rules.texts)
    functions = "\n\n".join(rules.texts.values())
    table = "\n".join(line for entry in entries for line in entry)
    return f"""\
// {note}

{HEAD}{declared}

{functions}

const OperationRules &mlir::mind::rulesOf(StringRef name) {{
  static const llvm::StringMap<OperationRules> all{{
{table}
  }};
  return all.find(name)->second;
}}
"""


def _entry(rules: Rules, cls: type[Op]) -> Iterator[str]:
    found = [rules.rule(cls, rule) for rule in RULES]
    attributes = ", ".join(_attribute(a) for a in encoded_attributes(cls))
    least = sum(not name.startswith("*") for name in cls.operand_names)
    more = str(least < len(cls.operand_names)).lower()
    lines = [f"      // {rule} is not translated: {why}" for rule, (_, why) in zip(RULES, found) if why]
    head = f"{quoted(cls.opcode)}, {least}, {more}, {str(cls.widens).lower()}, {{{attributes}}}"
    lines.append(
        f"      {{{quoted(op_name(cls))},\n       {{{head},\n        {', '.join(name for name, _ in found)}}}}},"
    )
    return iter(lines)


def _attribute(a: Encoded) -> str:
    kind = next((name for kind, name in KINDS.items() if isinstance(a.kind, kind)), None)
    if kind is None:
        raise TypeError(f"dialect/lib/Rules.cpp reads no {type(a.kind).__name__}")
    words = a.kind.choices if isinstance(a.kind, ChoiceKind) else ()
    if isinstance(a.kind, DTypeKind):
        words = (a.kind.wants,)  # for the message
    choices = ", ".join(map(quoted, words))
    default = "Object()" if a.is_required or a.default is None else literal(a.default)
    return f"{{{quoted(a.name)}, AttributeRules::{kind}, {{{choices}}}, {default}}}"
