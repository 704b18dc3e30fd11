"""Tensor literals. Spec: Core IR, Constants; docs/semantics.md, ConstTensor."""

import math
from dataclasses import replace

from ..ir import DType, Linearity, Literal, Op, Reject, TensorType, op
from ..ir.attributes import Data, DTypeAttr, Extents
from ..ir.literal import from_bytes, from_nested, text_pieces
from ..ir.numbers import element_bits
from ..ir.written import Call, Encoded, describe, is_element
from ._rules import names


@op
class ConstTensor(Op):
    """The constant of `dtype` and `shape` whose elements, row-major, are `data`.

    Written as nested lists that match the shape, as `splat(x)` for one element everywhere, or as base64 of the
    little-endian elements.
    """

    data: Data
    dtype: DTypeAttr
    shape: Extents

    linearity = Linearity.CONSTANT
    foldable = False

    @property
    def literal(self):
        return self.data

    def infer_type(self):
        type = TensorType(self.dtype, self.shape)
        if self.data.dtype is not self.dtype:
            raise Reject("E4005", f"ConstTensor of {type} has data of {self.data.dtype}", at="data")
        if len(self.data) != type.size and not (self.data.is_splat and type.size):
            raise Reject("E4005", f"{type} has {type.size} elements, the data has {len(self.data)}", at="data")
        return type

    @classmethod
    def from_syntax(cls, written, declared):
        for name in cls.kinds:
            if name not in written:
                raise cls._missing(name)
        dtype = cls.kinds["dtype"].read("dtype", written["dtype"])
        shape = cls.kinds["shape"].take("shape", cls.kinds["shape"].read("shape", written["shape"]))
        return cls(_read(dtype, shape, written["data"]), dtype, shape)

    def attribute_pieces(self):
        yield "data = "
        yield from text_pieces(self.data, self.shape)
        yield f", dtype = {self.dtype}, shape = {list(self.shape)}"

    def evaluate(self):
        return self.data.to_numpy(self.shape)

    def dims(self):
        return f"-> {' '.join(names(len(self.shape)))}" if self.data.is_splat and 0 not in self.shape else None

    def localized(self, result):
        return replace(self, shape=result.shape)

    def lower(self, e, result):
        return e.literal(self.data, result)

    @classmethod
    def samples(cls):
        f32, i64 = DType.F32, DType.I64
        return [
            (cls(from_nested(f32, (2, 2), [["1.5", "-0.0"], ["inf", "nan"]]), f32, (2, 2)), ()),
            (cls(Literal.scalar(f32, 7.0), f32, (2, 3)), ()),
            (cls(Literal.scalar(i64, 2**53 + 1), i64, ()), ()),
            (cls(from_nested(i64, (3, 0), [[], [], []]), i64, (3, 0)), ()),
            (cls(from_nested(DType.I1, (3,), ["true", "0", "true"]), DType.I1, (3,)), ()),
            (cls(Literal.scalar(DType.U64, 2**64 - 1), DType.U64, (2,)), ()),
            (cls(from_nested(DType.I8, (2,), ["-128", "127"]), DType.I8, (2,)), ()),
            (cls(from_nested(DType.I32, (300,), [str(n - 150) for n in range(300)]), DType.I32, (300,)), ()),
        ]


def _read(dtype, shape, syntax):
    match syntax:
        case Encoded(data):
            return from_bytes(dtype, shape, data)
        case Call("splat", (str() as text,)) if is_element(text):
            return Literal(dtype, element_bits(dtype, text) if math.prod(shape) else b"")
        case list() | str() if type(syntax) is list or is_element(syntax):
            return from_nested(dtype, shape, syntax)
    raise Reject(
        "E4013", f"attribute data: expected {ConstTensor.kinds['data'].wants}, found {describe(syntax)}", at="data"
    )
