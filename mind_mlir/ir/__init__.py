"""What a program is: types, operations, modules, their text, and how errors are reported."""

from .builder import Builder, Value
from .declaration import op
from .diagnostics import Diagnostic, MindError, Reject, Source, Span
from .environment import Environment
from .evaluation import applied, evaluated
from .function_kinds import Bodies, Body
from .imported import IMPORTED_AT
from .lazy import np
from .literal import Literal
from .mesh import Mesh, P, PartitionSpec, Sharding
from .module import Function, Module
from .op import OPS, Linearity, Op, check_operand_count, check_result_count, is_open
from .operation import Operation, Result, ValueId
from .parser import parse, parse_source, read_source
from .printer import digest, print_module, print_operation, text_pieces
from .python_function import PythonFunction
from .rounding_growth import Growth, Rounding
from .types import DType, Shape, TensorType, bf16, f16, f32, f64, i1, i8, i16, i32, i64, u8, u16, u32, u64

__all__ = [
    "IMPORTED_AT",
    "OPS",
    "Bodies",
    "Body",
    "Builder",
    "DType",
    "Diagnostic",
    "Environment",
    "Function",
    "Growth",
    "Linearity",
    "Literal",
    "Mesh",
    "MindError",
    "Module",
    "Op",
    "Operation",
    "P",
    "PartitionSpec",
    "PythonFunction",
    "Reject",
    "Result",
    "Rounding",
    "Shape",
    "Sharding",
    "Source",
    "Span",
    "TensorType",
    "Value",
    "ValueId",
    "applied",
    "bf16",
    "check_operand_count",
    "check_result_count",
    "digest",
    "evaluated",
    "f16",
    "f32",
    "f64",
    "i1",
    "i8",
    "i16",
    "i32",
    "i64",
    "is_open",
    "np",
    "op",
    "parse",
    "parse_source",
    "print_module",
    "print_operation",
    "read_source",
    "text_pieces",
    "u8",
    "u16",
    "u32",
    "u64",
]
