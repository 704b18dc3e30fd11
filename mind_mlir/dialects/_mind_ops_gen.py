# written by scripts/gen_dialect.py from the op classes; do not edit
# ruff: noqa: E501  the lines are the first lines of the docstrings
"""The operations of the dialect `mind` as classes and functions, for MLIR's Python bindings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ..ir import DType
from ..ir.mesh import PartitionSpec
from .building import Built, attribute, build, register_op

@register_op
class AbsOp(Built):
    """`|input|`. The smallest integer is its own magnitude; of NaN the sign is cleared."""

    OPERATION_NAME = "mind.abs"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def abs(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`|input|`. The smallest integer is its own magnitude; of NaN the sign is cleared."""
    return build("Abs", [input], {}, result, loc, ip)


@register_op
class AcosOp(Built):
    """The angle in [0, π] whose cosine is the input. NaN outside of [-1, 1]."""

    OPERATION_NAME = "mind.acos"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def acos(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The angle in [0, π] whose cosine is the input. NaN outside of [-1, 1]."""
    return build("Acos", [input], {}, result, loc, ip)


@register_op
class AcoshOp(Built):
    """`acosh(input)`. NaN below 1; inf and NaN stay."""

    OPERATION_NAME = "mind.acosh"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def acosh(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`acosh(input)`. NaN below 1; inf and NaN stay."""
    return build("Acosh", [input], {}, result, loc, ip)


@register_op
class AddOp(Built):
    """`lhs + rhs`, element by element, broadcasting. Integers wrap."""

    OPERATION_NAME = "mind.add"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def add(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs + rhs`, element by element, broadcasting. Integers wrap."""
    return build("Add", [lhs, rhs], {}, result, loc, ip)


@register_op
class AllOp(Built):
    """True if all elements of `input` along `axes` are true; empty `axes` take all, to a scalar. True over nothing."""

    OPERATION_NAME = "mind.all"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def all(
    input: Any, axes: Sequence[int], keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """True if all elements of `input` along `axes` are true; empty `axes` take all, to a scalar. True over nothing."""
    return build("All", [input], {"axes": axes, "keepdims": keepdims}, result, loc, ip)


@register_op
class AllGatherOp(Built):
    """`result = [input_0 | input_1 | …]` along `dim`, from the ranks along `axis` in order, the same on each."""

    OPERATION_NAME = "mind.all_gather"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def size(self) -> Any:
        return attribute(self, "size")

    @property
    def dim(self) -> Any:
        return attribute(self, "dim")

    @property
    def invariant(self) -> Any:
        return attribute(self, "invariant")


def all_gather(
    input: Any, axis: str, size: int, dim: int, invariant: bool = False, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result = [input_0 | input_1 | …]` along `dim`, from the ranks along `axis` in order, the same on each."""
    return build("AllGather", [input], {"axis": axis, "size": size, "dim": dim, "invariant": invariant}, result, loc, ip)


@register_op
class AllReduceOp(Built):
    """`result = Σ_r input_r` over the ranks along `axis`, the same on each; `kind` max and min take extremes."""

    OPERATION_NAME = "mind.all_reduce"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def size(self) -> Any:
        return attribute(self, "size")

    @property
    def kind(self) -> Any:
        return attribute(self, "kind")

    @property
    def invariant(self) -> Any:
        return attribute(self, "invariant")


def all_reduce(
    input: Any, axis: str, size: int, kind: str = "sum", invariant: bool = False, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result = Σ_r input_r` over the ranks along `axis`, the same on each; `kind` max and min take extremes."""
    return build("AllReduce", [input], {"axis": axis, "size": size, "kind": kind, "invariant": invariant}, result, loc, ip)


@register_op
class AllToAllOp(Built):
    """`result_r = [part r of input_0 | part r of input_1 | …]`: parts along `split`, put together along `concat`."""

    OPERATION_NAME = "mind.all_to_all"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def size(self) -> Any:
        return attribute(self, "size")

    @property
    def split(self) -> Any:
        return attribute(self, "split")

    @property
    def concat(self) -> Any:
        return attribute(self, "concat")


def all_to_all(
    input: Any, axis: str, size: int, split: int, concat: int, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result_r = [part r of input_0 | part r of input_1 | …]`: parts along `split`, put together along `concat`."""
    return build("AllToAll", [input], {"axis": axis, "size": size, "split": split, "concat": concat}, result, loc, ip)


@register_op
class AndOp(Built):
    """`lhs` and `rhs`, bit by bit, of integers or i1; broadcasting."""

    OPERATION_NAME = "mind.and"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def and_(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` and `rhs`, bit by bit, of integers or i1; broadcasting."""
    return build("And", [lhs, rhs], {}, result, loc, ip)


@register_op
class AnyOp(Built):
    """True if any element of `input` along `axes` is true; empty `axes` take all, to a scalar. False over nothing."""

    OPERATION_NAME = "mind.any"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def any(
    input: Any, axes: Sequence[int], keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """True if any element of `input` along `axes` is true; empty `axes` take all, to a scalar. False over nothing."""
    return build("Any", [input], {"axes": axes, "keepdims": keepdims}, result, loc, ip)


@register_op
class ArgMaxOp(Built):
    """The position of the first largest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal."""

    OPERATION_NAME = "mind.arg_max"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def arg_max(input: Any, axis: int, keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The position of the first largest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal."""
    return build("ArgMax", [input], {"axis": axis, "keepdims": keepdims}, result, loc, ip)


@register_op
class ArgMinOp(Built):
    """The position of the first smallest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal."""

    OPERATION_NAME = "mind.arg_min"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def arg_min(input: Any, axis: int, keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The position of the first smallest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal."""
    return build("ArgMin", [input], {"axis": axis, "keepdims": keepdims}, result, loc, ip)


@register_op
class ArgSortOp(Built):
    """The i64 indices along `axis` of the elements in ascending order, or in descending order."""

    OPERATION_NAME = "mind.arg_sort"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def descending(self) -> Any:
        return attribute(self, "descending")


def arg_sort(
    input: Any, axis: int, descending: bool = False, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The i64 indices along `axis` of the elements in ascending order, or in descending order."""
    return build("ArgSort", [input], {"axis": axis, "descending": descending}, result, loc, ip)


@register_op
class AsinOp(Built):
    """The angle in [-π/2, π/2] whose sine is the input. NaN outside of [-1, 1]; zeros keep their sign."""

    OPERATION_NAME = "mind.asin"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def asin(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The angle in [-π/2, π/2] whose sine is the input. NaN outside of [-1, 1]; zeros keep their sign."""
    return build("Asin", [input], {}, result, loc, ip)


@register_op
class AsinhOp(Built):
    """`asinh(input)`. Zeros keep their sign; ±inf and NaN stay."""

    OPERATION_NAME = "mind.asinh"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def asinh(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`asinh(input)`. Zeros keep their sign; ±inf and NaN stay."""
    return build("Asinh", [input], {}, result, loc, ip)


@register_op
class AtanOp(Built):
    """The angle in [-π/2, π/2] whose tangent is the input. Zeros keep their sign, NaN stays NaN."""

    OPERATION_NAME = "mind.atan"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def atan(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The angle in [-π/2, π/2] whose tangent is the input. Zeros keep their sign, NaN stays NaN."""
    return build("Atan", [input], {}, result, loc, ip)


@register_op
class Atan2Op(Built):
    """The angle in [-π, π] of the point with the coordinates `rhs` and `lhs`, in this order; broadcasting."""

    OPERATION_NAME = "mind.atan2"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def atan2(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The angle in [-π, π] of the point with the coordinates `rhs` and `lhs`, in this order; broadcasting."""
    return build("Atan2", [lhs, rhs], {}, result, loc, ip)


@register_op
class AtanhOp(Built):
    """`atanh(input)`. ±inf at ±1, NaN beyond; zeros keep their sign, NaN stays NaN."""

    OPERATION_NAME = "mind.atanh"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def atanh(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`atanh(input)`. ±inf at ±1, NaN beyond; zeros keep their sign, NaN stays NaN."""
    return build("Atanh", [input], {}, result, loc, ip)


@register_op
class BitCastOp(Built):
    """The bits of `input` as elements of the type `to`, which is as wide."""

    OPERATION_NAME = "mind.bit_cast"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def to(self) -> Any:
        return attribute(self, "to")


def bit_cast(input: Any, to: DType, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The bits of `input` as elements of the type `to`, which is as wide."""
    return build("BitCast", [input], {"to": to}, result, loc, ip)


@register_op
class BroadcastOp(Built):
    """`input` stretched to `shape`: leading axes are new, extents of 1 are repeated."""

    OPERATION_NAME = "mind.broadcast"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def shape(self) -> Any:
        return attribute(self, "shape")


def broadcast(input: Any, shape: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`input` stretched to `shape`: leading axes are new, extents of 1 are repeated."""
    return build("Broadcast", [input], {"shape": shape}, result, loc, ip)


@register_op
class CbrtOp(Built):
    """`∛input`, of negative numbers too. Zeros keep their sign; inf and NaN stay."""

    OPERATION_NAME = "mind.cbrt"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def cbrt(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`∛input`, of negative numbers too. Zeros keep their sign; inf and NaN stay."""
    return build("Cbrt", [input], {}, result, loc, ip)


@register_op
class CeilOp(Built):
    """The smallest integer that is not below `input`. Zeros keep their sign; inf and NaN stay."""

    OPERATION_NAME = "mind.ceil"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def ceil(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The smallest integer that is not below `input`. Zeros keep their sign; inf and NaN stay."""
    return build("Ceil", [input], {}, result, loc, ip)


@register_op
class ConcatenateOp(Built):
    """`parts`, one or more, one after the other along `axis`; their other extents are equal."""

    OPERATION_NAME = "mind.concatenate"

    @property
    def parts(self) -> list[ir.Value]:
        return list(self.operation.operands[0:])

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")


def concatenate(*parts: Any, axis: int, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`parts`, one or more, one after the other along `axis`; their other extents are equal."""
    return build("Concatenate", [*parts], {"axis": axis}, result, loc, ip)


@register_op
class ConstF32Op(Built):
    """The rank-0 f32 constant `value`."""

    OPERATION_NAME = "mind.const_f32"

    @property
    def value(self) -> Any:
        return attribute(self, "value")


def const_f32(value: float, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The rank-0 f32 constant `value`."""
    return build("ConstF32", [], {"value": value}, result, loc, ip)


@register_op
class ConstF64Op(Built):
    """The rank-0 f64 constant `value`."""

    OPERATION_NAME = "mind.const_f64"

    @property
    def value(self) -> Any:
        return attribute(self, "value")


def const_f64(value: float, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The rank-0 f64 constant `value`."""
    return build("ConstF64", [], {"value": value}, result, loc, ip)


@register_op
class ConstI64Op(Built):
    """The rank-0 i64 constant `value`."""

    OPERATION_NAME = "mind.const_i64"

    @property
    def value(self) -> Any:
        return attribute(self, "value")


def const_i64(value: int, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The rank-0 i64 constant `value`."""
    return build("ConstI64", [], {"value": value}, result, loc, ip)


@register_op
class ConstTensorOp(Built):
    """The constant of `dtype` and `shape` whose elements, row-major, are `data`."""

    OPERATION_NAME = "mind.const_tensor"

    @property
    def data(self) -> Any:
        return attribute(self, "data")


def const_tensor(data: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The constant of `dtype` and `shape` whose elements, row-major, are `data`."""
    return build("ConstTensor", [], {"data": data}, result, loc, ip)


@register_op
class ConvOp(Built):
    """Convolution over any spatial axes, in any layout, strided, padded, dilated and in groups."""

    OPERATION_NAME = "mind.conv"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def filter(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def layout(self) -> Any:
        return attribute(self, "layout")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def input_dilation(self) -> Any:
        return attribute(self, "input_dilation")

    @property
    def filter_dilation(self) -> Any:
        return attribute(self, "filter_dilation")

    @property
    def reverse(self) -> Any:
        return attribute(self, "reverse")

    @property
    def groups(self) -> Any:
        return attribute(self, "groups")

    @property
    def batch_groups(self) -> Any:
        return attribute(self, "batch_groups")

    @property
    def element_type(self) -> Any:
        return attribute(self, "element_type")


def conv(
    input: Any, filter: Any, layout: str, strides: Sequence[int] = (), low: Sequence[int] = (), high: Sequence[int] = (), input_dilation: Sequence[int] = (), filter_dilation: Sequence[int] = (), reverse: bool = False, groups: int = 1, batch_groups: int = 1, element_type: DType | None = None, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """Convolution over any spatial axes, in any layout, strided, padded, dilated and in groups."""
    return build("Conv", [input, filter], {"layout": layout, "strides": strides, "low": low, "high": high, "input_dilation": input_dilation, "filter_dilation": filter_dilation, "reverse": reverse, "groups": groups, "batch_groups": batch_groups, "element_type": element_type}, result, loc, ip)


@register_op
class Conv2dOp(Built):
    """`result[n, y, x, f] = Σ_(i, j, c) input[n, y·s + i - p, x·s + j - p, c] · filter[i, j, c, f]`, zeros outside."""

    OPERATION_NAME = "mind.conv2d"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def filter(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def padding(self) -> Any:
        return attribute(self, "padding")


def conv2d(
    input: Any, filter: Any, strides: Sequence[int], padding: str | Sequence[Sequence[int]], *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result[n, y, x, f] = Σ_(i, j, c) input[n, y·s + i - p, x·s + j - p, c] · filter[i, j, c, f]`, zeros outside."""
    return build("Conv2d", [input, filter], {"strides": strides, "padding": padding}, result, loc, ip)


@register_op
class Conv2dBackwardFilterOp(Built):
    """`result[i, j, c, f] = Σ_(n, y, x) input[n, y·s + i - p, x·s + j - p, c] · cotangent[n, y, x, f]`, zeros outside."""

    OPERATION_NAME = "mind.conv2d_backward_filter"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def cotangent(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def filter_shape(self) -> Any:
        return attribute(self, "filter_shape")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def padding(self) -> Any:
        return attribute(self, "padding")


def conv2d_backward_filter(
    input: Any, cotangent: Any, filter_shape: Sequence[int], strides: Sequence[int], padding: str | Sequence[Sequence[int]], *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result[i, j, c, f] = Σ_(n, y, x) input[n, y·s + i - p, x·s + j - p, c] · cotangent[n, y, x, f]`, zeros outside."""
    return build("Conv2dBackwardFilter", [input, cotangent], {"filter_shape": filter_shape, "strides": strides, "padding": padding}, result, loc, ip)


@register_op
class Conv2dBackwardInputOp(Built):
    """`result[n, y'·s + i - p, x'·s + j - p, c] = Σ_(i, j, f) cotangent[n, y', x', f] · filter[i, j, c, f]`."""

    OPERATION_NAME = "mind.conv2d_backward_input"

    @property
    def cotangent(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def filter(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def input_shape(self) -> Any:
        return attribute(self, "input_shape")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def padding(self) -> Any:
        return attribute(self, "padding")


def conv2d_backward_input(
    cotangent: Any, filter: Any, input_shape: Sequence[int], strides: Sequence[int], padding: str | Sequence[Sequence[int]], *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result[n, y'·s + i - p, x'·s + j - p, c] = Σ_(i, j, f) cotangent[n, y', x', f] · filter[i, j, c, f]`."""
    return build("Conv2dBackwardInput", [cotangent, filter], {"input_shape": input_shape, "strides": strides, "padding": padding}, result, loc, ip)


@register_op
class ConvertOp(Built):
    """`input` with elements of the type `to`."""

    OPERATION_NAME = "mind.convert"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def to(self) -> Any:
        return attribute(self, "to")


def convert(input: Any, to: DType, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`input` with elements of the type `to`."""
    return build("Convert", [input], {"to": to}, result, loc, ip)


@register_op
class CosOp(Built):
    """`cos(input)`, of radians. NaN at ±inf and NaN."""

    OPERATION_NAME = "mind.cos"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def cos(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`cos(input)`, of radians. NaN at ±inf and NaN."""
    return build("Cos", [input], {}, result, loc, ip)


@register_op
class CoshOp(Built):
    """`cosh(input)`. inf at ±inf, and where it overflows; NaN stays NaN."""

    OPERATION_NAME = "mind.cosh"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def cosh(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`cosh(input)`. inf at ±inf, and where it overflows; NaN stays NaN."""
    return build("Cosh", [input], {}, result, loc, ip)


@register_op
class CumMaxOp(Built):
    """The largest of each element and all before it along `axis`, or all after it with `reverse`."""

    OPERATION_NAME = "mind.cum_max"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def reverse(self) -> Any:
        return attribute(self, "reverse")


def cum_max(input: Any, axis: int, reverse: bool, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The largest of each element and all before it along `axis`, or all after it with `reverse`."""
    return build("CumMax", [input], {"axis": axis, "reverse": reverse}, result, loc, ip)


@register_op
class CumMinOp(Built):
    """The smallest of each element and all before it along `axis`, or all after it with `reverse`."""

    OPERATION_NAME = "mind.cum_min"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def reverse(self) -> Any:
        return attribute(self, "reverse")


def cum_min(input: Any, axis: int, reverse: bool, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The smallest of each element and all before it along `axis`, or all after it with `reverse`."""
    return build("CumMin", [input], {"axis": axis, "reverse": reverse}, result, loc, ip)


@register_op
class CumProdOp(Built):
    """The product of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""

    OPERATION_NAME = "mind.cum_prod"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def reverse(self) -> Any:
        return attribute(self, "reverse")


def cum_prod(input: Any, axis: int, reverse: bool, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The product of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""
    return build("CumProd", [input], {"axis": axis, "reverse": reverse}, result, loc, ip)


@register_op
class CumSumOp(Built):
    """The sum of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""

    OPERATION_NAME = "mind.cum_sum"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def reverse(self) -> Any:
        return attribute(self, "reverse")


def cum_sum(input: Any, axis: int, reverse: bool, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The sum of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""
    return build("CumSum", [input], {"axis": axis, "reverse": reverse}, result, loc, ip)


@register_op
class DigammaOp(Built):
    """`ψ(input)`, the derivative of the logarithm of the gamma function. NaN at 0, -1, -2, …, -inf and NaN."""

    OPERATION_NAME = "mind.digamma"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def digamma(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`ψ(input)`, the derivative of the logarithm of the gamma function. NaN at 0, -1, -2, …, -inf and NaN."""
    return build("Digamma", [input], {}, result, loc, ip)


@register_op
class DivOp(Built):
    """`lhs / rhs`, element by element, broadcasting."""

    OPERATION_NAME = "mind.div"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def div(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs / rhs`, element by element, broadcasting."""
    return build("Div", [lhs, rhs], {}, result, loc, ip)


@register_op
class DotOp(Built):
    """Sum of products over the last axis of `lhs` and the first of `rhs`, each of rank 1 or 2."""

    OPERATION_NAME = "mind.dot"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def dot(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """Sum of products over the last axis of `lhs` and the first of `rhs`, each of rank 1 or 2."""
    return build("Dot", [lhs, rhs], {}, result, loc, ip)


@register_op
class DotGeneralOp(Built):
    """`result[b…, i…, j…] = Σ_(k…) lhs[b, i, k] · rhs[b, k, j]`, the dimensions of each operand in any order."""

    OPERATION_NAME = "mind.dot_general"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def lhs_batch(self) -> Any:
        return attribute(self, "lhs_batch")

    @property
    def rhs_batch(self) -> Any:
        return attribute(self, "rhs_batch")

    @property
    def lhs_contract(self) -> Any:
        return attribute(self, "lhs_contract")

    @property
    def rhs_contract(self) -> Any:
        return attribute(self, "rhs_contract")

    @property
    def element_type(self) -> Any:
        return attribute(self, "element_type")


def dot_general(
    lhs: Any, rhs: Any, lhs_batch: Sequence[int] = (), rhs_batch: Sequence[int] = (), lhs_contract: Sequence[int] = (), rhs_contract: Sequence[int] = (), element_type: DType | None = None, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result[b…, i…, j…] = Σ_(k…) lhs[b, i, k] · rhs[b, k, j]`, the dimensions of each operand in any order."""
    return build("DotGeneral", [lhs, rhs], {"lhs_batch": lhs_batch, "rhs_batch": rhs_batch, "lhs_contract": lhs_contract, "rhs_contract": rhs_contract, "element_type": element_type}, result, loc, ip)


@register_op
class DynamicSliceOp(Built):
    """`sizes` elements of `input` from `starts` on: an integer scalar for each axis."""

    OPERATION_NAME = "mind.dynamic_slice"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def starts(self) -> list[ir.Value]:
        return list(self.operation.operands[1:])

    @property
    def sizes(self) -> Any:
        return attribute(self, "sizes")


def dynamic_slice(
    input: Any, *starts: Any, sizes: Sequence[int], result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`sizes` elements of `input` from `starts` on: an integer scalar for each axis."""
    return build("DynamicSlice", [input, *starts], {"sizes": sizes}, result, loc, ip)


@register_op
class DynamicUpdateSliceOp(Built):
    """`input`, with `update` instead of its elements from `starts` on: an integer scalar for each axis."""

    OPERATION_NAME = "mind.dynamic_update_slice"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def update(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def starts(self) -> list[ir.Value]:
        return list(self.operation.operands[2:])


def dynamic_update_slice(
    input: Any, update: Any, *starts: Any, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`input`, with `update` instead of its elements from `starts` on: an integer scalar for each axis."""
    return build("DynamicUpdateSlice", [input, update, *starts], {}, result, loc, ip)


@register_op
class EqualOp(Built):
    """`lhs == rhs`, element by element, as i1; broadcasting. False where either is NaN; -0.0 equals 0.0."""

    OPERATION_NAME = "mind.equal"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def equal(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs == rhs`, element by element, as i1; broadcasting. False where either is NaN; -0.0 equals 0.0."""
    return build("Equal", [lhs, rhs], {}, result, loc, ip)


@register_op
class ErfOp(Built):
    """`2/√π · ∫ e^(-t²) dt` from 0 to the input. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""

    OPERATION_NAME = "mind.erf"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def erf(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`2/√π · ∫ e^(-t²) dt` from 0 to the input. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""
    return build("Erf", [input], {}, result, loc, ip)


@register_op
class ErfInvOp(Built):
    """The number whose error function is the input. ±inf at ±1, NaN outside; zeros keep their sign."""

    OPERATION_NAME = "mind.erf_inv"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def erf_inv(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The number whose error function is the input. ±inf at ±1, NaN outside; zeros keep their sign."""
    return build("ErfInv", [input], {}, result, loc, ip)


@register_op
class ErfcOp(Built):
    """`1 - erf(input)`, with all digits for large inputs. 0 at inf, 2 at -inf; NaN stays NaN."""

    OPERATION_NAME = "mind.erfc"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def erfc(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`1 - erf(input)`, with all digits for large inputs. 0 at inf, 2 at -inf; NaN stays NaN."""
    return build("Erfc", [input], {}, result, loc, ip)


@register_op
class ExpOp(Built):
    """`e^input`. Overflows to inf, underflows to subnormals and 0; NaN stays NaN."""

    OPERATION_NAME = "mind.exp"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def exp(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`e^input`. Overflows to inf, underflows to subnormals and 0; NaN stays NaN."""
    return build("Exp", [input], {}, result, loc, ip)


@register_op
class ExpandDimsOp(Built):
    """Insert axes of extent 1, so that `axes` are their positions in the result."""

    OPERATION_NAME = "mind.expand_dims"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")


def expand_dims(input: Any, axes: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """Insert axes of extent 1, so that `axes` are their positions in the result."""
    return build("ExpandDims", [input], {"axes": axes}, result, loc, ip)


@register_op
class Expm1Op(Built):
    """`e^input - 1`. Overflows to inf; -1 at -inf; zeros keep their sign, NaN stays NaN."""

    OPERATION_NAME = "mind.expm1"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def expm1(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`e^input - 1`. Overflows to inf; -1 at -inf; zeros keep their sign, NaN stays NaN."""
    return build("Expm1", [input], {}, result, loc, ip)


@register_op
class FloorOp(Built):
    """The largest integer that is not above `input`. Zeros keep their sign; inf and NaN stay."""

    OPERATION_NAME = "mind.floor"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def floor(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The largest integer that is not above `input`. Zeros keep their sign; inf and NaN stay."""
    return build("Floor", [input], {}, result, loc, ip)


@register_op
class GatherOp(Built):
    """`result[i…, d…] = input[indices[i…], d…]`: rows of `input` along its first axis."""

    OPERATION_NAME = "mind.gather"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def oob(self) -> Any:
        return attribute(self, "oob")


def gather(
    input: Any, indices: Any, oob: str = "error", *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result[i…, d…] = input[indices[i…], d…]`: rows of `input` along its first axis."""
    return build("Gather", [input, indices], {"oob": oob}, result, loc, ip)


@register_op
class GatherSlicesOp(Built):
    """The slices of `input` that begin at index vectors: `result[i…, d…] = input[indices[i…] along axes, d…]`."""

    OPERATION_NAME = "mind.gather_slices"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def batch_axes(self) -> Any:
        return attribute(self, "batch_axes")

    @property
    def sizes(self) -> Any:
        return attribute(self, "sizes")

    @property
    def oob(self) -> Any:
        return attribute(self, "oob")


def gather_slices(
    input: Any, indices: Any, axes: Sequence[int], batch_axes: Sequence[int], sizes: Sequence[int], oob: str = "error", *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The slices of `input` that begin at index vectors: `result[i…, d…] = input[indices[i…] along axes, d…]`."""
    return build("GatherSlices", [input, indices], {"axes": axes, "batch_axes": batch_axes, "sizes": sizes, "oob": oob}, result, loc, ip)


@register_op
class GreaterOp(Built):
    """`lhs > rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    OPERATION_NAME = "mind.greater"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def greater(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs > rhs`, element by element, as i1; broadcasting. False where either is NaN."""
    return build("Greater", [lhs, rhs], {}, result, loc, ip)


@register_op
class GreaterEqualOp(Built):
    """`lhs >= rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    OPERATION_NAME = "mind.greater_equal"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def greater_equal(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs >= rhs`, element by element, as i1; broadcasting. False where either is NaN."""
    return build("GreaterEqual", [lhs, rhs], {}, result, loc, ip)


@register_op
class IndexOp(Built):
    """The element at `indices`, a scalar. Negative indices count from the end; out of range is E6001 before a run."""

    OPERATION_NAME = "mind.index"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> Any:
        return attribute(self, "indices")


def index(input: Any, indices: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The element at `indices`, a scalar. Negative indices count from the end; out of range is E6001 before a run."""
    return build("Index", [input], {"indices": indices}, result, loc, ip)


@register_op
class IotaOp(Built):
    """`result[…, i, …] = i` along `axis`: a constant that takes no memory where what uses it is one loop with it."""

    OPERATION_NAME = "mind.iota"

    @property
    def shape(self) -> Any:
        return attribute(self, "shape")

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def dtype(self) -> Any:
        return attribute(self, "dtype")


def iota(
    shape: Sequence[int], axis: int, dtype: DType, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result[…, i, …] = i` along `axis`: a constant that takes no memory where what uses it is one loop with it."""
    return build("Iota", [], {"shape": shape, "axis": axis, "dtype": dtype}, result, loc, ip)


@register_op
class IsFiniteOp(Built):
    """True where `input` is neither an infinity nor NaN, as i1."""

    OPERATION_NAME = "mind.is_finite"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def is_finite(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """True where `input` is neither an infinity nor NaN, as i1."""
    return build("IsFinite", [input], {}, result, loc, ip)


@register_op
class LessOp(Built):
    """`lhs < rhs`, element by element, as i1; broadcasting. False where either is NaN; false is less than true."""

    OPERATION_NAME = "mind.less"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def less(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs < rhs`, element by element, as i1; broadcasting. False where either is NaN; false is less than true."""
    return build("Less", [lhs, rhs], {}, result, loc, ip)


@register_op
class LessEqualOp(Built):
    """`lhs <= rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    OPERATION_NAME = "mind.less_equal"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def less_equal(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs <= rhs`, element by element, as i1; broadcasting. False where either is NaN."""
    return build("LessEqual", [lhs, rhs], {}, result, loc, ip)


@register_op
class LogOp(Built):
    """`ln(input)`. -inf at ±0, NaN below 0; NaN stays NaN."""

    OPERATION_NAME = "mind.log"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def log(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`ln(input)`. -inf at ±0, NaN below 0; NaN stays NaN."""
    return build("Log", [input], {}, result, loc, ip)


@register_op
class Log10Op(Built):
    """The logarithm of `input` to base 10. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 10."""

    OPERATION_NAME = "mind.log10"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def log10(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The logarithm of `input` to base 10. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 10."""
    return build("Log10", [input], {}, result, loc, ip)


@register_op
class Log1pOp(Built):
    """`ln(1 + input)`. -inf at -1, NaN below; zeros keep their sign, inf and NaN stay."""

    OPERATION_NAME = "mind.log1p"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def log1p(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`ln(1 + input)`. -inf at -1, NaN below; zeros keep their sign, inf and NaN stay."""
    return build("Log1p", [input], {}, result, loc, ip)


@register_op
class Log2Op(Built):
    """The logarithm of `input` to base 2. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 2."""

    OPERATION_NAME = "mind.log2"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def log2(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The logarithm of `input` to base 2. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 2."""
    return build("Log2", [input], {}, result, loc, ip)


@register_op
class LogGammaOp(Built):
    """`ln |Γ(input)|`. inf at 0, -1, -2, … and at ±inf; NaN stays NaN."""

    OPERATION_NAME = "mind.log_gamma"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def log_gamma(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`ln |Γ(input)|`. inf at 0, -1, -2, … and at ±inf; NaN stays NaN."""
    return build("LogGamma", [input], {}, result, loc, ip)


@register_op
class LogisticOp(Built):
    """`1 / (1 + e^-input)`. 0 at -inf and 1 at inf; NaN stays NaN."""

    OPERATION_NAME = "mind.logistic"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def logistic(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`1 / (1 + e^-input)`. 0 at -inf and 1 at inf; NaN stays NaN."""
    return build("Logistic", [input], {}, result, loc, ip)


@register_op
class MatMulOp(Built):
    """`result[…, i, j] = Σ_k lhs[…, i, k] · rhs[…, k, j]`; leading batch axes broadcast."""

    OPERATION_NAME = "mind.matmul"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def matmul(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`result[…, i, j] = Σ_k lhs[…, i, k] · rhs[…, k, j]`; leading batch axes broadcast."""
    return build("MatMul", [lhs, rhs], {}, result, loc, ip)


@register_op
class MaxOp(Built):
    """The largest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0."""

    OPERATION_NAME = "mind.max"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def max(
    input: Any, axes: Sequence[int], keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The largest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0."""
    return build("Max", [input], {"axes": axes, "keepdims": keepdims}, result, loc, ip)


@register_op
class MaximumOp(Built):
    """The larger one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""

    OPERATION_NAME = "mind.maximum"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def maximum(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The larger one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""
    return build("Maximum", [lhs, rhs], {}, result, loc, ip)


@register_op
class MeanOp(Built):
    """Sum of `input` along `axes`, divided by the number of elements summed, not of axes. NaN over nothing."""

    OPERATION_NAME = "mind.mean"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def mean(
    input: Any, axes: Sequence[int], keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """Sum of `input` along `axes`, divided by the number of elements summed, not of axes. NaN over nothing."""
    return build("Mean", [input], {"axes": axes, "keepdims": keepdims}, result, loc, ip)


@register_op
class MinOp(Built):
    """The smallest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0."""

    OPERATION_NAME = "mind.min"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def min(
    input: Any, axes: Sequence[int], keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The smallest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0."""
    return build("Min", [input], {"axes": axes, "keepdims": keepdims}, result, loc, ip)


@register_op
class MinimumOp(Built):
    """The smaller one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""

    OPERATION_NAME = "mind.minimum"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def minimum(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The smaller one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""
    return build("Minimum", [lhs, rhs], {}, result, loc, ip)


@register_op
class MulOp(Built):
    """`lhs · rhs`, element by element, broadcasting. Integers wrap."""

    OPERATION_NAME = "mind.mul"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def mul(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs · rhs`, element by element, broadcasting. Integers wrap."""
    return build("Mul", [lhs, rhs], {}, result, loc, ip)


@register_op
class NegOp(Built):
    """`-input`. Flips the sign of zeros and NaNs too; the smallest integer is its own negative."""

    OPERATION_NAME = "mind.neg"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def neg(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`-input`. Flips the sign of zeros and NaNs too; the smallest integer is its own negative."""
    return build("Neg", [input], {}, result, loc, ip)


@register_op
class NotOp(Built):
    """Every bit of `input` inverted, of integers or i1."""

    OPERATION_NAME = "mind.not"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def not_(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """Every bit of `input` inverted, of integers or i1."""
    return build("Not", [input], {}, result, loc, ip)


@register_op
class NotEqualOp(Built):
    """`lhs != rhs`, element by element, as i1; broadcasting. True where either is NaN."""

    OPERATION_NAME = "mind.not_equal"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def not_equal(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs != rhs`, element by element, as i1; broadcasting. True where either is NaN."""
    return build("NotEqual", [lhs, rhs], {}, result, loc, ip)


@register_op
class OrOp(Built):
    """`lhs` or `rhs` or both, bit by bit, of integers or i1; broadcasting."""

    OPERATION_NAME = "mind.or"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def or_(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` or `rhs` or both, bit by bit, of integers or i1; broadcasting."""
    return build("Or", [lhs, rhs], {}, result, loc, ip)


@register_op
class PVaryOp(Built):
    """`input`, the same on all ranks along `axis`, and now counted once for each rank; nothing is sent."""

    OPERATION_NAME = "mind.pvary"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def size(self) -> Any:
        return attribute(self, "size")


def pvary(input: Any, axis: str, size: int, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`input`, the same on all ranks along `axis`, and now counted once for each rank; nothing is sent."""
    return build("PVary", [input], {"axis": axis, "size": size}, result, loc, ip)


@register_op
class PadOp(Built):
    """`low[i]` zeros before, `high[i]` after, and `interior[i]` between neighbours, along every axis i."""

    OPERATION_NAME = "mind.pad"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def interior(self) -> Any:
        return attribute(self, "interior")


def pad(
    input: Any, low: Sequence[int], high: Sequence[int], interior: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`low[i]` zeros before, `high[i]` after, and `interior[i]` between neighbours, along every axis i."""
    return build("Pad", [input], {"low": low, "high": high, "interior": interior}, result, loc, ip)


@register_op
class PadWithOp(Built):
    """`low[i]` copies of `value` before, `high[i]` after, and `interior[i]` between neighbours, along every axis i."""

    OPERATION_NAME = "mind.pad_with"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def value(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def interior(self) -> Any:
        return attribute(self, "interior")


def pad_with(
    input: Any, value: Any, low: Sequence[int], high: Sequence[int], interior: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`low[i]` copies of `value` before, `high[i]` after, and `interior[i]` between neighbours, along every axis i."""
    return build("PadWith", [input, value], {"low": low, "high": high, "interior": interior}, result, loc, ip)


@register_op
class PolygammaOp(Built):
    """The derivative of Digamma of an `order`. At 0, -1, -2, … and -inf it is inf, or NaN if the order is even."""

    OPERATION_NAME = "mind.polygamma"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def order(self) -> Any:
        return attribute(self, "order")


def polygamma(input: Any, order: int, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The derivative of Digamma of an `order`. At 0, -1, -2, … and -inf it is inf, or NaN if the order is even."""
    return build("Polygamma", [input], {"order": order}, result, loc, ip)


@register_op
class PopCountOp(Built):
    """How many bits of `input` are 1, in its own dtype."""

    OPERATION_NAME = "mind.pop_count"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def pop_count(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """How many bits of `input` are 1, in its own dtype."""
    return build("PopCount", [input], {}, result, loc, ip)


@register_op
class PowOp(Built):
    """`lhs` to the power of `rhs`, element by element, broadcasting; floats only."""

    OPERATION_NAME = "mind.pow"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def pow(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` to the power of `rhs`, element by element, broadcasting; floats only."""
    return build("Pow", [lhs, rhs], {}, result, loc, ip)


@register_op
class ProdOp(Built):
    """Product of `input` along `axes`; empty `axes` take all, to a scalar. 1 over nothing; integers wrap."""

    OPERATION_NAME = "mind.prod"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def prod(
    input: Any, axes: Sequence[int], keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """Product of `input` along `axes`; empty `axes` take all, to a scalar. 1 over nothing; integers wrap."""
    return build("Prod", [input], {"axes": axes, "keepdims": keepdims}, result, loc, ip)


@register_op
class ReciprocalOp(Built):
    """`1 / input`, rounded once. ±inf at ±0, ±0 at ±inf."""

    OPERATION_NAME = "mind.reciprocal"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def reciprocal(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`1 / input`, rounded once. ±inf at ±0, ±0 at ±inf."""
    return build("Reciprocal", [input], {}, result, loc, ip)


@register_op
class ReduceScatterOp(Built):
    """`result_r = part r of Σ_s input_s` along `dim`, for the ranks along `axis`, which cut it evenly (E8006)."""

    OPERATION_NAME = "mind.reduce_scatter"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def size(self) -> Any:
        return attribute(self, "size")

    @property
    def dim(self) -> Any:
        return attribute(self, "dim")


def reduce_scatter(
    input: Any, axis: str, size: int, dim: int, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result_r = part r of Σ_s input_s` along `dim`, for the ranks along `axis`, which cut it evenly (E8006)."""
    return build("ReduceScatter", [input], {"axis": axis, "size": size, "dim": dim}, result, loc, ip)


@register_op
class ReluOp(Built):
    """`x if x > 0 else 0`, literally: NaN gives 0, and -0.0 gives +0.0."""

    OPERATION_NAME = "mind.relu"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def relu(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`x if x > 0 else 0`, literally: NaN gives 0, and -0.0 gives +0.0."""
    return build("Relu", [input], {}, result, loc, ip)


@register_op
class RemainderOp(Built):
    """What is left of `lhs` after whole `rhs`, element by element, broadcasting; it has the sign of `rhs`."""

    OPERATION_NAME = "mind.remainder"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def remainder(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """What is left of `lhs` after whole `rhs`, element by element, broadcasting; it has the sign of `rhs`."""
    return build("Remainder", [lhs, rhs], {}, result, loc, ip)


@register_op
class ReshapeOp(Built):
    """The same elements in row-major order under `new_shape`; one entry may be -1 and is worked out."""

    OPERATION_NAME = "mind.reshape"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def new_shape(self) -> Any:
        return attribute(self, "new_shape")


def reshape(input: Any, new_shape: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The same elements in row-major order under `new_shape`; one entry may be -1 and is worked out."""
    return build("Reshape", [input], {"new_shape": new_shape}, result, loc, ip)


@register_op
class ReshardOp(Built):
    """`input` with the sharding `to`. The value is the same."""

    OPERATION_NAME = "mind.reshard"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def to(self) -> Any:
        return attribute(self, "to")


def reshard(input: Any, to: PartitionSpec, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`input` with the sharding `to`. The value is the same."""
    return build("Reshard", [input], {"to": to}, result, loc, ip)


@register_op
class ReverseOp(Built):
    """The elements in the opposite order along every axis in `axes`; none for `axes = []`."""

    OPERATION_NAME = "mind.reverse"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")


def reverse(input: Any, axes: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The elements in the opposite order along every axis in `axes`; none for `axes = []`."""
    return build("Reverse", [input], {"axes": axes}, result, loc, ip)


@register_op
class RoundOp(Built):
    """The integer nearest to `input`; of two, the even one. Zeros keep their sign; inf and NaN stay."""

    OPERATION_NAME = "mind.round"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def round(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """The integer nearest to `input`; of two, the even one. Zeros keep their sign; inf and NaN stay."""
    return build("Round", [input], {}, result, loc, ip)


@register_op
class RsqrtOp(Built):
    """`1 / √input`. ±inf at ±0, NaN below 0, 0 at inf."""

    OPERATION_NAME = "mind.rsqrt"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def rsqrt(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`1 / √input`. ±inf at ±0, NaN below 0, 0 at inf."""
    return build("Rsqrt", [input], {}, result, loc, ip)


@register_op
class ScatterAddOp(Built):
    """`input`, with `updates[i…, d…]` added to `result[indices[i…], d…]`: rows added along the first axis."""

    OPERATION_NAME = "mind.scatter_add"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def updates(self) -> ir.Value:
        return self.operation.operands[2]

    @property
    def oob(self) -> Any:
        return attribute(self, "oob")


def scatter_add(
    input: Any, indices: Any, updates: Any, oob: str = "error", *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`input`, with `updates[i…, d…]` added to `result[indices[i…], d…]`: rows added along the first axis."""
    return build("ScatterAdd", [input, indices, updates], {"oob": oob}, result, loc, ip)


@register_op
class ScatterAddSlicesOp(Built):
    """`input`, with `updates` added to the slices that GatherSlices with the same attributes takes."""

    OPERATION_NAME = "mind.scatter_add_slices"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def updates(self) -> ir.Value:
        return self.operation.operands[2]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def batch_axes(self) -> Any:
        return attribute(self, "batch_axes")

    @property
    def sizes(self) -> Any:
        return attribute(self, "sizes")

    @property
    def oob(self) -> Any:
        return attribute(self, "oob")


def scatter_add_slices(
    input: Any, indices: Any, updates: Any, axes: Sequence[int], batch_axes: Sequence[int], sizes: Sequence[int], oob: str = "error", *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`input`, with `updates` added to the slices that GatherSlices with the same attributes takes."""
    return build("ScatterAddSlices", [input, indices, updates], {"axes": axes, "batch_axes": batch_axes, "sizes": sizes, "oob": oob}, result, loc, ip)


@register_op
class ScatterMaxSlicesOp(Built):
    """`input`, with each element of the slices that GatherSlices takes the largest of it and its updates."""

    OPERATION_NAME = "mind.scatter_max_slices"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def updates(self) -> ir.Value:
        return self.operation.operands[2]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def batch_axes(self) -> Any:
        return attribute(self, "batch_axes")

    @property
    def sizes(self) -> Any:
        return attribute(self, "sizes")

    @property
    def oob(self) -> Any:
        return attribute(self, "oob")


def scatter_max_slices(
    input: Any, indices: Any, updates: Any, axes: Sequence[int], batch_axes: Sequence[int], sizes: Sequence[int], oob: str = "error", *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`input`, with each element of the slices that GatherSlices takes the largest of it and its updates."""
    return build("ScatterMaxSlices", [input, indices, updates], {"axes": axes, "batch_axes": batch_axes, "sizes": sizes, "oob": oob}, result, loc, ip)


@register_op
class ScatterMinSlicesOp(Built):
    """`input`, with each element of the slices that GatherSlices takes the smallest of it and its updates."""

    OPERATION_NAME = "mind.scatter_min_slices"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def updates(self) -> ir.Value:
        return self.operation.operands[2]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def batch_axes(self) -> Any:
        return attribute(self, "batch_axes")

    @property
    def sizes(self) -> Any:
        return attribute(self, "sizes")

    @property
    def oob(self) -> Any:
        return attribute(self, "oob")


def scatter_min_slices(
    input: Any, indices: Any, updates: Any, axes: Sequence[int], batch_axes: Sequence[int], sizes: Sequence[int], oob: str = "error", *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`input`, with each element of the slices that GatherSlices takes the smallest of it and its updates."""
    return build("ScatterMinSlices", [input, indices, updates], {"axes": axes, "batch_axes": batch_axes, "sizes": sizes, "oob": oob}, result, loc, ip)


@register_op
class ScatterSlicesOp(Built):
    """`input`, with `updates` instead of the slices that GatherSlices with the same attributes takes."""

    OPERATION_NAME = "mind.scatter_slices"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def updates(self) -> ir.Value:
        return self.operation.operands[2]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def batch_axes(self) -> Any:
        return attribute(self, "batch_axes")

    @property
    def sizes(self) -> Any:
        return attribute(self, "sizes")

    @property
    def oob(self) -> Any:
        return attribute(self, "oob")


def scatter_slices(
    input: Any, indices: Any, updates: Any, axes: Sequence[int], batch_axes: Sequence[int], sizes: Sequence[int], oob: str = "error", *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`input`, with `updates` instead of the slices that GatherSlices with the same attributes takes."""
    return build("ScatterSlices", [input, indices, updates], {"axes": axes, "batch_axes": batch_axes, "sizes": sizes, "oob": oob}, result, loc, ip)


@register_op
class SelectOp(Built):
    """`lhs` where `condition` is true, else `rhs`; broadcasting. What is not chosen has no influence, NaN or not."""

    OPERATION_NAME = "mind.select"

    @property
    def condition(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[2]


def select(condition: Any, lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` where `condition` is true, else `rhs`; broadcasting. What is not chosen has no influence, NaN or not."""
    return build("Select", [condition, lhs, rhs], {}, result, loc, ip)


@register_op
class ShardSliceOp(Built):
    """`result_r = part r of input` along `dim`; nothing is sent. The ranks along `axis` cut it evenly (E8006)."""

    OPERATION_NAME = "mind.shard_slice"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def size(self) -> Any:
        return attribute(self, "size")

    @property
    def dim(self) -> Any:
        return attribute(self, "dim")


def shard_slice(
    input: Any, axis: str, size: int, dim: int, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result_r = part r of input` along `dim`; nothing is sent. The ranks along `axis` cut it evenly (E8006)."""
    return build("ShardSlice", [input], {"axis": axis, "size": size, "dim": dim}, result, loc, ip)


@register_op
class ShiftLeftOp(Built):
    """`lhs` shifted left by `rhs` bits; 0 where that is the width or more, or below 0. Broadcasting."""

    OPERATION_NAME = "mind.shift_left"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def shift_left(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` shifted left by `rhs` bits; 0 where that is the width or more, or below 0. Broadcasting."""
    return build("ShiftLeft", [lhs, rhs], {}, result, loc, ip)


@register_op
class ShiftRightArithmeticOp(Built):
    """`lhs` shifted right by `rhs` bits, its first bit repeated from the left, signed or not."""

    OPERATION_NAME = "mind.shift_right_arithmetic"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def shift_right_arithmetic(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` shifted right by `rhs` bits, its first bit repeated from the left, signed or not."""
    return build("ShiftRightArithmetic", [lhs, rhs], {}, result, loc, ip)


@register_op
class ShiftRightLogicalOp(Built):
    """`lhs` shifted right by `rhs` bits, zeros from the left; 0 where that is the width or more, or below 0."""

    OPERATION_NAME = "mind.shift_right_logical"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def shift_right_logical(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` shifted right by `rhs` bits, zeros from the left; 0 where that is the width or more, or below 0."""
    return build("ShiftRightLogical", [lhs, rhs], {}, result, loc, ip)


@register_op
class SignOp(Built):
    """1 where `input > 0`, -1 where `input < 0`; zeros and NaN stay. Of integers too."""

    OPERATION_NAME = "mind.sign"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def sign(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """1 where `input > 0`, -1 where `input < 0`; zeros and NaN stay. Of integers too."""
    return build("Sign", [input], {}, result, loc, ip)


@register_op
class SinOp(Built):
    """`sin(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""

    OPERATION_NAME = "mind.sin"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def sin(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`sin(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""
    return build("Sin", [input], {}, result, loc, ip)


@register_op
class SinhOp(Built):
    """`sinh(input)`. ±inf at ±inf, and where it overflows; zeros keep their sign, NaN stays NaN."""

    OPERATION_NAME = "mind.sinh"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def sinh(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`sinh(input)`. ±inf at ±inf, and where it overflows; zeros keep their sign, NaN stays NaN."""
    return build("Sinh", [input], {}, result, loc, ip)


@register_op
class SliceOp(Built):
    """Elements `starts[i]`, `starts[i] + steps[i]`, … before `ends[i]` along every axis i."""

    OPERATION_NAME = "mind.slice"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def starts(self) -> Any:
        return attribute(self, "starts")

    @property
    def ends(self) -> Any:
        return attribute(self, "ends")

    @property
    def steps(self) -> Any:
        return attribute(self, "steps")


def slice(
    input: Any, starts: Sequence[int], ends: Sequence[int], steps: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """Elements `starts[i]`, `starts[i] + steps[i]`, … before `ends[i]` along every axis i."""
    return build("Slice", [input], {"starts": starts, "ends": ends, "steps": steps}, result, loc, ip)


@register_op
class SortOp(Built):
    """The elements of the first of `parts` in ascending order along `axis`, and those of the others moved with them."""

    OPERATION_NAME = "mind.sort"

    @property
    def parts(self) -> list[ir.Value]:
        return list(self.operation.operands[0:])

    @property
    def sorted(self) -> list[ir.Value]:
        return list(self.operation.results[0:])

    @property
    def axis(self) -> Any:
        return attribute(self, "axis")

    @property
    def descending(self) -> Any:
        return attribute(self, "descending")


def sort(
    *parts: Any, axis: int, descending: bool = False, result: Any = None, loc: Any = None, ip: Any = None
) -> list[ir.Value]:
    """The elements of the first of `parts` in ascending order along `axis`, and those of the others moved with them."""
    return list(build("Sort", [*parts], {"axis": axis, "descending": descending}, result, loc, ip))


@register_op
class SqrtOp(Built):
    """`√input`, rounded once. NaN below 0; -0.0 gives -0.0."""

    OPERATION_NAME = "mind.sqrt"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def sqrt(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`√input`, rounded once. NaN below 0; -0.0 gives -0.0."""
    return build("Sqrt", [input], {}, result, loc, ip)


@register_op
class SqueezeOp(Built):
    """Remove `axes`, each of extent 1. Empty `axes` removes nothing."""

    OPERATION_NAME = "mind.squeeze"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")


def squeeze(input: Any, axes: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """Remove `axes`, each of extent 1. Empty `axes` removes nothing."""
    return build("Squeeze", [input], {"axes": axes}, result, loc, ip)


@register_op
class StopGradientOp(Built):
    """`input`, as a constant for derivatives."""

    OPERATION_NAME = "mind.stop_gradient"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def stop_gradient(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`input`, as a constant for derivatives."""
    return build("StopGradient", [input], {}, result, loc, ip)


@register_op
class SubOp(Built):
    """`lhs - rhs`, element by element, broadcasting. Integers wrap."""

    OPERATION_NAME = "mind.sub"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def sub(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs - rhs`, element by element, broadcasting. Integers wrap."""
    return build("Sub", [lhs, rhs], {}, result, loc, ip)


@register_op
class SumOp(Built):
    """Sum of `input` along `axes`; empty `axes` sums everything to a scalar. 0 over nothing; integers wrap."""

    OPERATION_NAME = "mind.sum"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def axes(self) -> Any:
        return attribute(self, "axes")

    @property
    def keepdims(self) -> Any:
        return attribute(self, "keepdims")


def sum(
    input: Any, axes: Sequence[int], keepdims: bool, *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """Sum of `input` along `axes`; empty `axes` sums everything to a scalar. 0 over nothing; integers wrap."""
    return build("Sum", [input], {"axes": axes, "keepdims": keepdims}, result, loc, ip)


@register_op
class TanOp(Built):
    """`tan(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""

    OPERATION_NAME = "mind.tan"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def tan(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`tan(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""
    return build("Tan", [input], {}, result, loc, ip)


@register_op
class TanhOp(Built):
    """`tanh(input)`. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""

    OPERATION_NAME = "mind.tanh"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]


def tanh(input: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`tanh(input)`. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""
    return build("Tanh", [input], {}, result, loc, ip)


@register_op
class TopKOp(Built):
    """The `k` largest elements along the last axis, the largest first, and their i64 indices."""

    OPERATION_NAME = "mind.top_k"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def values(self) -> ir.Value:
        return self.operation.results[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.results[1]

    @property
    def k(self) -> Any:
        return attribute(self, "k")


def top_k(input: Any, k: int, *, result: Any = None, loc: Any = None, ip: Any = None) -> list[ir.Value]:
    """The `k` largest elements along the last axis, the largest first, and their i64 indices."""
    return list(build("TopK", [input], {"k": k}, result, loc, ip))


@register_op
class TransposeOp(Built):
    """`result.shape[i] = input.shape[permutation[i]]`."""

    OPERATION_NAME = "mind.transpose"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def permutation(self) -> Any:
        return attribute(self, "permutation")


def transpose(
    input: Any, permutation: Sequence[int], *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """`result.shape[i] = input.shape[permutation[i]]`."""
    return build("Transpose", [input], {"permutation": permutation}, result, loc, ip)


@register_op
class WindowArgMaxOp(Built):
    """The position in its window of the first largest element, counted in row-major order, as i32. NaN wins."""

    OPERATION_NAME = "mind.window_arg_max"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def window(self) -> Any:
        return attribute(self, "window")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def dilation(self) -> Any:
        return attribute(self, "dilation")


def window_arg_max(
    input: Any, window: Sequence[int], strides: Sequence[int], low: Sequence[int] = (), high: Sequence[int] = (), dilation: Sequence[int] = (), *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The position in its window of the first largest element, counted in row-major order, as i32. NaN wins."""
    return build("WindowArgMax", [input], {"window": window, "strides": strides, "low": low, "high": high, "dilation": dilation}, result, loc, ip)


@register_op
class WindowGatherOp(Built):
    """The element of each window over `input` at its position `indices`, as WindowArgMax counts. 0 in the padding."""

    OPERATION_NAME = "mind.window_gather"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def window(self) -> Any:
        return attribute(self, "window")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def dilation(self) -> Any:
        return attribute(self, "dilation")


def window_gather(
    input: Any, indices: Any, window: Sequence[int], strides: Sequence[int], low: Sequence[int] = (), high: Sequence[int] = (), dilation: Sequence[int] = (), *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The element of each window over `input` at its position `indices`, as WindowArgMax counts. 0 in the padding."""
    return build("WindowGather", [input, indices], {"window": window, "strides": strides, "low": low, "high": high, "dilation": dilation}, result, loc, ip)


@register_op
class WindowMaxOp(Built):
    """The largest element of each window over `input`. NaN wins, -0 is below +0, and padding is below all."""

    OPERATION_NAME = "mind.window_max"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def window(self) -> Any:
        return attribute(self, "window")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def dilation(self) -> Any:
        return attribute(self, "dilation")


def window_max(
    input: Any, window: Sequence[int], strides: Sequence[int], low: Sequence[int] = (), high: Sequence[int] = (), dilation: Sequence[int] = (), *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The largest element of each window over `input`. NaN wins, -0 is below +0, and padding is below all."""
    return build("WindowMax", [input], {"window": window, "strides": strides, "low": low, "high": high, "dilation": dilation}, result, loc, ip)


@register_op
class WindowScatterAddOp(Built):
    """Zeros of `shape`, with `updates` added to the element of each window at its position `indices`."""

    OPERATION_NAME = "mind.window_scatter_add"

    @property
    def updates(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def indices(self) -> ir.Value:
        return self.operation.operands[1]

    @property
    def shape(self) -> Any:
        return attribute(self, "shape")

    @property
    def window(self) -> Any:
        return attribute(self, "window")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def dilation(self) -> Any:
        return attribute(self, "dilation")


def window_scatter_add(
    updates: Any, indices: Any, shape: Sequence[int], window: Sequence[int], strides: Sequence[int], low: Sequence[int] = (), high: Sequence[int] = (), dilation: Sequence[int] = (), *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """Zeros of `shape`, with `updates` added to the element of each window at its position `indices`."""
    return build("WindowScatterAdd", [updates, indices], {"shape": shape, "window": window, "strides": strides, "low": low, "high": high, "dilation": dilation}, result, loc, ip)


@register_op
class WindowSumOp(Built):
    """The sum of the elements of each window over `input`, where padding is zeros. Integers wrap."""

    OPERATION_NAME = "mind.window_sum"

    @property
    def input(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def window(self) -> Any:
        return attribute(self, "window")

    @property
    def strides(self) -> Any:
        return attribute(self, "strides")

    @property
    def low(self) -> Any:
        return attribute(self, "low")

    @property
    def high(self) -> Any:
        return attribute(self, "high")

    @property
    def dilation(self) -> Any:
        return attribute(self, "dilation")


def window_sum(
    input: Any, window: Sequence[int], strides: Sequence[int], low: Sequence[int] = (), high: Sequence[int] = (), dilation: Sequence[int] = (), *, result: Any = None, loc: Any = None, ip: Any = None
) -> ir.Value:
    """The sum of the elements of each window over `input`, where padding is zeros. Integers wrap."""
    return build("WindowSum", [input], {"window": window, "strides": strides, "low": low, "high": high, "dilation": dilation}, result, loc, ip)


@register_op
class XorOp(Built):
    """`lhs` or `rhs`, not both, bit by bit, of integers or i1; broadcasting."""

    OPERATION_NAME = "mind.xor"

    @property
    def lhs(self) -> ir.Value:
        return self.operation.operands[0]

    @property
    def rhs(self) -> ir.Value:
        return self.operation.operands[1]


def xor(lhs: Any, rhs: Any, *, result: Any = None, loc: Any = None, ip: Any = None) -> ir.Value:
    """`lhs` or `rhs`, not both, bit by bit, of integers or i1; broadcasting."""
    return build("Xor", [lhs, rhs], {}, result, loc, ip)
