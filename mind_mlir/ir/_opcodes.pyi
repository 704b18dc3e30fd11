# Written by scripts/gen_builder_stub.py from the op classes; do not edit.
# ruff: noqa: E501  the lines are the first lines of the docstrings
"""The opcodes as methods of a Builder, for type checkers alone. At run time `Builder.__getattr__` finds them."""

from collections.abc import Iterable, Sequence
from typing import Literal as OneOf

from .builder import Value
from .literal import Literal
from .mesh import PartitionSpec
from .types import DType, TensorType

class Opcodes:
    def Abs(self, input: Value, /) -> Value:
        """`|input|`. The smallest integer is its own magnitude; of NaN the sign is cleared."""

    def Acos(self, input: Value, /) -> Value:
        """The angle in [0, π] whose cosine is the input. NaN outside of [-1, 1]."""

    def Acosh(self, input: Value, /) -> Value:
        """`acosh(input)`. NaN below 1; inf and NaN stay."""

    def Add(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs + rhs`, element by element, broadcasting. Integers wrap."""

    def All(self, input: Value, /, axes: Iterable[int], keepdims: bool) -> Value:
        """True if all elements of `input` along `axes` are true; empty `axes` take all, to a scalar. True over nothing."""

    def AllGather(self, input: Value, /, axis: str, size: int, dim: int, invariant: bool = ...) -> Value:
        """`result = [input_0 | input_1 | …]` along `dim`, from the ranks along `axis` in order, the same on each."""

    def AllReduce(
        self, input: Value, /, axis: str, size: int, kind: OneOf["sum", "max", "min"] = ..., invariant: bool = ...
    ) -> Value:
        """`result = Σ_r input_r` over the ranks along `axis`, the same on each; `kind` max and min take extremes."""

    def AllToAll(self, input: Value, /, axis: str, size: int, split: int, concat: int) -> Value:
        """`result_r = [part r of input_0 | part r of input_1 | …]`: parts along `split`, put together along `concat`."""

    def And(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` and `rhs`, bit by bit, of integers or i1; broadcasting."""

    def Any(self, input: Value, /, axes: Iterable[int], keepdims: bool) -> Value:
        """True if any element of `input` along `axes` is true; empty `axes` take all, to a scalar. False over nothing."""

    def ArgMax(self, input: Value, /, axis: int, keepdims: bool) -> Value:
        """The position of the first largest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal."""

    def ArgMin(self, input: Value, /, axis: int, keepdims: bool) -> Value:
        """The position of the first smallest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal."""

    def ArgSort(self, input: Value, /, axis: int, descending: bool = ...) -> Value:
        """The i64 indices along `axis` of the elements in ascending order, or in descending order."""

    def Asin(self, input: Value, /) -> Value:
        """The angle in [-π/2, π/2] whose sine is the input. NaN outside of [-1, 1]; zeros keep their sign."""

    def Asinh(self, input: Value, /) -> Value:
        """`asinh(input)`. Zeros keep their sign; ±inf and NaN stay."""

    def Atan(self, input: Value, /) -> Value:
        """The angle in [-π/2, π/2] whose tangent is the input. Zeros keep their sign, NaN stays NaN."""

    def Atan2(self, lhs: Value, rhs: Value, /) -> Value:
        """The angle in [-π, π] of the point with the coordinates `rhs` and `lhs`, in this order; broadcasting."""

    def Atanh(self, input: Value, /) -> Value:
        """`atanh(input)`. ±inf at ±1, NaN beyond; zeros keep their sign, NaN stays NaN."""

    def BitCast(self, input: Value, /, to: DType | str) -> Value:
        """The bits of `input` as elements of the type `to`, which is as wide."""

    def Broadcast(self, input: Value, /, shape: Iterable[int]) -> Value:
        """`input` stretched to `shape`: leading axes are new, extents of 1 are repeated."""

    def Cbrt(self, input: Value, /) -> Value:
        """`∛input`, of negative numbers too. Zeros keep their sign; inf and NaN stay."""

    def Ceil(self, input: Value, /) -> Value:
        """The smallest integer that is not below `input`. Zeros keep their sign; inf and NaN stay."""

    def Concatenate(self, *parts: Value, axis: int) -> Value:
        """`parts`, one or more, one after the other along `axis`; their other extents are equal."""

    def ConstF32(self, value: float | Literal) -> Value:
        """The rank-0 f32 constant `value`."""

    def ConstF64(self, value: float | Literal) -> Value:
        """The rank-0 f64 constant `value`."""

    def ConstI64(self, value: int | Literal) -> Value:
        """The rank-0 i64 constant `value`."""

    def ConstTensor(self, data: Literal, dtype: DType | str, shape: Iterable[int]) -> Value:
        """The constant of `dtype` and `shape` whose elements, row-major, are `data`."""

    def Conv(
        self,
        input: Value,
        filter: Value,
        /,
        layout: str,
        strides: Iterable[int] = ...,
        low: Iterable[int] = ...,
        high: Iterable[int] = ...,
        input_dilation: Iterable[int] = ...,
        filter_dilation: Iterable[int] = ...,
        reverse: bool = ...,
        groups: int = ...,
        batch_groups: int = ...,
        element_type: DType | str | None = ...,
    ) -> Value:
        """Convolution over any spatial axes, in any layout, strided, padded, dilated and in groups."""

    def Conv2d(
        self, input: Value, filter: Value, /, strides: Iterable[int], padding: str | Sequence[Sequence[int]]
    ) -> Value:
        """`result[n, y, x, f] = Σ_(i, j, c) input[n, y·s + i - p, x·s + j - p, c] · filter[i, j, c, f]`, zeros outside."""

    def Conv2dBackwardFilter(
        self,
        input: Value,
        cotangent: Value,
        /,
        filter_shape: Iterable[int],
        strides: Iterable[int],
        padding: str | Sequence[Sequence[int]],
    ) -> Value:
        """`result[i, j, c, f] = Σ_(n, y, x) input[n, y·s + i - p, x·s + j - p, c] · cotangent[n, y, x, f]`, zeros outside."""

    def Conv2dBackwardInput(
        self,
        cotangent: Value,
        filter: Value,
        /,
        input_shape: Iterable[int],
        strides: Iterable[int],
        padding: str | Sequence[Sequence[int]],
    ) -> Value:
        """`result[n, y'·s + i - p, x'·s + j - p, c] = Σ_(i, j, f) cotangent[n, y', x', f] · filter[i, j, c, f]`."""

    def Convert(self, input: Value, /, to: DType | str) -> Value:
        """`input` with elements of the type `to`."""

    def Cos(self, input: Value, /) -> Value:
        """`cos(input)`, of radians. NaN at ±inf and NaN."""

    def Cosh(self, input: Value, /) -> Value:
        """`cosh(input)`. inf at ±inf, and where it overflows; NaN stays NaN."""

    def CumMax(self, input: Value, /, axis: int, reverse: bool) -> Value:
        """The largest of each element and all before it along `axis`, or all after it with `reverse`."""

    def CumMin(self, input: Value, /, axis: int, reverse: bool) -> Value:
        """The smallest of each element and all before it along `axis`, or all after it with `reverse`."""

    def CumProd(self, input: Value, /, axis: int, reverse: bool) -> Value:
        """The product of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""

    def CumSum(self, input: Value, /, axis: int, reverse: bool) -> Value:
        """The sum of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap."""

    def Digamma(self, input: Value, /) -> Value:
        """`ψ(input)`, the derivative of the logarithm of the gamma function. NaN at 0, -1, -2, …, -inf and NaN."""

    def Div(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs / rhs`, element by element, broadcasting."""

    def Dot(self, lhs: Value, rhs: Value, /) -> Value:
        """Sum of products over the last axis of `lhs` and the first of `rhs`, each of rank 1 or 2."""

    def DotGeneral(
        self,
        lhs: Value,
        rhs: Value,
        /,
        lhs_batch: Iterable[int] = ...,
        rhs_batch: Iterable[int] = ...,
        lhs_contract: Iterable[int] = ...,
        rhs_contract: Iterable[int] = ...,
        element_type: DType | str | None = ...,
    ) -> Value:
        """`result[b…, i…, j…] = Σ_(k…) lhs[b, i, k] · rhs[b, k, j]`, the dimensions of each operand in any order."""

    def DynamicSlice(self, input: Value, *starts: Value, sizes: Iterable[int]) -> Value:
        """`sizes` elements of `input` from `starts` on: an integer scalar for each axis."""

    def DynamicUpdateSlice(self, input: Value, update: Value, *starts: Value) -> Value:
        """`input`, with `update` instead of its elements from `starts` on: an integer scalar for each axis."""

    def Equal(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs == rhs`, element by element, as i1; broadcasting. False where either is NaN; -0.0 equals 0.0."""

    def Erf(self, input: Value, /) -> Value:
        """`2/√π · ∫ e^(-t²) dt` from 0 to the input. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""

    def ErfInv(self, input: Value, /) -> Value:
        """The number whose error function is the input. ±inf at ±1, NaN outside; zeros keep their sign."""

    def Erfc(self, input: Value, /) -> Value:
        """`1 - erf(input)`, with all digits for large inputs. 0 at inf, 2 at -inf; NaN stays NaN."""

    def Exp(self, input: Value, /) -> Value:
        """`e^input`. Overflows to inf, underflows to subnormals and 0; NaN stays NaN."""

    def ExpandDims(self, input: Value, /, axes: Iterable[int]) -> Value:
        """Insert axes of extent 1, so that `axes` are their positions in the result."""

    def Expm1(self, input: Value, /) -> Value:
        """`e^input - 1`. Overflows to inf; -1 at -inf; zeros keep their sign, NaN stays NaN."""

    def Floor(self, input: Value, /) -> Value:
        """The largest integer that is not above `input`. Zeros keep their sign; inf and NaN stay."""

    def Gather(self, input: Value, indices: Value, /, oob: OneOf["error", "clip", "fill"] = ...) -> Value:
        """`result[i…, d…] = input[indices[i…], d…]`: rows of `input` along its first axis."""

    def GatherSlices(
        self,
        input: Value,
        indices: Value,
        /,
        axes: Iterable[int],
        batch_axes: Iterable[int],
        sizes: Iterable[int],
        oob: OneOf["error", "clip", "fill"] = ...,
    ) -> Value:
        """The slices of `input` that begin at index vectors: `result[i…, d…] = input[indices[i…] along axes, d…]`."""

    def Greater(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs > rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    def GreaterEqual(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs >= rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    def Index(self, input: Value, /, indices: Iterable[int]) -> Value:
        """The element at `indices`, a scalar. Negative indices count from the end; out of range is E6001 before a run."""

    def Input(self, name: str, type: TensorType) -> Value:
        """A parameter of the module, bound by name or by position when it runs. Its type is the declared result type."""

    def Iota(self, shape: Iterable[int], axis: int, dtype: DType | str) -> Value:
        """`result[…, i, …] = i` along `axis`: a constant that takes no memory where what uses it is one loop with it."""

    def IsFinite(self, input: Value, /) -> Value:
        """True where `input` is neither an infinity nor NaN, as i1."""

    def Less(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs < rhs`, element by element, as i1; broadcasting. False where either is NaN; false is less than true."""

    def LessEqual(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs <= rhs`, element by element, as i1; broadcasting. False where either is NaN."""

    def Log(self, input: Value, /) -> Value:
        """`ln(input)`. -inf at ±0, NaN below 0; NaN stays NaN."""

    def Log10(self, input: Value, /) -> Value:
        """The logarithm of `input` to base 10. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 10."""

    def Log1p(self, input: Value, /) -> Value:
        """`ln(1 + input)`. -inf at -1, NaN below; zeros keep their sign, inf and NaN stay."""

    def Log2(self, input: Value, /) -> Value:
        """The logarithm of `input` to base 2. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 2."""

    def LogGamma(self, input: Value, /) -> Value:
        """`ln |Γ(input)|`. inf at 0, -1, -2, … and at ±inf; NaN stays NaN."""

    def Logistic(self, input: Value, /) -> Value:
        """`1 / (1 + e^-input)`. 0 at -inf and 1 at inf; NaN stays NaN."""

    def MatMul(self, lhs: Value, rhs: Value, /) -> Value:
        """`result[…, i, j] = Σ_k lhs[…, i, k] · rhs[…, k, j]`; leading batch axes broadcast."""

    def Max(self, input: Value, /, axes: Iterable[int], keepdims: bool) -> Value:
        """The largest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0."""

    def Maximum(self, lhs: Value, rhs: Value, /) -> Value:
        """The larger one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""

    def Mean(self, input: Value, /, axes: Iterable[int], keepdims: bool) -> Value:
        """Sum of `input` along `axes`, divided by the number of elements summed, not of axes. NaN over nothing."""

    def Min(self, input: Value, /, axes: Iterable[int], keepdims: bool) -> Value:
        """The smallest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0."""

    def Minimum(self, lhs: Value, rhs: Value, /) -> Value:
        """The smaller one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0."""

    def Mul(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs · rhs`, element by element, broadcasting. Integers wrap."""

    def Neg(self, input: Value, /) -> Value:
        """`-input`. Flips the sign of zeros and NaNs too; the smallest integer is its own negative."""

    def Not(self, input: Value, /) -> Value:
        """Every bit of `input` inverted, of integers or i1."""

    def NotEqual(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs != rhs`, element by element, as i1; broadcasting. True where either is NaN."""

    def Or(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` or `rhs` or both, bit by bit, of integers or i1; broadcasting."""

    def PVary(self, input: Value, /, axis: str, size: int) -> Value:
        """`input`, the same on all ranks along `axis`, and now counted once for each rank; nothing is sent."""

    def Pad(self, input: Value, /, low: Iterable[int], high: Iterable[int], interior: Iterable[int]) -> Value:
        """`low[i]` zeros before, `high[i]` after, and `interior[i]` between neighbours, along every axis i."""

    def PadWith(
        self, input: Value, value: Value, /, low: Iterable[int], high: Iterable[int], interior: Iterable[int]
    ) -> Value:
        """`low[i]` copies of `value` before, `high[i]` after, and `interior[i]` between neighbours, along every axis i."""

    def Polygamma(self, input: Value, /, order: int) -> Value:
        """The derivative of Digamma of an `order`. At 0, -1, -2, … and -inf it is inf, or NaN if the order is even."""

    def PopCount(self, input: Value, /) -> Value:
        """How many bits of `input` are 1, in its own dtype."""

    def Pow(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` to the power of `rhs`, element by element, broadcasting; floats only."""

    def Prod(self, input: Value, /, axes: Iterable[int], keepdims: bool) -> Value:
        """Product of `input` along `axes`; empty `axes` take all, to a scalar. 1 over nothing; integers wrap."""

    def Reciprocal(self, input: Value, /) -> Value:
        """`1 / input`, rounded once. ±inf at ±0, ±0 at ±inf."""

    def ReduceScatter(self, input: Value, /, axis: str, size: int, dim: int) -> Value:
        """`result_r = part r of Σ_s input_s` along `dim`, for the ranks along `axis`, which cut it evenly (E8006)."""

    def Relu(self, input: Value, /) -> Value:
        """`x if x > 0 else 0`, literally: NaN gives 0, and -0.0 gives +0.0."""

    def Remainder(self, lhs: Value, rhs: Value, /) -> Value:
        """What is left of `lhs` after whole `rhs`, element by element, broadcasting; it has the sign of `rhs`."""

    def Reshape(self, input: Value, /, new_shape: Iterable[int]) -> Value:
        """The same elements in row-major order under `new_shape`; one entry may be -1 and is worked out."""

    def Reshard(self, input: Value, /, to: PartitionSpec) -> Value:
        """`input` with the sharding `to`. The value is the same."""

    def Reverse(self, input: Value, /, axes: Iterable[int]) -> Value:
        """The elements in the opposite order along every axis in `axes`; none for `axes = []`."""

    def Round(self, input: Value, /) -> Value:
        """The integer nearest to `input`; of two, the even one. Zeros keep their sign; inf and NaN stay."""

    def Rsqrt(self, input: Value, /) -> Value:
        """`1 / √input`. ±inf at ±0, NaN below 0, 0 at inf."""

    def ScatterAdd(
        self, input: Value, indices: Value, updates: Value, /, oob: OneOf["error", "clip", "fill"] = ...
    ) -> Value:
        """`input`, with `updates[i…, d…]` added to `result[indices[i…], d…]`: rows added along the first axis."""

    def ScatterAddSlices(
        self,
        input: Value,
        indices: Value,
        updates: Value,
        /,
        axes: Iterable[int],
        batch_axes: Iterable[int],
        sizes: Iterable[int],
        oob: OneOf["error", "clip", "fill"] = ...,
    ) -> Value:
        """`input`, with `updates` added to the slices that GatherSlices with the same attributes takes."""

    def ScatterMaxSlices(
        self,
        input: Value,
        indices: Value,
        updates: Value,
        /,
        axes: Iterable[int],
        batch_axes: Iterable[int],
        sizes: Iterable[int],
        oob: OneOf["error", "clip", "fill"] = ...,
    ) -> Value:
        """`input`, with each element of the slices that GatherSlices takes the largest of it and its updates."""

    def ScatterMinSlices(
        self,
        input: Value,
        indices: Value,
        updates: Value,
        /,
        axes: Iterable[int],
        batch_axes: Iterable[int],
        sizes: Iterable[int],
        oob: OneOf["error", "clip", "fill"] = ...,
    ) -> Value:
        """`input`, with each element of the slices that GatherSlices takes the smallest of it and its updates."""

    def ScatterSlices(
        self,
        input: Value,
        indices: Value,
        updates: Value,
        /,
        axes: Iterable[int],
        batch_axes: Iterable[int],
        sizes: Iterable[int],
        oob: OneOf["error", "clip", "fill"] = ...,
    ) -> Value:
        """`input`, with `updates` instead of the slices that GatherSlices with the same attributes takes."""

    def Select(self, condition: Value, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` where `condition` is true, else `rhs`; broadcasting. What is not chosen has no influence, NaN or not."""

    def ShardSlice(self, input: Value, /, axis: str, size: int, dim: int) -> Value:
        """`result_r = part r of input` along `dim`; nothing is sent. The ranks along `axis` cut it evenly (E8006)."""

    def ShiftLeft(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` shifted left by `rhs` bits; 0 where that is the width or more, or below 0. Broadcasting."""

    def ShiftRightArithmetic(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` shifted right by `rhs` bits, its first bit repeated from the left, signed or not."""

    def ShiftRightLogical(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` shifted right by `rhs` bits, zeros from the left; 0 where that is the width or more, or below 0."""

    def Sign(self, input: Value, /) -> Value:
        """1 where `input > 0`, -1 where `input < 0`; zeros and NaN stay. Of integers too."""

    def Sin(self, input: Value, /) -> Value:
        """`sin(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""

    def Sinh(self, input: Value, /) -> Value:
        """`sinh(input)`. ±inf at ±inf, and where it overflows; zeros keep their sign, NaN stays NaN."""

    def Slice(self, input: Value, /, starts: Iterable[int], ends: Iterable[int], steps: Iterable[int]) -> Value:
        """Elements `starts[i]`, `starts[i] + steps[i]`, … before `ends[i]` along every axis i."""

    def Sort(self, *parts: Value, axis: int, descending: bool = ...) -> tuple[Value, ...]:
        """The elements of the first of `parts` in ascending order along `axis`, and those of the others moved with them."""

    def Sqrt(self, input: Value, /) -> Value:
        """`√input`, rounded once. NaN below 0; -0.0 gives -0.0."""

    def Squeeze(self, input: Value, /, axes: Iterable[int]) -> Value:
        """Remove `axes`, each of extent 1. Empty `axes` removes nothing."""

    def StopGradient(self, input: Value, /) -> Value:
        """`input`, as a constant for derivatives."""

    def Sub(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs - rhs`, element by element, broadcasting. Integers wrap."""

    def Sum(self, input: Value, /, axes: Iterable[int], keepdims: bool) -> Value:
        """Sum of `input` along `axes`; empty `axes` sums everything to a scalar. 0 over nothing; integers wrap."""

    def Tan(self, input: Value, /) -> Value:
        """`tan(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign."""

    def Tanh(self, input: Value, /) -> Value:
        """`tanh(input)`. ±1 at ±inf; zeros keep their sign, NaN stays NaN."""

    def TopK(self, input: Value, /, k: int) -> tuple[Value, ...]:
        """The `k` largest elements along the last axis, the largest first, and their i64 indices."""

    def Transpose(self, input: Value, /, permutation: Iterable[int]) -> Value:
        """`result.shape[i] = input.shape[permutation[i]]`."""

    def WindowArgMax(
        self,
        input: Value,
        /,
        window: Iterable[int],
        strides: Iterable[int],
        low: Iterable[int] = ...,
        high: Iterable[int] = ...,
        dilation: Iterable[int] = ...,
    ) -> Value:
        """The position in its window of the first largest element, counted in row-major order, as i32. NaN wins."""

    def WindowGather(
        self,
        input: Value,
        indices: Value,
        /,
        window: Iterable[int],
        strides: Iterable[int],
        low: Iterable[int] = ...,
        high: Iterable[int] = ...,
        dilation: Iterable[int] = ...,
    ) -> Value:
        """The element of each window over `input` at its position `indices`, as WindowArgMax counts. 0 in the padding."""

    def WindowMax(
        self,
        input: Value,
        /,
        window: Iterable[int],
        strides: Iterable[int],
        low: Iterable[int] = ...,
        high: Iterable[int] = ...,
        dilation: Iterable[int] = ...,
    ) -> Value:
        """The largest element of each window over `input`. NaN wins, -0 is below +0, and padding is below all."""

    def WindowScatterAdd(
        self,
        updates: Value,
        indices: Value,
        /,
        shape: Iterable[int],
        window: Iterable[int],
        strides: Iterable[int],
        low: Iterable[int] = ...,
        high: Iterable[int] = ...,
        dilation: Iterable[int] = ...,
    ) -> Value:
        """Zeros of `shape`, with `updates` added to the element of each window at its position `indices`."""

    def WindowSum(
        self,
        input: Value,
        /,
        window: Iterable[int],
        strides: Iterable[int],
        low: Iterable[int] = ...,
        high: Iterable[int] = ...,
        dilation: Iterable[int] = ...,
    ) -> Value:
        """The sum of the elements of each window over `input`, where padding is zeros. Integers wrap."""

    def Xor(self, lhs: Value, rhs: Value, /) -> Value:
        """`lhs` or `rhs`, not both, bit by bit, of integers or i1; broadcasting."""
