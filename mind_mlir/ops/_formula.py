"""Element-wise operations that are defined by one formula, which NumPy evaluates and MLIR is written by.

Both take the same steps, each rounded by itself, so they give the same bits. docs/adr/0004-same-bits.md
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir import DType, TensorType, np
from ._elementwise import Unary

if TYPE_CHECKING:
    import numpy


class Formula(Unary):
    """One operand, and a `formula` from which `evaluate` and `lower` follow."""

    def formula(self, s: Any, input: Any) -> Any:
        """The value of an element, by steps of `s`: `Arrays` when it is evaluated, the emitter's scalars in MLIR."""
        raise NotImplementedError  # never reached: a class without its own is refused below

    def __init_subclass__(cls) -> None:
        if cls.formula is Formula.formula:
            raise TypeError(f"op {cls.__name__}: missing formula")

    def evaluate(self, input: numpy.ndarray) -> numpy.ndarray:
        return np.asarray(self.formula(Arrays(DType.of(input.dtype)), input))

    def lower(self, e: Any, result: TensorType, input: Any) -> Any:
        return e.linalg.map(self.formula, (input,), result)


class Arrays:
    """Arithmetic on arrays of one float dtype, step by step as the emitter's scalars do it on elements."""

    def __init__(self, dtype: DType) -> None:
        self.dtype = dtype

    @property
    def f64(self) -> Arrays:
        return Arrays(DType.F64)

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

    def select(self, condition: Any, x: Any, y: Any) -> Any:
        return np.where(condition, x, y)

    def to_f64(self, x: Any) -> Any:
        """Elements of this dtype as f64."""
        return x.astype(np.float64)

    def from_f64(self, x: Any) -> Any:
        """An f64 rounded to this dtype."""
        return np.asarray(x).astype(self.dtype.numpy)
