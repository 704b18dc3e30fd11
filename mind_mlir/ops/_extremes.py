"""The larger and the smaller of elements. NaN wins, and -0 is smaller than +0: so any order gives the same number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir import DType, Growth, Linearity, Rounding, TensorType, Value, np
from ._elementwise import Binary
from ._reduction import Reduction
from ._rules import names, stretched

if TYPE_CHECKING:
    import numpy


class Extreme(Binary):
    """The larger or the smaller of two operands, element by element."""

    linearity = Linearity.NONLINEAR
    commutative = True
    core_v1 = False
    rounding = Rounding(Growth.MONOTONE, exact=True)

    kind = ""
    """max or min."""

    def evaluate(self, lhs: numpy.ndarray, rhs: numpy.ndarray) -> numpy.ndarray:
        return larger(lhs, rhs) if self.kind == "max" else smaller(lhs, rhs)

    def jvp(self, b, primals, tangents, result):
        # y = the extreme of x₁ and x₂  ->  ẏ = ẋ of the one that is y; where they are equal, (ẋ₁ + ẋ₂) / 2
        zero = b.zeros(result.type.with_shape(()))
        first, second = [zero if t is None else t for t in tangents]
        lhs, rhs = primals if self.kind == "max" else primals[::-1]
        other = b.Select(b.Greater(rhs, lhs), second, (first + second) * 0.5)
        return stretched(b, b.Select(b.Greater(lhs, rhs), first, other), result.shape)

    def fold(self, b, lhs: Value, rhs: Value) -> Value | None:
        return lhs if lhs.id == rhs.id else super().fold(b, lhs, rhs)

    def smooth_at(self, lhs, rhs):
        return bool((np.abs(lhs.astype(np.float64) - rhs.astype(np.float64)) > 1e-2).all())

    def lower(self, e, result: TensorType, lhs, rhs):
        if not result.dtype.is_signed:  # linalg.max and linalg.min compare with signs
            return e.linalg.map(lambda s, x, y: s.joined(self.kind, x, y), (lhs, rhs), result)
        return e.linalg.elementwise(
            f"linalg.{self.kind}", lambda s, x, y: s.joined(self.kind, x, y), (lhs, rhs), result
        )


class ExtremeAlong(Reduction):
    """The largest or the smallest element along axes."""

    core_v1 = False
    floats_only = False
    linearity = Linearity.NONLINEAR
    rounding = Rounding(Growth.EXTREMES)

    kind = ""
    """max or min."""

    def evaluate(self, input: numpy.ndarray) -> numpy.ndarray:
        type = TensorType.of_array(input)
        found = (largest if self.kind == "max" else smallest)(input, self.reduced(type))
        return np.reshape(found, self.infer_type(type).shape)

    def jvp(self, b, primals, tangents, result):
        # y = the extreme of x  ->  ẏ = Σ ẋ [x = y] / Σ [x = y]: those that reach it share alike
        (x,) = primals
        if not x.type.size:
            return None  # over nothing it is a constant
        whole = self.spread(b, result, x.type)
        beyond = b.Greater(whole, x) if self.kind == "max" else b.Greater(x, whole)
        zero, one = b.zeros(x.type.with_shape(())), b.full(x.type.with_shape(()), 1)
        count = b.Sum(b.Select(beyond, zero, one), self.axes, self.keepdims)
        return b.Sum(b.Select(beyond, zero, tangents[0]), self.axes, self.keepdims) / count

    def fold(self, b, input: Value) -> Value | None:
        return input if input.type.rank == 0 else None

    def dims(self, input: TensorType) -> str:
        gone = self.reduced(input)  # pieces along these would have to be compared, not added: they stay whole
        left = ["_" if i in gone else d for i, d in enumerate(names(input.rank))]
        _, right = super().dims(input).split("->")
        return f"{' '.join(left)} ->{right}"

    def smooth_at(self, input):
        axes = self.reduced(TensorType.of_array(input))
        if not input.size:
            return True
        wide = input.astype(np.float64) * (1 if self.kind == "max" else -1)
        near = np.count_nonzero(np.max(wide, axis=axes, keepdims=True) - wide < 1e-2, axis=axes)
        return bool(np.max(near) == 1)

    def lower(self, e, result: TensorType, input):
        return e.reduction.reduced(self.kind, input, self.reduced(e.type(input)), result)


def larger(x: numpy.ndarray, y: numpy.ndarray) -> numpy.ndarray:
    """The larger element of two arrays."""
    return np.asarray(np.where((x > y) | (x != x) | ((x == y) & ~np.signbit(x)), x, y))


def smaller(x: numpy.ndarray, y: numpy.ndarray) -> numpy.ndarray:
    """The smaller element of two arrays."""
    return np.asarray(np.where((x < y) | (x != x) | ((x == y) & np.signbit(x)), x, y))


def least(dtype: numpy.dtype) -> Any:
    """-inf, or the smallest integer."""
    return dtype.type(-np.inf) if DType.of(dtype).is_float else np.iinfo(dtype).min


def most(dtype: numpy.dtype) -> Any:
    """inf, or the largest integer."""
    return dtype.type(np.inf) if DType.of(dtype).is_float else np.iinfo(dtype).max


def largest(x: numpy.ndarray, axes: tuple[int, ...]) -> numpy.ndarray:
    """The largest element along axes, which go; over nothing -inf, or the smallest integer."""
    dtype = DType.of(x.dtype)
    found = np.max(x, axis=axes, initial=least(x.dtype))
    if not dtype.is_float:
        return np.asarray(found)
    plus = np.any((x == 0) & ~np.signbit(x), axis=axes)  # np.max takes any zero for any other
    return np.where(found == 0, np.where(plus, 0.0, -0.0), found).astype(x.dtype)


def smallest(x: numpy.ndarray, axes: tuple[int, ...]) -> numpy.ndarray:
    """The smallest element along axes, which go; over nothing inf, or the largest integer."""
    dtype = DType.of(x.dtype)
    found = np.min(x, axis=axes, initial=most(x.dtype))
    if not dtype.is_float:
        return np.asarray(found)
    minus = np.any((x == 0) & np.signbit(x), axis=axes)
    return np.where(found == 0, np.where(minus, -0.0, 0.0), found).astype(x.dtype)
