"""Emits arithmetic on elements, by which `Op.lower` writes formulas inside the body of a linalg operation.

With `lanes` the same formulas compute on vectors, lane by lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ...ir import DType
from ...ir.kept import kept_property

_COMPARE_FLOAT = {"equal": 1, "greater": 2, "less": 4, "unordered": 14}  # arith.CmpFPredicate: oeq, ogt, olt, uno
_COMPARE_INT = {"equal": 0, "greater": 4, "less": 2}  # arith.CmpIPredicate: eq, sgt, slt


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

    @property
    def smallest(self) -> int:
        """The most negative integer of the dtype."""
        return -(1 << (8 * self.dtype.width - 1))

    @property
    def largest(self) -> int:
        """The most positive integer of the dtype."""
        return -1 - self.smallest

    def op(self, name: str, *operands: Any, type: ir.Type | None = None, **attributes: ir.Attribute) -> Any:
        """Any MLIR operation with one result, of this dtype unless `type` says otherwise: `s.op("math.tanh", x)`."""
        return ir.Operation.create(
            name, results=[type or self.type], operands=list(operands), attributes=attributes
        ).result

    def number(self, value: float) -> Any:
        """A constant, the same in every lane."""
        if self.is_float:
            attribute: Any = ir.FloatAttr.get(self.element, value)
        else:
            attribute = ir.IntegerAttr.get(self.element, int(value))
        if self.lanes is not None:
            attribute = ir.DenseElementsAttr.get_splat(self.type, attribute)
        return self.op("arith.constant", value=attribute)

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
        return self.op("arith.divf" if self.is_float else "arith.divsi", x, y)

    def polynomial(self, x: Any, coefficients: Sequence[float]) -> Any:
        """`c0 + x·(c1 + x·(c2 + …))`."""
        total = self.number(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            total = self.add(self.number(c), self.mul(x, total))
        return total

    def negative(self, x: Any) -> Any:
        """`-x`, of a float."""
        return self.op("arith.negf", x)

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
        table, name = (_COMPARE_FLOAT, "arith.cmpf") if self.is_float else (_COMPARE_INT, "arith.cmpi")
        attribute = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), table[predicate])
        return self.op(name, x, y, type=self._bit, predicate=attribute)

    @property
    def _bit(self) -> Any:
        return self._lanes_of(ir.IntegerType.get_signless(1))

    def equal(self, x: Any, y: Any) -> Any:
        return self._compare("equal", x, y)

    def greater(self, x: Any, y: Any) -> Any:
        """False if either is NaN."""
        return self._compare("greater", x, y)

    def less(self, x: Any, y: Any) -> Any:
        """False if either is NaN."""
        return self._compare("less", x, y)

    def unordered(self, x: Any, y: Any) -> Any:
        """True if either is NaN."""
        return self._compare("unordered", x, y)

    def either(self, a: Any, b: Any) -> Any:
        return self.op("arith.ori", a, b, type=self._bit)

    def both(self, a: Any, b: Any) -> Any:
        return self.op("arith.andi", a, b, type=self._bit)

    def select(self, condition: Any, x: Any, y: Any) -> Any:
        return self.op("arith.select", condition, x, y)

    def from_condition(self, condition: Any) -> Any:
        """The integer 1 for true, 0 for false."""
        return self.op("arith.extui", condition)

    def bit_and(self, x: Any, y: Any) -> Any:
        return self.op("arith.andi", x, y)

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
        """The i64 with the bits of an f64."""
        return self.i64.op("arith.bitcast", x)

    def from_bits(self, x: Any) -> Any:
        """The f64 with the bits of an i64."""
        return self.f64.op("arith.bitcast", x)

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
        return self.op("arith.index_cast", x, type=ir.IndexType.get())


def mlir_element(dtype: DType) -> ir.Type:
    """The MLIR element type of a dtype."""
    if dtype.is_float:
        return getattr(ir, f"{dtype.name}Type").get()
    return ir.IntegerType.get_signless(8 * dtype.width)
