"""The elements of a constant as bits: floats are never converted, so every NaN and -0.0 is kept."""

from __future__ import annotations

import binascii
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .diagnostics import Reject
from .lazy import np
from .numbers import element_texts, elements, number_bits, pack_texts
from .types import DType, Shape, TensorType
from .written import is_element

if TYPE_CHECKING:
    import numpy

_CHUNK = 3 << 20
"""The bytes in a piece of base64; a multiple of 3."""

DECIMALS_UP_TO = 256
"""A literal of more elements than this, unless all are equal, is written in base64 instead of decimals."""


@dataclass(frozen=True, slots=True)
class Literal:
    """The elements of a constant in row-major order, as little-endian bytes.

    `bits` holds every element, or one element if all have the same bits (a splat), or nothing if there are none.
    """

    dtype: DType
    bits: bytes

    @classmethod
    def of(cls, dtype: DType, bits: bytes) -> Literal:
        """The literal with these bytes, stored as a splat if possible."""
        w = dtype.width
        if len(bits) > w and bits[:w] == bits[w : 2 * w] == bits[-w:]:
            view = memoryview(bits)  # compared with itself shifted by one element, without a copy
            if bits == bits[:w] * (len(bits) // w) if len(bits) < 1 << 16 else view[w:] == view[:-w]:
                bits = bits[:w]
        return cls(dtype, bits)

    @classmethod
    def scalar(cls, dtype: DType, value: Any) -> Literal:
        """The literal of one element, from a Python or NumPy number. E4005 if the dtype has no such value."""
        return cls(dtype, number_bits(dtype, value))

    @classmethod
    def from_array(cls, a: numpy.ndarray) -> Literal:
        """The elements of an array of one of the element types, whatever its layout or byte order."""
        dtype = DType.of(a.dtype)
        if dtype.is_bool:  # another array may look at the same memory, with bytes that are neither 0 nor 1
            a = a.view(np.uint8) != 0
        return cls.of(dtype, np.ascontiguousarray(a, dtype.numpy.newbyteorder("<")).tobytes())

    @property
    def is_splat(self) -> bool:
        return len(self.bits) == self.dtype.width

    def __len__(self) -> int:
        """The number of stored elements: all of them, or 1 for a splat."""
        return len(self.bits) // self.dtype.width

    def numbers(self) -> list[Any]:
        """The stored elements as Python numbers; f32 widened, `i1` as True and False."""
        return elements(self.dtype, self.bits)

    def to_numpy(self, shape: Shape) -> numpy.ndarray:
        """A read-only array of `shape`; a splat takes no memory per element."""
        flat = np.frombuffer(self.bits, self.dtype.numpy.newbyteorder("<")).astype(self.dtype.numpy, copy=False)
        if self.is_splat:
            return np.broadcast_to(flat.reshape(()), shape)
        return flat.reshape(shape)

    def texts(self) -> list[str]:
        """The stored elements as they are written."""
        return element_texts(self.dtype, self.bits)


def from_nested(dtype: DType, shape: Shape, data: object) -> Literal:
    """A literal from nested lists of written elements, which must nest as `shape` says.

    E3010 where the nesting differs, E4005 for a wrong number of elements or a value outside the dtype.
    """
    type = TensorType(dtype, shape)
    flat, found = _flatten(data)
    if len(flat) != type.size:
        raise Reject("E4005", f"{type} has {type.size} elements, the literal has {len(flat)}", at="data")
    if found != list(shape[: len(found)]) or (len(found) < len(shape) and 0 not in found):
        raise Reject("E3010", f"the literal nests as {found}, the declared shape is {list(shape)}", at="data")
    return Literal.of(dtype, pack_texts(dtype, flat))


def _flatten(data: object) -> tuple[list[str], list[int]]:
    """Elements in order, and the extents of the nesting. E3010 if rows differ in length or depth."""
    found: list[int] = []
    level: list[Any] = [data]
    while level and isinstance(level[0], list):
        extent = len(level[0])
        for row in level:
            if not isinstance(row, list) or len(row) != extent:
                raise Reject("E3010", f"rows of the literal differ at depth {len(found) + 1}", at="data")
        found.append(extent)
        level = [x for row in level for x in row]
    for x in level:
        if not is_element(x):
            what = "a list" if isinstance(x, list) else f"{x}"
            raise Reject("E3010" if isinstance(x, list) else "E4005", f"{what} is no element of a literal", at="data")
    return level, found


def from_bytes(dtype: DType, shape: Shape, data: bytes) -> Literal:
    """A literal from its elements as bytes, row-major and little-endian. E4005 for a wrong number of bytes."""
    type = TensorType(dtype, shape)
    if len(data) != type.nbytes:
        raise Reject("E4005", f"{type} takes {type.nbytes} bytes, the data has {len(data)}", at="data")
    if dtype.is_bool and (wrong := data.translate(None, b"\x00\x01")):
        raise Reject("E4005", f"the byte {wrong[0]} is no value of {dtype}", help="its bytes are 0 and 1", at="data")
    return Literal.of(dtype, data)


def text_pieces(literal: Literal, shape: Shape) -> Iterator[str]:
    """The literal as it is written: a number, nested lists, `splat(x)` or `base64("…")`."""
    count = math.prod(shape)
    if count > 1 and literal.is_splat:
        yield f"splat({literal.texts()[0]})"
    elif len(literal) > DECIMALS_UP_TO or (not count and math.prod(shape[: shape.index(0)]) > DECIMALS_UP_TO):
        yield 'base64("'
        for at in range(0, len(literal.bits), _CHUNK):
            yield binascii.b2a_base64(literal.bits[at : at + _CHUNK], newline=False).decode("ascii")
        yield '")'
    elif not shape:
        yield literal.texts()[0]
    else:
        yield _nest(literal.texts(), shape if count else shape[: shape.index(0) + 1])


def _nest(texts: list[str], shape: Shape) -> str:
    for depth in range(len(shape) - 1, -1, -1):
        extent, rows = shape[depth], math.prod(shape[:depth])
        texts = [f"[{', '.join(texts[i * extent : (i + 1) * extent])}]" for i in range(rows)]
    return texts[0]
