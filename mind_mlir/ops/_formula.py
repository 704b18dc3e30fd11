"""Element-wise operations that are defined by one formula, which NumPy evaluates and MLIR is written by.

Both take the same steps, each rounded by itself, so they give the same bits. docs/adr/0004-same-bits.md

Beside its formula an operation may have steps with fused multiply-add, for numerics that are not strict. It is then one
operation on elements in linalg, too, until the steps are written: mind_mlir/lowering/formulas/.
docs/adr/0039-formulas-in-two-forms.md
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ..ir import DType, Op, TensorType, np
from ._elementwise import Binary, Unary
from ._rules import float_only

if TYPE_CHECKING:
    import numpy


class ByFormula(Op):
    """An element-wise operation with a `formula`, from which `evaluate` and `lower` follow."""

    in_math: ClassVar[bool] = False
    """True if MLIR's dialect `math` has the function by the same name: `math.tanh`."""

    apart: ClassVar[bool] = False
    """True if the steps are too many for linalg, which then has the function by name."""

    element: ClassVar[str] = ""
    """The operation on elements that stands for the function in linalg; none if its steps are written there."""

    def formula(self, s: Any, *operands: Any) -> Any:
        """The value of an element, by steps of `s`: `Arrays` when it is evaluated, the emitter's scalars in MLIR."""
        raise NotImplementedError  # never reached: a class without its own is refused below

    def fused_f32(self, s: Any, *operands: Any) -> Any:
        """The value of an f32 in f32, with `s.fma`, for numerics that are not strict; at most 1 ulp off."""
        return self.formula(s, *operands)

    def fused_f64(self, s: Any, *operands: Any) -> Any:
        """The value of an f64 with `s.fma`, for numerics that are not strict; at most 2 ulp off."""
        return self.formula(s, *operands)

    def lower_by_name(self, e: Any, result: TensorType, *operands: Any) -> Any:
        """The lowering to one operation on elements, `element`."""
        raise NotImplementedError  # each of the two classes below has its own

    def __init_subclass__(cls) -> None:
        if cls.__module__ == __name__:
            return
        if cls.formula is ByFormula.formula:
            raise TypeError(f"op {cls.__name__}: missing formula")
        has_fused = cls.fused_f32 is not ByFormula.fused_f32 or cls.fused_f64 is not ByFormula.fused_f64
        if has_fused or cls.in_math or cls.apart:
            cls.element = f"math.{cls.__name__.lower()}" if cls.in_math else f"mind.{cls.__name__}"
            if "lower" not in cls.__dict__:
                cls.lower = cls.lower_by_name  # type: ignore[method-assign,assignment]

    def evaluate(self, *operands: numpy.ndarray) -> numpy.ndarray:
        return np.asarray(self.formula(Arrays(DType.of(operands[0].dtype)), *operands))


class Formula(ByFormula, Unary):
    """One float operand."""

    def lower(self, e: Any, result: TensorType, input: Any) -> Any:
        return e.linalg.map(self.formula, (input,), result)

    def lower_by_name(self, e: Any, result: TensorType, input: Any) -> Any:
        return e.linalg.map(lambda s, x: s.function(self.element, x), (input,), result)


class BinaryFormula(ByFormula, Binary):
    """Two float operands of one dtype; the result has the broadcast shape."""

    def infer_type(self, lhs: TensorType, rhs: TensorType) -> TensorType:
        float_only(self.opcode, lhs)
        return super().infer_type(lhs, rhs)

    def lower(self, e: Any, result: TensorType, lhs: Any, rhs: Any) -> Any:
        return e.linalg.map(self.formula, (lhs, rhs), result)

    def lower_by_name(self, e: Any, result: TensorType, lhs: Any, rhs: Any) -> Any:
        return e.linalg.map(lambda s, x, y: s.function(self.element, x, y), (lhs, rhs), result)

    @classmethod
    def samples(cls) -> list[tuple[Op, tuple[TensorType, ...]]]:
        floats = [types for _, types in super().samples() if types[0].dtype.is_float]
        wide = [tuple(TensorType(DType.F64, t.shape) for t in types) for types in floats]
        return [(cls(), types) for types in dict.fromkeys((*floats, *wide))]


class Arrays:
    """Arithmetic on arrays of one dtype, step by step as the emitter's scalars do it on elements."""

    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype

    def of(self, dtype: DType) -> Arrays:
        return Arrays(dtype)

    @property
    def f64(self) -> Arrays:
        return Arrays(DType.F64)

    @property
    def i64(self) -> Arrays:
        return Arrays(DType.I64)

    @property
    def integers(self) -> Arrays:
        """The integers of the same width."""
        return Arrays(DType.I64 if self.dtype.width == DType.I64.width else DType.I32)

    def number(self, value: float) -> Any:
        return self.dtype.numpy.type(value)

    def add(self, x: Any, y: Any) -> Any:
        return np.add(x, y)

    def sub(self, x: Any, y: Any) -> Any:
        return np.subtract(x, y)

    def mul(self, x: Any, y: Any) -> Any:
        return np.multiply(x, y)

    def div(self, x: Any, y: Any) -> Any:
        return np.divide(x, y)

    def negative(self, x: Any) -> Any:
        return np.negative(x)

    def absolute(self, x: Any) -> Any:
        return np.abs(x)

    def copy_sign(self, x: Any, y: Any) -> Any:
        """|x| with the sign of y."""
        return np.copysign(x, y)

    def sqrt(self, x: Any) -> Any:
        """Rounded once."""
        return np.sqrt(x)

    def floor(self, x: Any) -> Any:
        return np.floor(x)

    def ceil(self, x: Any) -> Any:
        return np.ceil(x)

    def round_even(self, x: Any) -> Any:
        """The nearest integer; of two, the even one."""
        return np.rint(x)

    def polynomial(self, x: Any, coefficients: Sequence[float]) -> Any:
        """`c0 + x·(c1 + x·(c2 + …))`."""
        total = self.number(coefficients[-1])
        for c in reversed(coefficients[:-1]):
            total = self.add(self.number(c), self.mul(x, total))
        return total

    def equal(self, x: Any, y: Any) -> Any:
        return np.equal(x, y)

    def greater(self, x: Any, y: Any) -> Any:
        """False if either is NaN."""
        return np.greater(x, y)

    def less(self, x: Any, y: Any) -> Any:
        """False if either is NaN."""
        return np.less(x, y)

    def unordered(self, x: Any, y: Any) -> Any:
        """True if either is NaN."""
        return np.isnan(x) | np.isnan(y)

    def either(self, a: Any, b: Any) -> Any:
        return np.logical_or(a, b)

    def both(self, a: Any, b: Any) -> Any:
        return np.logical_and(a, b)

    def select(self, condition: Any, x: Any, y: Any) -> Any:
        return np.where(condition, x, y)

    def clamped(self, x: Any, low: float, high: float) -> Any:
        """`x`, or the nearer of the two numbers where it is not between them; NaN stays NaN."""
        x = self.select(self.less(self.number(high), x), self.number(high), x)
        return self.select(self.greater(self.number(low), x), self.number(low), x)

    def bit_and(self, x: Any, y: Any) -> Any:
        return np.bitwise_and(x, y)

    def bit_or(self, x: Any, y: Any) -> Any:
        return np.bitwise_or(x, y)

    def shift_left(self, x: Any, bits: int) -> Any:
        return np.left_shift(x, self.number(bits))

    def shift_right(self, x: Any, bits: int) -> Any:
        """Arithmetic: the sign stays."""
        return np.right_shift(x, self.number(bits))

    def to_f64(self, x: Any) -> Any:
        """Elements of this dtype as f64."""
        return np.asarray(x).astype(np.float64)

    def from_f64(self, x: Any) -> Any:
        """An f64 rounded to this dtype."""
        return np.asarray(x).astype(self.dtype.numpy)

    def to_bits(self, x: Any) -> Any:
        """The integer with the bits of a float."""
        return np.asarray(x).view(self.integers.dtype.numpy)

    def from_bits(self, x: Any) -> Any:
        """The float with the bits of an integer."""
        return np.asarray(x).view(self.dtype.numpy)

    def from_integer(self, x: Any) -> Any:
        """The float nearest to an integer."""
        return np.asarray(x).astype(self.dtype.numpy)
