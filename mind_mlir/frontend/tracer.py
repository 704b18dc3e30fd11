"""Traced values, with which a function computes while it is traced into a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from ..ir import np
from . import functions
from .indexing import indexed
from .operands import common, is_scalar
from .place import error
from .trace_builder import PLAIN, apply, binary
from .unknown import Unknown, unknown

_INSTEAD = {
    "all": "mind.sum(x > 0) counts what a comparison holds for",
    "any": "mind.sum(x > 0) counts what a comparison holds for",
    "astype": "nothing is converted in a trace; convert the argument before the call",
    "at": "traced values are not changed; mind.where(mask, new, x) makes a new one",
    "copy": "traced values are not changed, so x itself will do",
    "flatten": "use x.reshape(-1)",
    "item": "it has no numbers yet; return it from the traced function to get the number",
    "max": "mind.where(x > y, x, y) is the larger of two",
    "min": "mind.where(x < y, x, y) is the smaller of two",
    "ravel": "use x.reshape(-1)",
    "tolist": "it has no numbers yet; return it from the traced function to get the numbers",
}
"""Attribute of arrays that traced values lack -> what to use instead."""


class Tracer(Unknown):
    """A value of a function that is being traced: shape and dtype are known, the numbers are not.

    It can be used like an array: it has operators, indexing, and some of the methods of an ndarray.
    """

    __slots__ = ()

    @property
    def T(self) -> Tracer:
        """This value with its axes reversed."""
        return self.transpose()

    @property
    def mT(self) -> Tracer:
        """This value with its last two axes swapped."""
        if self.ndim < 2:
            raise error("E3002", f"mT takes rank 2 or more, found {self.type}")
        *batch, m, n = range(self.ndim)
        return self.transpose(*batch, n, m)

    def sum(self, axis: Any = None, keepdims: bool = False) -> Tracer:
        """`mind.sum` of this value."""
        return functions.sum(self, axis, keepdims)  # type: ignore[no-any-return]

    def mean(self, axis: Any = None, keepdims: bool = False) -> Tracer:
        """`mind.mean` of this value."""
        return functions.mean(self, axis, keepdims)  # type: ignore[no-any-return]

    def reshape(self, *shape: Any) -> Tracer:
        """`x.reshape(2, 3)` or `x.reshape((2, 3))`."""
        return functions.reshape(self, _one_or_many(shape))  # type: ignore[no-any-return]

    def transpose(self, *axes: Any) -> Tracer:
        """`x.transpose()` reverses the axes, `x.transpose(1, 0)` and `x.transpose((1, 0))` give their order."""
        return functions.transpose(self, _one_or_many(axes) if axes else None)  # type: ignore[no-any-return]

    def __add__(self, other: Any) -> Any:
        return _operator("Add", self, other)

    def __radd__(self, other: Any) -> Any:
        return _operator("Add", other, self)

    def __sub__(self, other: Any) -> Any:
        return _operator("Sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _operator("Sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return _operator("Mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _operator("Mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _divided(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _divided(other, self)

    def __gt__(self, other: Any) -> Any:
        return _operator("Greater", self, other)

    def __lt__(self, other: Any) -> Any:
        return _operator("Greater", other, self)

    def __neg__(self) -> Any:
        return apply(PLAIN["Neg"], self)

    def __pos__(self) -> Tracer:
        return self

    def __matmul__(self, other: Any) -> Any:
        return functions.matmul(self, other) if _is_operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> Any:
        return functions.matmul(other, self) if _is_operand(other) else NotImplemented

    def __pow__(self, exponent: Any) -> Any:
        return power(self, exponent)

    def __rpow__(self, base: Any) -> Any:
        raise error("E2005", "** with a traced exponent", help="mind.exp(p * mind.log(x)) is x ** p for x > 0")

    def __getitem__(self, index: Any) -> Any:
        return indexed(self, index)

    def __len__(self) -> int:
        if not self.type.shape:
            raise TypeError("len() of a traced scalar")
        return self.type.shape[0]

    def __iter__(self) -> Iterator[Tracer]:
        return iter([self[i] for i in range(len(self))])

    def __array_ufunc__(  # type: ignore[override]
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        operator = _OPERATORS.get(ufunc.__name__)
        if operator and method == "__call__" and not kwargs and inputs[1] is self:  # an array left of an operator
            return getattr(self, operator)(inputs[0])
        raise unknown(self, f"np.{ufunc.__name__}", _instead(ufunc.__name__))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise unknown(self, f"np.{function.__name__}", _instead(function.__name__))

    def __getattr__(self, name: str) -> NoReturn:
        help = _INSTEAD.get(name, f"use mind.{name}" if functions.exists(name) else "")
        message = f"a traced value has no attribute {name}{help and f': {help}'}"
        raise AttributeError(message, name=name, obj=None if help else self)

    def __repr__(self) -> str:
        return f"<traced {self.type}>"


_OPERATORS = {
    "add": "__radd__",
    "subtract": "__rsub__",
    "multiply": "__rmul__",
    "divide": "__rtruediv__",
    "matmul": "__rmatmul__",
    "greater": "__lt__",
    "less": "__gt__",
}
"""Function of NumPy that an operator calls -> the operation with the traced value on the right."""


def power(x: Any, exponent: Any) -> Any:
    """x to the power of an integer, by products; of the reciprocal if it is negative. E2005 for other exponents."""
    if isinstance(exponent, (float, np.floating)) and float(exponent).is_integer():
        exponent = int(exponent)
    if isinstance(exponent, bool) or not isinstance(exponent, (int, np.integer)):
        what = f"the exponent {exponent}" if is_scalar(exponent) else f"a {type(exponent).__name__} as exponent"
        help = "exponents are integers; mind.exp(p * mind.log(x)) is x ** p for x > 0"
        raise error("E2005", f"** with {what}", help=help)
    n = int(exponent)
    if n < 0:
        if not x.type.dtype.is_float:
            raise error("E2005", f"** of {x.type.dtype} with the exponent {n}", help="negative powers take f32 or f64")
        return power(apply(PLAIN["Reciprocal"], x), -n)
    result = None
    while n:  # by squaring: x⁶ = x⁴ · x²
        if n & 1:
            result = x if result is None else result * x
        n >>= 1
        if n:
            x = x * x
    return x.builder.full(x.type, 1) if result is None else result


def _operator(opcode: str, lhs: Any, rhs: Any) -> Any:
    return binary(opcode, lhs, rhs) if _is_operand(lhs) and _is_operand(rhs) else NotImplemented


def _divided(lhs: Any, rhs: Any) -> Any:
    if not (_is_operand(lhs) and _is_operand(rhs)):
        return NotImplemented
    lhs, rhs = common("Div", lhs, rhs)
    if lhs.dtype.kind not in "fV":
        help = "divide floats: x.astype(np.float32) outside of the traced function"
        raise error("E2005", f"/ of {lhs.dtype} has no exact result", help=help)
    return apply(PLAIN["Div"], lhs, rhs)


def _is_operand(x: object) -> bool:
    return isinstance(x, (Tracer, np.ndarray)) or is_scalar(x)


def _one_or_many(given: tuple[Any, ...]) -> Any:
    return given[0] if len(given) == 1 else given


def _instead(name: str) -> str:
    if functions.exists(name):
        return f"use mind.{name}"
    return f"functions of traced values: {', '.join(functions.names())}"
