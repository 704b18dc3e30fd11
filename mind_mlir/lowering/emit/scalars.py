"""Emits arithmetic on elements, by which `Op.lower` writes formulas inside the body of a linalg operation.

With `lanes` the same formulas compute on vectors, lane by lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from mlir import ir

from ...ir import DType
from ...ir.kept import kept_property

_COMPARE_FLOAT = {"equal": 1, "not_equal": 13, "greater": 2, "greater_equal": 3, "less": 4, "less_equal": 5}
"""arith.CmpFPredicate: oeq, une, ogt, oge, olt, ole."""

_UNORDERED = 14

_COMPARE_INT = {"equal": 0, "not_equal": 1, "greater": 4, "greater_equal": 5, "less": 2, "less_equal": 3}
"""arith.CmpIPredicate: eq, ne, sgt, sge, slt, sle."""

_UNSIGNED = 4
"""From the predicate of an order to that of numbers without a sign."""


class Scalars:
    """Emits arithmetic on elements of one dtype; integers wrap, floats are rounded after every operation.

    `lanes` is the number of elements of a vector; None stands for a single element.
    """

    def __init__(self, dtype: DType, lanes: int | None = None) -> None:
        self.dtype = dtype
        self.lanes = lanes
        self.is_float = dtype.is_float
        self.element = mlir_element(dtype)
        self.type = self._lanes_of(self.element)

    def _lanes_of(self, element: Any) -> Any:
        return element if self.lanes is None else ir.VectorType.get([self.lanes], element)

    @kept_property
    def f64(self) -> Scalars:
        return self.of(DType.F64)

    @kept_property
    def i64(self) -> Scalars:
        return self.of(DType.I64)

    def of(self, dtype: DType) -> Scalars:
        """The same for another dtype, with as many lanes."""
        return self if dtype is self.dtype else Scalars(dtype, self.lanes)

    @kept_property
    def integers(self) -> Scalars:
        """The same for the integers of the same width."""
        return self.of(DType.I64 if self.dtype.width == DType.I64.width else DType.I32)

    @property
    def smallest(self) -> int:
        """The least integer of the dtype."""
        return self.dtype.smallest

    @property
    def largest(self) -> int:
        """The greatest integer of the dtype."""
        return self.dtype.largest

    @property
    def bits(self) -> int:
        """The bits of an element."""
        return self.dtype.bits

    def op(self, name: str, *operands: Any, type: ir.Type | None = None, **attributes: ir.Attribute) -> Any:
        """Any MLIR operation with one result, of this dtype unless `type` says otherwise: `s.op("math.tanh", x)`."""
        return ir.Operation.create(
            name, results=[type or self.type], operands=list(operands), attributes=attributes
        ).result

    def function(self, name: str, *operands: Any) -> Any:
        """A function on elements by name: `math.tanh`, or `mind.Logistic`, for which MLIR has no operation.

        That is text of an assembler: of MLIR's operations this one takes any name, has no effects and is never folded.
        `mind_mlir/lowering/formulas/` replaces it by the steps.
        """
        if not name.startswith("mind."):
            return self.op(name, *operands)
        registers = ir.StringAttr.get(",".join(["=r", *["r"] * len(operands)]))
        return self.op("llvm.inline_asm", *operands, asm_string=ir.StringAttr.get(name), constraints=registers)

    def number(self, value: float) -> Any:
        """A constant, the same in every lane; integers wrap."""
        return self.op("arith.constant", value=self.attribute(value))

    def attribute(self, value: float) -> Any:
        """The attribute of a constant."""
        if self.is_float:
            attribute: Any = ir.FloatAttr.get(self.element, value)
        else:
            half = 1 << (self.bits - 1)
            attribute = ir.IntegerAttr.get(self.element, (int(value) + half) % (2 * half) - half)
        return attribute if self.lanes is None else ir.DenseElementsAttr.get_splat(self.type, attribute)

    def _arith(self, name: str, *operands: Any) -> Any:
        return self.op(f"arith.{name}{'f' if self.is_float else 'i'}", *operands)

    def add(self, x: Any, y: Any) -> Any:
        return self._arith("add", x, y)

    def sub(self, x: Any, y: Any) -> Any:
        return self._arith("sub", x, y)

    def mul(self, x: Any, y: Any) -> Any:
        return self._arith("mul", x, y)

    def div(self, x: Any, y: Any) -> Any:
        """Quotient; integers truncate, and must neither be divided by 0 nor overflow."""
        return self.op(
            "arith.divf" if self.is_float else "arith.divsi" if self.dtype.is_signed else "arith.divui", x, y
        )

    def polynomial(self, x: Any, coefficients: Sequence[float]) -> Any:
        """`c0 + x·(c1 + x·(c2 + …))`."""
        total = self.number(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            total = self.add(self.number(c), self.mul(x, total))
        return total

    def negative(self, x: Any) -> Any:
        """`-x`, of a float."""
        return self.op("arith.negf", x)

    def absolute(self, x: Any) -> Any:
        """`|x|`, of a float."""
        return self.op("math.absf", x)

    def copy_sign(self, x: Any, y: Any) -> Any:
        """|x| with the sign of y."""
        return self.op("math.copysign", x, y)

    def sqrt(self, x: Any) -> Any:
        """Rounded once."""
        return self.op("math.sqrt", x)

    def floor(self, x: Any) -> Any:
        return self.op("math.floor", x)

    def ceil(self, x: Any) -> Any:
        return self.op("math.ceil", x)

    def round_even(self, x: Any) -> Any:
        """The nearest integer; of two, the even one."""
        return self.op("math.roundeven", x)

    def fma(self, x: Any, y: Any, z: Any) -> Any:
        """`x·y + z` of floats, rounded once."""
        return self.op("math.fma", x, y, z)

    def fused_polynomial(self, x: Any, coefficients: Sequence[float]) -> Any:
        """`c0 + x·(c1 + x·(c2 + …))`, each step rounded once."""
        total = self.number(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            total = self.fma(total, x, self.number(c))
        return total

    def _compare(self, predicate: str, x: Any, y: Any) -> Any:
        if self.is_float:
            return self._compare_floats(_COMPARE_FLOAT[predicate], x, y)
        number = _COMPARE_INT[predicate]
        if number > 1 and not self.dtype.is_signed:
            number += _UNSIGNED
        return self.op("arith.cmpi", x, y, type=self._bit, predicate=_i64(number))

    def _compare_floats(self, predicate: int, x: Any, y: Any) -> Any:
        return self.op("arith.cmpf", x, y, type=self._bit, predicate=_i64(predicate))

    @property
    def _bit(self) -> Any:
        return self._lanes_of(ir.IntegerType.get_signless(1))

    def equal(self, x: Any, y: Any) -> Any:
        return self._compare("equal", x, y)

    def not_equal(self, x: Any, y: Any) -> Any:
        """True if either is NaN."""
        return self._compare("not_equal", x, y)

    def greater(self, x: Any, y: Any) -> Any:
        """False if either is NaN, as all orders are."""
        return self._compare("greater", x, y)

    def greater_equal(self, x: Any, y: Any) -> Any:
        return self._compare("greater_equal", x, y)

    def less(self, x: Any, y: Any) -> Any:
        return self._compare("less", x, y)

    def less_equal(self, x: Any, y: Any) -> Any:
        return self._compare("less_equal", x, y)

    def unordered(self, x: Any, y: Any) -> Any:
        """True if either is NaN."""
        return self._compare_floats(_UNORDERED, x, y)

    def maximum(self, x: Any, y: Any) -> Any:
        """The larger one; NaN if either is, and +0 is larger than -0."""
        return self._extreme("max", x, y)

    def minimum(self, x: Any, y: Any) -> Any:
        """The smaller one; NaN if either is, and -0 is smaller than +0."""
        return self._extreme("min", x, y)

    def _extreme(self, kind: str, x: Any, y: Any) -> Any:
        if self.is_float:
            return self.op(f"arith.{kind}imumf", x, y)
        return self.op(f"arith.{kind}{'s' if self.dtype.is_signed else 'u'}i", x, y)

    def joined(self, kind: str, x: Any, y: Any) -> Any:
        """`x` and `y` as one, by a kind of reduction: sum, max, min or prod."""
        join = {"sum": self.add, "max": self.maximum, "min": self.minimum, "prod": self.mul}[kind]
        return join(x, y)

    def neutral(self, kind: str) -> float:
        """The number that changes no other one when `joined` with it."""
        if kind in ("sum", "prod"):
            return int(kind == "prod")
        if self.is_float:
            return -inf if kind == "max" else inf
        return self.smallest if kind == "max" else self.largest

    def either(self, a: Any, b: Any) -> Any:
        return self.op("arith.ori", a, b, type=self._bit)

    def both(self, a: Any, b: Any) -> Any:
        return self.op("arith.andi", a, b, type=self._bit)

    def select(self, condition: Any, x: Any, y: Any) -> Any:
        return self.op("arith.select", condition, x, y)

    def clamped(self, x: Any, low: float, high: float) -> Any:
        """`x`, or the nearer of the two numbers where it is not between them; NaN stays NaN."""
        most, least = self.number(high), self.number(low)
        x = self.select(self.less(most, x), most, x)  # in this order NaN is kept, and x86 has one instruction for it
        return self.select(self.greater(least, x), least, x)

    def from_condition(self, condition: Any) -> Any:
        """The integer 1 for true, 0 for false."""
        return self.op("arith.extui", condition)

    def bit_and(self, x: Any, y: Any) -> Any:
        return self.op("arith.andi", x, y)

    def bit_or(self, x: Any, y: Any) -> Any:
        return self.op("arith.ori", x, y)

    def bit_xor(self, x: Any, y: Any) -> Any:
        return self.op("arith.xori", x, y)

    def same_bits(self, x: Any, source: Scalars) -> Any:
        """The element of this type with the bits of `x`, of a type as wide."""
        return x if self.element == source.element else self.op("arith.bitcast", x)

    def converted(self, x: Any, source: Scalars) -> Any:
        """`x` as this type. docs/semantics.md, Conversions."""
        f32 = self.of(DType.F32)
        if source.dtype.is_half and self.dtype is not DType.F32:
            return self.converted(f32.op("arith.extf", x), f32)
        if self.dtype.is_half and source.dtype is not DType.F32:
            return self.op("arith.truncf", f32.converted(x, source))
        if self.dtype.is_bool:
            return source.not_equal(x, source.number(0))
        if source.is_float:
            return self._resized(x, source, "f") if self.is_float else self._from_float(x, source)
        if self.is_float:
            return self.op("arith.sitofp" if source.dtype.is_signed else "arith.uitofp", x)
        return self._resized(x, source, "si" if source.dtype.is_signed else "ui")

    def _resized(self, x: Any, source: Scalars, kind: str) -> Any:
        if self.bits == source.bits:
            return x
        return self.op(f"arith.ext{kind}" if self.bits > source.bits else f"arith.trunc{kind[-1]}", x)

    def _from_float(self, x: Any, source: Scalars) -> Any:
        """The integer toward zero, or the nearest one that there is; 0 for NaN.

        MLIR gives no number for floats beyond the integers, and both ends of these are exact as floats.
        """
        zero = source.number(0)
        least, end = source.number(self.smallest), source.number(self.largest + 1)
        below, above = source.less(x, least), source.greater_equal(x, end)
        inside = self.both(source.greater_equal(x, least), source.less(x, end))
        found = self.op(f"arith.fpto{'s' if self.dtype.is_signed else 'u'}i", source.select(inside, x, zero))
        return self.select(below, self.number(self.smallest), self.select(above, self.number(self.largest), found))

    def shift_left(self, x: Any, bits: int) -> Any:
        return self.op("arith.shli", x, self.number(bits))

    def shift_right(self, x: Any, bits: int) -> Any:
        """Arithmetic: the sign stays."""
        return self.op("arith.shrsi", x, self.number(bits))

    def to_f64(self, x: Any) -> Any:
        """An element of this dtype as f64."""
        return x if self.dtype is DType.F64 else self.f64.op("arith.extf", x)

    def from_f64(self, x: Any) -> Any:
        """An f64 rounded to this dtype."""
        return x if self.dtype is DType.F64 else self.op("arith.truncf", x)

    def to_bits(self, x: Any) -> Any:
        """The integer with the bits of a float."""
        return self.integers.op("arith.bitcast", x)

    def from_bits(self, x: Any) -> Any:
        """The float with the bits of an integer."""
        return self.op("arith.bitcast", x)

    def from_integer(self, x: Any) -> Any:
        """The float nearest to an integer."""
        return self.op("arith.sitofp", x)

    def from_index(self, x: Any) -> Any:
        """MLIR's index as a number: integers wrap, floats are rounded once."""
        if self.is_float:
            return self.from_integer(self.i64.from_index(x))
        return self.op("arith.index_cast", x)

    def to_index(self, x: Any) -> Any:
        """An integer as MLIR's index."""
        return self.op(f"arith.index_cast{'' if self.dtype.is_signed else 'ui'}", x, type=ir.IndexType.get())


def _i64(value: int) -> Any:
    return ir.IntegerAttr.get(ir.IntegerType.get_signless(64), value)


def mlir_element(dtype: DType) -> ir.Type:
    """The MLIR type of elements in arithmetic, where integers have no sign: operations have it."""
    if dtype.is_float:
        return getattr(ir, f"{dtype.name}Type").get()
    return ir.IntegerType.get_signless(dtype.bits)
