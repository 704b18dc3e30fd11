#!/usr/bin/env python3
"""Write mind_mlir/ir/_opcodes.pyi: a method for every opcode, so that editors and type checkers know `b.MatMul(…)`.

With --check: write nothing, and fail if the file is not what would be written.
"""

from __future__ import annotations

import sys
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)

from mind_mlir.ir import OPS, Op, attributes
from mind_mlir.ir.attributes import ChoiceKind, Kind, ScalarKind

TARGET = Path(__file__).resolve().parent.parent / "mind_mlir" / "ir" / "_opcodes.pyi"

LINE = 120

HEAD = '''\
# Written by scripts/gen_builder_stub.py from the op classes; do not edit.
# ruff: noqa: E501  the lines are the first lines of the docstrings
"""The opcodes as methods of a Builder, for type checkers alone.  At run time `Builder.__getattr__` finds them."""

from collections.abc import Iterable, Sequence
from typing import Literal as OneOf

from .builder import Value
from .literal import Literal
from .mesh import PartitionSpec
from .types import DType, TensorType

class Opcodes:
'''

TYPES: dict[type[Kind], str] = {
    attributes.IntsKind: "Iterable[int]",
    attributes.AxesKind: "Iterable[int]",
    attributes.ShapeKind: "Iterable[int]",
    attributes.FlagKind: "bool",
    attributes.NameKind: "str",
    attributes.DTypeKind: "DType | str",
    attributes.PaddingKind: "str | Sequence[Sequence[int]]",
    attributes.DataKind: "Literal",
    attributes.TypeKind: "TensorType",
    attributes.ShardingKind: "PartitionSpec",
    attributes.CountKind: "int",
}
"""What a Builder method takes for each kind of attribute."""


def python_type(kind: Kind) -> str:
    match kind:
        case ChoiceKind():
            return "OneOf[" + ", ".join(f'"{c}"' for c in kind.choices) + "]"
        case ScalarKind():
            return "float | Literal" if kind.dtype.is_float else "int | Literal"
    return TYPES[type(kind)]


def method(cls: type[Op]) -> str:
    operands = [f"{name}: Value" for name in cls.operand_names]
    fields = [
        f"{name}: {python_type(kind)}" + (" = ..." if name in cls.defaults else "") for name, kind in cls.kinds.items()
    ]
    parameters = ["self", *operands, *(["/"] if operands else []), *fields]
    head = f"    def {cls.opcode}({', '.join(parameters)}) -> Value:\n"
    if len(head.rstrip("\n")) > LINE:  # as ruff formats it
        inner = f"        {', '.join(parameters)}"
        if len(inner) > LINE:
            inner = "\n".join(f"        {p}," for p in parameters)
        head = f"    def {cls.opcode}(\n{inner}\n    ) -> Value:\n"
    summary = (cls.__doc__ or "").strip().partition("\n")[0]
    return f'{head}        """{summary}"""\n'


def stub() -> str:
    return HEAD + "\n".join(method(OPS[name]) for name in sorted(OPS))


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != stub():
            print(f"{TARGET.name} is out of date: run scripts/gen_builder_stub.py", file=sys.stderr)
            return 1
        return 0
    TARGET.write_text(stub(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
