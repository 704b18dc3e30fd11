"""The names and constants that rules in C++ use, as dialect/lib defines them."""

from __future__ import annotations

import math
import re
from pathlib import Path

from mind_mlir.ir import DType

LIB = Path(__file__).resolve().parent.parent / "dialect" / "lib"
MEMBERS = re.findall(r'^ +\{"(\w+)(\(.*?\))?",', (LIB / "Members.cpp").read_text("utf-8"), re.M)
ATTRIBUTES = {name for name, parameters in MEMBERS if not parameters}
METHODS = {name: re.findall(r"\w+", parameters) for name, parameters in MEMBERS if parameters}
"""The members of values of any kind: attributes, and the parameters of methods."""

FUNCTIONS = set(re.findall(r"^Object (\w+)\(Args", (LIB / "Objects.h").read_text("utf-8"), re.M))
"""Functions of Python, in namespace `python`."""

TAKEN = re.findall(
    r"\w+",
    """
    and auto bool break case char class const continue default delete do double enum explicit export extern float for
    friend goto if inline int long mutable namespace new not operator or private protected public register return short
    signed sizeof static struct switch template this throw true typedef typename union unsigned using virtual void
    volatile while xor args rule made first contains spread collected quotient floorDiv power python
    """,
)
"""Names that mean something else in C++, or in the generated code."""


class Untranslatable(Exception):
    """Raised for a part of a function that has no translation."""


def name_of(name: str) -> str:
    """A local name."""
    return f"{name}_" if name in TAKEN else name


def literal(value: object) -> str:
    """A constant of Python."""
    match value:
        case None:
            return "Object()"
        case DType():
            return f'rule.dtype("{value.value}")'
        case bool():
            return f"Object({str(value).lower()})"
        case int() if -(2**63) < value < 2**63:
            return f"Object({value}{'' if abs(value) < 2**31 else 'LL'})"
        case float():
            return f"Object({_double(value)})"
        case str():
            return f"Object({quoted(value)})"
        case tuple() | list():
            kind = type(value).__name__
            return f"Object::{kind}({{{', '.join(literal(x) for x in value)}}})"
    raise Untranslatable(f"a constant of type {type(value).__name__}")


def _double(value: float) -> str:
    if math.isnan(value):
        return "std::numeric_limits<double>::quiet_NaN()"
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}std::numeric_limits<double>::infinity()"
    return repr(value)


def quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
