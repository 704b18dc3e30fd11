"""Types of values: an element type and a fully known shape. Spec: Shapes, Tensor ranks and shapes."""

from __future__ import annotations

import enum
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from .kept import kept_property
from .lazy import np

Shape: TypeAlias = tuple[int, ...]

MAX_EXTENT = 2**63 - 1
"""The largest extent: in MLIR and in NumPy extents are i64."""


class DType(enum.Enum):
    """The element types, as a table: a row has the names that all other libraries have for one.

    The value is the spelling in Core IR text. In memory an `i1` is a byte, 0 or 1.
    """

    # Core IR, MLIR, kind, bytes, NumPy, struct, C, MPI, DLPack
    I1 = "i1", "i1", "bool", 1, "bool", "B", "bool", "MPI_C_BOOL", 6
    I8 = "i8", "i8", "signed", 1, "int8", "b", "int8_t", "MPI_INT8_T", 0
    I16 = "i16", "i16", "signed", 2, "int16", "h", "int16_t", "MPI_INT16_T", 0
    I32 = "i32", "i32", "signed", 4, "int32", "i", "int32_t", "MPI_INT32_T", 0
    I64 = "i64", "i64", "signed", 8, "int64", "q", "int64_t", "MPI_INT64_T", 0
    U8 = "u8", "ui8", "unsigned", 1, "uint8", "B", "uint8_t", "MPI_UINT8_T", 1
    U16 = "u16", "ui16", "unsigned", 2, "uint16", "H", "uint16_t", "MPI_UINT16_T", 1
    U32 = "u32", "ui32", "unsigned", 4, "uint32", "I", "uint32_t", "MPI_UINT32_T", 1
    U64 = "u64", "ui64", "unsigned", 8, "uint64", "Q", "uint64_t", "MPI_UINT64_T", 1
    BF16 = "bf16", "bf16", "float", 2, "bfloat16", "H", "uint16_t", "MPI_UINT16_T", 4
    F16 = "f16", "f16", "float", 2, "float16", "H", "uint16_t", "MPI_UINT16_T", 2
    F32 = "f32", "f32", "float", 4, "float32", "f", "float", "MPI_FLOAT", 2
    F64 = "f64", "f64", "float", 8, "float64", "d", "double", "MPI_DOUBLE", 2

    mlir: str
    """The spelling in MLIR, where the dialect `mind` has it."""
    kind: str
    """bool, signed, unsigned or float."""
    width: int
    """The bytes of one element in memory."""
    numpy_name: str
    code: str
    """The letter in the standard library's `struct` and `array`: of the element, or of the bits of 16-bit floats."""
    c: str
    """The type in C, with <stdint.h> and <stdbool.h>; of 16-bit floats that of their bits."""
    mpi: str
    """The handle of MPI, in C; with that of the bits, 16-bit floats are only moved."""
    dlpack: int
    """DLDataTypeCode."""

    def __new__(cls, text: str, *columns: object) -> DType:
        """Make a member from a row of the table; its value is the text."""
        self = object.__new__(cls)
        self._value_ = text
        names = ("mlir", "kind", "width", "numpy_name", "code", "c", "mpi", "dlpack")
        for name, column in zip(names, columns, strict=True):
            setattr(self, name, column)
        return self

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is ten times slower

    def __str__(self) -> str:
        return str(self.value)

    @kept_property
    def is_float(self) -> bool:
        return self.kind == "float"

    @kept_property
    def is_half(self) -> bool:
        """True for floats of 16 bits, on which operations compute in f32."""
        return self.is_float and self.width == 2

    @kept_property
    def mantissa(self) -> int:
        """The bits of a float's mantissa that are stored."""
        return {"bf16": 7, "f16": 10, "f32": 23, "f64": 52}[self.value]

    @kept_property
    def finfo(self) -> Any:
        """What NumPy's `finfo` says of a float type."""
        if self.numpy.kind == "f":
            return np.finfo(self.numpy)
        import ml_dtypes  # here, because it takes time to load

        return ml_dtypes.finfo(self.numpy)  # type: ignore[no-untyped-call]

    @kept_property
    def is_bool(self) -> bool:
        return self.kind == "bool"

    @kept_property
    def is_integer(self) -> bool:
        """True for signed and unsigned integers; a bool is none."""
        return self.kind in ("signed", "unsigned")

    @kept_property
    def is_signed(self) -> bool:
        """True for types with negative numbers."""
        return self.kind in ("signed", "float")

    @kept_property
    def bits(self) -> int:
        """The bits that tell elements apart: 1 for a bool."""
        return 1 if self.is_bool else 8 * self.width

    @property
    def smallest(self) -> int:
        """The least integer of an integer type, or of a bool."""
        return -(1 << (self.bits - 1)) if self.is_signed else 0

    @property
    def largest(self) -> int:
        """The greatest integer of an integer type, or of a bool."""
        return self.smallest + (1 << self.bits) - 1

    @kept_property
    def numpy(self) -> np.dtype:
        """The NumPy dtype, in the machine's byte order."""
        if self.numpy_name == "bfloat16":
            import ml_dtypes  # here, because it takes time to load

            return np.dtype(ml_dtypes.bfloat16)  # type: ignore[no-any-return]
        return np.dtype(self.numpy_name)

    @property
    def in_numpy(self) -> str:
        """How a program names it, for messages: `np.float32`."""
        if self.numpy_name == "bfloat16":
            return "ml_dtypes.bfloat16"
        return "np.bool_" if self.is_bool else f"np.{self.numpy_name}"

    @classmethod
    def named(cls, text: str) -> DType | None:
        """The element type of that spelling; None if there is none."""
        return cls._value2member_map_.get(text)  # type: ignore[return-value]

    @classmethod
    def listed(cls, word: str = "and", chosen: Callable[[DType], bool] = lambda d: True) -> str:
        """The names of all that are `chosen`, for messages: `f32 and f64`."""
        *first, last = [d.value for d in cls if chosen(d)]
        return f"{', '.join(first)} {word} {last}"

    @classmethod
    def of(cls, dtype: object) -> DType:
        """The DType of a NumPy dtype, a NumPy scalar type or a spelling. ValueError if Core IR has none."""
        if isinstance(dtype, cls):
            return dtype
        if isinstance(dtype, str) and (named := cls.named(dtype)) is not None:
            return named
        native = np.dtype(dtype).newbyteorder("=")  # type: ignore[call-overload]
        for member in cls:
            if member.numpy_name == native.name and member.numpy == native:
                return member
        raise ValueError(f"Core IR has no element type {native}")


@dataclass(frozen=True, slots=True)
class TensorType:
    """A type such as `tensor<f32[2, 3]>`: dtype and extents. A scalar has shape `()`; extents are never symbolic."""

    dtype: DType
    shape: Shape

    @classmethod
    def of_array(cls, a: np.ndarray) -> TensorType:
        """The type of an array of one of the element types."""
        return cls(DType.of(a.dtype), a.shape)

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements; 1 for a scalar."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.width

    def with_shape(self, shape: Shape) -> TensorType:
        return TensorType(self.dtype, shape)

    def __str__(self) -> str:
        return f"tensor<{self.dtype.value}[{', '.join(map(str, self.shape))}]>"


def i1(*shape: int) -> TensorType:
    """`i1(2, 3)` is `tensor<i1[2, 3]>`."""
    return _tensor(DType.I1, shape)


def i8(*shape: int) -> TensorType:
    """`i8(2, 3)` is `tensor<i8[2, 3]>`."""
    return _tensor(DType.I8, shape)


def i16(*shape: int) -> TensorType:
    """`i16(2, 3)` is `tensor<i16[2, 3]>`."""
    return _tensor(DType.I16, shape)


def i32(*shape: int) -> TensorType:
    """`i32(2, 3)` is `tensor<i32[2, 3]>`."""
    return _tensor(DType.I32, shape)


def i64(*shape: int) -> TensorType:
    """`i64(2, 3)` is `tensor<i64[2, 3]>`."""
    return _tensor(DType.I64, shape)


def u8(*shape: int) -> TensorType:
    """`u8(2, 3)` is `tensor<u8[2, 3]>`."""
    return _tensor(DType.U8, shape)


def u16(*shape: int) -> TensorType:
    """`u16(2, 3)` is `tensor<u16[2, 3]>`."""
    return _tensor(DType.U16, shape)


def u32(*shape: int) -> TensorType:
    """`u32(2, 3)` is `tensor<u32[2, 3]>`."""
    return _tensor(DType.U32, shape)


def u64(*shape: int) -> TensorType:
    """`u64(2, 3)` is `tensor<u64[2, 3]>`."""
    return _tensor(DType.U64, shape)


def bf16(*shape: int) -> TensorType:
    """`bf16(2, 3)` is `tensor<bf16[2, 3]>`."""
    return _tensor(DType.BF16, shape)


def f16(*shape: int) -> TensorType:
    """`f16(2, 3)` is `tensor<f16[2, 3]>`."""
    return _tensor(DType.F16, shape)


def f32(*shape: int) -> TensorType:
    """`f32(2, 3)` is `tensor<f32[2, 3]>`; `f32()` a scalar."""
    return _tensor(DType.F32, shape)


def f64(*shape: int) -> TensorType:
    """`f64(2, 3)` is `tensor<f64[2, 3]>`."""
    return _tensor(DType.F64, shape)


def _tensor(dtype: DType, shape: Shape) -> TensorType:
    try:
        return TensorType(dtype, tuple(map(operator.index, shape)))
    except TypeError:
        given = ", ".join(map(repr, shape))
        raise TypeError(f"extents are integers, as in {dtype}(2, 3), got {given}") from None
