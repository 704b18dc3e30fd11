"""Element values as bits: no float passes through another format, so every NaN and every signed zero survives.

Text forms of one element: integers in decimal (or hex), floats as the shortest decimal that reads back to the same
bits, `inf`, `-inf`, `nan` (the quiet NaN 0x7FC00000 or its f64 twin); every other NaN as its bit pattern in hex.
"""

from __future__ import annotations

import binascii
import math
import re
import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .diagnostics import Reject, short
from .lazy import np
from .types import DType, Shape, TensorType

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy

_NAN = {DType.F32: 0x7FC00000, DType.F64: 0x7FF8000000000000}
_F32_MAX = 2.0**128 - 2.0**104
_F32_HALF = 2.0**128 - 2.0**103
"""Halfway from the largest f32 to 2**128: the least that overflows."""
_HEX = re.compile(r"([-+]?)0[xX]([0-9a-fA-F]+)\Z")
_BIG_ENDIAN = sys.byteorder == "big"

_CHUNK = 3 << 20
"""Bytes per piece of base64; a multiple of 3."""

DECIMALS_UP_TO = 256
"""A literal with more elements than this, not all alike, is written in base64 instead of decimals."""


@dataclass(frozen=True, slots=True)
class Literal:
    """The elements of a constant in row-major order, as little-endian bytes.

    `bits` holds every element, or one element if all have the same bits (a splat), or nothing if there are none.
    """

    dtype: DType
    bits: bytes

    @classmethod
    def of(cls, dtype: DType, bits: bytes) -> Literal:
        """The literal with these bytes, stored as a splat where that is possible."""
        w = dtype.width
        if len(bits) > w and bits[:w] == bits[w : 2 * w] == bits[-w:]:
            view = memoryview(bits)  # shifted by one element, equal: no copy of a large constant
            if bits == bits[:w] * (len(bits) // w) if len(bits) < 1 << 16 else view[w:] == view[:-w]:
                bits = bits[:w]
        return cls(dtype, bits)

    @classmethod
    def scalar(cls, dtype: DType, value: Any) -> Literal:
        """One element from a Python or NumPy number.  E4005 if the dtype has no such value."""
        return cls(dtype, _number_bits(dtype, value))

    @classmethod
    def from_array(cls, a: numpy.ndarray) -> Literal:
        """The elements of an array of one of the four dtypes, whatever its layout or byte order."""
        dtype = DType.of(a.dtype)
        return cls.of(dtype, np.ascontiguousarray(a, dtype.numpy.newbyteorder("<")).tobytes())

    @property
    def is_splat(self) -> bool:
        return len(self.bits) == self.dtype.width

    def __len__(self) -> int:
        """Elements stored: all of them, or 1 for a splat."""
        return len(self.bits) // self.dtype.width

    def numbers(self) -> list[Any]:
        """The stored elements as Python numbers; f32 widened."""
        a = array(self.dtype.code, self.bits)
        if _BIG_ENDIAN:
            a.byteswap()
        return a.tolist()

    def to_numpy(self, shape: Shape) -> numpy.ndarray:
        """A read-only array of `shape`; a splat takes no memory per element."""
        flat = np.frombuffer(self.bits, self.dtype.numpy.newbyteorder("<")).astype(self.dtype.numpy, copy=False)
        if self.is_splat:
            return np.broadcast_to(flat.reshape(()), shape)
        return flat.reshape(shape)

    def texts(self) -> list[str]:
        """The stored elements as they are written."""
        if not self.dtype.is_float:
            return [str(n) for n in self.numbers()]
        w = self.dtype.width
        show = _f32_text if self.dtype is DType.F32 else repr
        out = []
        for i, x in enumerate(self.numbers()):
            if x != x:
                pattern = int.from_bytes(self.bits[i * w : (i + 1) * w], "little")
                out.append("nan" if pattern == _NAN[self.dtype] else f"0x{pattern:0{2 * w}X}")
            else:
                out.append(show(x))
        return out


def _f32_text(x: float) -> str:
    """Shortest decimal that rounds to the f32 `x`, spelled as Python spells floats.

    Six digits are enough to hold any 6-digit decimal, so for normal numbers shorter ones need no trial.
    """
    if math.isinf(x) or x == 0:
        return repr(x)
    for digits in range(6 if abs(x) >= 2**-126 else 1, 10):
        if _is_text_of(text := f"{x:.{digits}g}", x):
            return repr(float(text))
        if math.frexp(x)[0] in (0.5, -0.5):  # a power of two: above it, decimals twice as far away still round to it
            figures, exponent = f"{x:.{digits - 1}e}".replace(".", "").split("e")
            if _is_text_of(text := f"{int(figures) + (1 if x > 0 else -1)}e{int(exponent) - digits + 1}", x):
                return repr(float(text))
    raise AssertionError("nine digits hold every f32")


def _is_text_of(text: str, x: float) -> bool:
    """True if the decimal `text` rounds to the f32 `x`."""
    return float(text) == x or (abs(float(text)) < 3.5e38 and _round_f32(text, float(text)) == x)


def _round_f32(text: str, x: float) -> float:
    """The f32 nearest to the decimal `text`, whose nearest f64 is `x`: rounded once, not twice.  OverflowError."""
    y: float
    try:
        (y,) = struct.unpack("<f", struct.pack("<f", x))
    except OverflowError:
        if abs(x) == _F32_HALF and abs(_exact(text)) < _F32_HALF:
            return math.copysign(_F32_MAX, x)
        raise
    if y == x or math.isinf(x):
        return y
    (bits,) = struct.unpack("<i", struct.pack("<f", y))
    other = bits + (1 if (x > y) == (bits >= 0) else -1)
    (z,) = struct.unpack("<f", struct.pack("<i", other))
    if math.isinf(z) or (y + z) / 2 != x:  # halves of f32 neighbours are exact in f64
        return y
    exact, half = _exact(text), _exact(x)
    if exact == half:
        return y
    return float(max(y, z) if exact > half else min(y, z))


def _exact(x: str | float) -> Fraction:
    from fractions import Fraction  # rarely needed

    return Fraction(x)


def _number_bits(dtype: DType, value: Any) -> bytes:
    if isinstance(value, str):
        return element_bits(dtype, value)
    try:
        if not dtype.is_float:
            return struct.pack("<" + dtype.code, value.__index__())
        if isinstance(value, np.generic) and value.dtype == dtype.numpy:  # keeps the bits of a NaN
            return np.asarray(value, value.dtype.newbyteorder("<")).tobytes()
        return struct.pack("<" + dtype.code, float(value))
    except (struct.error, OverflowError, TypeError, ValueError, AttributeError):
        raise Reject("E4005", f"{value!r} is no value of {dtype}", at="data") from None


def element_bits(dtype: DType, text: str) -> bytes:
    """The bytes of one written element.  E1005 malformed, E4005 outside the dtype."""
    if m := _HEX.match(text):
        return _hex_bits(dtype, text, m[1], m[2])
    try:
        if not dtype.is_float:
            return struct.pack("<" + dtype.code, int(text))
        x = float(text)
        if math.isnan(x):
            sign = (1 << (8 * dtype.width - 1)) if text[0] == "-" else 0
            return (_NAN[dtype] | sign).to_bytes(dtype.width, "little")
        if math.isinf(x) and "inf" not in text:
            raise OverflowError
        return struct.pack("<" + dtype.code, _round_f32(text, x) if dtype is DType.F32 else x)
    except (struct.error, OverflowError, ValueError):
        hint = "" if dtype.is_float else "an integer literal has no point and no exponent, and fits the dtype"
        raise Reject("E4005", f"{short(text)} is no value of {dtype}", help=hint, at="data") from None


def _hex_bits(dtype: DType, text: str, sign: str, digits: str) -> bytes:
    if not dtype.is_float:  # for integers, hex is just another base
        return element_bits(dtype, str(int(sign + digits, 16))) if len(digits) <= 16 else element_bits(dtype, "9" * 30)
    if sign or len(digits) != 2 * dtype.width:
        raise Reject(
            "E1005",
            f"{short(text)} is no {dtype} bit pattern",
            help=f"a bit pattern of {dtype} has {2 * dtype.width} hex digits and no sign",
            at="data",
        )
    return int(digits, 16).to_bytes(dtype.width, "little")


def pack_texts(dtype: DType, texts: Sequence[str]) -> bytes:
    """The bytes of many written elements.  Plain decimals go through C loops; anything else one by one."""
    if len(texts) > 64:
        try:
            a: array[Any] = _floats(dtype, texts) if dtype.is_float else array(dtype.code, map(int, texts))
            if _BIG_ENDIAN:
                a.byteswap()
            return a.tobytes()
        except (ValueError, OverflowError):
            pass  # hex, nan, inf, or out of range: judged one by one below
    return b"".join(element_bits(dtype, t) for t in texts)


def _floats(dtype: DType, texts: Sequence[str]) -> array[float]:
    """Decimals, inf and nan as f32 or f64, each rounded once.  OverflowError for a decimal that is too large."""
    wide = array("d", map(float, texts))
    x = np.frombuffer(wide, np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        y = x if dtype is DType.F64 else x.astype(np.float32)
    if any("n" not in texts[i] for i in map(int, np.flatnonzero(~np.isfinite(y)))):  # neither inf nor nan
        raise OverflowError
    if dtype is DType.F64:
        return wide
    out = array("f", y.tobytes())
    with np.errstate(over="ignore", invalid="ignore"):
        toward = np.where(x > y, np.float32(np.inf), np.float32(-np.inf)).astype(np.float32)
        ties = (x != y) & ((y.astype(np.float64) + np.nextafter(y, toward)) / 2 == x)
    for i in map(int, np.flatnonzero(ties)):
        out[i] = _round_f32(texts[i], wide[i])
    return out


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
    """Elements in order, and the extents of the nesting.  E3010 if rows differ in length or depth."""
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
        if type(x) is not str:
            what = "a list" if isinstance(x, list) else f"{x}"
            raise Reject("E3010" if isinstance(x, list) else "E4005", f"{what} is no element of a literal", at="data")
    return level, found


def from_bytes(dtype: DType, shape: Shape, data: bytes) -> Literal:
    """A literal from its elements as bytes, row-major and little-endian.  E4005 for a wrong number of bytes."""
    type = TensorType(dtype, shape)
    if len(data) != type.nbytes:
        raise Reject("E4005", f"{type} takes {type.nbytes} bytes, the data has {len(data)}", at="data")
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
