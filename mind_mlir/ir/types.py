"""Types of values: an element type and a fully known shape. Spec: Shapes, Tensor ranks and shapes."""

from __future__ import annotations

import enum
import math
import operator
from dataclasses import dataclass
from typing import TypeAlias

from .kept import kept_property
from .lazy import np

Shape: TypeAlias = tuple[int, ...]

MAX_EXTENT = 2**63 - 1
"""The largest extent: in MLIR and in NumPy extents are i64."""


class DType(enum.Enum):
    """The element types of Core v1, as a table: a row has the names that all other libraries have for one.

    The value is the spelling in Core IR text and in MLIR.
    """

    # Core IR and MLIR, bytes, NumPy, struct, C, MPI, DLPack
    F32 = "f32", 4, "float32", "f", "float", "MPI_FLOAT", 2
    F64 = "f64", 8, "float64", "d", "double", "MPI_DOUBLE", 2
    I32 = "i32", 4, "int32", "i", "int32_t", "MPI_INT32_T", 0
    I64 = "i64", 8, "int64", "q", "int64_t", "MPI_INT64_T", 0

    width: int
    """The bytes of one element."""
    numpy_name: str
    code: str
    """The element's letter in the standard library's `struct`."""
    c: str
    """The type in C, with <stdint.h>."""
    mpi: str
    """The handle of MPI, in C."""
    dlpack: int
    """DLDataTypeCode."""

    def __new__(cls, text: str, *columns: object) -> DType:
        """Make a member from a row of the table; its value is the text."""
        self = object.__new__(cls)
        self._value_ = text
        self.width, self.numpy_name, self.code, self.c, self.mpi, self.dlpack = columns  # type: ignore[assignment]
        return self

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is ten times slower

    def __str__(self) -> str:
        return str(self.value)

    @kept_property
    def is_float(self) -> bool:
        return self.value[0] not in "iu"

    @kept_property
    def numpy(self) -> np.dtype:
        """The NumPy dtype, in the machine's byte order."""
        return np.dtype(self.numpy_name)

    @classmethod
    def named(cls, text: str) -> DType | None:
        """The element type of that spelling; None if there is none."""
        return cls._value2member_map_.get(text)  # type: ignore[return-value]

    @classmethod
    def listed(cls, word: str = "and") -> str:
        """The names of all, for messages: `f32, f64, i32 and i64`."""
        *first, last = [d.value for d in cls]
        return f"{', '.join(first)} {word} {last}"

    @classmethod
    def of(cls, dtype: object) -> DType:
        """The DType of a NumPy dtype, a NumPy scalar type or a spelling. ValueError if Core v1 has none."""
        if isinstance(dtype, cls):
            return dtype
        if isinstance(dtype, str) and (named := cls.named(dtype)) is not None:
            return named
        native = np.dtype(dtype).newbyteorder("=")  # type: ignore[call-overload]
        for member in cls:
            if member.numpy == native:
                return member
        raise ValueError(f"Core IR has no element type {native}")


@dataclass(frozen=True, slots=True)
class TensorType:
    """A type such as `tensor<f32[2, 3]>`: dtype and extents. A scalar has shape `()`; extents are never symbolic."""

    dtype: DType
    shape: Shape

    @classmethod
    def of_array(cls, a: np.ndarray) -> TensorType:
        """The type of an array of one of the four dtypes."""
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


def f32(*shape: int) -> TensorType:
    """`f32(2, 3)` is `tensor<f32[2, 3]>`; `f32()` a scalar."""
    return _tensor(DType.F32, shape)


def f64(*shape: int) -> TensorType:
    """`f64(2, 3)` is `tensor<f64[2, 3]>`."""
    return _tensor(DType.F64, shape)


def i32(*shape: int) -> TensorType:
    """`i32(2, 3)` is `tensor<i32[2, 3]>`."""
    return _tensor(DType.I32, shape)


def i64(*shape: int) -> TensorType:
    """`i64(2, 3)` is `tensor<i64[2, 3]>`."""
    return _tensor(DType.I64, shape)


def _tensor(dtype: DType, shape: Shape) -> TensorType:
    try:
        return TensorType(dtype, tuple(map(operator.index, shape)))
    except TypeError:
        given = ", ".join(map(repr, shape))
        raise TypeError(f"extents are integers, as in {dtype}(2, 3), got {given}") from None
