"""Converts elements between text, bits and Python numbers, one or many at once.

An `i1` is written `true` or `false` (0 and 1 are read), integers in decimal (hex is read), floats as the shortest
decimal that reads back to the same bits, `inf`, `-inf`, `nan` (the quiet NaN without payload); every other
NaN as its bit pattern in hex.
"""

from __future__ import annotations

import math
import re
import struct
import sys
from array import array
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from .diagnostics import Reject, short
from .lazy import np
from .types import DType

if TYPE_CHECKING:
    from fractions import Fraction

_F32_MAX = 2.0**128 - 2.0**104
_F32_HALF = 2.0**128 - 2.0**103  # halfway from the largest f32 to 2^128: the least that overflows
_TRUTH = {"true": b"\x01", "false": b"\x00", "1": b"\x01", "0": b"\x00"}
_HEX = re.compile(r"([-+]?)0[xX]([0-9a-fA-F]+)\Z")
_BIG_ENDIAN = sys.byteorder == "big"


def elements(dtype: DType, bits: bytes) -> list[Any]:
    """Elements from their little-endian bytes, as Python numbers; narrow floats are widened, an `i1` is a bool."""
    if dtype is DType.F16:
        return list(struct.unpack(f"<{len(bits) // 2}e", bits))
    a = array(dtype.code, bits)
    if _BIG_ENDIAN:
        a.byteswap()
    if dtype is DType.BF16:  # the upper half of an f32
        return list(struct.unpack(f"<{len(a)}f", struct.pack(f"<{len(a)}I", *[n << 16 for n in a])))
    return list(map(bool, a)) if dtype.is_bool else a.tolist()


def _nan(dtype: DType) -> int:
    """The bits of the quiet NaN without payload."""
    exponents = (1 << (8 * dtype.width - 1 - dtype.mantissa)) - 1
    return exponents << dtype.mantissa | 1 << (dtype.mantissa - 1)


def element_texts(dtype: DType, bits: bytes) -> list[str]:
    """Elements from their little-endian bytes, as text."""
    if not dtype.is_float:
        return [str(n).lower() for n in elements(dtype, bits)]  # true, false
    w = dtype.width
    show = repr if dtype is DType.F64 else partial(_shortest, dtype)
    out = []
    for i, x in enumerate(elements(dtype, bits)):
        if x != x:
            pattern = int.from_bytes(bits[i * w : (i + 1) * w], "little")
            out.append("nan" if pattern == _nan(dtype) else f"0x{pattern:0{2 * w}X}")
        else:
            out.append(show(x))
    return out


def _shortest(dtype: DType, x: float) -> str:
    """The shortest decimal that rounds to `x`, an element of f32 or narrower, written as Python writes floats.

    An f32 keeps any decimal of six digits, so for normal numbers shorter ones need not be tried.
    """
    if math.isinf(x) or x == 0:
        return repr(x)
    for digits in range(6 if dtype is DType.F32 and abs(x) >= 2**-126 else 1, 10):
        if _is_text_of(dtype, text := f"{x:.{digits}g}", x):
            return repr(float(text))
        if math.frexp(x)[0] in (0.5, -0.5):  # a power of two: above it, decimals twice as far away still round to it
            figures, exponent = f"{x:.{digits - 1}e}".replace(".", "").split("e")
            if _is_text_of(dtype, text := f"{int(figures) + (1 if x > 0 else -1)}e{int(exponent) - digits + 1}", x):
                return repr(float(text))
    raise AssertionError("nine digits hold every f32")


def _is_text_of(dtype: DType, text: str, x: float) -> bool:
    """True if the decimal `text` rounds to `x`."""
    try:
        return float(text) == x or _rounded(dtype, text, float(text)) == x
    except OverflowError:
        return False


def _rounded(dtype: DType, text: str | float, x: float) -> float:
    """The element nearest to the decimal `text`, whose nearest f64 is `x`: rounded once, not twice. OverflowError."""
    if dtype is DType.F64 or x == 0 or math.isinf(x):
        return x
    if dtype is DType.F32 and isinstance(text, str):
        return _round_f32(text, x)
    exact, end = _exact(text), 1 << (8 * dtype.width - dtype.mantissa - 2)  # 2^end is above the largest
    exponent = max(math.frexp(x)[1] - 1, 2 - end)
    if exponent > 2 - end and abs(exact) < _exact(2) ** exponent:  # x was rounded up to a power of two
        exponent -= 1
    ulp = _exact(2) ** (exponent - dtype.mantissa)
    found = float(round(exact / ulp) * ulp)  # to even
    if abs(found) >= 2.0**end:
        raise OverflowError
    return math.copysign(found, x)


def _float_bits(dtype: DType, x: float) -> bytes:
    """The bytes of a float that the dtype has."""
    if dtype is DType.BF16:
        return struct.pack("<f", x)[2:]
    return struct.pack("<e" if dtype is DType.F16 else f"<{dtype.code}", x)


def _round_f32(text: str, x: float) -> float:
    """The f32 nearest to the decimal `text`, whose nearest f64 is `x`: rounded once, not twice. OverflowError."""
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


def number_bits(dtype: DType, value: Any) -> bytes:
    """The bytes of one Python or NumPy number. E4005 if the dtype has no such value."""
    if isinstance(value, str):
        return element_bits(dtype, value)
    try:
        if dtype.is_bool:
            return _TRUTH[str(value).lower()]
        if not dtype.is_float:
            return struct.pack("<" + dtype.code, value.__index__())
        if type(value) in (int, float):  # without loading NumPy
            return _number_bits(dtype, float(value))
        if isinstance(value, np.generic) and value.dtype == dtype.numpy:  # keeps the bits of a NaN
            return np.asarray(value, value.dtype.newbyteorder("<")).tobytes()
        return _number_bits(dtype, float(value))
    except (struct.error, OverflowError, TypeError, ValueError, AttributeError, KeyError):
        raise Reject("E4005", f"{value!r} is no value of {dtype}", at="data") from None


def _number_bits(dtype: DType, x: float) -> bytes:
    if not dtype.is_half:
        return struct.pack("<" + dtype.code, x)
    return _nan(dtype).to_bytes(2, "little") if x != x else _float_bits(dtype, _rounded(dtype, x, x))


def element_bits(dtype: DType, text: str) -> bytes:
    """The bytes of one written element. E1005 malformed, E4005 outside the dtype."""
    if m := _HEX.match(text):
        return _hex_bits(dtype, text, m[1], m[2])
    try:
        if dtype.is_bool:
            return _TRUTH[text]
        if not dtype.is_float:
            return struct.pack("<" + dtype.code, int(text))
        x = float(text)
        if math.isnan(x):
            sign = (1 << (8 * dtype.width - 1)) if text[0] == "-" else 0
            return (_nan(dtype) | sign).to_bytes(dtype.width, "little")
        if math.isinf(x) and "inf" not in text:
            raise OverflowError
        return _float_bits(dtype, _rounded(dtype, text, x))
    except (struct.error, OverflowError, ValueError, KeyError):
        hint = "" if dtype.is_float else "an integer literal has no point and no exponent, and fits the dtype"
        hint = "its values are true and false, or 1 and 0" if dtype.is_bool else hint
        raise Reject("E4005", f"{short(text)} is no value of {dtype}", help=hint, at="data") from None


def _hex_bits(dtype: DType, text: str, sign: str, digits: str) -> bytes:
    if not dtype.is_float:  # integers may be written in hex
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
    """The bytes of many written elements. Plain decimals are read by C loops, anything else one by one."""
    if len(texts) > 64 and not dtype.is_bool and not dtype.is_half:
        try:
            a: array[Any] = _floats(dtype, texts) if dtype.is_float else array(dtype.code, map(int, texts))
            if _BIG_ENDIAN:
                a.byteswap()
            return a.tobytes()
        except (ValueError, OverflowError):
            pass  # hex, nan, inf, or out of range: read one by one below
    return b"".join(element_bits(dtype, t) for t in texts)


def _floats(dtype: DType, texts: Sequence[str]) -> array[float]:
    """Decimals, inf and nan as f32 or f64, each rounded once. OverflowError for a decimal that is too large."""
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
