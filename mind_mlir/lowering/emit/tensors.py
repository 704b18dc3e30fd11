"""The types of tensors in MLIR, and their constants."""

from __future__ import annotations

import re
from typing import Any

from mlir import ir

from ...ir import DType, Literal, TensorType, np
from ...ir.numbers import element_bits
from .scalars import mlir_element


def mlir_type(t: TensorType) -> Any:
    """The MLIR type of a Core type."""
    return ir.RankedTensorType.get(t.shape, mlir_element(t.dtype))


def type_of(v: Any) -> TensorType:
    """The Core type of an MLIR value, a ranked tensor with static shape."""
    t = ir.RankedTensorType(v.type)
    return TensorType(DType(str(t.element_type)), tuple(t.shape))


def elements_attribute(data: Literal, t: TensorType, element: Any = None) -> Any:
    """`dense<…>`, bit for bit; `element` is the MLIR type of an element unless it is that of arithmetic."""
    type = ir.RankedTensorType.get(t.shape, element or mlir_element(t.dtype))
    if data.is_splat and t.size:
        return ir.Attribute.parse(f"dense<{_bits(data)}> : {type}")
    array = data.to_numpy(t.shape)
    if t.dtype.is_bool:  # eight of them are a byte
        array = np.packbits(array, axis=None, bitorder="little")
    elif t.dtype.is_half:
        array = array.view(np.uint16)
    return ir.DenseElementsAttr.get(array, type=type.element_type, shape=list(t.shape))


_NUMBER = re.compile(r"[-+]?(?:0x[0-9A-F]+|[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?)")


def literal_of_halves(attribute: Any, dtype: DType) -> Literal:
    """The elements of a dense attribute, or one number, of 16-bit floats: from its text, for MLIR's bindings have none.

    Large ones are written as bytes, `dense<"0x…">`, others in decimal, or as bits where decimals would be rounded.
    """
    text = str(attribute).rpartition(" : ")[0]
    if '"' in text:
        return Literal.of(dtype, bytes.fromhex(text.partition('"0x')[2].partition('"')[0]))
    return Literal.of(dtype, b"".join(element_bits(dtype, number) for number in _NUMBER.findall(text)))


def number_attribute(data: Literal) -> Any:
    """`… : f32`, bit for bit."""
    return ir.Attribute.parse(f"{_bits(data)} : {data.dtype}")


def _bits(data: Literal) -> str:
    """One element as MLIR reads it without rounding."""
    if data.dtype.is_float:
        return f"0x{int.from_bytes(data.bits, 'little'):0{2 * data.dtype.width}X}"
    return data.texts()[0]
