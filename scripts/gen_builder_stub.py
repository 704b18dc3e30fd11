#!/usr/bin/env python3
"""Write stubs by which editors and type checkers know the methods and functions that exist at run time alone.

mind_mlir/ir/_opcodes.pyi has a method for every opcode, `b.MatMul(…)`, and
mind_mlir/frontend/_elementwise_functions.pyi the functions that are made from operations, `mind.exp(…)`.

With --check: write nothing, and fail if a file is not what would be written.
"""

from __future__ import annotations

import sys
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)

from mind_mlir.ir import OPS, Op, attributes
from mind_mlir.ir.attributes import ChoiceKind, Kind, ScalarKind
from mind_mlir.ir.function_kinds import FunctionKind, FunctionsKind

PACKAGE = Path(__file__).resolve().parent.parent / "mind_mlir"
OPCODES = PACKAGE / "ir" / "_opcodes.pyi"
FUNCTIONS = PACKAGE / "frontend" / "_elementwise_functions.pyi"

LINE = 120

HEAD = '''\
# Written by scripts/gen_builder_stub.py from the op classes; do not edit.
# ruff: noqa: E501  the lines are the first lines of the docstrings
"""The opcodes as methods of a Builder, for type checkers alone. At run time `Builder.__getattr__` finds them."""

from collections.abc import Iterable, Sequence
from typing import Literal as OneOf

from .builder import Value
from .literal import Literal
from .mesh import PartitionSpec
from .types import DType, TensorType

class Opcodes:
'''

FUNCTIONS_HEAD = '''\
# Written by scripts/gen_builder_stub.py from the op classes; do not edit.
"""The functions of element-wise operations, for type checkers alone. At run time `elementwise.py` makes them."""

from typing import Any

'''

TYPES: dict[type[Kind], str] = {
    attributes.IntsKind: "Iterable[int]",
    attributes.AxesKind: "Iterable[int]",
    attributes.ShapeKind: "Iterable[int]",
    attributes.FlagKind: "bool",
    attributes.NameKind: "str",
    attributes.DTypeKind: "DType | str",
    attributes.OptionalDTypeKind: "DType | str | None",
    attributes.PaddingKind: "str | Sequence[Sequence[int]]",
    attributes.DataKind: "Literal",
    attributes.TypeKind: "TensorType",
    attributes.ShardingKind: "PartitionSpec",
    attributes.CountKind: "int",
    FunctionKind: "Function",
    FunctionsKind: "Sequence[Function]",
}
"""Kind of attribute -> the type of the parameter of a Builder method."""


def python_type(kind: Kind) -> str:
    match kind:
        case ChoiceKind():
            return "OneOf[" + ", ".join(f'"{c}"' for c in kind.choices) + "]"
        case ScalarKind():
            return "float | Literal" if kind.dtype.is_float else "int | Literal"
    return TYPES[type(kind)]


def method(cls: type[Op]) -> str:
    operands = [f"{name}: Value" for name in cls.operand_names]
    is_open = bool(operands) and operands[-1].startswith("*")
    result = "Value" if cls.has_one_result() else "tuple[Value, ...]"
    fields = [
        f"{name}: {python_type(kind)}" + (" = ..." if name in cls.defaults else "") for name, kind in cls.kinds.items()
    ]
    parameters = ["self", *operands, *(["/"] if operands and not is_open else []), *fields]
    head = f"    def {cls.opcode}({', '.join(parameters)}) -> {result}:\n"
    if len(head.rstrip("\n")) > LINE:  # as ruff formats it
        inner = f"        {', '.join(parameters)}"
        if len(inner) > LINE:
            inner = "\n".join(f"        {p}," for p in parameters)
        head = f"    def {cls.opcode}(\n{inner}\n    ) -> {result}:\n"
    summary = (cls.__doc__ or "").strip().partition("\n")[0]
    return f'{head}        """{summary}"""\n'


def stub() -> str:
    return HEAD + "\n".join(method(OPS[name]) for name in sorted(OPS))


def functions() -> str:
    """The stub of the functions, one for every op class that states one."""
    found = [cls for cls in OPS.values() if cls.python_function is not None]
    return FUNCTIONS_HEAD + "\n".join(sorted(map(function, found)))


def function(cls: type[Op]) -> str:
    assert cls.python_function is not None, "it is among those that have one"
    parameters = ", ".join(f"{name}: Any" for name, _ in zip("xy", cls.operand_names))
    summary = cls.python_function.doc.partition("\n")[0]
    return f'def {cls.python_function.name}({parameters}) -> Any:\n    """{summary}"""\n'


def main() -> int:
    files = {OPCODES: stub(), FUNCTIONS: functions()}
    if sys.argv[1:] == ["--check"]:
        stale = [p.name for p, text in files.items() if not p.exists() or p.read_text(encoding="utf-8") != text]
        if stale:
            print(f"{' and '.join(stale)} out of date: run scripts/gen_builder_stub.py", file=sys.stderr)
        return int(bool(stale))
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
