"""Traced values, with which a function computes while it is traced into a module."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from ..ir import np
from .called import numpy_function, numpy_ufunc
from .functions import catalogue
from .indexing import indexed
from .operands import is_scalar
from .place import error
from .promotion import binary
from .trace_builder import PLAIN, apply
from .unknown import Unknown

METHODS = frozenset(
    (
        *("all", "any", "argmax", "argmin", "argsort", "astype", "clip", "cumprod", "cumsum", "diagonal", "dot"),
        *("max", "mean", "min", "prod", "ravel", "repeat", "round", "sort", "squeeze", "std", "sum", "swapaxes"),
        *("take", "var"),
    )
)
"""Methods of an ndarray that are the functions of these names, with the traced value as the first argument."""

_INSTEAD = {
    "copy": "traced values are not changed, so x itself will do",
    "fill": "traced values are not changed; mind.full_like(x, value) makes a new one",
    "item": "it has no numbers yet; return it from the traced function to get the number",
    "nonzero": "the shape of the result would depend on numbers; mind.where chooses by a mask",
    "tolist": "it has no numbers yet; return it from the traced function to get the numbers",
    "trace": "mind.sum(mind.diagonal(x), -1) is the sum of the diagonal",
    "view": "use x.reshape for another shape and x.astype for another element type",
}
"""Attribute of arrays that traced values lack -> what to use instead."""


def _both(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The operator of a function, with the traced value on the left, and on the right."""

    def left(self: Tracer, other: Any) -> Any:
        return _called(name, self, other)

    def right(self: Tracer, other: Any) -> Any:
        return _called(name, other, self)

    return left, right


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

    @property
    def at(self) -> Any:
        """`x.at[…].set(y)` and similar ones: this value with other elements, as in JAX."""
        return catalogue.function("at")(self)

    def reshape(self, *shape: Any) -> Tracer:
        """`x.reshape(2, 3)` or `x.reshape((2, 3))`."""
        return catalogue.function("reshape")(self, _one_or_many(shape))  # type: ignore[no-any-return]

    def transpose(self, *axes: Any) -> Tracer:
        """`x.transpose()` reverses the axes, `x.transpose(1, 0)` and `x.transpose((1, 0))` give their order."""
        order = _one_or_many(axes) if axes else None
        return catalogue.function("transpose")(self, order)  # type: ignore[no-any-return]

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

    __truediv__, __rtruediv__ = _both("divide")
    __floordiv__, __rfloordiv__ = _both("floor_divide")
    __mod__, __rmod__ = _both("remainder")
    __divmod__, __rdivmod__ = _both("divmod")
    __pow__, __rpow__ = _both("pow")
    __matmul__, __rmatmul__ = _both("matmul")
    __and__, __rand__ = _both("bitwise_and")
    __or__, __ror__ = _both("bitwise_or")
    __xor__, __rxor__ = _both("bitwise_xor")
    __lshift__, __rlshift__ = _both("bitwise_left_shift")
    __rshift__, __rrshift__ = _both("bitwise_right_shift")
    __gt__, __lt__ = _both("greater")
    __ge__, __le__ = _both("greater_equal")
    __eq__, _ = _both("equal")
    __ne__, _ = _both("not_equal")
    del _
    __hash__ = object.__hash__

    def flatten(self) -> Tracer:
        """The same as `x.ravel()`."""
        return catalogue.function("ravel")(self)  # type: ignore[no-any-return]

    def __neg__(self) -> Any:
        return binary("Sub", 0, self) if self.type.dtype.is_bool else apply(PLAIN["Neg"], self)

    def __pos__(self) -> Tracer:
        return self

    def __abs__(self) -> Any:
        return _called("abs", self)

    def __invert__(self) -> Any:
        return _called("bitwise_invert", self)

    def __round__(self, decimals: int = 0) -> Any:
        return _called("round", self, decimals)

    def __getitem__(self, index: Any) -> Any:
        return indexed(self, index)

    def __len__(self) -> int:
        if not self.type.shape:
            raise TypeError("len() of a traced scalar")
        return self.type.shape[0]

    def __iter__(self) -> Iterator[Tracer]:
        return iter([self[i] for i in range(len(self))])

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """The namespace of the Python array API standard that this value belongs to: the package."""
        return importlib.import_module(__name__.partition(".")[0])

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        return numpy_ufunc(self, ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return numpy_function(self, function, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name in METHODS and catalogue.exists(name):
            return functools.partial(catalogue.function(name), self)
        help = _INSTEAD.get(name, f"use mind.{name}" if catalogue.exists(name) else "")
        message = f"a traced value has no attribute {name}{help and f': {help}'}"
        raise AttributeError(message, name=name, obj=None if help else self)

    def __repr__(self) -> str:
        return f"<traced {self.type}>"


def _operator(opcode: str, lhs: Any, rhs: Any) -> Any:
    return binary(opcode, lhs, rhs) if _is_operand(lhs) and _is_operand(rhs) else NotImplemented


def _called(name: str, *operands: Any) -> Any:
    if not all(map(_is_operand, operands)):
        return NotImplemented
    if not catalogue.exists(name):
        raise error("E4012", f"Core IR has no operation for {name} on traced values")
    return catalogue.function(name)(*operands)


def _is_operand(x: object) -> bool:
    return isinstance(x, (Tracer, np.ndarray)) or is_scalar(x)


def _one_or_many(given: tuple[Any, ...]) -> Any:
    return given[0] if len(given) == 1 else given
