// written by scripts/gen_dialect.py from the op classes; do not edit

#ifndef MIND_OPS_TD
#define MIND_OPS_TD

include "Mind/MindBase.td"

def Mind_AbsOp : Mind_TypedOp<"abs", [AlwaysSpeculatable]> {
  let summary = "`|input|`. The smallest integer is its own magnitude; of NaN the sign is cleared.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AcosOp : Mind_TypedOp<"acos", [AlwaysSpeculatable]> {
  let summary = "The angle in [0, π] whose cosine is the input. NaN outside of [-1, 1].";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AcoshOp : Mind_TypedOp<"acosh", [AlwaysSpeculatable]> {
  let summary = "`acosh(input)`. NaN below 1; inf and NaN stay.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AddOp : Mind_TypedOp<"add", [Commutative, AlwaysSpeculatable]> {
  let summary = "`lhs + rhs`, element by element, broadcasting. Integers wrap.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AllOp : Mind_TypedOp<"all", [AlwaysSpeculatable]> {
  let summary = "True if all elements of `input` along `axes` are true; empty `axes` take all, to a scalar. True over nothing.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AllGatherOp : Mind_TypedOp<"all_gather", [Mind_AcrossRanks]> {
  let summary = "`result = [input_0 | input_1 | …]` along `dim`, from the ranks along `axis` in order, the same on each.";
  let description = [{
    With `invariant`, the result counts once: its cotangent is the same on all ranks, and not one of each to be added.
  }];
  let arguments = (ins Mind_Tensor:$input, StrAttr:$axis, I64Attr:$size, I64Attr:$dim, DefaultValuedAttr<BoolAttr, "false">:$invariant);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `size` `=` $size `,` `dim` `=` $dim (`,` `invariant` `=` $invariant^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AllReduceOp : Mind_TypedOp<"all_reduce", [Mind_AcrossRanks]> {
  let summary = "`result = Σ_r input_r` over the ranks along `axis`, the same on each; `kind` max and min take extremes.";
  let description = [{
    With `invariant`, the result counts once: its cotangent is the same on all ranks, and not one of each to be added.
    NaN on a rank is NaN in the result, whatever the kind.
  }];
  let arguments = (ins Mind_Tensor:$input, StrAttr:$axis, I64Attr:$size, DefaultValuedStrAttr<StrAttr, "sum">:$kind, DefaultValuedAttr<BoolAttr, "false">:$invariant);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `size` `=` $size `,` `kind` `=` $kind (`,` `invariant` `=` $invariant^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AllToAllOp : Mind_TypedOp<"all_to_all", [Mind_AcrossRanks]> {
  let summary = "`result_r = [part r of input_0 | part r of input_1 | …]`: parts along `split`, put together along `concat`.";
  let description = [{
    The ranks along `axis` cut `split` evenly (E8006). A value that was cut along `concat` is cut along `split` then.
  }];
  let arguments = (ins Mind_Tensor:$input, StrAttr:$axis, I64Attr:$size, I64Attr:$split, I64Attr:$concat);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `size` `=` $size `,` `split` `=` $split `,` `concat` `=` $concat attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AndOp : Mind_TypedOp<"and", [Commutative, AlwaysSpeculatable]> {
  let summary = "`lhs` and `rhs`, bit by bit, of integers or i1; broadcasting.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AnyOp : Mind_TypedOp<"any", [AlwaysSpeculatable]> {
  let summary = "True if any element of `input` along `axes` is true; empty `axes` take all, to a scalar. False over nothing.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ArgMaxOp : Mind_TypedOp<"arg_max", [AlwaysSpeculatable]> {
  let summary = "The position of the first largest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal.";
  let description = [{
    The axis stays as an extent of 1 with `keepdims`.
  }];
  let arguments = (ins Mind_Tensor:$input, I64Attr:$axis, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ArgMinOp : Mind_TypedOp<"arg_min", [AlwaysSpeculatable]> {
  let summary = "The position of the first smallest element along `axis`, as i64, or that of the first NaN. -0 and +0 are equal.";
  let description = [{
    The axis stays as an extent of 1 with `keepdims`.
  }];
  let arguments = (ins Mind_Tensor:$input, I64Attr:$axis, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ArgSortOp : Mind_TypedOp<"arg_sort", [AlwaysSpeculatable]> {
  let summary = "The i64 indices along `axis` of the elements in ascending order, or in descending order.";
  let description = [{
    Equal elements keep their order; a NaN is above every number.
  }];
  let arguments = (ins Mind_Tensor:$input, I64Attr:$axis, DefaultValuedAttr<BoolAttr, "false">:$descending);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis (`,` `descending` `=` $descending^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AsinOp : Mind_TypedOp<"asin", [AlwaysSpeculatable]> {
  let summary = "The angle in [-π/2, π/2] whose sine is the input. NaN outside of [-1, 1]; zeros keep their sign.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AsinhOp : Mind_TypedOp<"asinh", [AlwaysSpeculatable]> {
  let summary = "`asinh(input)`. Zeros keep their sign; ±inf and NaN stay.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AtanOp : Mind_TypedOp<"atan", [AlwaysSpeculatable]> {
  let summary = "The angle in [-π/2, π/2] whose tangent is the input. Zeros keep their sign, NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Atan2Op : Mind_TypedOp<"atan2", [AlwaysSpeculatable]> {
  let summary = "The angle in [-π, π] of the point with the coordinates `rhs` and `lhs`, in this order; broadcasting.";
  let description = [{
    Signs of zeros count: the angle is ±0 or ±π on the axis of `rhs`. NaN if either is NaN.
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_AtanhOp : Mind_TypedOp<"atanh", [AlwaysSpeculatable]> {
  let summary = "`atanh(input)`. ±inf at ±1, NaN beyond; zeros keep their sign, NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_BitCastOp : Mind_TypedOp<"bit_cast", [AlwaysSpeculatable]> {
  let summary = "The bits of `input` as elements of the type `to`, which is as wide.";
  let arguments = (ins Mind_Tensor:$input, TypeAttr:$to);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `to` `=` $to attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_BroadcastOp : Mind_TypedOp<"broadcast", [AlwaysSpeculatable]> {
  let summary = "`input` stretched to `shape`: leading axes are new, extents of 1 are repeated.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$shape);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `shape` `=` $shape attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CbrtOp : Mind_TypedOp<"cbrt", [AlwaysSpeculatable]> {
  let summary = "`∛input`, of negative numbers too. Zeros keep their sign; inf and NaN stay.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CeilOp : Mind_TypedOp<"ceil", [AlwaysSpeculatable]> {
  let summary = "The smallest integer that is not below `input`. Zeros keep their sign; inf and NaN stay.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ConcatenateOp : Mind_TypedOp<"concatenate", [AlwaysSpeculatable]> {
  let summary = "`parts`, one or more, one after the other along `axis`; their other extents are equal.";
  let arguments = (ins Variadic<Mind_Tensor>:$parts, I64Attr:$axis);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "`(` $parts `)` `,` `axis` `=` $axis attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ConstF32Op : Mind_TypedOp<"const_f32", [AlwaysSpeculatable]> {
  let summary = "The rank-0 f32 constant `value`.";
  let arguments = (ins F32Attr:$value);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "`value` `=` $value attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Mind_ConstF64Op : Mind_TypedOp<"const_f64", [AlwaysSpeculatable]> {
  let summary = "The rank-0 f64 constant `value`.";
  let arguments = (ins F64Attr:$value);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "`value` `=` $value attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Mind_ConstI64Op : Mind_TypedOp<"const_i64", [AlwaysSpeculatable]> {
  let summary = "The rank-0 i64 constant `value`.";
  let arguments = (ins I64Attr:$value);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "`value` `=` $value attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Mind_ConstTensorOp : Mind_TypedOp<"const_tensor", [AlwaysSpeculatable, ConstantLike]> {
  let summary = "The constant of `dtype` and `shape` whose elements, row-major, are `data`.";
  let description = [{
    Written as nested lists that match the shape, as `splat(x)` for one element everywhere, or as base64 of the
    little-endian elements.
  }];
  let arguments = (ins ElementsAttr:$data);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$data attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Mind_ConvOp : Mind_TypedOp<"conv", [AlwaysSpeculatable]> {
  let summary = "Convolution over any spatial axes, in any layout, strided, padded, dilated and in groups.";
  let description = [{
    `layout` names the axes of input, filter and result, such as `"NHWC, HWIO -> NHWC"`: N batch, C channels, I and O
    channels in and out of the filter, other letters spatial. All lists have a number for each spatial axis in the order
    of the filter; an empty one means 1 everywhere, for `low` and `high` 0. Along a spatial axis

        result[y] = Σ_(i, c) padded[y · stride + i · filter_dilation, c] · filter[i, c]

    where `padded` is the input with `input_dilation - 1` zeros between neighbours, `low` before and `high` after them,
    or elements removed if these are negative. With `reverse` i counts from the window's end. Sums run in ascending
    (i, c), spatial axes in the order of the filter. The channels of input and result form `groups`, each with filters
    of its own; with `batch_groups` the batch of the input does, and the channels of the result. With `element_type` the
    operands are converted to it before.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$filter, StrAttr:$layout, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strides, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$low, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$high, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$input_dilation, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$filter_dilation, DefaultValuedAttr<BoolAttr, "false">:$reverse, DefaultValuedAttr<I64Attr, "1">:$groups, DefaultValuedAttr<I64Attr, "1">:$batch_groups, OptionalAttr<TypeAttr>:$element_type);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $filter `,` `layout` `=` $layout `,` `strides` `=` $strides `,` `low` `=` $low `,` `high` `=` $high `,` `input_dilation` `=` $input_dilation `,` `filter_dilation` `=` $filter_dilation `,` `reverse` `=` $reverse `,` `groups` `=` $groups `,` `batch_groups` `=` $batch_groups (`,` `element_type` `=` $element_type^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Conv2dOp : Mind_TypedOp<"conv2d", [AlwaysSpeculatable]> {
  let summary = "`result[n, y, x, f] = Σ_(i, j, c) input[n, y·s + i - p, x·s + j - p, c] · filter[i, j, c, f]`, zeros outside.";
  let description = [{
    input: [N, H, W, C]   filter: [KH, KW, C, F]   result: [N, OH, OW, F]. The sum runs in ascending (i, j, c).
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$filter, DenseI64ArrayAttr:$strides, Mind_PaddingAttr:$padding);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $filter `,` `strides` `=` $strides `,` `padding` `=` custom<Padding>($padding) attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Conv2dBackwardFilterOp : Mind_TypedOp<"conv2d_backward_filter", [AlwaysSpeculatable]> {
  let summary = "`result[i, j, c, f] = Σ_(n, y, x) input[n, y·s + i - p, x·s + j - p, c] · cotangent[n, y, x, f]`, zeros outside.";
  let description = [{
    input: [N, H, W, C]   cotangent: [N, OH, OW, F], the shape that Conv2d gives for `filter_shape` [KH, KW, C, F]
    result: `filter_shape`. The sum runs in ascending (n, y, x).
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$cotangent, DenseI64ArrayAttr:$filter_shape, DenseI64ArrayAttr:$strides, Mind_PaddingAttr:$padding);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $cotangent `,` `filter_shape` `=` $filter_shape `,` `strides` `=` $strides `,` `padding` `=` custom<Padding>($padding) attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Conv2dBackwardInputOp : Mind_TypedOp<"conv2d_backward_input", [AlwaysSpeculatable]> {
  let summary = "`result[n, y'·s + i - p, x'·s + j - p, c] = Σ_(i, j, f) cotangent[n, y', x', f] · filter[i, j, c, f]`.";
  let description = [{
    cotangent: [N, OH, OW, F], the shape that Conv2d gives for `input_shape` [N, H, W, C]   filter: [KH, KW, C, F]
    result: `input_shape`. The sum runs in ascending (i, j, f), over those terms only whose y' and x' exist.
  }];
  let arguments = (ins Mind_Tensor:$cotangent, Mind_Tensor:$filter, DenseI64ArrayAttr:$input_shape, DenseI64ArrayAttr:$strides, Mind_PaddingAttr:$padding);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$cotangent `,` $filter `,` `input_shape` `=` $input_shape `,` `strides` `=` $strides `,` `padding` `=` custom<Padding>($padding) attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ConvertOp : Mind_TypedOp<"convert", [AlwaysSpeculatable]> {
  let summary = "`input` with elements of the type `to`.";
  let description = [{
    Floats are rounded to nearest even, to 16 bits by way of f32; integers wrap; i1 is 0 or 1, and what is not 0 becomes
    true. Of a float, an integer is its part toward zero, or the nearest one that there is, and 0 for NaN.
  }];
  let arguments = (ins Mind_Tensor:$input, TypeAttr:$to);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `to` `=` $to attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CosOp : Mind_TypedOp<"cos", [AlwaysSpeculatable]> {
  let summary = "`cos(input)`, of radians. NaN at ±inf and NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CoshOp : Mind_TypedOp<"cosh", [AlwaysSpeculatable]> {
  let summary = "`cosh(input)`. inf at ±inf, and where it overflows; NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CumMaxOp : Mind_TypedOp<"cum_max", [AlwaysSpeculatable]> {
  let summary = "The largest of each element and all before it along `axis`, or all after it with `reverse`.";
  let description = [{
    NaN wins, and -0 is below +0.
  }];
  let arguments = (ins Mind_Tensor:$input, I64Attr:$axis, BoolAttr:$reverse);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `reverse` `=` $reverse attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CumMinOp : Mind_TypedOp<"cum_min", [AlwaysSpeculatable]> {
  let summary = "The smallest of each element and all before it along `axis`, or all after it with `reverse`.";
  let description = [{
    NaN wins, and -0 is below +0.
  }];
  let arguments = (ins Mind_Tensor:$input, I64Attr:$axis, BoolAttr:$reverse);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `reverse` `=` $reverse attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CumProdOp : Mind_TypedOp<"cum_prod", [AlwaysSpeculatable]> {
  let summary = "The product of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap.";
  let arguments = (ins Mind_Tensor:$input, I64Attr:$axis, BoolAttr:$reverse);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `reverse` `=` $reverse attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_CumSumOp : Mind_TypedOp<"cum_sum", [AlwaysSpeculatable]> {
  let summary = "The sum of each element and all before it along `axis`, or all after it with `reverse`. Integers wrap.";
  let arguments = (ins Mind_Tensor:$input, I64Attr:$axis, BoolAttr:$reverse);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `reverse` `=` $reverse attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_DigammaOp : Mind_TypedOp<"digamma", [AlwaysSpeculatable]> {
  let summary = "`ψ(input)`, the derivative of the logarithm of the gamma function. NaN at 0, -1, -2, …, -inf and NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_DivOp : Mind_TypedOp<"div", [AlwaysSpeculatable]> {
  let summary = "`lhs / rhs`, element by element, broadcasting.";
  let description = [{
    Integers truncate toward zero; x / 0 has all bits set, and the smallest integer divided by -1 is itself.
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_DotOp : Mind_TypedOp<"dot", [AlwaysSpeculatable]> {
  let summary = "Sum of products over the last axis of `lhs` and the first of `rhs`, each of rank 1 or 2.";
  let description = [{
    [n]·[n] → []    [m, n]·[n] → [m]    [m]·[m, n] → [n]    [m, k]·[k, n] → [m, n]
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_DotGeneralOp : Mind_TypedOp<"dot_general", [AlwaysSpeculatable]> {
  let summary = "`result[b…, i…, j…] = Σ_(k…) lhs[b, i, k] · rhs[b, k, j]`, the dimensions of each operand in any order.";
  let description = [{
    `lhs_batch[n]` and `rhs_batch[n]` are one dimension b of both, `lhs_contract[n]` and `rhs_contract[n]` one k. The
    result has the batches as they are listed, then what is left of lhs, then of rhs. The sum runs in ascending (k…),
    the first one outermost; without any k there is no sum, but a product.
    With `element_type` the operands are converted to it before.
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$lhs_batch, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$rhs_batch, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$lhs_contract, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$rhs_contract, OptionalAttr<TypeAttr>:$element_type);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs `,` `lhs_batch` `=` $lhs_batch `,` `rhs_batch` `=` $rhs_batch `,` `lhs_contract` `=` $lhs_contract `,` `rhs_contract` `=` $rhs_contract (`,` `element_type` `=` $element_type^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_DynamicSliceOp : Mind_TypedOp<"dynamic_slice", [AlwaysSpeculatable]> {
  let summary = "`sizes` elements of `input` from `starts` on: an integer scalar for each axis.";
  let description = [{
    A start from which the slice does not fit counts as the nearest one from which it does.
  }];
  let arguments = (ins Mind_Tensor:$input, Variadic<Mind_Tensor>:$starts, DenseI64ArrayAttr:$sizes);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `(` $starts `)` `,` `sizes` `=` $sizes attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_DynamicUpdateSliceOp : Mind_TypedOp<"dynamic_update_slice", [AlwaysSpeculatable]> {
  let summary = "`input`, with `update` instead of its elements from `starts` on: an integer scalar for each axis.";
  let description = [{
    A start from which the update does not fit counts as the nearest one from which it does.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$update, Variadic<Mind_Tensor>:$starts);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $update `,` `(` $starts `)` attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_EqualOp : Mind_TypedOp<"equal", [Commutative, AlwaysSpeculatable]> {
  let summary = "`lhs == rhs`, element by element, as i1; broadcasting. False where either is NaN; -0.0 equals 0.0.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ErfOp : Mind_TypedOp<"erf", [AlwaysSpeculatable]> {
  let summary = "`2/√π · ∫ e^(-t²) dt` from 0 to the input. ±1 at ±inf; zeros keep their sign, NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ErfInvOp : Mind_TypedOp<"erf_inv", [AlwaysSpeculatable]> {
  let summary = "The number whose error function is the input. ±inf at ±1, NaN outside; zeros keep their sign.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ErfcOp : Mind_TypedOp<"erfc", [AlwaysSpeculatable]> {
  let summary = "`1 - erf(input)`, with all digits for large inputs. 0 at inf, 2 at -inf; NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ExpOp : Mind_TypedOp<"exp", [AlwaysSpeculatable]> {
  let summary = "`e^input`. Overflows to inf, underflows to subnormals and 0; NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ExpandDimsOp : Mind_TypedOp<"expand_dims", [AlwaysSpeculatable]> {
  let summary = "Insert axes of extent 1, so that `axes` are their positions in the result.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Expm1Op : Mind_TypedOp<"expm1", [AlwaysSpeculatable]> {
  let summary = "`e^input - 1`. Overflows to inf; -1 at -inf; zeros keep their sign, NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_FloorOp : Mind_TypedOp<"floor", [AlwaysSpeculatable]> {
  let summary = "The largest integer that is not above `input`. Zeros keep their sign; inf and NaN stay.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_GatherOp : Mind_TypedOp<"gather", []> {
  let summary = "`result[i…, d…] = input[indices[i…], d…]`: rows of `input` along its first axis.";
  let description = [{
    An index below 0 or beyond the extent is E6001, from native code too. As an extension, `oob = "clip"` takes the
    nearest row instead, and `oob = "fill"` a row of zeros.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, DefaultValuedStrAttr<StrAttr, "error">:$oob);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices (`,` `oob` `=` $oob^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_GatherSlicesOp : Mind_TypedOp<"gather_slices", []> {
  let summary = "The slices of `input` that begin at index vectors: `result[i…, d…] = input[indices[i…] along axes, d…]`.";
  let description = [{
    With `sizes = []` a slice is one element along `axes`, which the result does not have; else it has `sizes[k]`
    elements along `axes[k]`. `batch_axes[n]` of `input` runs along with axis n of `indices`. Other axes are whole. A
    slice that does not fit is E6001; `oob = "clip"` takes the nearest one that does, `oob = "fill"` zeros.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$batch_axes, DenseI64ArrayAttr:$sizes, DefaultValuedStrAttr<StrAttr, "error">:$oob);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `,` `axes` `=` $axes `,` `batch_axes` `=` $batch_axes `,` `sizes` `=` $sizes (`,` `oob` `=` $oob^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_GreaterOp : Mind_TypedOp<"greater", [AlwaysSpeculatable]> {
  let summary = "`lhs > rhs`, element by element, as i1; broadcasting. False where either is NaN.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_GreaterEqualOp : Mind_TypedOp<"greater_equal", [AlwaysSpeculatable]> {
  let summary = "`lhs >= rhs`, element by element, as i1; broadcasting. False where either is NaN.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_IndexOp : Mind_TypedOp<"index", []> {
  let summary = "The element at `indices`, a scalar. Negative indices count from the end; out of range is E6001 before a run.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$indices);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `indices` `=` $indices attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_IotaOp : Mind_TypedOp<"iota", [AlwaysSpeculatable]> {
  let summary = "`result[…, i, …] = i` along `axis`: a constant that takes no memory where what uses it is one loop with it.";
  let description = [{
    Integers wrap around, floats are rounded once.
  }];
  let arguments = (ins DenseI64ArrayAttr:$shape, I64Attr:$axis, TypeAttr:$dtype);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "`shape` `=` $shape `,` `axis` `=` $axis `,` `dtype` `=` $dtype attr-dict `:` type($result)";
  let hasFolder = 1;
}

def Mind_IsFiniteOp : Mind_TypedOp<"is_finite", [AlwaysSpeculatable]> {
  let summary = "True where `input` is neither an infinity nor NaN, as i1.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_LessOp : Mind_TypedOp<"less", [AlwaysSpeculatable]> {
  let summary = "`lhs < rhs`, element by element, as i1; broadcasting. False where either is NaN; false is less than true.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_LessEqualOp : Mind_TypedOp<"less_equal", [AlwaysSpeculatable]> {
  let summary = "`lhs <= rhs`, element by element, as i1; broadcasting. False where either is NaN.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_LogOp : Mind_TypedOp<"log", [AlwaysSpeculatable]> {
  let summary = "`ln(input)`. -inf at ±0, NaN below 0; NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Log10Op : Mind_TypedOp<"log10", [AlwaysSpeculatable]> {
  let summary = "The logarithm of `input` to base 10. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 10.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Log1pOp : Mind_TypedOp<"log1p", [AlwaysSpeculatable]> {
  let summary = "`ln(1 + input)`. -inf at -1, NaN below; zeros keep their sign, inf and NaN stay.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_Log2Op : Mind_TypedOp<"log2", [AlwaysSpeculatable]> {
  let summary = "The logarithm of `input` to base 2. -inf at ±0, NaN below 0; NaN stays NaN. Exact for powers of 2.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_LogGammaOp : Mind_TypedOp<"log_gamma", [AlwaysSpeculatable]> {
  let summary = "`ln |Γ(input)|`. inf at 0, -1, -2, … and at ±inf; NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_LogisticOp : Mind_TypedOp<"logistic", [AlwaysSpeculatable]> {
  let summary = "`1 / (1 + e^-input)`. 0 at -inf and 1 at inf; NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_MatMulOp : Mind_TypedOp<"matmul", [AlwaysSpeculatable]> {
  let summary = "`result[…, i, j] = Σ_k lhs[…, i, k] · rhs[…, k, j]`; leading batch axes broadcast.";
  let description = [{
    lhs: […A, M, K]   rhs: […B, K, N]   result: […broadcast(A, B), M, N], dtype kept; zeros where K is 0.
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_MaxOp : Mind_TypedOp<"max", [AlwaysSpeculatable]> {
  let summary = "The largest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0.";
  let description = [{
    Over nothing -inf, or the smallest integer.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_MaximumOp : Mind_TypedOp<"maximum", [Commutative, AlwaysSpeculatable]> {
  let summary = "The larger one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_MeanOp : Mind_TypedOp<"mean", [AlwaysSpeculatable]> {
  let summary = "Sum of `input` along `axes`, divided by the number of elements summed, not of axes. NaN over nothing.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_MinOp : Mind_TypedOp<"min", [AlwaysSpeculatable]> {
  let summary = "The smallest element along `axes`; empty `axes` take all, to a scalar. NaN wins, and -0 is below +0.";
  let description = [{
    Over nothing inf, or the largest integer.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_MinimumOp : Mind_TypedOp<"minimum", [Commutative, AlwaysSpeculatable]> {
  let summary = "The smaller one of `lhs` and `rhs`, element by element, broadcasting. NaN if either is; -0 is below +0.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_MulOp : Mind_TypedOp<"mul", [Commutative, AlwaysSpeculatable]> {
  let summary = "`lhs · rhs`, element by element, broadcasting. Integers wrap.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_NegOp : Mind_TypedOp<"neg", [AlwaysSpeculatable]> {
  let summary = "`-input`. Flips the sign of zeros and NaNs too; the smallest integer is its own negative.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_NotOp : Mind_TypedOp<"not", [AlwaysSpeculatable]> {
  let summary = "Every bit of `input` inverted, of integers or i1.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_NotEqualOp : Mind_TypedOp<"not_equal", [Commutative, AlwaysSpeculatable]> {
  let summary = "`lhs != rhs`, element by element, as i1; broadcasting. True where either is NaN.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_OrOp : Mind_TypedOp<"or", [Commutative, AlwaysSpeculatable]> {
  let summary = "`lhs` or `rhs` or both, bit by bit, of integers or i1; broadcasting.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_PVaryOp : Mind_TypedOp<"pvary", [Mind_AcrossRanks]> {
  let summary = "`input`, the same on all ranks along `axis`, and now counted once for each rank; nothing is sent.";
  let arguments = (ins Mind_Tensor:$input, StrAttr:$axis, I64Attr:$size);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `size` `=` $size attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_PadOp : Mind_TypedOp<"pad", [AlwaysSpeculatable]> {
  let summary = "`low[i]` zeros before, `high[i]` after, and `interior[i]` between neighbours, along every axis i.";
  let description = [{
    An axis of extent n gets extent `low + n + (n - 1) · interior + high`, where n - 1 is 0 for n = 0. A negative `low`
    or `high` removes that many, elements and zeros between them. PadWith takes another number than 0.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `low` `=` $low `,` `high` `=` $high `,` `interior` `=` $interior attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_PadWithOp : Mind_TypedOp<"pad_with", [AlwaysSpeculatable]> {
  let summary = "`low[i]` copies of `value` before, `high[i]` after, and `interior[i]` between neighbours, along every axis i.";
  let description = [{
    `value` is a scalar. Extents, and what negative numbers mean, are as for Pad.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$value, DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high, DenseI64ArrayAttr:$interior);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $value `,` `low` `=` $low `,` `high` `=` $high `,` `interior` `=` $interior attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_PolygammaOp : Mind_TypedOp<"polygamma", [AlwaysSpeculatable]> {
  let summary = "The derivative of Digamma of an `order`. At 0, -1, -2, … and -inf it is inf, or NaN if the order is even.";
  let arguments = (ins Mind_Tensor:$input, I64Attr:$order);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `order` `=` $order attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_PopCountOp : Mind_TypedOp<"pop_count", [AlwaysSpeculatable]> {
  let summary = "How many bits of `input` are 1, in its own dtype.";
  let description = [{
    Pairs of bits are added, then pairs of those sums, then all bytes. Warren, Hacker's Delight, 5-1.
  }];
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_PowOp : Mind_TypedOp<"pow", [AlwaysSpeculatable]> {
  let summary = "`lhs` to the power of `rhs`, element by element, broadcasting; floats only.";
  let description = [{
    x^0 and 1^y are 1, NaN or not. A negative x has the value of |x|, negative for an odd y, and NaN for one that is not
    integral.
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ProdOp : Mind_TypedOp<"prod", [AlwaysSpeculatable]> {
  let summary = "Product of `input` along `axes`; empty `axes` take all, to a scalar. 1 over nothing; integers wrap.";
  let description = [{
    Elements are multiplied one after the other, in row-major order.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ReciprocalOp : Mind_TypedOp<"reciprocal", [AlwaysSpeculatable]> {
  let summary = "`1 / input`, rounded once. ±inf at ±0, ±0 at ±inf.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ReduceScatterOp : Mind_TypedOp<"reduce_scatter", [Mind_AcrossRanks]> {
  let summary = "`result_r = part r of Σ_s input_s` along `dim`, for the ranks along `axis`, which cut it evenly (E8006).";
  let arguments = (ins Mind_Tensor:$input, StrAttr:$axis, I64Attr:$size, I64Attr:$dim);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `size` `=` $size `,` `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ReluOp : Mind_TypedOp<"relu", [AlwaysSpeculatable]> {
  let summary = "`x if x > 0 else 0`, literally: NaN gives 0, and -0.0 gives +0.0.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_RemainderOp : Mind_TypedOp<"remainder", [AlwaysSpeculatable]> {
  let summary = "What is left of `lhs` after whole `rhs`, element by element, broadcasting; it has the sign of `rhs`.";
  let description = [{
    Exact, but for one rounding where the signs differ. A remainder modulo 0 is 0 for integers, NaN for floats.
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ReshapeOp : Mind_TypedOp<"reshape", [AlwaysSpeculatable]> {
  let summary = "The same elements in row-major order under `new_shape`; one entry may be -1 and is worked out.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$new_shape);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `new_shape` `=` $new_shape attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ReshardOp : Mind_TypedOp<"reshard", [AlwaysSpeculatable]> {
  let summary = "`input` with the sharding `to`. The value is the same.";
  let description = [{
    It occurs in modules in global view; `partition` replaces it by the operations that send data between ranks. Without
    a mesh it does nothing, so one machine runs the same module.
  }];
  let arguments = (ins Mind_Tensor:$input, StrAttr:$to);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `to` `=` $to attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ReverseOp : Mind_TypedOp<"reverse", [AlwaysSpeculatable]> {
  let summary = "The elements in the opposite order along every axis in `axes`; none for `axes = []`.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_RoundOp : Mind_TypedOp<"round", [AlwaysSpeculatable]> {
  let summary = "The integer nearest to `input`; of two, the even one. Zeros keep their sign; inf and NaN stay.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_RsqrtOp : Mind_TypedOp<"rsqrt", [AlwaysSpeculatable]> {
  let summary = "`1 / √input`. ±inf at ±0, NaN below 0, 0 at inf.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ScatterAddOp : Mind_TypedOp<"scatter_add", []> {
  let summary = "`input`, with `updates[i…, d…]` added to `result[indices[i…], d…]`: rows added along the first axis.";
  let description = [{
    Updates of one row are added one after the other, in row-major order of `indices`. An index below 0 or beyond the
    extent is E6001, from native code too; `oob = "clip"` adds to the nearest row instead, `oob = "fill"` adds nothing.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, Mind_Tensor:$updates, DefaultValuedStrAttr<StrAttr, "error">:$oob);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `,` $updates (`,` `oob` `=` $oob^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ScatterAddSlicesOp : Mind_TypedOp<"scatter_add_slices", []> {
  let summary = "`input`, with `updates` added to the slices that GatherSlices with the same attributes takes.";
  let description = [{
    Updates of one element are added one after the other, in row-major order. A slice that does not fit is E6001; `oob =
    "clip"` takes the nearest one that does, `oob = "fill"` drops its updates.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, Mind_Tensor:$updates, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$batch_axes, DenseI64ArrayAttr:$sizes, DefaultValuedStrAttr<StrAttr, "error">:$oob);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `,` $updates `,` `axes` `=` $axes `,` `batch_axes` `=` $batch_axes `,` `sizes` `=` $sizes (`,` `oob` `=` $oob^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ScatterMaxSlicesOp : Mind_TypedOp<"scatter_max_slices", []> {
  let summary = "`input`, with each element of the slices that GatherSlices takes the largest of it and its updates.";
  let description = [{
    A NaN wins; -0 is below +0. A slice that does not fit is E6001; `oob = "clip"` takes the nearest one that does,
    `oob = "fill"` drops its updates.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, Mind_Tensor:$updates, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$batch_axes, DenseI64ArrayAttr:$sizes, DefaultValuedStrAttr<StrAttr, "error">:$oob);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `,` $updates `,` `axes` `=` $axes `,` `batch_axes` `=` $batch_axes `,` `sizes` `=` $sizes (`,` `oob` `=` $oob^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ScatterMinSlicesOp : Mind_TypedOp<"scatter_min_slices", []> {
  let summary = "`input`, with each element of the slices that GatherSlices takes the smallest of it and its updates.";
  let description = [{
    A NaN wins; -0 is below +0. A slice that does not fit is E6001; `oob = "clip"` takes the nearest one that does,
    `oob = "fill"` drops its updates.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, Mind_Tensor:$updates, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$batch_axes, DenseI64ArrayAttr:$sizes, DefaultValuedStrAttr<StrAttr, "error">:$oob);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `,` $updates `,` `axes` `=` $axes `,` `batch_axes` `=` $batch_axes `,` `sizes` `=` $sizes (`,` `oob` `=` $oob^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ScatterSlicesOp : Mind_TypedOp<"scatter_slices", []> {
  let summary = "`input`, with `updates` instead of the slices that GatherSlices with the same attributes takes.";
  let description = [{
    Of several updates of one element the last in row-major order stays. A slice that does not fit is E6001; `oob =
    "clip"` takes the nearest one that does, `oob = "fill"` drops its updates.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, Mind_Tensor:$updates, DenseI64ArrayAttr:$axes, DenseI64ArrayAttr:$batch_axes, DenseI64ArrayAttr:$sizes, DefaultValuedStrAttr<StrAttr, "error">:$oob);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `,` $updates `,` `axes` `=` $axes `,` `batch_axes` `=` $batch_axes `,` `sizes` `=` $sizes (`,` `oob` `=` $oob^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SelectOp : Mind_TypedOp<"select", [AlwaysSpeculatable]> {
  let summary = "`lhs` where `condition` is true, else `rhs`; broadcasting. What is not chosen has no influence, NaN or not.";
  let arguments = (ins Mind_Tensor:$condition, Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$condition `,` $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ShardSliceOp : Mind_TypedOp<"shard_slice", [Mind_AcrossRanks]> {
  let summary = "`result_r = part r of input` along `dim`; nothing is sent. The ranks along `axis` cut it evenly (E8006).";
  let description = [{
    The operand is the same on all ranks, and counts once.
  }];
  let arguments = (ins Mind_Tensor:$input, StrAttr:$axis, I64Attr:$size, I64Attr:$dim);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axis` `=` $axis `,` `size` `=` $size `,` `dim` `=` $dim attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ShiftLeftOp : Mind_TypedOp<"shift_left", [AlwaysSpeculatable]> {
  let summary = "`lhs` shifted left by `rhs` bits; 0 where that is the width or more, or below 0. Broadcasting.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ShiftRightArithmeticOp : Mind_TypedOp<"shift_right_arithmetic", [AlwaysSpeculatable]> {
  let summary = "`lhs` shifted right by `rhs` bits, its first bit repeated from the left, signed or not.";
  let description = [{
    By the width or more, or below 0, every bit is the first one.
  }];
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_ShiftRightLogicalOp : Mind_TypedOp<"shift_right_logical", [AlwaysSpeculatable]> {
  let summary = "`lhs` shifted right by `rhs` bits, zeros from the left; 0 where that is the width or more, or below 0.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SignOp : Mind_TypedOp<"sign", [AlwaysSpeculatable]> {
  let summary = "1 where `input > 0`, -1 where `input < 0`; zeros and NaN stay. Of integers too.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SinOp : Mind_TypedOp<"sin", [AlwaysSpeculatable]> {
  let summary = "`sin(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SinhOp : Mind_TypedOp<"sinh", [AlwaysSpeculatable]> {
  let summary = "`sinh(input)`. ±inf at ±inf, and where it overflows; zeros keep their sign, NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SliceOp : Mind_TypedOp<"slice", [AlwaysSpeculatable]> {
  let summary = "Elements `starts[i]`, `starts[i] + steps[i]`, … before `ends[i]` along every axis i.";
  let description = [{
    Negative starts and ends count from the end; an empty range gives extent 0.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$starts, DenseI64ArrayAttr:$ends, DenseI64ArrayAttr:$steps);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `starts` `=` $starts `,` `ends` `=` $ends `,` `steps` `=` $steps attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SortOp : Mind_TypedOp<"sort", [AlwaysSpeculatable]> {
  let summary = "The elements of the first of `parts` in ascending order along `axis`, and those of the others moved with them.";
  let description = [{
    With `descending`, in descending order. Equal elements keep their order; a NaN is above every number.
  }];
  let arguments = (ins Variadic<Mind_Tensor>:$parts, I64Attr:$axis, DefaultValuedAttr<BoolAttr, "false">:$descending);
  let results = (outs Variadic<Mind_Tensor>:$sorted);
  let assemblyFormat = "`(` $parts `)` `,` `axis` `=` $axis (`,` `descending` `=` $descending^)? attr-dict `:` functional-type(operands, results)";
}

def Mind_SqrtOp : Mind_TypedOp<"sqrt", [AlwaysSpeculatable]> {
  let summary = "`√input`, rounded once. NaN below 0; -0.0 gives -0.0.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SqueezeOp : Mind_TypedOp<"squeeze", [AlwaysSpeculatable]> {
  let summary = "Remove `axes`, each of extent 1. Empty `axes` removes nothing.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_StopGradientOp : Mind_TypedOp<"stop_gradient", [AlwaysSpeculatable]> {
  let summary = "`input`, as a constant for derivatives.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SubOp : Mind_TypedOp<"sub", [AlwaysSpeculatable]> {
  let summary = "`lhs - rhs`, element by element, broadcasting. Integers wrap.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_SumOp : Mind_TypedOp<"sum", [AlwaysSpeculatable]> {
  let summary = "Sum of `input` along `axes`; empty `axes` sums everything to a scalar. 0 over nothing; integers wrap.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keepdims);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `axes` `=` $axes `,` `keepdims` `=` $keepdims attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_TanOp : Mind_TypedOp<"tan", [AlwaysSpeculatable]> {
  let summary = "`tan(input)`, of radians. NaN at ±inf and NaN; zeros keep their sign.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_TanhOp : Mind_TypedOp<"tanh", [AlwaysSpeculatable]> {
  let summary = "`tanh(input)`. ±1 at ±inf; zeros keep their sign, NaN stays NaN.";
  let arguments = (ins Mind_Tensor:$input);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_TopKOp : Mind_TypedOp<"top_k", [AlwaysSpeculatable]> {
  let summary = "The `k` largest elements along the last axis, the largest first, and their i64 indices.";
  let description = [{
    Of equal elements the one with the lower index comes first; a NaN is above every number.
  }];
  let arguments = (ins Mind_Tensor:$input, I64Attr:$k);
  let results = (outs Mind_Tensor:$values, Mind_Tensor:$indices);
  let assemblyFormat = "$input `,` `k` `=` $k attr-dict `:` functional-type(operands, results)";
}

def Mind_TransposeOp : Mind_TypedOp<"transpose", [AlwaysSpeculatable]> {
  let summary = "`result.shape[i] = input.shape[permutation[i]]`.";
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `permutation` `=` $permutation attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_WindowArgMaxOp : Mind_TypedOp<"window_arg_max", [AlwaysSpeculatable]> {
  let summary = "The position in its window of the first largest element, counted in row-major order, as i32. NaN wins.";
  let description = [{
    Windows are as in WindowMax. -0 and +0 are equal here.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$low, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$high, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilation);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `window` `=` $window `,` `strides` `=` $strides `,` `low` `=` $low `,` `high` `=` $high (`,` `dilation` `=` $dilation^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_WindowGatherOp : Mind_TypedOp<"window_gather", [AlwaysSpeculatable]> {
  let summary = "The element of each window over `input` at its position `indices`, as WindowArgMax counts. 0 in the padding.";
  let description = [{
    Windows are as in WindowMax. A position outside of the window is taken to be the nearest one in it.
  }];
  let arguments = (ins Mind_Tensor:$input, Mind_Tensor:$indices, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$low, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$high, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilation);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` $indices `,` `window` `=` $window `,` `strides` `=` $strides `,` `low` `=` $low `,` `high` `=` $high (`,` `dilation` `=` $dilation^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_WindowMaxOp : Mind_TypedOp<"window_max", [AlwaysSpeculatable]> {
  let summary = "The largest element of each window over `input`. NaN wins, -0 is below +0, and padding is below all.";
  let description = [{
    Windows have `window` elements along each axis, `dilation` apart, and begin `strides` apart; `low` and `high`
    elements of padding are before and after each axis. Left out, there is no padding, and windows have no gaps.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$low, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$high, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilation);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `window` `=` $window `,` `strides` `=` $strides `,` `low` `=` $low `,` `high` `=` $high (`,` `dilation` `=` $dilation^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_WindowScatterAddOp : Mind_TypedOp<"window_scatter_add", [AlwaysSpeculatable]> {
  let summary = "Zeros of `shape`, with `updates` added to the element of each window at its position `indices`.";
  let description = [{
    Windows are as in WindowMax; what falls into the padding is dropped. A position outside of the window is taken to be
    the nearest one in it. Updates of one element are added in the row-major order of their windows.
  }];
  let arguments = (ins Mind_Tensor:$updates, Mind_Tensor:$indices, DenseI64ArrayAttr:$shape, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$low, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$high, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilation);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$updates `,` $indices `,` `shape` `=` $shape `,` `window` `=` $window `,` `strides` `=` $strides `,` `low` `=` $low `,` `high` `=` $high (`,` `dilation` `=` $dilation^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_WindowSumOp : Mind_TypedOp<"window_sum", [AlwaysSpeculatable]> {
  let summary = "The sum of the elements of each window over `input`, where padding is zeros. Integers wrap.";
  let description = [{
    Windows are as in WindowMax. The order of additions is in docs/semantics.md, Windows.
  }];
  let arguments = (ins Mind_Tensor:$input, DenseI64ArrayAttr:$window, DenseI64ArrayAttr:$strides, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$low, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$high, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$dilation);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$input `,` `window` `=` $window `,` `strides` `=` $strides `,` `low` `=` $low `,` `high` `=` $high (`,` `dilation` `=` $dilation^)? attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Mind_XorOp : Mind_TypedOp<"xor", [Commutative, AlwaysSpeculatable]> {
  let summary = "`lhs` or `rhs`, not both, bit by bit, of integers or i1; broadcasting.";
  let arguments = (ins Mind_Tensor:$lhs, Mind_Tensor:$rhs);
  let results = (outs Mind_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

#endif // MIND_OPS_TD
