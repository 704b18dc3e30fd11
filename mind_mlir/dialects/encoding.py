"""How Core IR is written in the dialect `mind`: names, attributes and their operations. It imports no mlir.

An operation is `mind.` and its mnemonic, with Core's operands and results in order, and an attribute for each of its
own. A constant's elements are one elements attribute, whose type has dtype and shape. Inputs are the arguments of a
function. A function that operations hold is a private function beside, and the attribute is its name.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Literal

from ..ir import OPS, DType, Op
from ..ir.attributes import (
    ChoiceKind,
    CountKind,
    DataKind,
    DTypeKind,
    FlagKind,
    IntsKind,
    Kind,
    NameKind,
    OptionalDTypeKind,
    PaddingKind,
    ScalarKind,
    ShardingKind,
)
from ..ir.function_kinds import FunctionKind, FunctionsKind

DIALECT = "mind"

Form = Literal["native", "irdl"]
"""The form in which a context has the dialect: by C++ or by IRDL."""

IR_VERSION = 1
"""The version of Core IR, as in `mind.ir_version` on builtin.module."""

IR_VERSION_ATTRIBUTE = "mind.ir_version"

MESH_ATTRIBUTE = "mind.mesh"
"""The attribute on builtin.module with the mesh of the operations in it, as text."""

SHARDING_ATTRIBUTE = "mind.sharding"
"""The attribute on a parameter or an operation with the sharding of its value, as text."""

OPEN = "open"
"""In the list of several results: one without a sharding."""


@dataclass(frozen=True)
class Encoding:
    """How one kind of attribute is written in MLIR: its constraint in ODS and in IRDL, and its type in C++."""

    ods: str
    irdl: str
    python: str
    """The type of the parameter in functions of the Python op classes."""


@dataclass(frozen=True)
class Encoded:
    """An attribute of an operation of the dialect."""

    name: str
    kind: Kind
    default: object = MISSING
    """The default value in Core; MISSING if the attribute is required."""

    @property
    def is_required(self) -> bool:
        return self.default is MISSING

    @property
    def encoding(self) -> Encoding:
        return encoding_of(self.kind)


_SCALARS = {
    d: Encoding(f"{d.mlir.upper()}Attr", 'irdl.base "#builtin.float"', "float")
    if d.is_float
    else Encoding(f"{d.mlir.upper()}Attr", 'irdl.base "#builtin.integer"', "int")
    for d in DType
}

_INTS = Encoding("DenseI64ArrayAttr", 'irdl.base "#builtin.dense_array"', "Sequence[int]")
_STRING = Encoding("StrAttr", 'irdl.base "#builtin.string"', "str")


def encoding_of(kind: Kind) -> Encoding:
    """The encoding of a kind of attribute."""
    match kind:
        case ScalarKind():
            return _SCALARS[kind.dtype]
        case OptionalDTypeKind():  # left out for None
            return Encoding("TypeAttr", 'irdl.base "#builtin.type"', "DType | None")
        case DTypeKind():
            return Encoding("TypeAttr", 'irdl.base "#builtin.type"', "DType")
        case IntsKind():
            return _INTS
        case FlagKind():
            return Encoding("BoolAttr", 'irdl.base "#builtin.integer"', "bool")
        case ChoiceKind() | NameKind():
            return _STRING
        case CountKind():
            return _SCALARS[DType.I64]
        case ShardingKind():  # as text, see placement.py
            return Encoding("StrAttr", 'irdl.base "#builtin.string"', "PartitionSpec")
        case FunctionKind():  # the name of a func.func beside
            return Encoding("FlatSymbolRefAttr", 'irdl.base "#builtin.symbol_ref"', "Function")
        case FunctionsKind():
            return Encoding("FlatSymbolRefArrayAttr", 'irdl.base "#builtin.array"', "Sequence[Function]")
        case PaddingKind():  # "Valid", "Same", or top, bottom, left, right
            return Encoding("Mind_PaddingAttr", "irdl.any", "str | Sequence[Sequence[int]]")
        case DataKind():
            return Encoding("ElementsAttr", "irdl.any", "Any")
    raise TypeError(f"the dialect has no encoding for {type(kind).__name__}")


WITHOUT = frozenset({"Input"})
"""Operations without one in the dialect: an Input is an argument of the function."""


def dialect_ops() -> list[type[Op]]:
    """The operations of the dialect, by opcode."""
    return [OPS[name] for name in sorted(OPS) if name not in WITHOUT]


def encoded_attributes(cls: type[Op]) -> list[Encoded]:
    """The attributes of an operation in the dialect, in Core's order."""
    has_data = any(isinstance(k, DataKind) for k in cls.kinds.values())
    return [
        Encoded(name, kind, cls.defaults.get(name, MISSING))
        for name, kind in cls.kinds.items()
        if not (has_data and name in ("dtype", "shape"))  # the type of the elements has them
    ]


def op_name(cls: type[Op]) -> str:
    """`mind.matmul`."""
    return f"{DIALECT}.{cls.mnemonic}"


def class_name(cls: type[Op]) -> str:
    """The name of the operation's class, in C++ and in Python: `MatMulOp`."""
    return f"{cls.opcode}Op"


def by_op_name() -> dict[str, type[Op]]:
    """Operations by their name in the dialect."""
    return {op_name(cls): cls for cls in dialect_ops()}
