// written by scripts/gen_dialect.py from the op classes; do not edit

#include "Rules.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::mind;

static Object rules_float_only(Rule &rule, Args args);
static Object rules_numbers_only(Rule &rule, Args args);
static Object Abs_infer_type(Rule &rule, Args args);
static Object Abs_fold(Rule &rule, Args args);
static Object Abs_lower(Rule &rule, Args args);
static Object Acos_infer_type(Rule &rule, Args args);
static Object Acos_lower_by_name(Rule &rule, Args args);
static Object Acosh_infer_type(Rule &rule, Args args);
static Object logarithm_split(Rule &rule, Args args);
static Object pairs_error_of_sum(Rule &rule, Args args);
static Object logarithm_summed(Rule &rule, Args args);
static Object logarithm_logarithm_of_one_more(Rule &rule, Args args);
static Object Acosh_formula(Rule &rule, Args args);
static Object Acosh_lower(Rule &rule, Args args);
static Object rules_same_dtype(Rule &rule, Args args);
static Object rules_same_numbers(Rule &rule, Args args);
static Object rules_broadcast(Rule &rule, Args args);
static Object Add_infer_type(Rule &rule, Args args);
static Object Add_lower(Rule &rule, Args args);
static Object rules_normal_axes(Rule &rule, Args args);
static Object All_reduced(Rule &rule, Args args);
static Object All_left(Rule &rule, Args args);
static Object All_infer_type(Rule &rule, Args args);
static Object All_canonical(Rule &rule, Args args);
static Object All_fold(Rule &rule, Args args);
static Object All_lower(Rule &rule, Args args);
static Object AllGather_check_size(Rule &rule, Args args);
static Object AllGather_check_dim(Rule &rule, Args args);
static Object rules_check_extents(Rule &rule, Args args);
static Object AllGather_infer_type(Rule &rule, Args args);
static Object AllGather_fold(Rule &rule, Args args);
static Object AllGather_lower(Rule &rule, Args args);
static Object AllReduce_check_size(Rule &rule, Args args);
static Object AllReduce_infer_type(Rule &rule, Args args);
static Object AllReduce_fold(Rule &rule, Args args);
static Object all_reduce_first_bit_flipped(Rule &rule, Args args);
static Object AllReduce_lower(Rule &rule, Args args);
static Object AllToAll_check_size(Rule &rule, Args args);
static Object AllToAll_check_dim(Rule &rule, Args args);
static Object AllToAll_part(Rule &rule, Args args);
static Object AllToAll_infer_type(Rule &rule, Args args);
static Object AllToAll_fold(Rule &rule, Args args);
static Object AllToAll_lower(Rule &rule, Args args);
static Object rules_no_float(Rule &rule, Args args);
static Object And_infer_type(Rule &rule, Args args);
static Object And_lower(Rule &rule, Args args);
static Object Any_reduced(Rule &rule, Args args);
static Object Any_left(Rule &rule, Args args);
static Object Any_infer_type(Rule &rule, Args args);
static Object Any_canonical(Rule &rule, Args args);
static Object Any_fold(Rule &rule, Args args);
static Object Any_lower(Rule &rule, Args args);
static Object along_axis_check_axis(Rule &rule, Args args);
static Object ArgMax_infer_type(Rule &rule, Args args);
static Object ArgMax_lower(Rule &rule, Args args);
static Object ArgMin_infer_type(Rule &rule, Args args);
static Object ArgMin_lower(Rule &rule, Args args);
static Object rules_one_axis(Rule &rule, Args args);
static Object order_check_axis(Rule &rule, Args args);
static Object ArgSort_infer_type(Rule &rule, Args args);
static Object Asin_infer_type(Rule &rule, Args args);
static Object Asin_lower_by_name(Rule &rule, Args args);
static Object Asinh_infer_type(Rule &rule, Args args);
static Object Asinh_formula(Rule &rule, Args args);
static Object Asinh_lower(Rule &rule, Args args);
static Object Atan_infer_type(Rule &rule, Args args);
static Object Atan_lower_by_name(Rule &rule, Args args);
static Object Atan2_infer_type_of_base(Rule &rule, Args args);
static Object Atan2_infer_type(Rule &rule, Args args);
static Object Atan2_lower_by_name(Rule &rule, Args args);
static Object Atanh_infer_type(Rule &rule, Args args);
static Object Atanh_formula(Rule &rule, Args args);
static Object Atanh_lower(Rule &rule, Args args);
static Object BitCast_infer_type(Rule &rule, Args args);
static Object BitCast_fold(Rule &rule, Args args);
static Object BitCast_lower(Rule &rule, Args args);
static Object Broadcast_infer_type(Rule &rule, Args args);
static Object Broadcast_lower(Rule &rule, Args args);
static Object Cbrt_infer_type(Rule &rule, Args args);
static Object Cbrt_formula(Rule &rule, Args args);
static Object Cbrt_lower(Rule &rule, Args args);
static Object Ceil_infer_type(Rule &rule, Args args);
static Object Ceil_fold(Rule &rule, Args args);
static Object Ceil_formula(Rule &rule, Args args);
static Object Ceil_lower(Rule &rule, Args args);
static Object Concatenate_infer_type(Rule &rule, Args args);
static Object Concatenate_lower(Rule &rule, Args args);
static Object ConstF32_infer_type(Rule &rule, Args args);
static Object ConstF32_lower(Rule &rule, Args args);
static Object ConstF64_infer_type(Rule &rule, Args args);
static Object ConstF64_lower(Rule &rule, Args args);
static Object ConstI64_infer_type(Rule &rule, Args args);
static Object ConstI64_lower(Rule &rule, Args args);
static Object ConstTensor_infer_type(Rule &rule, Args args);
static Object ConstTensor_lower(Rule &rule, Args args);
static Object mixed_has_all(Rule &rule, Args args);
static Object mixed_product_dtype(Rule &rule, Args args);
static Object conv_axes_layout_terms(Rule &rule, Args args);
static Object Conv_check_groups(Rule &rule, Args args);
static Object Conv_spatial(Rule &rule, Args args);
static Object Conv_full(Rule &rule, Args args);
static Object conv_axes_outputs(Rule &rule, Args args);
static Object conv_axes_dilated(Rule &rule, Args args);
static Object Conv_infer_type(Rule &rule, Args args);
static Object conv_axes_layout_text(Rule &rule, Args args);
static Object conv_unless(Rule &rule, Args args);
static Object Conv_canonical(Rule &rule, Args args);
static Object mixed_lowered_in(Rule &rule, Args args);
static Object conv_loops_in_vectors(Rule &rule, Args args);
static Object conv_loops_turned(Rule &rule, Args args);
static Object conv_phases_apart(Rule &rule, Args args);
static Object conv_loops_grouped(Rule &rule, Args args);
static Object conv_loops_loops_on_axes(Rule &rule, Args args);
static Object conv_loops_of(Rule &rule, Args args);
static Object conv_loops_split_shape(Rule &rule, Args args);
static Object conv_loops_split(Rule &rule, Args args);
static Object conv_loops_padded(Rule &rule, Args args);
static Object conv_loops_text(Rule &rule, Args args);
static Object conv_loops_in_windows(Rule &rule, Args args);
static Object conv_phases_zeros(Rule &rule, Args args);
static Object conv_phases_along(Rule &rule, Args args);
static Object conv_phases_with(Rule &rule, Args args);
static Object conv_phases_left_out(Rule &rule, Args args);
static Object conv_phases_in_phases(Rule &rule, Args args);
static Object conv_phases_lowered(Rule &rule, Args args);
static Object Conv_lower(Rule &rule, Args args);
static Object convolution_window(Rule &rule, Args args);
static Object convolution_convolution(Rule &rule, Args args);
static Object Conv2d_infer_type(Rule &rule, Args args);
static Object convolution_pads(Rule &rule, Args args);
static Object Conv2d_lower(Rule &rule, Args args);
static Object convolution_check_shape(Rule &rule, Args args);
static Object convolution_check_cotangent(Rule &rule, Args args);
static Object Conv2dBackwardFilter_infer_type(Rule &rule, Args args);
static Object Conv2dBackwardFilter_lower(Rule &rule, Args args);
static Object Conv2dBackwardInput_infer_type(Rule &rule, Args args);
static Object convolution_padded(Rule &rule, Args args);
static Object Conv2dBackwardInput_lower(Rule &rule, Args args);
static Object Convert_infer_type(Rule &rule, Args args);
static Object Convert_fold(Rule &rule, Args args);
static Object Convert_lower(Rule &rule, Args args);
static Object Cos_infer_type(Rule &rule, Args args);
static Object Cos_lower_by_name(Rule &rule, Args args);
static Object Cosh_infer_type(Rule &rule, Args args);
static Object Cosh_lower_by_name(Rule &rule, Args args);
static Object CumMax_infer_type(Rule &rule, Args args);
static Object CumMax_fold(Rule &rule, Args args);
static Object CumMax_lower(Rule &rule, Args args);
static Object CumMin_infer_type(Rule &rule, Args args);
static Object CumMin_fold(Rule &rule, Args args);
static Object CumMin_lower(Rule &rule, Args args);
static Object CumProd_infer_type(Rule &rule, Args args);
static Object CumProd_fold(Rule &rule, Args args);
static Object CumProd_lower(Rule &rule, Args args);
static Object CumSum_infer_type(Rule &rule, Args args);
static Object CumSum_fold(Rule &rule, Args args);
static Object CumSum_lower(Rule &rule, Args args);
static Object Digamma_infer_type(Rule &rule, Args args);
static Object Digamma_lower_by_name(Rule &rule, Args args);
static Object Div_infer_type(Rule &rule, Args args);
static Object div_divide(Rule &rule, Args args);
static Object Div_lower(Rule &rule, Args args);
static Object Dot_infer_type(Rule &rule, Args args);
static Object Dot_lower(Rule &rule, Args args);
static Object dot_dimensions_counted_from_0(Rule &rule, Args args);
static Object DotGeneral_sides(Rule &rule, Args args);
static Object dot_dimensions_check_pairs(Rule &rule, Args args);
static Object dot_dimensions_free(Rule &rule, Args args);
static Object dot_dimensions_extents(Rule &rule, Args args);
static Object DotGeneral_infer_type(Rule &rule, Args args);
static Object DotGeneral_canonical(Rule &rule, Args args);
static Object rules_names(Rule &rule, Args args);
static Object dot_dimensions_labels(Rule &rule, Args args);
static Object DotGeneral_dims(Rule &rule, Args args);
static Object DotGeneral_in_order(Rule &rule, Args args);
static Object DotGeneral_lower(Rule &rule, Args args);
static Object starts_check_starts(Rule &rule, Args args);
static Object starts_check_sizes(Rule &rule, Args args);
static Object DynamicSlice_infer_type(Rule &rule, Args args);
static Object DynamicSlice_lower(Rule &rule, Args args);
static Object DynamicUpdateSlice_infer_type(Rule &rule, Args args);
static Object DynamicUpdateSlice_fold(Rule &rule, Args args);
static Object DynamicUpdateSlice_lower(Rule &rule, Args args);
static Object Equal_infer_type(Rule &rule, Args args);
static Object Equal_lower(Rule &rule, Args args);
static Object Erf_infer_type(Rule &rule, Args args);
static Object Erf_lower_by_name(Rule &rule, Args args);
static Object ErfInv_infer_type(Rule &rule, Args args);
static Object ErfInv_lower_by_name(Rule &rule, Args args);
static Object Erfc_infer_type(Rule &rule, Args args);
static Object Erfc_lower_by_name(Rule &rule, Args args);
static Object Exp_infer_type(Rule &rule, Args args);
static Object Exp_lower(Rule &rule, Args args);
static Object expand_dims_inserted(Rule &rule, Args args);
static Object ExpandDims_positions(Rule &rule, Args args);
static Object ExpandDims_infer_type(Rule &rule, Args args);
static Object ExpandDims_canonical(Rule &rule, Args args);
static Object ExpandDims_fold(Rule &rule, Args args);
static Object ExpandDims_lower(Rule &rule, Args args);
static Object Expm1_infer_type(Rule &rule, Args args);
static Object Expm1_lower_by_name(Rule &rule, Args args);
static Object Floor_infer_type(Rule &rule, Args args);
static Object Floor_fold(Rule &rule, Args args);
static Object Floor_formula(Rule &rule, Args args);
static Object Floor_lower(Rule &rule, Args args);
static Object rows_check_rows(Rule &rule, Args args);
static Object Gather_infer_type(Rule &rule, Args args);
static Object Gather_lower(Rule &rule, Args args);
static Object GatherSlices_spans(Rule &rule, Args args);
static Object GatherSlices_check_slices(Rule &rule, Args args);
static Object GatherSlices_positive(Rule &rule, Args args);
static Object GatherSlices_window_axes(Rule &rule, Args args);
static Object GatherSlices_slices_type(Rule &rule, Args args);
static Object GatherSlices_infer_type(Rule &rule, Args args);
static Object GatherSlices_canonical(Rule &rule, Args args);
static Object GatherSlices_lower(Rule &rule, Args args);
static Object Greater_infer_type(Rule &rule, Args args);
static Object Greater_lower(Rule &rule, Args args);
static Object GreaterEqual_infer_type(Rule &rule, Args args);
static Object GreaterEqual_lower(Rule &rule, Args args);
static Object Index_infer_type(Rule &rule, Args args);
static Object Index_position(Rule &rule, Args args);
static Object Index_canonical(Rule &rule, Args args);
static Object Index_check_before_run(Rule &rule, Args args);
static Object Index_lower(Rule &rule, Args args);
static Object Iota_infer_type(Rule &rule, Args args);
static Object Iota_lower(Rule &rule, Args args);
static Object IsFinite_infer_type(Rule &rule, Args args);
static Object is_finite_is_finite(Rule &rule, Args args);
static Object IsFinite_lower(Rule &rule, Args args);
static Object Less_infer_type(Rule &rule, Args args);
static Object Less_lower(Rule &rule, Args args);
static Object LessEqual_infer_type(Rule &rule, Args args);
static Object LessEqual_lower(Rule &rule, Args args);
static Object Log_infer_type(Rule &rule, Args args);
static Object Log_lower(Rule &rule, Args args);
static Object Log10_infer_type(Rule &rule, Args args);
static Object logarithm_special_values(Rule &rule, Args args);
static Object logarithm_logarithm_to_base(Rule &rule, Args args);
static Object Log10_formula(Rule &rule, Args args);
static Object Log10_lower(Rule &rule, Args args);
static Object Log1p_infer_type(Rule &rule, Args args);
static Object Log1p_lower_by_name(Rule &rule, Args args);
static Object Log2_infer_type(Rule &rule, Args args);
static Object Log2_formula(Rule &rule, Args args);
static Object Log2_lower(Rule &rule, Args args);
static Object LogGamma_infer_type(Rule &rule, Args args);
static Object LogGamma_lower_by_name(Rule &rule, Args args);
static Object Logistic_infer_type(Rule &rule, Args args);
static Object Logistic_lower_by_name(Rule &rule, Args args);
static Object MatMul_infer_type(Rule &rule, Args args);
static Object MatMul_dims(Rule &rule, Args args);
static Object MatMul_lower(Rule &rule, Args args);
static Object Max_reduced(Rule &rule, Args args);
static Object Max_left(Rule &rule, Args args);
static Object Max_infer_type(Rule &rule, Args args);
static Object Max_canonical(Rule &rule, Args args);
static Object Max_fold(Rule &rule, Args args);
static Object Max_lower(Rule &rule, Args args);
static Object Maximum_infer_type(Rule &rule, Args args);
static Object Maximum_lower(Rule &rule, Args args);
static Object Mean_reduced(Rule &rule, Args args);
static Object Mean_left(Rule &rule, Args args);
static Object Mean_infer_type(Rule &rule, Args args);
static Object Mean_canonical(Rule &rule, Args args);
static Object Mean_fold(Rule &rule, Args args);
static Object Mean_count(Rule &rule, Args args);
static Object Mean_lower(Rule &rule, Args args);
static Object Min_reduced(Rule &rule, Args args);
static Object Min_left(Rule &rule, Args args);
static Object Min_infer_type(Rule &rule, Args args);
static Object Min_canonical(Rule &rule, Args args);
static Object Min_fold(Rule &rule, Args args);
static Object Min_lower(Rule &rule, Args args);
static Object Minimum_infer_type(Rule &rule, Args args);
static Object Minimum_lower(Rule &rule, Args args);
static Object Mul_infer_type(Rule &rule, Args args);
static Object Mul_lower(Rule &rule, Args args);
static Object Neg_infer_type(Rule &rule, Args args);
static Object Neg_fold(Rule &rule, Args args);
static Object Neg_lower(Rule &rule, Args args);
static Object Not_infer_type(Rule &rule, Args args);
static Object Not_fold(Rule &rule, Args args);
static Object Not_lower(Rule &rule, Args args);
static Object NotEqual_infer_type(Rule &rule, Args args);
static Object NotEqual_lower(Rule &rule, Args args);
static Object Or_infer_type(Rule &rule, Args args);
static Object Or_lower(Rule &rule, Args args);
static Object PVary_check_size(Rule &rule, Args args);
static Object PVary_infer_type(Rule &rule, Args args);
static Object PVary_fold(Rule &rule, Args args);
static Object PVary_lower(Rule &rule, Args args);
static Object Pad_ends(Rule &rule, Args args);
static Object Pad_padded_type(Rule &rule, Args args);
static Object Pad_infer_type(Rule &rule, Args args);
static Object Pad_changes_nothing(Rule &rule, Args args);
static Object Pad_fold(Rule &rule, Args args);
static Object Pad_kept(Rule &rule, Args args);
static Object Pad_steps(Rule &rule, Args args);
static Object Pad_placed(Rule &rule, Args args);
static Object Pad_lower(Rule &rule, Args args);
static Object PadWith_ends(Rule &rule, Args args);
static Object PadWith_padded_type(Rule &rule, Args args);
static Object PadWith_infer_type(Rule &rule, Args args);
static Object PadWith_changes_nothing(Rule &rule, Args args);
static Object PadWith_fold(Rule &rule, Args args);
static Object PadWith_kept(Rule &rule, Args args);
static Object PadWith_steps(Rule &rule, Args args);
static Object PadWith_placed(Rule &rule, Args args);
static Object PadWith_lower(Rule &rule, Args args);
static Object Polygamma_infer_type_of_base(Rule &rule, Args args);
static Object Polygamma_infer_type(Rule &rule, Args args);
static Object Polygamma_lower(Rule &rule, Args args);
static Object rules_integer_only(Rule &rule, Args args);
static Object PopCount_infer_type(Rule &rule, Args args);
static Object pop_count_right(Rule &rule, Args args);
static Object pop_count_repeated(Rule &rule, Args args);
static Object pop_count_count(Rule &rule, Args args);
static Object PopCount_lower(Rule &rule, Args args);
static Object Pow_infer_type_of_base(Rule &rule, Args args);
static Object Pow_infer_type(Rule &rule, Args args);
static Object Pow_lower_by_name(Rule &rule, Args args);
static Object Prod_reduced(Rule &rule, Args args);
static Object Prod_left(Rule &rule, Args args);
static Object Prod_infer_type(Rule &rule, Args args);
static Object Prod_canonical(Rule &rule, Args args);
static Object Prod_fold(Rule &rule, Args args);
static Object Prod_lower(Rule &rule, Args args);
static Object Reciprocal_infer_type(Rule &rule, Args args);
static Object Reciprocal_lower(Rule &rule, Args args);
static Object ReduceScatter_check_size(Rule &rule, Args args);
static Object ReduceScatter_check_dim(Rule &rule, Args args);
static Object ReduceScatter_part(Rule &rule, Args args);
static Object ReduceScatter_part_type(Rule &rule, Args args);
static Object ReduceScatter_infer_type(Rule &rule, Args args);
static Object ReduceScatter_fold(Rule &rule, Args args);
static Object ReduceScatter_lower(Rule &rule, Args args);
static Object Relu_infer_type(Rule &rule, Args args);
static Object Relu_fold(Rule &rule, Args args);
static Object Relu_lower(Rule &rule, Args args);
static Object elementwise_infer_type(Rule &rule, Args args);
static Object Remainder_infer_type(Rule &rule, Args args);
static Object Remainder_lower_by_name(Rule &rule, Args args);
static Object remainder_of_integers(Rule &rule, Args args);
static Object Remainder_lower(Rule &rule, Args args);
static Object Reshape_counts(Rule &rule, Args args);
static Object Reshape_resolved(Rule &rule, Args args);
static Object Reshape_infer_type(Rule &rule, Args args);
static Object Reshape_canonical(Rule &rule, Args args);
static Object Reshape_lower(Rule &rule, Args args);
static Object Reshard_infer_type(Rule &rule, Args args);
static Object Reshard_lower(Rule &rule, Args args);
static Object Reverse_infer_type(Rule &rule, Args args);
static Object Reverse_canonical(Rule &rule, Args args);
static Object Reverse_lower(Rule &rule, Args args);
static Object Round_infer_type(Rule &rule, Args args);
static Object Round_fold(Rule &rule, Args args);
static Object Round_formula(Rule &rule, Args args);
static Object Round_lower(Rule &rule, Args args);
static Object Rsqrt_infer_type(Rule &rule, Args args);
static Object Rsqrt_lower_by_name(Rule &rule, Args args);
static Object ScatterAdd_infer_type(Rule &rule, Args args);
static Object ScatterAdd_fold(Rule &rule, Args args);
static Object ScatterAdd_lower(Rule &rule, Args args);
static Object ScatterAddSlices_spans(Rule &rule, Args args);
static Object ScatterAddSlices_check_slices(Rule &rule, Args args);
static Object ScatterAddSlices_positive(Rule &rule, Args args);
static Object ScatterAddSlices_window_axes(Rule &rule, Args args);
static Object ScatterAddSlices_slices_type(Rule &rule, Args args);
static Object ScatterAddSlices_check_updates(Rule &rule, Args args);
static Object ScatterAddSlices_infer_type(Rule &rule, Args args);
static Object ScatterAddSlices_canonical(Rule &rule, Args args);
static Object ScatterAddSlices_fold(Rule &rule, Args args);
static Object ScatterAddSlices_lower(Rule &rule, Args args);
static Object ScatterMaxSlices_spans(Rule &rule, Args args);
static Object ScatterMaxSlices_check_slices(Rule &rule, Args args);
static Object ScatterMaxSlices_positive(Rule &rule, Args args);
static Object ScatterMaxSlices_window_axes(Rule &rule, Args args);
static Object ScatterMaxSlices_slices_type(Rule &rule, Args args);
static Object ScatterMaxSlices_check_updates(Rule &rule, Args args);
static Object ScatterMaxSlices_infer_type(Rule &rule, Args args);
static Object ScatterMaxSlices_canonical(Rule &rule, Args args);
static Object ScatterMaxSlices_fold(Rule &rule, Args args);
static Object ScatterMaxSlices_lower(Rule &rule, Args args);
static Object ScatterMinSlices_spans(Rule &rule, Args args);
static Object ScatterMinSlices_check_slices(Rule &rule, Args args);
static Object ScatterMinSlices_positive(Rule &rule, Args args);
static Object ScatterMinSlices_window_axes(Rule &rule, Args args);
static Object ScatterMinSlices_slices_type(Rule &rule, Args args);
static Object ScatterMinSlices_check_updates(Rule &rule, Args args);
static Object ScatterMinSlices_infer_type(Rule &rule, Args args);
static Object ScatterMinSlices_canonical(Rule &rule, Args args);
static Object ScatterMinSlices_fold(Rule &rule, Args args);
static Object ScatterMinSlices_lower(Rule &rule, Args args);
static Object ScatterSlices_spans(Rule &rule, Args args);
static Object ScatterSlices_check_slices(Rule &rule, Args args);
static Object ScatterSlices_positive(Rule &rule, Args args);
static Object ScatterSlices_window_axes(Rule &rule, Args args);
static Object ScatterSlices_slices_type(Rule &rule, Args args);
static Object ScatterSlices_check_updates(Rule &rule, Args args);
static Object ScatterSlices_infer_type(Rule &rule, Args args);
static Object ScatterSlices_canonical(Rule &rule, Args args);
static Object ScatterSlices_fold(Rule &rule, Args args);
static Object ScatterSlices_lower(Rule &rule, Args args);
static Object Select_infer_type(Rule &rule, Args args);
static Object Select_lower(Rule &rule, Args args);
static Object ShardSlice_check_size(Rule &rule, Args args);
static Object ShardSlice_check_dim(Rule &rule, Args args);
static Object ShardSlice_part(Rule &rule, Args args);
static Object ShardSlice_part_type(Rule &rule, Args args);
static Object ShardSlice_infer_type(Rule &rule, Args args);
static Object ShardSlice_fold(Rule &rule, Args args);
static Object ShardSlice_lower(Rule &rule, Args args);
static Object ShiftLeft_infer_type(Rule &rule, Args args);
static Object bitwise_outside(Rule &rule, Args args);
static Object shift_left_shift(Rule &rule, Args args);
static Object ShiftLeft_lower(Rule &rule, Args args);
static Object ShiftRightArithmetic_infer_type(Rule &rule, Args args);
static Object shift_right_arithmetic_shift(Rule &rule, Args args);
static Object ShiftRightArithmetic_lower(Rule &rule, Args args);
static Object ShiftRightLogical_infer_type(Rule &rule, Args args);
static Object shift_right_logical_shift(Rule &rule, Args args);
static Object ShiftRightLogical_lower(Rule &rule, Args args);
static Object Sign_infer_type(Rule &rule, Args args);
static Object Sign_fold(Rule &rule, Args args);
static Object sign_sign(Rule &rule, Args args);
static Object Sign_lower(Rule &rule, Args args);
static Object Sin_infer_type(Rule &rule, Args args);
static Object Sin_lower_by_name(Rule &rule, Args args);
static Object Sinh_infer_type(Rule &rule, Args args);
static Object Sinh_lower_by_name(Rule &rule, Args args);
static Object Slice_bounds(Rule &rule, Args args);
static Object Slice_infer_type(Rule &rule, Args args);
static Object Slice_canonical(Rule &rule, Args args);
static Object Slice_fold(Rule &rule, Args args);
static Object Slice_lower(Rule &rule, Args args);
static Object Sort_infer_type(Rule &rule, Args args);
static Object Sort_fold(Rule &rule, Args args);
static Object Sqrt_infer_type(Rule &rule, Args args);
static Object Sqrt_formula(Rule &rule, Args args);
static Object Sqrt_lower(Rule &rule, Args args);
static Object Squeeze_infer_type(Rule &rule, Args args);
static Object Squeeze_canonical(Rule &rule, Args args);
static Object Squeeze_fold(Rule &rule, Args args);
static Object Squeeze_lower(Rule &rule, Args args);
static Object StopGradient_infer_type(Rule &rule, Args args);
static Object StopGradient_fold(Rule &rule, Args args);
static Object StopGradient_lower(Rule &rule, Args args);
static Object Sub_infer_type(Rule &rule, Args args);
static Object Sub_lower(Rule &rule, Args args);
static Object Sum_reduced(Rule &rule, Args args);
static Object Sum_left(Rule &rule, Args args);
static Object Sum_infer_type(Rule &rule, Args args);
static Object Sum_canonical(Rule &rule, Args args);
static Object Sum_fold(Rule &rule, Args args);
static Object Sum_lower(Rule &rule, Args args);
static Object Tan_infer_type(Rule &rule, Args args);
static Object Tan_lower_by_name(Rule &rule, Args args);
static Object Tanh_infer_type(Rule &rule, Args args);
static Object Tanh_lower_by_name(Rule &rule, Args args);
static Object TopK_infer_type(Rule &rule, Args args);
static Object Transpose_bad(Rule &rule, Args args);
static Object Transpose_infer_type(Rule &rule, Args args);
static Object Transpose_lower(Rule &rule, Args args);
static Object WindowArgMax_pads(Rule &rule, Args args);
static Object WindowArgMax_padded(Rule &rule, Args args);
static Object WindowArgMax_dilations(Rule &rule, Args args);
static Object WindowArgMax_windows_of(Rule &rule, Args args);
static Object WindowArgMax_infer_type(Rule &rule, Args args);
static Object WindowArgMax_canonical(Rule &rule, Args args);
static Object WindowArgMax_lower(Rule &rule, Args args);
static Object window_check_for_each_window(Rule &rule, Args args);
static Object window_check_indices(Rule &rule, Args args);
static Object WindowGather_pads(Rule &rule, Args args);
static Object WindowGather_padded(Rule &rule, Args args);
static Object WindowGather_dilations(Rule &rule, Args args);
static Object WindowGather_windows_of(Rule &rule, Args args);
static Object WindowGather_infer_type(Rule &rule, Args args);
static Object WindowGather_canonical(Rule &rule, Args args);
static Object WindowGather_lower(Rule &rule, Args args);
static Object WindowMax_pads(Rule &rule, Args args);
static Object WindowMax_padded(Rule &rule, Args args);
static Object WindowMax_dilations(Rule &rule, Args args);
static Object WindowMax_windows_of(Rule &rule, Args args);
static Object WindowMax_infer_type(Rule &rule, Args args);
static Object WindowMax_canonical(Rule &rule, Args args);
static Object WindowMax_named(Rule &rule, Args args);
static Object WindowMax_fold(Rule &rule, Args args);
static Object WindowMax_lower(Rule &rule, Args args);
static Object WindowScatterAdd_pads(Rule &rule, Args args);
static Object WindowScatterAdd_padded(Rule &rule, Args args);
static Object WindowScatterAdd_dilations(Rule &rule, Args args);
static Object WindowScatterAdd_windows_of(Rule &rule, Args args);
static Object WindowScatterAdd_infer_type(Rule &rule, Args args);
static Object WindowScatterAdd_canonical(Rule &rule, Args args);
static Object WindowScatterAdd_lower(Rule &rule, Args args);
static Object WindowSum_pads(Rule &rule, Args args);
static Object WindowSum_padded(Rule &rule, Args args);
static Object WindowSum_dilations(Rule &rule, Args args);
static Object WindowSum_windows_of(Rule &rule, Args args);
static Object WindowSum_infer_type(Rule &rule, Args args);
static Object WindowSum_canonical(Rule &rule, Args args);
static Object WindowSum_named(Rule &rule, Args args);
static Object WindowSum_fold(Rule &rule, Args args);
static Object WindowSum_lower(Rule &rule, Args args);
static Object Xor_infer_type(Rule &rule, Args args);
static Object Xor_lower(Rule &rule, Args args);

static Object rules_float_only(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object help;
  if (!bool(input.get("dtype").get("is_float"))) {
    help = Object("Convert makes floats of others");
    return rule.refuse(Object("E2005"), python::text({name, " takes ", Object("bf16, f16, f32 or f64"), ", input is ", input}));
  }
  return {};
}

static Object rules_numbers_only(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object help;
  if (bool(input.get("dtype").get("is_bool"))) {
    help = Object("Convert makes numbers of truth values; And, Or and Xor combine them");
    return rule.refuse(Object("E2005"), python::text({name, " takes numbers, found ", input}));
  }
  return {};
}

static Object Abs_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Abs_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((bool(Object(input.get("op").get("opcode") == Object("Abs"))) || !bool(input.get("dtype").get("is_signed"))) ? input : Object());
}

static Object Abs_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  if (bool(result.get("dtype").get("is_float"))) {
    return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("absolute", {x}); })), Object::tuple({input}), result});
  }
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("select", {s.call("less", {x, s.call("number", {Object(0)})}), s.call("sub", {s.call("number", {Object(0)}), x}), x}); })), Object::tuple({input}), result});
}

static Object Acos_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Acos_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.acos"), x}); })), Object::tuple({input}), result});
}

static Object Acosh_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object logarithm_split(Rule &rule, Args args) {
  Object w = args[0];
  Object x = args[1];
  Object bits, exponent, i, mantissa, n, normal, tiny;
  i = w.get("integers");
  tiny = w.call("less", {x, w.call("number", {Object(2.2250738585072014e-308)})});
  normal = w.call("select", {tiny, w.call("mul", {x, w.call("number", {Object(1.8014398509481984e+16)})}), x});
  bits = i.call("add", {w.call("to_bits", {normal}), i.call("number", {(Object(4607182418800017408LL) - Object(4604544269498187776LL))})});
  exponent = i.call("sub", {i.call("shift_right", {bits, Object(52)}), i.call("number", {Object(1023)})});
  n = w.call("from_integer", {i.call("sub", {exponent, i.call("select", {tiny, i.call("number", {Object(54)}), i.call("number", {Object(0)})})})});
  mantissa = i.call("add", {i.call("bit_and", {bits, i.call("number", {Object(4503599627370495LL)})}), i.call("number", {Object(4604544269498187776LL)})});
  return Object::tuple({n, w.call("sub", {w.call("from_bits", {mantissa}), w.call("number", {Object(1.0)})})});
}

static Object pairs_error_of_sum(Rule &rule, Args args) {
  Object w = args[0];
  Object x = args[1];
  Object y = args[2];
  Object total = args[3];
  Object b;
  b = w.call("sub", {total, y});
  return w.call("add", {w.call("sub", {y, w.call("sub", {total, b})}), w.call("sub", {x, b})});
}

static Object logarithm_summed(Rule &rule, Args args) {
  Object w = args[0];
  Object n = args[1];
  Object f = args[2];
  Object low = args[3];
  Object half, q, t1, t2, v, y, z;
  q = w.call("div", {f, w.call("add", {w.call("number", {Object(2.0)}), f})});
  z = w.call("mul", {q, q});
  v = w.call("mul", {z, z});
  t1 = w.call("mul", {v, w.call("polynomial", {v, Object::tuple({Object(0.3999999999940942), Object(0.22222198432149784), Object(0.15313837699209373)})})});
  t2 = w.call("mul", {z, w.call("polynomial", {v, Object::tuple({Object(0.6666666666666735), Object(0.2857142874366239), Object(0.1818357216161805), Object(0.14798198605116586)})})});
  half = w.call("mul", {w.call("mul", {w.call("number", {Object(0.5)}), f}), f});
  y = w.call("add", {w.call("mul", {q, w.call("add", {half, w.call("add", {t2, t1})})}), low});
  return w.call("add", {w.call("add", {w.call("sub", {y, half}), f}), w.call("mul", {n, w.call("number", {Object(0.6931471803691238)})})});
}

static Object logarithm_logarithm_of_one_more(Rule &rule, Args args) {
  Object w = args[0];
  Object x = args[1];
  Object c, f, n, near, u, y;
  u = w.call("add", {x, w.call("number", {Object(1.0)})});
  Object item1_ = logarithm_split(rule, {w, u});
  n = item1_[0];
  f = item1_[1];
  if (rule.refused())
    return {};
  c = w.call("div", {pairs_error_of_sum(rule, {w, x, w.call("number", {Object(1.0)}), u}), u});
  if (rule.refused())
    return {};
  near = w.call("equal", {n, w.call("number", {Object(0.0)})});
  Object item2_ = Object::tuple({w.call("select", {near, x, f}), w.call("select", {near, w.call("number", {Object(0.0)}), c})});
  f = item2_[0];
  c = item2_[1];
  y = logarithm_summed(rule, {w, n, f, w.call("add", {w.call("mul", {n, w.call("number", {Object(1.9082149292705877e-10)})}), c})});
  if (rule.refused())
    return {};
  y = w.call("select", {w.call("less", {u, w.call("number", {Object(std::numeric_limits<double>::infinity())})}), y, u});
  y = w.call("select", {w.call("equal", {u, w.call("number", {Object(0.0)})}), w.call("number", {-Object(std::numeric_limits<double>::infinity())}), y});
  y = w.call("select", {w.call("less", {u, w.call("number", {Object(0.0)})}), w.call("number", {Object(std::numeric_limits<double>::quiet_NaN())}), y});
  return w.call("copy_sign", {y, x});
}

static Object Acosh_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  Object large, t, w, x, y;
  Object item1_ = Object::tuple({s.get("f64"), s.call("to_f64", {input})});
  w = item1_[0];
  x = item1_[1];
  large = w.call("greater", {x, w.call("number", {Object(1.8014398509481984e+16)})});
  t = w.call("sub", {x, w.call("number", {Object(1.0)})});
  t = w.call("add", {t, w.call("sqrt", {w.call("add", {w.call("add", {t, t}), w.call("mul", {t, t})})})});
  y = logarithm_logarithm_of_one_more(rule, {w, w.call("select", {large, x, t})});
  if (rule.refused())
    return {};
  y = w.call("select", {large, w.call("add", {y, w.call("number", {Object(0.6931471805599453)})}), y});
  return s.call("from_f64", {w.call("select", {w.call("less", {x, w.call("number", {Object(1.0)})}), w.call("number", {Object(std::numeric_limits<double>::quiet_NaN())}), y})});
}

static Object Acosh_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Acosh_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object rules_same_dtype(Rule &rule, Args args) {
  Object name = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  if (lhs.get("dtype") != rhs.get("dtype")) {
    return rule.refuse(Object("E2004"), python::text({name, " mixes ", lhs.get("dtype"), " and ", rhs.get("dtype")}));
  }
  return {};
}

static Object rules_same_numbers(Rule &rule, Args args) {
  Object name = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  Object called = args[3];
  (void)rules_same_dtype(rule, {name, lhs, rhs, called});
  if (rule.refused())
    return {};
  (void)rules_numbers_only(rule, {name, lhs});
  if (rule.refused())
    return {};
  return {};
}

static Object rules_broadcast(Rule &rule, Args args) {
  Object name = args[0];
  Object a = args[1];
  Object b = args[2];
  Object back, m, n, out;
  if (a == b) {
    return a;
  }
  out = Object::list({});
  for (const Object &item1_ : python::enumerate({python::zip_longest({python::reversed({a}), python::reversed({b}), Object(1)}), Object(1)}).items()) {
    back = item1_[0];
    Object item2_ = item1_[1];
    m = item2_[0];
    n = item2_[1];
    if ((m != n) && (m != Object(1)) && (n != Object(1))) {
      return rule.refuse(Object("E3001"), python::text({name, " cannot broadcast ", python::list({a}), " with ", python::list({b})}));
    }
    (void)out.call("append", {((m == Object(1)) ? n : m)});
  }
  return python::tuple({python::reversed({out})});
}

static Object Add_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Add_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("elementwise", {Object("linalg.add"), Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("add", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object rules_normal_axes(Rule &rule, Args args) {
  Object name = args[0];
  Object axes = args[1];
  Object rank = args[2];
  Object a, n, out, span;
  out = Object::list({});
  for (const Object &item1_ : axes.items()) {
    a = item1_;
    if (!((-rank <= a) && (a < rank))) {
      span = (bool(rank) ? python::text({"axes run from ", -rank, " to ", (rank - Object(1))}) : Object("a scalar has no axes"));
      return rule.refuse(Object("E3004"), python::text({name, " axis ", a, " is out of range for rank ", rank}));
    }
    n = ((a < Object(0)) ? (a + rank) : a);
    if (contains(out, n)) {
      return rule.refuse(Object("E3005"), python::text({name, " names axis ", n, " twice in ", python::list({axes})}));
    }
    (void)out.call("append", {n});
  }
  return python::tuple({out});
}

static Object All_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object All_left(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  gone = All_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object All_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object help;
  if (!bool(input.get("dtype").get("is_bool"))) {
    help = Object("NotEqual with 0 makes truth values of numbers");
    return rule.refuse(Object("E2005"), python::text({self.get("opcode"), " takes i1, input is ", input}));
  }
  return input.call("with_shape", {All_left(rule, {self, input})});
}

static Object All_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return self.with({{"keepdims", Object(false)}});
  }
  return self.with({{"axes", All_reduced(rule, {self, input})}});
}

static Object All_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((input.get("type").get("rank") == Object(0)) ? input : Object());
}

static Object All_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("reduced", {Object("min"), input, All_reduced(rule, {self, e.call("type", {input})}), result});
}

static Object AllGather_check_size(Rule &rule, Args args) {
  Object self = args[0];
  if (!bool(self.get("axis"))) {
    return rule.refuse(Object("E8002"), python::text({self.get("opcode"), " needs the name of a mesh axis"}));
  }
  if (self.get("size") < Object(1)) {
    return rule.refuse(Object("E8006"), python::text({self.get("opcode"), " along ", self.get("axis"), " says ", self.get("size"), " ranks"}));
  }
  return {};
}

static Object AllGather_check_dim(Rule &rule, Args args) {
  Object self = args[0];
  Object name = args[1];
  Object dim = args[2];
  Object input = args[3];
  Object message, span;
  if (dim >= input.get("rank")) {
    span = (bool(input.get("rank")) ? python::text({"dimensions run from 0 to ", (input.get("rank") - Object(1))}) : Object("a scalar has no dimensions"));
    message = python::text({self.get("opcode"), " ", name, " ", dim, " is out of range for rank ", input.get("rank")});
    return rule.refuse(Object("E3004"), message);
  }
  return {};
}

static Object rules_check_extents(Rule &rule, Args args) {
  Object name = args[0];
  Object shape = args[1];
  Object i, n;
  for (const Object &item1_ : python::enumerate({shape}).items()) {
    i = item1_[0];
    n = item1_[1];
    if (n > Object(9223372036854775807LL)) {
      return rule.refuse(Object("E3006"), python::text({"extent ", i, " of the result of ", name, " is larger than ", Object(9223372036854775807LL), ": ", n}));
    }
  }
  return shape;
}

static Object AllGather_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object shape;
  (void)AllGather_check_size(rule, {self});
  if (rule.refused())
    return {};
  (void)AllGather_check_dim(rule, {self, Object("dim"), self.get("dim"), input});
  if (rule.refused())
    return {};
  shape = python::tuple({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back(((i == self.get("dim")) ? (n * self.get("size")) : n)); } })});
  return input.call("with_shape", {rules_check_extents(rule, {Object("AllGather"), shape})});
}

static Object AllGather_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((self.get("size") == Object(1)) ? input : Object());
}

static Object AllGather_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("shard").call("all_gather", {input, self.get("axis"), self.get("size"), self.get("dim"), result});
}

static Object AllReduce_check_size(Rule &rule, Args args) {
  Object self = args[0];
  if (!bool(self.get("axis"))) {
    return rule.refuse(Object("E8002"), python::text({self.get("opcode"), " needs the name of a mesh axis"}));
  }
  if (self.get("size") < Object(1)) {
    return rule.refuse(Object("E8006"), python::text({self.get("opcode"), " along ", self.get("axis"), " says ", self.get("size"), " ranks"}));
  }
  return {};
}

static Object AllReduce_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)AllReduce_check_size(rule, {self});
  if (rule.refused())
    return {};
  (void)rules_numbers_only(rule, {Object("AllReduce"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object AllReduce_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((self.get("size") == Object(1)) ? input : Object());
}

static Object all_reduce_first_bit_flipped(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  return s.call("bit_xor", {x, s.call("number", {power(Object(2), (s.get("bits") - Object(1)))})});
}

static Object AllReduce_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object moved;
  if ((self.get("kind") == Object("sum")) || bool(result.get("dtype").get("is_signed"))) {
    return e.get("shard").call("all_reduce", {input, self.get("axis"), self.get("size"), self.get("kind")});
  }
  moved = e.get("linalg").call("map", {Object(Function([&rule](Args args) { return all_reduce_first_bit_flipped(rule, args); })), Object::tuple({input}), result});
  if (rule.refused())
    return {};
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return all_reduce_first_bit_flipped(rule, args); })), Object::tuple({e.get("shard").call("all_reduce", {moved, self.get("axis"), self.get("size"), self.get("kind")})}), result});
}

static Object AllToAll_check_size(Rule &rule, Args args) {
  Object self = args[0];
  if (!bool(self.get("axis"))) {
    return rule.refuse(Object("E8002"), python::text({self.get("opcode"), " needs the name of a mesh axis"}));
  }
  if (self.get("size") < Object(1)) {
    return rule.refuse(Object("E8006"), python::text({self.get("opcode"), " along ", self.get("axis"), " says ", self.get("size"), " ranks"}));
  }
  return {};
}

static Object AllToAll_check_dim(Rule &rule, Args args) {
  Object self = args[0];
  Object name = args[1];
  Object dim = args[2];
  Object input = args[3];
  Object message, span;
  if (dim >= input.get("rank")) {
    span = (bool(input.get("rank")) ? python::text({"dimensions run from 0 to ", (input.get("rank") - Object(1))}) : Object("a scalar has no dimensions"));
    message = python::text({self.get("opcode"), " ", name, " ", dim, " is out of range for rank ", input.get("rank")});
    return rule.refuse(Object("E3004"), message);
  }
  return {};
}

static Object AllToAll_part(Rule &rule, Args args) {
  Object self = args[0];
  Object dim = args[2];
  Object input = args[3];
  Object message, n;
  n = input.get("shape")[dim];
  if (bool((n % self.get("size")))) {
    message = python::text({self.get("opcode"), " along ", self.get("axis"), " cuts extent ", n, " of dimension ", dim, " into ", self.get("size"), " parts"});
    return rule.refuse(Object("E8006"), message);
  }
  return floorDiv(n, self.get("size"));
}

static Object AllToAll_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object shape;
  (void)AllToAll_check_size(rule, {self});
  if (rule.refused())
    return {};
  (void)AllToAll_check_dim(rule, {self, Object("split"), self.get("split"), input});
  if (rule.refused())
    return {};
  (void)AllToAll_check_dim(rule, {self, Object("concat"), self.get("concat"), input});
  if (rule.refused())
    return {};
  shape = python::list({input.get("shape")});
  shape.set(self.get("split"), AllToAll_part(rule, {self, Object("split"), self.get("split"), input}));
  if (rule.refused())
    return {};
  shape.set(self.get("concat"), (shape[self.get("concat")] * self.get("size")));
  return input.call("with_shape", {rules_check_extents(rule, {Object("AllToAll"), python::tuple({shape})})});
}

static Object AllToAll_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((self.get("size") == Object(1)) ? input : Object());
}

static Object AllToAll_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("shard").call("all_to_all", {input, self.get("axis"), self.get("size"), self.get("split"), self.get("concat"), result});
}

static Object rules_no_float(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object help;
  if (bool(input.get("dtype").get("is_float"))) {
    help = Object("BitCast gives the bits of a float, NotEqual its truth value");
    return rule.refuse(Object("E2005"), python::text({name, " takes i1 and integers, found ", input}));
  }
  return {};
}

static Object And_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_no_float(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object And_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("bit_and", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Any_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object Any_left(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  gone = Any_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object Any_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object help;
  if (!bool(input.get("dtype").get("is_bool"))) {
    help = Object("NotEqual with 0 makes truth values of numbers");
    return rule.refuse(Object("E2005"), python::text({self.get("opcode"), " takes i1, input is ", input}));
  }
  return input.call("with_shape", {Any_left(rule, {self, input})});
}

static Object Any_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return self.with({{"keepdims", Object(false)}});
  }
  return self.with({{"axes", Any_reduced(rule, {self, input})}});
}

static Object Any_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((input.get("type").get("rank") == Object(0)) ? input : Object());
}

static Object Any_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("reduced", {Object("max"), input, Any_reduced(rule, {self, e.call("type", {input})}), result});
}

static Object along_axis_check_axis(Rule &rule, Args args) {
  Object name = args[0];
  Object axis = args[1];
  Object input = args[2];
  Object span;
  (void)rules_numbers_only(rule, {name, input});
  if (rule.refused())
    return {};
  if (axis >= input.get("rank")) {
    span = (bool(input.get("rank")) ? python::text({"axes run from 0 to ", (input.get("rank") - Object(1))}) : Object("a scalar has no axes"));
    return rule.refuse(Object("E3004"), python::text({name, " axis ", axis, " is out of range for rank ", input.get("rank")}));
  }
  return {};
}

static Object ArgMax_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object around;
  (void)along_axis_check_axis(rule, {self.get("opcode"), self.get("axis"), input});
  if (rule.refused())
    return {};
  if (!bool(input.get("shape")[self.get("axis")])) {
    return rule.refuse(Object("E3006"), python::text({self.get("opcode"), " takes the position of one of 0 elements along axis ", self.get("axis")}));
  }
  around = Object::tuple({input.get("shape").part(Object(), self.get("axis"), Object()), input.get("shape").part((self.get("axis") + Object(1)), Object(), Object())});
  return python::TensorType({rule.dtype("i64"), Object::tuple(spread({around[Object(0)], (bool(self.get("keepdims")) ? Object::tuple({Object(1)}) : Object::tuple({})), around[Object(1)]}))});
}

static Object ArgMax_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("arg_extreme", {Object("max"), input, self.get("axis"), result});
}

static Object ArgMin_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object around;
  (void)along_axis_check_axis(rule, {self.get("opcode"), self.get("axis"), input});
  if (rule.refused())
    return {};
  if (!bool(input.get("shape")[self.get("axis")])) {
    return rule.refuse(Object("E3006"), python::text({self.get("opcode"), " takes the position of one of 0 elements along axis ", self.get("axis")}));
  }
  around = Object::tuple({input.get("shape").part(Object(), self.get("axis"), Object()), input.get("shape").part((self.get("axis") + Object(1)), Object(), Object())});
  return python::TensorType({rule.dtype("i64"), Object::tuple(spread({around[Object(0)], (bool(self.get("keepdims")) ? Object::tuple({Object(1)}) : Object::tuple({})), around[Object(1)]}))});
}

static Object ArgMin_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("arg_extreme", {Object("min"), input, self.get("axis"), result});
}

static Object rules_one_axis(Rule &rule, Args args) {
  Object name = args[0];
  Object axis = args[1];
  Object input = args[2];
  Object span;
  if (axis >= input.get("rank")) {
    span = (bool(input.get("rank")) ? python::text({"axes run from 0 to ", (input.get("rank") - Object(1))}) : Object("a scalar has no axes"));
    return rule.refuse(Object("E3004"), python::text({name, " axis ", axis, " is out of range for ", input}));
  }
  return {};
}

static Object order_check_axis(Rule &rule, Args args) {
  Object name = args[0];
  Object axis = args[1];
  Object input = args[2];
  (void)rules_one_axis(rule, {name, axis, input});
  if (rule.refused())
    return {};
  if (input.get("shape")[axis] >= power(Object(2), Object(31))) {
    return rule.refuse(Object("E3006"), python::text({name, " takes less than 2^31 elements, input is ", input}));
  }
  return {};
}

static Object ArgSort_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)order_check_axis(rule, {Object("ArgSort"), self.get("axis"), input});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i64"), input.get("shape")});
}

static Object Asin_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Asin_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.asin"), x}); })), Object::tuple({input}), result});
}

static Object Asinh_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Asinh_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  Object large, one, size, square, t, w, x, y;
  Object item1_ = Object::tuple({s.get("f64"), s.call("to_f64", {input})});
  w = item1_[0];
  x = item1_[1];
  Object item2_ = Object::tuple({w.call("number", {Object(1.0)}), w.call("absolute", {x})});
  one = item2_[0];
  size = item2_[1];
  large = w.call("greater", {size, w.call("number", {Object(1.8014398509481984e+16)})});
  square = w.call("mul", {size, size});
  t = w.call("add", {size, w.call("div", {square, w.call("add", {one, w.call("sqrt", {w.call("add", {square, one})})})})});
  y = logarithm_logarithm_of_one_more(rule, {w, w.call("select", {large, size, t})});
  if (rule.refused())
    return {};
  return s.call("from_f64", {w.call("copy_sign", {w.call("select", {large, w.call("add", {y, w.call("number", {Object(0.6931471805599453)})}), y}), x})});
}

static Object Asinh_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Asinh_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object Atan_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Atan_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.atan"), x}); })), Object::tuple({input}), result});
}

static Object Atan2_infer_type_of_base(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Atan2_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_float_only(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  return Atan2_infer_type_of_base(rule, {self, lhs, rhs});
}

static Object Atan2_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("function", {Object("math.atan2"), x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Atanh_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Atanh_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  Object double_, near, one, rest, size, t, w, x, y;
  Object item1_ = Object::tuple({s.get("f64"), s.call("to_f64", {input})});
  w = item1_[0];
  x = item1_[1];
  Object item2_ = Object::tuple({w.call("number", {Object(1.0)}), w.call("absolute", {x})});
  one = item2_[0];
  size = item2_[1];
  Object item3_ = Object::tuple({w.call("add", {size, size}), w.call("sub", {one, size})});
  double_ = item3_[0];
  rest = item3_[1];
  near = w.call("less", {size, w.call("number", {Object(0.5)})});
  t = w.call("div", {w.call("select", {near, w.call("mul", {double_, size}), double_}), rest});
  y = w.call("mul", {w.call("number", {Object(0.5)}), logarithm_logarithm_of_one_more(rule, {w, w.call("select", {near, w.call("add", {double_, t}), t})})});
  if (rule.refused())
    return {};
  y = w.call("select", {w.call("greater", {size, one}), w.call("number", {Object(std::numeric_limits<double>::quiet_NaN())}), y});
  return s.call("from_f64", {w.call("copy_sign", {y, x})});
}

static Object Atanh_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Atanh_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object BitCast_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (input.get("dtype").get("bits") != self.get("to").get("bits")) {
    return rule.refuse(Object("E2005"), python::text({"BitCast makes ", self.get("to"), " of elements of ", self.get("to").get("bits"), " bits, input is ", input}));
  }
  return python::TensorType({self.get("to"), input.get("shape")});
}

static Object BitCast_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((input.get("type").get("dtype") == self.get("to")) ? input : Object());
}

static Object BitCast_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object dtype;
  dtype = e.call("type", {input}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("same_bits", {x, s.call("of", {dtype})}); })), Object::tuple({input}), result});
}

static Object Broadcast_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (rules_broadcast(rule, {Object("Broadcast"), input.get("shape"), self.get("shape")}) != self.get("shape")) {
    return rule.refuse(Object("E3001"), python::text({"Broadcast of ", python::list({input.get("shape")}), " to ", python::list({self.get("shape")}), " would shrink it"}));
  }
  if (rule.refused())
    return {};
  return input.call("with_shape", {self.get("shape")});
}

static Object Broadcast_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object x = args[1]; return x; })), Object::tuple({input}), result});
}

static Object Cbrt_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Cbrt_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  Object cubed, i, r, size, stays, t, third, tiny, w, x;
  Object item1_ = Object::tuple({s.get("f64"), s.call("to_f64", {input})});
  w = item1_[0];
  x = item1_[1];
  Object item2_ = Object::tuple({w.get("integers"), w.call("absolute", {x})});
  i = item2_[0];
  size = item2_[1];
  tiny = w.call("less", {size, w.call("number", {Object(2.2250738585072014e-308)})});
  size = w.call("select", {tiny, w.call("mul", {size, w.call("number", {Object(1.8014398509481984e+16)})}), size});
  third = i.call("shift_right", {i.call("mul", {i.call("shift_right", {w.call("to_bits", {size}), Object(32)}), i.call("number", {Object(1431655766)})}), Object(32)});
  t = w.call("from_bits", {i.call("shift_left", {i.call("add", {third, i.call("number", {Object(715094163)})}), Object(32)})});
  r = w.call("mul", {w.call("mul", {t, t}), w.call("div", {t, size})});
  cubed = w.call("mul", {w.call("mul", {w.call("mul", {r, r}), r}), w.call("polynomial", {r, Object::tuple({Object(-0.758397934778766), Object(0.14599619288661245)})})});
  t = w.call("mul", {t, w.call("add", {w.call("polynomial", {r, Object::tuple({Object(1.87595182427177), Object(-1.8849797954337717), Object(1.6214297201053545)})}), cubed})});
  t = w.call("from_bits", {i.call("bit_and", {i.call("add", {w.call("to_bits", {t}), i.call("number", {Object(2147483648LL)})}), i.call("number", {Object(-1073741824)})})});
  r = w.call("div", {size, w.call("mul", {t, t})});
  t = w.call("add", {t, w.call("mul", {t, w.call("div", {w.call("sub", {r, t}), w.call("add", {w.call("add", {t, t}), r})})})});
  t = w.call("copy_sign", {w.call("select", {tiny, w.call("mul", {t, w.call("number", {Object(3.814697265625e-06)})}), t}), x});
  stays = w.call("either", {w.call("equal", {x, w.call("number", {Object(0.0)})}), w.call("unordered", {w.call("sub", {x, x}), x})});
  return s.call("from_f64", {w.call("select", {stays, x, t})});
}

static Object Cbrt_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Cbrt_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object Ceil_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Ceil_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("Ceil"))) ? input : Object());
}

static Object Ceil_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  return s.call("ceil", {input});
}

static Object Ceil_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Ceil_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object Concatenate_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object parts = Object::tuple(args.drop_front(1));
  Object extent, first_, i, n, part, shape, whole;
  if (!bool(parts)) {
    return rule.refuse(Object("E2007"), Object("Concatenate takes 1 operand or more, found 0"));
  }
  first_ = parts[Object(0)];
  (void)rules_one_axis(rule, {Object("Concatenate"), self.get("axis"), first_});
  if (rule.refused())
    return {};
  for (const Object &item1_ : python::enumerate({parts}).items()) {
    n = item1_[0];
    part = item1_[1];
    (void)rules_same_dtype(rule, {Object("Concatenate"), first_, part, Object::tuple({Object("parts[0]"), python::text({"parts[", n, "]"})})});
    if (rule.refused())
      return {};
    if (part.get("rank") != first_.get("rank")) {
      return rule.refuse(Object("E3002"), python::text({"Concatenate takes parts of one rank, parts[", n, "] is ", part, ", parts[0] is ", first_}));
    }
    for (const Object &item2_ : python::enumerate({part.get("shape")}).items()) {
      i = item2_[0];
      extent = item2_[1];
      if ((i != self.get("axis")) && (extent != first_.get("shape")[i])) {
        return rule.refuse(Object("E3003"), python::text({"Concatenate along axis ", self.get("axis"), ": parts[", n, "] has extent ", extent, " at axis ", i, ", parts[0] has ", first_.get("shape")[i]}));
      }
    }
  }
  whole = python::sum({python::list({collected([&](List &made) { for (const Object &item3_ : parts.items()) { Object part = item3_; made.push_back(part.get("shape")[self.get("axis")]); } })})});
  shape = Object::tuple(spread({first_.get("shape").part(Object(), self.get("axis"), Object()), Object::tuple({whole}), first_.get("shape").part((self.get("axis") + Object(1)), Object(), Object())}));
  return first_.call("with_shape", {rules_check_extents(rule, {Object("Concatenate"), shape})});
}

static Object Concatenate_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object parts = Object::tuple(args.drop_front(3));
  Object extent, part, start, starts, whole;
  Object item1_ = Object::tuple({e.get("tensor").call("empty", {result}), Object(0)});
  whole = item1_[0];
  start = item1_[1];
  for (const Object &item2_ : parts.items()) {
    part = item2_;
    extent = e.call("type", {part}).get("shape")[self.get("axis")];
    if (e.call("type", {part}) == result) {
      return part;
    }
    if (bool(extent)) {
      starts = python::list({collected([&](List &made) { for (const Object &item3_ : python::range({result.get("rank")}).items()) { Object i = item3_; made.push_back(((i == self.get("axis")) ? start : Object(0))); } })});
      whole = e.get("tensor").call("inserted", {part, whole, starts, result});
    }
    start = (start + extent);
  }
  return whole;
}

static Object ConstF32_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  return python::TensorType({self.get("value").get("dtype"), Object::tuple({})});
}

static Object ConstF32_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  return e.call("literal", {self.get("value"), result});
}

static Object ConstF64_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  return python::TensorType({self.get("value").get("dtype"), Object::tuple({})});
}

static Object ConstF64_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  return e.call("literal", {self.get("value"), result});
}

static Object ConstI64_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  return python::TensorType({self.get("value").get("dtype"), Object::tuple({})});
}

static Object ConstI64_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  return e.call("literal", {self.get("value"), result});
}

static Object ConstTensor_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object type;
  type = python::TensorType({self.get("dtype"), self.get("shape")});
  if (self.get("data").get("dtype") != self.get("dtype")) {
    return rule.refuse(Object("E4005"), python::text({"ConstTensor of ", type, " has data of ", self.get("data").get("dtype")}));
  }
  if ((python::len({self.get("data")}) != type.get("size")) && !(bool(self.get("data").get("is_splat")) && bool(type.get("size")))) {
    return rule.refuse(Object("E4005"), python::text({type, " has ", type.get("size"), " elements, the data has ", python::len({self.get("data")})}));
  }
  return type;
}

static Object ConstTensor_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  return e.call("literal", {self.get("data"), result});
}

static Object mixed_has_all(Rule &rule, Args args) {
  Object dtype = args[0];
  Object other = args[1];
  if (dtype == other) {
    return Object(true);
  }
  if (bool(other.get("is_float"))) {
    return [&](Object first) { return bool(first) == true ? Object((dtype.get("bits") > other.get("bits"))) : first; }(dtype.get("is_float"));
  }
  return [&](Object first) { return bool(first) == true ? [&](Object first) { return bool(first) == true ? Object((dtype.get("largest") >= other.get("largest"))) : first; }(Object((dtype.get("smallest") <= other.get("smallest")))) : first; }(dtype.get("is_integer"));
}

static Object mixed_product_dtype(Rule &rule, Args args) {
  Object name = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  Object stated = args[3];
  Object called = args[4];
  Object i, x;
  if (stated == Object()) {
    (void)rules_same_numbers(rule, {name, lhs, rhs, called});
    if (rule.refused())
      return {};
    return lhs.get("dtype");
  }
  for (const Object &item1_ : python::enumerate({Object::tuple({lhs, rhs})}).items()) {
    i = item1_[0];
    x = item1_[1];
    (void)rules_numbers_only(rule, {name, x});
    if (rule.refused())
      return {};
    if (!bool(mixed_has_all(rule, {stated, x.get("dtype")}))) {
      return rule.refuse(Object("E2005"), python::text({name, " in ", stated, " does not hold every ", x.get("dtype"), ": ", called[i], " is ", x}));
    }
    if (rule.refused())
      return {};
  }
  return stated;
}

static Object conv_axes_layout_terms(Rule &rule, Args args) {
  Object layout = args[0];
  Object c, filter, fits, input, letters, own, rank, result, spatial, term, terms;
  letters = python::list({collected([&](List &made) { for (const Object &item1_ : layout.items()) { Object c = item1_; if (!contains(Object(" ,->"), c)) made.push_back(c); } })});
  rank = floorDiv(python::len({letters}), Object(3));
  terms = Object::list({letters.part(Object(), rank, Object()), letters.part(rank, (Object(2) * rank), Object()), letters.part((Object(2) * rank), Object(), Object())});
  Object item2_ = terms;
  input = item2_[0];
  filter = item2_[1];
  result = item2_[2];
  spatial = python::list({collected([&](List &made) { for (const Object &item3_ : filter.items()) { Object c = item3_; if (!contains(Object("IO"), c)) made.push_back(c); } })});
  fits = [&](Object first) { return bool(first) == true ? [&](Object first) { return bool(first) == true ? Object((python::len({spatial}) == (rank - Object(2)))) : first; }(Object((rank >= Object(2)))) : first; }(Object((python::len({letters}) == (Object(3) * rank))));
  for (const Object &item4_ : Object::tuple({Object::tuple({input, Object("NC")}), Object::tuple({filter, Object("IO")}), Object::tuple({result, Object("NC")})}).items()) {
    term = item4_[0];
    own = item4_[1];
    for (const Object &item5_ : Object::list(spread({Object::tuple({own[Object(0)]}), Object::tuple({own[Object(1)]}), spatial})).items()) {
      c = item5_;
      fits = [&](Object first) { return bool(first) == true ? Object((term.call("count", {c}) == Object(1))) : first; }(fits);
    }
  }
  if (!bool(fits) || (Object("").call("join", {python::list({collected([&](List &made) { for (const Object &item6_ : layout.items()) { Object c = item6_; if ((c != Object(" "))) made.push_back(c); } })})}) != Object("").call("join", {Object::list(spread({input, Object::tuple({Object(",")}), filter, Object::tuple({Object("->")}), result}))}))) {
    return rule.refuse(Object("E4013"), python::text({"Conv cannot read the layout ", layout}));
  }
  return terms;
}

static Object Conv_check_groups(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object filter = args[2];
  Object terms = args[3];
  Object batch, batches, channels, into, many, out;
  Object item1_ = Object::tuple({input[terms[Object(0)].call("index", {Object("N")})], input[terms[Object(0)].call("index", {Object("C")})]});
  batch = item1_[0];
  channels = item1_[1];
  Object item2_ = Object::tuple({filter[terms[Object(1)].call("index", {Object("I")})], filter[terms[Object(1)].call("index", {Object("O")})]});
  into = item2_[0];
  out = item2_[1];
  Object item3_ = Object::tuple({self.get("groups"), self.get("batch_groups")});
  many = item3_[0];
  batches = item3_[1];
  if ((many < Object(1)) || (batches < Object(1)) || ((many > Object(1)) && (batches > Object(1)))) {
    return rule.refuse(Object("E4009"), python::text({"Conv has ", many, " groups and ", batches, " batch_groups"}));
  }
  if (channels != (into * many)) {
    return rule.refuse(Object("E4009"), python::text({"Conv input has ", channels, " channels, the filter takes ", into, " in each of ", many, " groups"}));
  }
  if (bool((out % (many * batches))) || bool((batch % batches))) {
    return rule.refuse(Object("E4009"), python::text({"Conv cannot divide ", out, " filters and a batch of ", batch, " into ", (many * batches), " groups"}));
  }
  return {};
}

static Object Conv_spatial(Rule &rule, Args args) {
  Object self = args[0];
  return python::list({collected([&](List &made) { for (const Object &item1_ : conv_axes_layout_terms(rule, {self.get("layout")})[Object(1)].items()) { Object c = item1_; if (!contains(Object("IO"), c)) made.push_back(c); } })});
}

static Object Conv_full(Rule &rule, Args args) {
  Object self = args[0];
  Object count, is_padding, kind, out, values, what;
  count = python::len({Conv_spatial(rule, {self})});
  if (rule.refused())
    return {};
  out = Object::list({});
  for (const Object &item1_ : Object::tuple({Object("strides"), Object("low"), Object("high"), Object("input_dilation"), Object("filter_dilation")}).items()) {
    what = item1_;
    values = python::list({self.get(what)});
    is_padding = Object(contains(Object::tuple({Object("low"), Object("high")}), what));
    if (bool(values) && ((python::len({values}) != count) || (!bool(is_padding) && (python::min({values}) < Object(1))))) {
      kind = (bool(is_padding) ? Object("numbers") : Object("positive numbers"));
      return rule.refuse(Object("E4010"), python::text({"Conv takes ", count, " ", kind, " as ", what, ", found ", values}));
    }
    (void)out.call("append", {[&](Object first) { return bool(first) == false ? (Object::list({(bool(is_padding) ? Object(0) : Object(1))}) * count) : first; }(values)});
  }
  return out;
}

static Object conv_axes_outputs(Rule &rule, Args args) {
  Object name = args[0];
  Object axes = args[1];
  Object input = args[2];
  Object filter = args[3];
  Object strides = args[4];
  Object pads = args[5];
  Object axis, found, high, low, n, out, pad, padded, step, window;
  out = Object::list({});
  for (const Object &item1_ : python::zip({axes, input, filter, strides, pads}).items()) {
    axis = item1_[0];
    n = item1_[1];
    window = item1_[2];
    step = item1_[3];
    pad = item1_[4];
    Object item2_ = pad;
    low = item2_[0];
    high = item2_[1];
    padded = ((low + n) + high);
    if ((window > padded) || (padded < Object(0))) {
      return rule.refuse(Object("E4010"), python::text({name, " window of extent ", window, " is larger than the padded input of ", padded}));
    }
    if (((python::max({low, Object(0)}) + n) + python::max({high, Object(0)})) > Object(9223372036854775807LL)) {
      found = python::text({name, " pads ", n, " to more than ", Object(9223372036854775807LL)});
      return rule.refuse(Object("E4010"), found);
    }
    (void)out.call("append", {(floorDiv((padded - window), step) + Object(1))});
  }
  return out;
}

static Object conv_axes_dilated(Rule &rule, Args args) {
  Object extent = args[0];
  Object step = args[1];
  return ((extent > Object(0)) ? (((extent - Object(1)) * step) + Object(1)) : Object(0));
}

static Object Conv_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object filter = args[2];
  Object batch, dtype, extents, found, gaps, high, i, letters, low, rank, shape, spatial, steps, strides, terms, what, x;
  dtype = mixed_product_dtype(rule, {Object("Conv"), input, filter, self.get("element_type"), Object::tuple({Object("input"), Object("filter")})});
  if (rule.refused())
    return {};
  terms = conv_axes_layout_terms(rule, {self.get("layout")});
  if (rule.refused())
    return {};
  rank = python::len({terms[Object(0)]});
  for (const Object &item1_ : python::enumerate({Object::tuple({Object::tuple({Object("input"), input}), Object::tuple({Object("filter"), filter})})}).items()) {
    i = item1_[0];
    Object item2_ = item1_[1];
    what = item2_[0];
    x = item2_[1];
    if (x.get("rank") != rank) {
      return rule.refuse(Object("E3002"), python::text({"Conv with layout ", self.get("layout"), " takes rank ", rank, ", ", what, " is ", x}));
    }
  }
  (void)Conv_check_groups(rule, {self, input.get("shape"), filter.get("shape"), terms});
  if (rule.refused())
    return {};
  Object item3_ = Conv_full(rule, {self});
  strides = item3_[0];
  low = item3_[1];
  high = item3_[2];
  gaps = item3_[3];
  steps = item3_[4];
  if (rule.refused())
    return {};
  spatial = Conv_spatial(rule, {self});
  if (rule.refused())
    return {};
  found = conv_axes_outputs(rule, {Object("Conv"), spatial, python::list({collected([&](List &made) { for (const Object &item4_ : python::zip({spatial, gaps}).items()) { Object c = item4_[0]; Object d = item4_[1]; made.push_back(conv_axes_dilated(rule, {input.get("shape")[terms[Object(0)].call("index", {c})], d})); } })}), python::list({collected([&](List &made) { for (const Object &item5_ : python::zip({spatial, steps}).items()) { Object c = item5_[0]; Object d = item5_[1]; made.push_back(conv_axes_dilated(rule, {filter.get("shape")[terms[Object(1)].call("index", {c})], d})); } })}), strides, python::list({python::zip({low, high})})});
  if (rule.refused())
    return {};
  batch = floorDiv(input.get("shape")[terms[Object(0)].call("index", {Object("N")})], self.get("batch_groups"));
  extents = Object::list(spread({Object::tuple({batch}), Object::tuple({filter.get("shape")[terms[Object(1)].call("index", {Object("O")})]}), found}));
  letters = Object::list(spread({Object::tuple({Object("N")}), Object::tuple({Object("C")}), spatial}));
  shape = python::tuple({python::list({collected([&](List &made) { for (const Object &item6_ : terms[Object(2)].items()) { Object c = item6_; made.push_back(extents[letters.call("index", {c})]); } })})});
  return python::TensorType({dtype, rules_check_extents(rule, {Object("Conv"), shape})});
}

static Object conv_axes_layout_text(Rule &rule, Args args) {
  Object terms = args[0];
  Object filter, input, result;
  Object item2_ = python::list({collected([&](List &made) { for (const Object &item1_ : terms.items()) { Object term = item1_; made.push_back(Object("").call("join", {term})); } })});
  input = item2_[0];
  filter = item2_[1];
  result = item2_[2];
  return python::text({input, ", ", filter, " -> ", result});
}

static Object conv_unless(Rule &rule, Args args) {
  Object values = args[0];
  Object usual = args[1];
  return (bool(python::all({collected([&](List &made) { for (const Object &item1_ : values.items()) { Object n = item1_; made.push_back(Object((n == usual))); } })})) ? Object::tuple({}) : python::tuple({values}));
}

static Object Conv_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object filter = args[2];
  Object converts, gaps, high, is_turned, low, steps, strides, terms;
  Object item1_ = Conv_full(rule, {self});
  strides = item1_[0];
  low = item1_[1];
  high = item1_[2];
  gaps = item1_[3];
  steps = item1_[4];
  if (rule.refused())
    return {};
  terms = conv_axes_layout_terms(rule, {self.get("layout")});
  if (rule.refused())
    return {};
  is_turned = python::any({collected([&](List &made) { for (const Object &item2_ : Conv_spatial(rule, {self}).items()) { Object c = item2_; made.push_back(Object((filter.get("shape")[terms[Object(1)].call("index", {c})] > Object(1)))); } })});
  if (rule.refused())
    return {};
  converts = [&](Object first) { return bool(first) == true ? Object((Object::tuple({self.get("element_type"), self.get("element_type")}) != Object::tuple({input.get("dtype"), filter.get("dtype")}))) : first; }(Object((self.get("element_type") != Object())));
  return self.with({{"layout", conv_axes_layout_text(rule, {terms})}, {"strides", conv_unless(rule, {strides, Object(1)})}, {"low", conv_unless(rule, {low, Object(0)})}, {"high", conv_unless(rule, {high, Object(0)})}, {"input_dilation", conv_unless(rule, {gaps, Object(1)})}, {"filter_dilation", conv_unless(rule, {steps, Object(1)})}, {"reverse", [&](Object first) { return bool(first) == true ? is_turned : first; }(self.get("reverse"))}, {"groups", self.get("groups")}, {"batch_groups", self.get("batch_groups")}, {"element_type", (bool(converts) ? self.get("element_type") : Object())}});
}

static Object mixed_lowered_in(Rule &rule, Args args) {
  Object e = args[0];
  Object x = args[1];
  Object dtype = args[2];
  Object t, to;
  t = e.call("type", {x});
  if (t.get("dtype") == dtype) {
    return x;
  }
  to = python::TensorType({dtype, t.get("shape")});
  return (bool(t.get("size")) ? e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object v = args[1]; return s.call("converted", {v, s.call("of", {t.get("dtype")})}); })), Object::tuple({x}), to}) : e.get("tensor").call("empty", {to}));
}

static Object conv_loops_in_vectors(Rule &rule, Args args) {
  Object terms = args[0];
  Object spatial = args[1];
  Object strides = args[2];
  Object out = args[3];
  Object by_channels, last, steps, to_filter, to_input, to_result;
  Object item1_ = terms;
  to_input = item1_[0];
  to_filter = item1_[1];
  to_result = item1_[2];
  last = to_result[Object(-1)];
  by_channels = Object::list(spread({spatial, Object::tuple({Object("I")}), Object::tuple({Object("O")})}));
  if (last == Object("C")) {
    return Object::list({to_input, ((to_filter[Object(-1)] == Object("O")) ? to_filter : by_channels), to_result});
  }
  steps = python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({spatial, strides}).items()) { Object c = item2_[0]; Object k = item2_[1]; if ((c == last)) made.push_back(k); } })});
  if ((to_input[Object(-1)] == last) && contains(Object::tuple({Object::list({}), Object::list({Object(1)})}), steps) && (out < Object(16))) {
    return Object::list({to_input, to_filter, to_result});
  }
  return Object::list({Object::list(spread({Object::tuple({Object("N")}), spatial, Object::tuple({Object("C")})})), by_channels, Object::list(spread({Object::tuple({Object("N")}), spatial, Object::tuple({Object("C")})}))});
}

static Object conv_loops_turned(Rule &rule, Args args) {
  Object e = args[0];
  Object x = args[1];
  Object term = args[2];
  Object to = args[3];
  Object order, t;
  if (python::list({term}) == python::list({to})) {
    return x;
  }
  t = e.call("type", {x});
  order = python::list({collected([&](List &made) { for (const Object &item1_ : to.items()) { Object c = item1_; made.push_back(term.call("index", {c})); } })});
  return e.get("linalg").call("transposed", {x, order, t.call("with_shape", {python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : order.items()) { Object a = item2_; made.push_back(t.get("shape")[a]); } })})})})});
}

static Object conv_phases_apart(Rule &rule, Args args) {
  Object numbers = args[0];
  Object _, gaps, steps, strides;
  Object item1_ = numbers;
  strides = item1_[0];
  _ = item1_[1];
  _ = item1_[2];
  gaps = item1_[3];
  steps = item1_[4];
  return python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({strides, gaps, steps}).items()) { Object stride = item2_[0]; Object gap = item2_[1]; Object step = item2_[2]; made.push_back((((stride == Object(1)) && (step == Object(1))) ? gap : Object(1))); } })});
}

static Object conv_loops_grouped(Rule &rule, Args args) {
  Object many = args[0];
  Object each = args[1];
  Object name = args[2];
  if (many == Object(1)) {
    return Object::list({name});
  }
  return ((each == Object(1)) ? Object::list({Object("g")}) : Object::list({Object("g"), name}));
}

static Object conv_loops_loops_on_axes(Rule &rule, Args args) {
  Object filter = args[0];
  Object term = args[1];
  Object spatial = args[2];
  Object numbers = args[3];
  Object groups = args[4];
  Object reverse = args[5];
  Object batch = args[6];
  Object _, at, c, channels, first_, into, loops, many, out, own, p, position, step, steps, strides;
  Object item1_ = numbers;
  strides = item1_[0];
  _ = item1_[1];
  _ = item1_[2];
  _ = item1_[3];
  steps = item1_[4];
  many = (groups[Object(0)] * groups[Object(1)]);
  Object item2_ = Object::tuple({filter.get("shape")[term.call("index", {Object("I")})], floorDiv(filter.get("shape")[term.call("index", {Object("O")})], many)});
  into = item2_[0];
  out = item2_[1];
  channels = conv_loops_grouped(rule, {many, out, Object("f")});
  if (rule.refused())
    return {};
  own = Object::list({Object::list({Object::tuple({Object("N"), conv_loops_grouped(rule, {groups[Object(1)], batch, Object("n")})}), Object::tuple({Object("C"), conv_loops_grouped(rule, {groups[Object(0)], into, Object("c")})})}), Object::list({Object::tuple({Object("I"), (((groups[Object(0)] > Object(1)) && (into == Object(1))) ? Object::list({Object("0")}) : Object::list({Object("c")}))}), Object::tuple({Object("O"), channels})}), Object::list({Object::tuple({Object("N"), Object::list({Object("n")})}), Object::tuple({Object("C"), channels})})});
  if (rule.refused())
    return {};
  for (const Object &item3_ : python::enumerate({spatial}).items()) {
    p = item3_[0];
    c = item3_[1];
    Object item4_ = Object::tuple({Object(0), steps[p]});
    first_ = item4_[0];
    step = item4_[1];
    if (bool(reverse)) {
      Object item5_ = Object::tuple({((filter.get("shape")[term.call("index", {c})] - Object(1)) * step), -step});
      first_ = item5_[0];
      step = item5_[1];
    }
    position = python::text({strides[p], "*y", p, "+", step, "*i", p, "+", first_});
    for (const Object &item6_ : python::zip({own, Object::tuple({position, python::text({"i", p}), python::text({"y", p})})}).items()) {
      loops = item6_[0];
      at = item6_[1];
      (void)loops.call("append", {Object::tuple({c, Object::list({at})})});
    }
  }
  return own;
}

static Object conv_loops_of(Rule &rule, Args args) {
  Object own = args[0];
  Object letter = args[1];
  Object c, loops;
  for (const Object &item1_ : own.items()) {
    c = item1_[0];
    loops = item1_[1];
    if (c == letter) {
      return loops;
    }
  }
  return Object::list({});
}

static Object conv_loops_split_shape(Rule &rule, Args args) {
  Object shape = args[0];
  Object term = args[1];
  Object own = args[2];
  Object many = args[3];
  Object c, n, out;
  out = Object::list({});
  for (const Object &item1_ : python::zip({shape, term}).items()) {
    n = item1_[0];
    c = item1_[1];
    out = (out + ((python::len({conv_loops_of(rule, {own, c})}) == Object(2)) ? Object::list({many, floorDiv(n, many)}) : Object::list({n})));
    if (rule.refused())
      return {};
  }
  return python::tuple({out});
}

static Object conv_loops_split(Rule &rule, Args args) {
  Object e = args[0];
  Object x = args[1];
  Object term = args[2];
  Object own = args[3];
  Object many = args[4];
  Object t;
  t = e.call("type", {x});
  return e.get("tensor").call("reshaped", {x, t.call("with_shape", {conv_loops_split_shape(rule, {t.get("shape"), term, own, many})})});
}

static Object conv_loops_padded(Rule &rule, Args args) {
  Object e = args[0];
  Object x = args[1];
  Object term = args[2];
  Object spatial = args[3];
  Object numbers = args[4];
  Object _, axis, c, gap, gaps, h, high, interior, l, low, padded, pads, shape, starts, t;
  Object item1_ = numbers;
  _ = item1_[0];
  low = item1_[1];
  high = item1_[2];
  gaps = item1_[3];
  _ = item1_[4];
  t = e.call("type", {x});
  Object item3_ = Object::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : term.items()) { Object c = item2_; made.push_back(Object::list({Object(0), Object(0)})); } })}), (Object::list({Object(0)}) * t.get("rank")), (Object::list({Object(0)}) * t.get("rank"))});
  pads = item3_[0];
  interior = item3_[1];
  starts = item3_[2];
  shape = python::list({t.get("shape")});
  for (const Object &item4_ : python::zip({spatial, low, high, gaps}).items()) {
    c = item4_[0];
    l = item4_[1];
    h = item4_[2];
    gap = item4_[3];
    axis = term.call("index", {c});
    pads.set(axis, Object::list({python::max({l, Object(0)}), python::max({h, Object(0)})}));
    interior.set(axis, (gap - Object(1)));
    starts.set(axis, python::max({-l, Object(0)}));
    shape.set(axis, ((l + conv_axes_dilated(rule, {shape[axis], gap})) + h));
    if (rule.refused())
      return {};
  }
  padded = e.get("linalg").call("padded", {x, pads, interior});
  return e.get("tensor").call("slice", {padded, starts, (Object::list({Object(1)}) * t.get("rank")), t.call("with_shape", {python::tuple({shape})})});
}

static Object conv_loops_text(Rule &rule, Args args) {
  Object term = args[0];
  Object own = args[1];
  return Object(" ").call("join", {python::list({collected([&](List &made) { for (const Object &item1_ : term.items()) { Object c = item1_; made.push_back(Object(" ").call("join", {conv_loops_of(rule, {own, c})})); } })})});
}

static Object conv_loops_in_windows(Rule &rule, Args args) {
  Object e = args[0];
  Object result = args[1];
  Object operands = args[2];
  Object terms = args[3];
  Object spatial = args[4];
  Object numbers = args[5];
  Object groups = args[6];
  Object reverse = args[7];
  Object dims, many, own, shaped, sums, to_filter, to_input, to_result, w, x;
  Object item1_ = operands;
  x = item1_[0];
  w = item1_[1];
  Object item2_ = terms;
  to_input = item2_[0];
  to_filter = item2_[1];
  to_result = item2_[2];
  many = (groups[Object(0)] * groups[Object(1)]);
  own = conv_loops_loops_on_axes(rule, {e.call("type", {w}), to_filter, spatial, numbers, groups, reverse, result.get("shape")[to_result.call("index", {Object("N")})]});
  if (rule.refused())
    return {};
  x = conv_loops_split(rule, {e, conv_loops_padded(rule, {e, x, to_input, spatial, numbers}), to_input, own[Object(0)], many});
  if (rule.refused())
    return {};
  w = conv_loops_split(rule, {e, w, to_filter, own[Object(1)], many});
  if (rule.refused())
    return {};
  dims = python::text({conv_loops_text(rule, {to_input, own[Object(0)]}), ", ", conv_loops_text(rule, {to_filter, own[Object(1)]}), " -> ", conv_loops_text(rule, {to_result, own[Object(2)]})});
  if (rule.refused())
    return {};
  sums = (python::list({collected([&](List &made) { for (const Object &item3_ : python::range({python::len({spatial})}).items()) { Object p = item3_; made.push_back(python::text({"i", p})); } })}) + python::list({collected([&](List &made) { for (const Object &item4_ : conv_loops_of(rule, {own[Object(1)], Object("I")}).items()) { Object name = item4_; if ((name == Object("c"))) made.push_back(name); } })}));
  if (rule.refused())
    return {};
  shaped = result.call("with_shape", {conv_loops_split_shape(rule, {result.get("shape"), to_result, own[Object(2)], many})});
  if (rule.refused())
    return {};
  return e.get("tensor").call("reshaped", {e.get("convolution").call("over_windows", {dims, Object(" ").call("join", {sums}), Object::tuple({x, w}), shaped}), result});
}

static Object conv_phases_zeros(Rule &rule, Args args) {
  Object e = args[0];
  Object w = args[1];
  Object term = args[2];
  Object axis, products, t;
  Object item1_ = Object::tuple({e.call("type", {w}), term.call("index", {Object("I")})});
  t = item1_[0];
  axis = item1_[1];
  products = e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("mul", {x, s.call("number", {Object(0)})}); })), Object::tuple({w}), t});
  return e.get("reduction").call("sum", {products, Object::list({axis}), t.call("with_shape", {Object::tuple(spread({t.get("shape").part(Object(), axis, Object()), Object::tuple({Object(1)}), t.get("shape").part((axis + Object(1)), Object(), Object())}))})});
}

static Object conv_phases_along(Rule &rule, Args args) {
  Object r = args[0];
  Object many = args[1];
  Object extents = args[2];
  Object pads = args[3];
  Object reverse = args[4];
  Object before, count, first_, n, outputs, position, taken, window;
  Object item1_ = extents;
  n = item1_[0];
  window = item1_[1];
  outputs = item1_[2];
  if (many == Object(1)) {
    return Object::list({Object(0), outputs, Object(0), window, pads[Object(0)], pads[Object(1)]});
  }
  position = ((pads[Object(0)] - r) % many);
  count = python::max({-floorDiv(-(outputs - r), many), Object(0)});
  taken = python::max({-floorDiv(-(window - position), many), Object(0)});
  first_ = (bool(reverse) ? (((window - Object(1)) - position) - (many * (taken - Object(1)))) : position);
  before = floorDiv(((pads[Object(0)] - r) - position), many);
  return Object::list({r, count, first_, taken, before, ((((count + taken) - Object(1)) - before) - n)});
}

static Object conv_phases_with(Rule &rule, Args args) {
  Object shape = args[0];
  Object term = args[1];
  Object spatial = args[2];
  Object numbers = args[3];
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({shape, term}).items()) { Object n = item1_[0]; Object c = item1_[1]; made.push_back((contains(spatial, c) ? numbers[spatial.call("index", {c})] : n)); } })})});
}

static Object conv_phases_left_out(Rule &rule, Args args) {
  Object e = args[0];
  Object zeros = args[1];
  Object taken = args[2];
  Object terms = args[3];
  Object at, by, filters, part, rest, spatial, t, to_filter, to_result, total, windows;
  Object item1_ = taken;
  at = item1_[0];
  by = item1_[1];
  windows = item1_[2];
  Object item2_ = terms;
  to_filter = item2_[0];
  spatial = item2_[1];
  to_result = item2_[2];
  t = e.call("type", {zeros});
  part = t.call("with_shape", {conv_phases_with(rule, {t.get("shape"), to_filter, spatial, windows})});
  if (rule.refused())
    return {};
  rest = (bool(part.get("size")) ? e.get("tensor").call("inserted", {e.get("linalg").call("filled", {part, Object(0)}), zeros, at, t, by}) : zeros);
  filters = t.get("shape")[to_filter.call("index", {Object("O")})];
  total = e.get("reduction").call("sum", {rest, python::list({collected([&](List &made) { for (const Object &item3_ : python::enumerate({to_filter}).items()) { Object i = item3_[0]; Object c = item3_[1]; if ((c != Object("O"))) made.push_back(i); } })}), t.call("with_shape", {Object::tuple({filters})})});
  return e.get("tensor").call("reshaped", {total, t.call("with_shape", {python::tuple({python::list({collected([&](List &made) { for (const Object &item4_ : to_result.items()) { Object c = item4_; made.push_back(((c == Object("C")) ? filters : Object(1))); } })})})})});
}

static Object conv_phases_in_phases(Rule &rule, Args args) {
  Object e = args[0];
  Object result = args[1];
  Object operands = args[2];
  Object layout = args[3];
  Object spatial = args[4];
  Object numbers = args[5];
  Object groups = args[6];
  Object reverse = args[7];
  Object apart, at, between, by, counts, first_, firsts, found, gaps, high, highs, left, low, lows, made_, own, part, phase, piece, row, starts, steps, strides, taken, those, to_filter, to_input, to_result, w, w_shape, windows, x, x_shape, zeros;
  Object item1_ = operands;
  x = item1_[0];
  w = item1_[1];
  Object item2_ = layout;
  to_input = item2_[0];
  to_filter = item2_[1];
  to_result = item2_[2];
  Object item3_ = numbers;
  strides = item3_[0];
  low = item3_[1];
  high = item3_[2];
  gaps = item3_[3];
  steps = item3_[4];
  apart = conv_phases_apart(rule, {numbers});
  if (rule.refused())
    return {};
  left = python::list({collected([&](List &made) { for (const Object &item4_ : python::zip({apart, gaps}).items()) { Object many = item4_[0]; Object gap = item4_[1]; made.push_back(((many > Object(1)) ? Object(1) : gap)); } })});
  zeros = (bool(result.get("dtype").get("is_float")) ? conv_phases_zeros(rule, {e, w, to_filter}) : Object());
  if (rule.refused())
    return {};
  Object item5_ = Object::tuple({e.call("type", {x}).get("shape"), e.call("type", {w}).get("shape")});
  x_shape = item5_[0];
  w_shape = item5_[1];
  made_ = e.get("tensor").call("empty", {result});
  for (const Object &item6_ : python::range({python::prod({apart})}).items()) {
    phase = item6_;
    own = python::list({collected([&](List &made) { for (const Object &item7_ : python::enumerate({python::zip({spatial, apart})}).items()) { Object axis = item7_[0]; Object item8_ = item7_[1]; Object c = item8_[0]; Object many = item8_[1]; made.push_back(conv_phases_along(rule, {(floorDiv(phase, python::prod({apart.part((axis + Object(1)), Object(), Object())})) % many), many, Object::tuple({x_shape[to_input.call("index", {c})], w_shape[to_filter.call("index", {c})], result.get("shape")[to_result.call("index", {c})]}), Object::tuple({low[axis], high[axis]}), reverse})); } })});
    if (rule.refused())
      return {};
    Object item11_ = python::list({collected([&](List &made) { for (const Object &item9_ : python::range({Object(6)}).items()) { Object k = item9_; made.push_back(python::list({collected([&](List &made) { for (const Object &item10_ : own.items()) { Object a = item10_; made.push_back(a[k]); } })})); } })});
    starts = item11_[0];
    counts = item11_[1];
    firsts = item11_[2];
    windows = item11_[3];
    lows = item11_[4];
    highs = item11_[5];
    piece = result.call("with_shape", {conv_phases_with(rule, {result.get("shape"), to_result, spatial, counts})});
    if (rule.refused())
      return {};
    if (!bool(piece.get("size"))) {
      continue;
    }
    at = conv_phases_with(rule, {(Object::list({Object(0)}) * python::len({to_filter})), to_filter, spatial, firsts});
    if (rule.refused())
      return {};
    by = conv_phases_with(rule, {(Object::list({Object(1)}) * python::len({to_filter})), to_filter, spatial, apart});
    if (rule.refused())
      return {};
    part = e.call("type", {w}).call("with_shape", {conv_phases_with(rule, {w_shape, to_filter, spatial, windows})});
    if (rule.refused())
      return {};
    row = ((zeros == Object()) ? Object() : conv_phases_left_out(rule, {e, zeros, Object::tuple({at, by, windows}), Object::tuple({to_filter, spatial, to_result})}));
    if (rule.refused())
      return {};
    if (bool(part.get("size"))) {
      those = Object::tuple({strides, lows, highs, left, steps});
      taken = Object::tuple({x, e.get("tensor").call("slice", {w, at, by, part})});
      found = conv_loops_in_windows(rule, {e, piece, taken, layout, spatial, those, groups, reverse});
      if (rule.refused())
        return {};
    } else {
      found = e.get("linalg").call("filled", {piece, Object(0)});
    }
    if (row != Object()) {
      found = e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("add", {x, y}); })), Object::tuple({found, row}), piece});
    }
    first_ = conv_phases_with(rule, {(Object::list({Object(0)}) * python::len({to_result})), to_result, spatial, starts});
    if (rule.refused())
      return {};
    between = conv_phases_with(rule, {(Object::list({Object(1)}) * python::len({to_result})), to_result, spatial, apart});
    if (rule.refused())
      return {};
    made_ = e.get("tensor").call("inserted", {found, made_, first_, result, between});
  }
  return made_;
}

static Object conv_phases_lowered(Rule &rule, Args args) {
  Object e = args[0];
  Object result = args[1];
  Object input = args[2];
  Object filter = args[3];
  Object terms = args[4];
  Object numbers = args[5];
  Object groups = args[6];
  Object reverse = args[7];
  Object apart, count, filters, layout, made_, out, spatial, w, x;
  spatial = python::list({collected([&](List &made) { for (const Object &item1_ : terms[Object(1)].items()) { Object c = item1_; if (!contains(Object("IO"), c)) made.push_back(c); } })});
  filters = floorDiv(e.call("type", {filter}).get("shape")[terms[Object(1)].call("index", {Object("O")})], (groups[Object(0)] * groups[Object(1)]));
  layout = conv_loops_in_vectors(rule, {terms, spatial, numbers[Object(0)], filters});
  if (rule.refused())
    return {};
  x = conv_loops_turned(rule, {e, input, terms[Object(0)], layout[Object(0)]});
  if (rule.refused())
    return {};
  w = conv_loops_turned(rule, {e, filter, terms[Object(1)], layout[Object(1)]});
  if (rule.refused())
    return {};
  out = result.call("with_shape", {python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : layout[Object(2)].items()) { Object c = item2_; made.push_back(result.get("shape")[terms[Object(2)].call("index", {c})]); } })})})});
  apart = conv_phases_apart(rule, {numbers});
  if (rule.refused())
    return {};
  count = python::prod({apart});
  if ((count == Object(1)) || (count > Object(16)) || !(bool(e.call("type", {x}).get("size")) && bool(e.call("type", {w}).get("size")) && bool(out.get("size")))) {
    made_ = conv_loops_in_windows(rule, {e, out, Object::tuple({x, w}), layout, spatial, numbers, groups, reverse});
    if (rule.refused())
      return {};
  } else {
    made_ = conv_phases_in_phases(rule, {e, out, Object::tuple({x, w}), layout, spatial, numbers, groups, reverse});
    if (rule.refused())
      return {};
  }
  return conv_loops_turned(rule, {e, made_, layout[Object(2)], terms[Object(2)]});
}

static Object Conv_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object filter = args[4];
  Object terms;
  Object item1_ = Object::tuple({mixed_lowered_in(rule, {e, input, result.get("dtype")}), mixed_lowered_in(rule, {e, filter, result.get("dtype")})});
  input = item1_[0];
  filter = item1_[1];
  if (rule.refused())
    return {};
  terms = conv_axes_layout_terms(rule, {self.get("layout")});
  if (rule.refused())
    return {};
  return conv_phases_lowered(rule, {e, result, input, filter, terms, Conv_full(rule, {self}), Object::list({self.get("groups"), self.get("batch_groups")}), self.get("reverse")});
}

static Object convolution_window(Rule &rule, Args args) {
  Object extent = args[0];
  Object kernel = args[1];
  Object stride = args[2];
  Object padding = args[3];
  Object axis = args[4];
  Object high, low, total;
  if (padding == Object("Valid")) {
    Object item1_ = Object::tuple({Object(0), Object(0)});
    low = item1_[0];
    high = item1_[1];
  } else {
    if (padding == Object("Same")) {
      total = python::max({((((-floorDiv(-extent, stride) - Object(1)) * stride) + kernel) - extent), Object(0)});
      Object item2_ = Object::tuple({floorDiv(total, Object(2)), (total - floorDiv(total, Object(2)))});
      low = item2_[0];
      high = item2_[1];
    } else {
      Object item3_ = padding[axis];
      low = item3_[0];
      high = item3_[1];
    }
  }
  return Object::tuple({low, high, (floorDiv((((low + extent) + high) - kernel), stride) + Object(1))});
}

static Object convolution_convolution(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object filter = args[2];
  Object strides = args[3];
  Object padding = args[4];
  Object axis, extent, found, high, i, kernel, low, out, spatial, stride, what, x;
  (void)rules_same_numbers(rule, {name, input, filter, Object::tuple({Object("input"), Object("filter")})});
  if (rule.refused())
    return {};
  for (const Object &item1_ : python::enumerate({Object::tuple({Object::tuple({Object("input"), input}), Object::tuple({Object("filter"), filter})})}).items()) {
    i = item1_[0];
    Object item2_ = item1_[1];
    what = item2_[0];
    x = item2_[1];
    if (x.get("rank") != Object(4)) {
      return rule.refuse(Object("E3002"), python::text({name, " takes rank 4, ", what, " is ", x}));
    }
  }
  if ((python::len({strides}) != Object(2)) || (python::min({strides}) < Object(1))) {
    return rule.refuse(Object("E4010"), python::text({name, " strides are two positive numbers, found ", python::list({strides})}));
  }
  if (input.get("shape")[Object(3)] != filter.get("shape")[Object(2)]) {
    return rule.refuse(Object("E4009"), python::text({name, " input has ", input.get("shape")[Object(3)], " channels, the filter takes ", filter.get("shape")[Object(2)]}));
  }
  spatial = Object::list({});
  for (const Object &item3_ : python::enumerate({python::zip({input.get("shape").part(Object(1), Object(3), Object()), filter.get("shape"), strides})}).items()) {
    axis = item3_[0];
    Object item4_ = item3_[1];
    extent = item4_[0];
    kernel = item4_[1];
    stride = item4_[2];
    Object item5_ = convolution_window(rule, {extent, kernel, stride, padding, axis});
    low = item5_[0];
    high = item5_[1];
    out = item5_[2];
    if (rule.refused())
      return {};
    if ((kernel > ((low + extent) + high)) && !((extent == Object(0)) && (padding == Object("Same")))) {
      return rule.refuse(Object("E4010"), python::text({name, " window of extent ", kernel, " is larger than the padded input of ", ((low + extent) + high)}));
    }
    if (((low + extent) + high) > Object(9223372036854775807LL)) {
      found = python::text({name, " pads ", extent, " to ", ((low + extent) + high), ", larger than ", Object(9223372036854775807LL)});
      return rule.refuse(Object("E4010"), found);
    }
    (void)spatial.call("append", {python::max({out, Object(0)})});
  }
  return input.call("with_shape", {rules_check_extents(rule, {name, Object::tuple(spread({Object::tuple({input.get("shape")[Object(0)]}), spatial, Object::tuple({filter.get("shape")[Object(3)]})}))})});
}

static Object Conv2d_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object filter = args[2];
  return convolution_convolution(rule, {Object("Conv2d"), input, filter, self.get("strides"), self.get("padding")});
}

static Object convolution_pads(Rule &rule, Args args) {
  Object input = args[0];
  Object filter = args[1];
  Object strides = args[2];
  Object padding = args[3];
  Object _, bottom, left, right, top;
  Object item1_ = convolution_window(rule, {input[Object(1)], filter[Object(0)], strides[Object(0)], padding, Object(0)});
  top = item1_[0];
  bottom = item1_[1];
  _ = item1_[2];
  if (rule.refused())
    return {};
  Object item2_ = convolution_window(rule, {input[Object(2)], filter[Object(1)], strides[Object(1)], padding, Object(1)});
  left = item2_[0];
  right = item2_[1];
  _ = item2_[2];
  if (rule.refused())
    return {};
  return Object::tuple({Object::tuple({top, bottom}), Object::tuple({left, right})});
}

static Object Conv2d_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object filter = args[4];
  Object around;
  around = convolution_pads(rule, {e.call("type", {input}).get("shape"), e.call("type", {filter}).get("shape"), self.get("strides"), self.get("padding")});
  if (rule.refused())
    return {};
  return e.get("convolution").call("convolved", {e.get("linalg").call("padded", {input, Object::tuple(spread({Object::tuple({Object::tuple({Object(0), Object(0)})}), around, Object::tuple({Object::tuple({Object(0), Object(0)})})}))}), filter, self.get("strides"), result});
}

static Object convolution_check_shape(Rule &rule, Args args) {
  Object name = args[0];
  Object what = args[1];
  Object shape = args[2];
  if (python::len({shape}) != Object(4)) {
    return rule.refuse(Object("E3002"), python::text({name, " takes four extents as ", what, ", found ", python::len({shape})}));
  }
  return {};
}

static Object convolution_check_cotangent(Rule &rule, Args args) {
  Object name = args[0];
  Object cotangent = args[1];
  Object at = args[2];
  Object input = args[3];
  Object filter = args[4];
  Object strides = args[5];
  Object padding = args[6];
  Object axis, expected, found, n;
  expected = convolution_convolution(rule, {name, input, filter, strides, padding});
  if (rule.refused())
    return {};
  if (cotangent.get("rank") != Object(4)) {
    return rule.refuse(Object("E3002"), python::text({name, " takes rank 4, cotangent is ", cotangent}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({cotangent.get("shape"), expected.get("shape")})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    found = item2_[0];
    n = item2_[1];
    if (found != n) {
      return rule.refuse(Object("E3003"), python::text({name, " cotangent has extent ", found, " at axis ", axis, ", where Conv2d gives ", n}));
    }
  }
  return {};
}

static Object Conv2dBackwardFilter_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object cotangent = args[2];
  Object filter, name;
  name = Object("Conv2dBackwardFilter");
  (void)rules_same_numbers(rule, {name, input, cotangent, Object::tuple({Object("input"), Object("cotangent")})});
  if (rule.refused())
    return {};
  (void)convolution_check_shape(rule, {name, Object("filter_shape"), self.get("filter_shape")});
  if (rule.refused())
    return {};
  filter = input.call("with_shape", {self.get("filter_shape")});
  (void)convolution_check_cotangent(rule, {name, cotangent, Object(1), input, filter, self.get("strides"), self.get("padding")});
  if (rule.refused())
    return {};
  return filter;
}

static Object Conv2dBackwardFilter_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object cotangent = args[4];
  Object around;
  around = convolution_pads(rule, {e.call("type", {input}).get("shape"), self.get("filter_shape"), self.get("strides"), self.get("padding")});
  if (rule.refused())
    return {};
  return e.get("convolution").call("correlated", {input, Object::tuple(spread({Object::tuple({Object::tuple({Object(0), Object(0)})}), around, Object::tuple({Object::tuple({Object(0), Object(0)})})})), cotangent, self.get("strides"), result});
}

static Object Conv2dBackwardInput_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object cotangent = args[1];
  Object filter = args[2];
  Object input, name;
  name = Object("Conv2dBackwardInput");
  (void)rules_same_numbers(rule, {name, cotangent, filter, Object::tuple({Object("cotangent"), Object("filter")})});
  if (rule.refused())
    return {};
  (void)convolution_check_shape(rule, {name, Object("input_shape"), self.get("input_shape")});
  if (rule.refused())
    return {};
  input = cotangent.call("with_shape", {self.get("input_shape")});
  (void)convolution_check_cotangent(rule, {name, cotangent, Object(0), input, filter, self.get("strides"), self.get("padding")});
  if (rule.refused())
    return {};
  return input;
}

static Object convolution_padded(Rule &rule, Args args) {
  Object input = args[0];
  Object filter = args[1];
  Object strides = args[2];
  Object padding = args[3];
  Object bottom, c, h, left, n, right, top, w;
  Object item1_ = convolution_pads(rule, {input, filter, strides, padding});
  Object item2_ = item1_[0];
  top = item2_[0];
  bottom = item2_[1];
  Object item3_ = item1_[1];
  left = item3_[0];
  right = item3_[1];
  if (rule.refused())
    return {};
  Object item4_ = input;
  n = item4_[0];
  h = item4_[1];
  w = item4_[2];
  c = item4_[3];
  return Object::tuple({n, ((top + h) + bottom), ((left + w) + right), c});
}

static Object Conv2dBackwardInput_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object cotangent = args[3];
  Object filter = args[4];
  Object _, around, left, shape, top, total;
  shape = e.call("type", {filter}).get("shape");
  around = convolution_padded(rule, {self.get("input_shape"), shape, self.get("strides"), self.get("padding")});
  if (rule.refused())
    return {};
  Object item1_ = convolution_pads(rule, {self.get("input_shape"), shape, self.get("strides"), self.get("padding")});
  Object item2_ = item1_[0];
  top = item2_[0];
  _ = item2_[1];
  Object item3_ = item1_[1];
  left = item3_[0];
  _ = item3_[1];
  if (rule.refused())
    return {};
  total = e.get("convolution").call("convolved_back", {cotangent, filter, self.get("strides"), result.call("with_shape", {around})});
  return e.get("tensor").call("slice", {total, Object::tuple({Object(0), top, left, Object(0)}), Object::tuple({Object(1), Object(1), Object(1), Object(1)}), result});
}

static Object Convert_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return python::TensorType({self.get("to"), input.get("shape")});
}

static Object Convert_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((input.get("type").get("dtype") == self.get("to")) ? input : Object());
}

static Object Convert_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object dtype;
  dtype = e.call("type", {input}).get("dtype");
  if (dtype == self.get("to")) {
    return input;
  }
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("converted", {x, s.call("of", {dtype})}); })), Object::tuple({input}), result});
}

static Object Cos_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Cos_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.cos"), x}); })), Object::tuple({input}), result});
}

static Object Cosh_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Cosh_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.cosh"), x}); })), Object::tuple({input}), result});
}

static Object CumMax_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)along_axis_check_axis(rule, {self.get("opcode"), self.get("axis"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object CumMax_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((input.get("shape")[self.get("axis")] == Object(1)) ? input : Object());
}

static Object CumMax_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("scan").call("cumulative", {Object("max"), input, self.get("axis"), self.get("reverse"), result});
}

static Object CumMin_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)along_axis_check_axis(rule, {self.get("opcode"), self.get("axis"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object CumMin_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((input.get("shape")[self.get("axis")] == Object(1)) ? input : Object());
}

static Object CumMin_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("scan").call("cumulative", {Object("min"), input, self.get("axis"), self.get("reverse"), result});
}

static Object CumProd_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)along_axis_check_axis(rule, {self.get("opcode"), self.get("axis"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object CumProd_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((input.get("shape")[self.get("axis")] == Object(1)) ? input : Object());
}

static Object CumProd_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("scan").call("cumulative", {Object("prod"), input, self.get("axis"), self.get("reverse"), result});
}

static Object CumSum_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)along_axis_check_axis(rule, {self.get("opcode"), self.get("axis"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object CumSum_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((input.get("shape")[self.get("axis")] == Object(1)) ? input : Object());
}

static Object CumSum_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("scan").call("cumulative", {Object("sum"), input, self.get("axis"), self.get("reverse"), result});
}

static Object Digamma_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Digamma_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("mind.Digamma"), x}); })), Object::tuple({input}), result});
}

static Object Div_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object div_divide(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object y = args[2];
  Object by_zero, minus_one, overflow, safe, zero;
  if (bool(s.get("is_float"))) {
    return s.call("div", {x, y});
  }
  Object item1_ = Object::tuple({s.call("number", {Object(0)}), s.call("number", {Object(-1)})});
  zero = item1_[0];
  minus_one = item1_[1];
  by_zero = s.call("equal", {y, zero});
  overflow = s.call("both", {s.call("equal", {x, s.call("number", {s.get("smallest")})}), s.call("equal", {y, minus_one})});
  safe = s.call("select", {s.call("either", {by_zero, overflow}), s.call("number", {Object(1)}), y});
  return s.call("select", {by_zero, minus_one, s.call("div", {x, safe})});
}

static Object Div_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return div_divide(rule, args); })), Object::tuple({lhs, rhs}), result});
}

static Object Dot_infer_type(Rule &rule, Args args) {
  Object lhs = args[1];
  Object rhs = args[2];
  Object i, name, x;
  (void)rules_same_numbers(rule, {Object("Dot"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  for (const Object &item1_ : python::enumerate({Object::tuple({Object::tuple({Object("lhs"), lhs}), Object::tuple({Object("rhs"), rhs})})}).items()) {
    i = item1_[0];
    Object item2_ = item1_[1];
    name = item2_[0];
    x = item2_[1];
    if (!contains(Object::tuple({Object(1), Object(2)}), x.get("rank"))) {
      return rule.refuse(Object("E3002"), python::text({"Dot takes rank 1 or 2, ", name, " is ", x}));
    }
  }
  if (lhs.get("shape")[Object(-1)] != rhs.get("shape")[Object(0)]) {
    return rule.refuse(Object("E3003"), python::text({"Dot contracts ", lhs.get("shape")[Object(-1)], " against ", rhs.get("shape")[Object(0)]}));
  }
  return lhs.call("with_shape", {(lhs.get("shape").part(Object(), Object(-1), Object()) + rhs.get("shape").part(Object(1), Object(), Object()))});
}

static Object Dot_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object name, ranks;
  ranks = Object::tuple({e.call("type", {lhs}).get("rank"), e.call("type", {rhs}).get("rank")});
  name = Object::tuple({Object::tuple({Object::tuple({Object(1), Object(1)}), Object("dot")}), Object::tuple({Object::tuple({Object(2), Object(1)}), Object("matvec")}), Object::tuple({Object::tuple({Object(1), Object(2)}), Object("vecmat")}), Object::tuple({Object::tuple({Object(2), Object(2)}), Object("matmul")})})[ranks];
  return e.get("linalg").call("named", {python::text({"linalg.", name}), Object::tuple({lhs, rhs}), result, Object(0)});
}

static Object dot_dimensions_counted_from_0(Rule &rule, Args args) {
  Object name = args[0];
  Object side = args[1];
  Object batch = args[2];
  Object contract = args[3];
  Object rank = args[4];
  Object a, axes, d, made_, out, seen, what;
  out = Object::list({});
  seen = Object::list({});
  for (const Object &item1_ : Object::tuple({Object::tuple({Object("batch"), batch}), Object::tuple({Object("contract"), contract})}).items()) {
    what = item1_[0];
    axes = item1_[1];
    made_ = Object::list({});
    for (const Object &item2_ : axes.items()) {
      a = item2_;
      if (!((-rank <= a) && (a < rank))) {
        return rule.refuse(Object("E3004"), python::text({name, " ", side, "_", what, " names dimension ", a, ", out of range for rank ", rank}));
      }
      d = ((a < Object(0)) ? (a + rank) : a);
      if (contains(seen, d)) {
        return rule.refuse(Object("E3005"), python::text({name, " names dimension ", d, " of ", side, " twice"}));
      }
      (void)seen.call("append", {d});
      (void)made_.call("append", {d});
    }
    (void)out.call("append", {made_});
  }
  return out;
}

static Object DotGeneral_sides(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  Object left;
  left = dot_dimensions_counted_from_0(rule, {Object("DotGeneral"), Object("lhs"), self.get("lhs_batch"), self.get("lhs_contract"), lhs.get("rank")});
  if (rule.refused())
    return {};
  return Object::tuple({left, dot_dimensions_counted_from_0(rule, {Object("DotGeneral"), Object("rhs"), self.get("rhs_batch"), self.get("rhs_contract"), rhs.get("rank")})});
}

static Object dot_dimensions_check_pairs(Rule &rule, Args args) {
  Object name = args[0];
  Object what = args[1];
  Object lhs = args[2];
  Object rhs = args[3];
  Object a = args[4];
  Object b = args[5];
  Object d, e, verb;
  if (python::len({a}) != python::len({b})) {
    return rule.refuse(Object("E3002"), python::text({name, " names ", python::len({a}), " dimensions as lhs_", what, " and ", python::len({b}), " as rhs_", what}));
  }
  for (const Object &item1_ : python::zip({a, b}).items()) {
    d = item1_[0];
    e = item1_[1];
    if (lhs.get("shape")[d] != rhs.get("shape")[e]) {
      verb = ((what == Object("contract")) ? Object("contracts") : Object("pairs batches of"));
      return rule.refuse(Object("E3003"), python::text({name, " ", verb, " ", lhs.get("shape")[d], " against ", rhs.get("shape")[e]}));
    }
  }
  return {};
}

static Object dot_dimensions_free(Rule &rule, Args args) {
  Object rank = args[0];
  Object batch = args[1];
  Object contract = args[2];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::range({rank}).items()) { Object d = item1_; if ((!contains(batch, d) && !contains(contract, d))) made.push_back(d); } })});
}

static Object dot_dimensions_extents(Rule &rule, Args args) {
  Object shape = args[0];
  Object dims = args[1];
  return python::tuple({collected([&](List &made) { for (const Object &item1_ : dims.items()) { Object d = item1_; made.push_back(shape[d]); } })});
}

static Object DotGeneral_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  Object b, c, dtype, k, l, left, right;
  dtype = mixed_product_dtype(rule, {Object("DotGeneral"), lhs, rhs, self.get("element_type"), Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  Object item1_ = DotGeneral_sides(rule, {self, lhs, rhs});
  Object item2_ = item1_[0];
  b = item2_[0];
  k = item2_[1];
  Object item3_ = item1_[1];
  c = item3_[0];
  l = item3_[1];
  if (rule.refused())
    return {};
  (void)dot_dimensions_check_pairs(rule, {Object("DotGeneral"), Object("batch"), lhs, rhs, b, c});
  if (rule.refused())
    return {};
  (void)dot_dimensions_check_pairs(rule, {Object("DotGeneral"), Object("contract"), lhs, rhs, k, l});
  if (rule.refused())
    return {};
  Object item4_ = Object::tuple({dot_dimensions_free(rule, {lhs.get("rank"), b, k}), dot_dimensions_free(rule, {rhs.get("rank"), c, l})});
  left = item4_[0];
  right = item4_[1];
  if (rule.refused())
    return {};
  return python::TensorType({dtype, Object::tuple(spread({dot_dimensions_extents(rule, {lhs.get("shape"), Object::list(spread({b, left}))}), dot_dimensions_extents(rule, {rhs.get("shape"), right})}))});
}

static Object DotGeneral_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  Object b, c, converts, k, l;
  Object item1_ = DotGeneral_sides(rule, {self, lhs, rhs});
  Object item2_ = item1_[0];
  b = item2_[0];
  k = item2_[1];
  Object item3_ = item1_[1];
  c = item3_[0];
  l = item3_[1];
  if (rule.refused())
    return {};
  converts = [&](Object first) { return bool(first) == true ? Object((Object::tuple({self.get("element_type"), self.get("element_type")}) != Object::tuple({lhs.get("dtype"), rhs.get("dtype")}))) : first; }(Object((self.get("element_type") != Object())));
  return self.with({{"lhs_batch", b}, {"rhs_batch", c}, {"lhs_contract", k}, {"rhs_contract", l}, {"element_type", (bool(converts) ? self.get("element_type") : Object())}});
}

static Object rules_names(Rule &rule, Args args) {
  Object rank = args[0];
  Object letter = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::range({rank}).items()) { Object i = item1_; made.push_back(python::text({letter, i})); } })});
}

static Object dot_dimensions_labels(Rule &rule, Args args) {
  Object rank = args[0];
  Object batch = args[1];
  Object contract = args[2];
  Object letter = args[3];
  Object d, i, left, out;
  out = rules_names(rule, {rank, letter});
  if (rule.refused())
    return {};
  for (const Object &item1_ : python::enumerate({batch}).items()) {
    i = item1_[0];
    d = item1_[1];
    out.set(d, python::text({"b", i}));
  }
  for (const Object &item2_ : python::enumerate({contract}).items()) {
    i = item2_[0];
    d = item2_[1];
    out.set(d, python::text({"k", i}));
  }
  left = dot_dimensions_free(rule, {rank, batch, contract});
  if (rule.refused())
    return {};
  for (const Object &item3_ : python::enumerate({left}).items()) {
    i = item3_[0];
    d = item3_[1];
    out.set(d, python::text({letter, i}));
  }
  return out;
}

static Object DotGeneral_dims(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  Object b, c, k, l, result, x, y;
  Object item1_ = DotGeneral_sides(rule, {self, lhs, rhs});
  Object item2_ = item1_[0];
  b = item2_[0];
  k = item2_[1];
  Object item3_ = item1_[1];
  c = item3_[0];
  l = item3_[1];
  if (rule.refused())
    return {};
  Object item4_ = Object::tuple({dot_dimensions_labels(rule, {lhs.get("rank"), b, k, Object("i")}), dot_dimensions_labels(rule, {rhs.get("rank"), c, l, Object("j")})});
  x = item4_[0];
  y = item4_[1];
  if (rule.refused())
    return {};
  result = (python::list({collected([&](List &made) { for (const Object &item5_ : Object::list(spread({b, dot_dimensions_free(rule, {lhs.get("rank"), b, k})})).items()) { Object d = item5_; made.push_back(x[d]); } })}) + python::list({collected([&](List &made) { for (const Object &item6_ : dot_dimensions_free(rule, {rhs.get("rank"), c, l}).items()) { Object d = item6_; made.push_back(y[d]); } })}));
  if (rule.refused())
    return {};
  return python::text({Object(" ").call("join", {x}), ", ", Object(" ").call("join", {y}), " -> ", Object(" ").call("join", {result})});
}

static Object DotGeneral_in_order(Rule &rule, Args args) {
  Object e = args[1];
  Object x = args[2];
  Object order = args[3];
  Object shaped = args[4];
  Object t, turned;
  t = e.call("type", {x});
  turned = x;
  if (order != python::list({python::range({t.get("rank")})})) {
    turned = e.get("linalg").call("transposed", {x, order, t.call("with_shape", {dot_dimensions_extents(rule, {t.get("shape"), order})})});
    if (rule.refused())
      return {};
  }
  return e.get("tensor").call("reshaped", {turned, shaped});
}

static Object DotGeneral_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object b, c, columns, i, j, k, l, left, right, rows, x, y;
  Object item1_ = Object::tuple({mixed_lowered_in(rule, {e, lhs, result.get("dtype")}), mixed_lowered_in(rule, {e, rhs, result.get("dtype")})});
  lhs = item1_[0];
  rhs = item1_[1];
  if (rule.refused())
    return {};
  Object item2_ = Object::tuple({e.call("type", {lhs}), e.call("type", {rhs})});
  x = item2_[0];
  y = item2_[1];
  Object item3_ = DotGeneral_sides(rule, {self, x, y});
  Object item4_ = item3_[0];
  b = item4_[0];
  k = item4_[1];
  Object item5_ = item3_[1];
  c = item5_[0];
  l = item5_[1];
  if (rule.refused())
    return {};
  if (bool(k)) {
    return e.get("linalg").call("contract", {DotGeneral_dims(rule, {self, x, y}), Object::tuple({lhs, rhs}), result, Object(" ").call("join", {rules_names(rule, {python::len({k}), Object("k")})})});
  }
  Object item6_ = Object::tuple({dot_dimensions_free(rule, {x.get("rank"), b, k}), dot_dimensions_free(rule, {y.get("rank"), c, l})});
  i = item6_[0];
  j = item6_[1];
  if (rule.refused())
    return {};
  rows = x.call("with_shape", {Object::tuple(spread({dot_dimensions_extents(rule, {x.get("shape"), Object::list(spread({b, i}))}), (Object::list({Object(1)}) * python::len({j}))}))});
  if (rule.refused())
    return {};
  columns = y.call("with_shape", {Object::tuple(spread({dot_dimensions_extents(rule, {y.get("shape"), c}), (Object::list({Object(1)}) * python::len({i})), dot_dimensions_extents(rule, {y.get("shape"), j})}))});
  if (rule.refused())
    return {};
  Object item7_ = Object::tuple({DotGeneral_in_order(rule, {self, e, lhs, Object::list(spread({b, i})), rows}), DotGeneral_in_order(rule, {self, e, rhs, Object::list(spread({c, j})), columns})});
  left = item7_[0];
  right = item7_[1];
  if (rule.refused())
    return {};
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("mul", {x, y}); })), Object::tuple({left, right}), result});
}

static Object starts_check_starts(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object starts = args[2];
  Object n, start;
  if (python::len({starts}) != input.get("rank")) {
    return rule.refuse(Object("E2007"), python::text({name, " of a rank-", input.get("rank"), " input takes ", input.get("rank"), " starts, found ", python::len({starts})}));
  }
  for (const Object &item1_ : python::enumerate({starts}).items()) {
    n = item1_[0];
    start = item1_[1];
    if (!bool(start.get("dtype").get("is_integer"))) {
      return rule.refuse(Object("E4011"), python::text({name, " takes starts of integers, found ", start.get("dtype")}));
    }
    if (bool(start.get("rank"))) {
      return rule.refuse(Object("E3002"), python::text({name, " takes scalars as starts, found ", start}));
    }
  }
  return {};
}

static Object starts_check_sizes(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object sizes = args[2];
  Object i, n, size;
  if (python::len({sizes}) != input.get("rank")) {
    return rule.refuse(Object("E4007"), python::text({name, " of a rank-", input.get("rank"), " input takes ", input.get("rank"), " sizes, found ", python::len({sizes})}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({sizes, input.get("shape")})}).items()) {
    i = item1_[0];
    Object item2_ = item1_[1];
    size = item2_[0];
    n = item2_[1];
    if (size > n) {
      return rule.refuse(Object("E3011"), python::text({name, " takes ", size, " elements of extent ", n, " of dimension ", i}));
    }
  }
  return {};
}

static Object DynamicSlice_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object starts = Object::tuple(args.drop_front(2));
  (void)starts_check_starts(rule, {Object("DynamicSlice"), input, starts, Object(1)});
  if (rule.refused())
    return {};
  (void)starts_check_sizes(rule, {Object("DynamicSlice"), input, self.get("sizes"), Object("sizes")});
  if (rule.refused())
    return {};
  return input.call("with_shape", {self.get("sizes")});
}

static Object DynamicSlice_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object starts = Object::tuple(args.drop_front(4));
  return ((e.call("type", {input}) == result) ? input : e.get("slices").call("read", {input, starts, result}));
}

static Object DynamicUpdateSlice_infer_type(Rule &rule, Args args) {
  Object input = args[1];
  Object update = args[2];
  Object starts = Object::tuple(args.drop_front(3));
  (void)rules_same_dtype(rule, {Object("DynamicUpdateSlice"), input, update, Object::tuple({Object("input"), Object("update")})});
  if (rule.refused())
    return {};
  (void)starts_check_starts(rule, {Object("DynamicUpdateSlice"), input, starts, Object(2)});
  if (rule.refused())
    return {};
  (void)starts_check_sizes(rule, {Object("DynamicUpdateSlice"), input, update.get("shape"), Object("operand 1")});
  if (rule.refused())
    return {};
  return input;
}

static Object DynamicUpdateSlice_fold(Rule &rule, Args args) {
  Object input = args[2];
  Object update = args[3];
  Object starts = Object::tuple(args.drop_front(4));
  if (update.get("type") == input.get("type")) {
    return update;
  }
  return (bool(update.get("type").get("size")) ? Object() : input);
}

static Object DynamicUpdateSlice_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object update = args[4];
  Object starts = Object::tuple(args.drop_front(5));
  if (e.call("type", {update}) == result) {
    return update;
  }
  return (bool(e.call("type", {update}).get("size")) ? e.get("slices").call("written", {input, update, starts}) : input);
}

static Object Equal_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i1"), rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Equal_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object dtype;
  dtype = e.call("type", {lhs}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("of", {dtype}).call("equal", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Erf_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Erf_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.erf"), x}); })), Object::tuple({input}), result});
}

static Object ErfInv_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object ErfInv_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("mind.ErfInv"), x}); })), Object::tuple({input}), result});
}

static Object Erfc_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Erfc_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.erfc"), x}); })), Object::tuple({input}), result});
}

static Object Exp_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Exp_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("named", {Object("linalg.exp"), Object::tuple({input}), result});
}

static Object expand_dims_inserted(Rule &rule, Args args) {
  Object items = args[0];
  Object positions = args[1];
  Object what = args[2];
  Object p, result;
  result = python::list({items});
  for (const Object &item1_ : positions.items()) {
    p = item1_;
    (void)result.call("insert", {p, what});
  }
  return result;
}

static Object ExpandDims_positions(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return python::tuple({python::sorted({rules_normal_axes(rule, {Object("ExpandDims"), self.get("axes"), (rank + python::len({self.get("axes")}))})})});
}

static Object ExpandDims_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return input.call("with_shape", {python::tuple({expand_dims_inserted(rule, {input.get("shape"), ExpandDims_positions(rule, {self, input.get("rank")}), Object(1)})})});
}

static Object ExpandDims_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return self.with({{"axes", ExpandDims_positions(rule, {self, input.get("rank")})}});
}

static Object ExpandDims_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return (bool(self.get("axes")) ? Object() : input);
}

static Object ExpandDims_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("tensor").call("reshaped", {input, result});
}

static Object Expm1_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Expm1_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.expm1"), x}); })), Object::tuple({input}), result});
}

static Object Floor_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Floor_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("Floor"))) ? input : Object());
}

static Object Floor_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  return s.call("floor", {input});
}

static Object Floor_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Floor_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object rows_check_rows(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object oob = args[3];
  if (input.get("rank") < Object(1)) {
    return rule.refuse(Object("E3002"), python::text({name, " takes rank 1 or more, input is ", input}));
  }
  if (!bool(indices.get("dtype").get("is_integer"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes indices of integers, found ", indices.get("dtype")}));
  }
  if ((oob == Object("clip")) && (input.get("shape")[Object(0)] == Object(0)) && bool(indices.get("size"))) {
    return rule.refuse(Object("E3006"), python::text({name, " with oob = \"clip\" finds no row in ", input}));
  }
  return {};
}

static Object Gather_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  (void)rows_check_rows(rule, {Object("Gather"), input, indices, self.get("oob")});
  if (rule.refused())
    return {};
  return python::TensorType({input.get("dtype"), (indices.get("shape") + input.get("shape").part(Object(1), Object(), Object()))});
}

static Object Gather_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object indices = args[4];
  return e.get("rows").call("gather", {input, indices, result, self.get("oob")});
}

static Object GatherSlices_spans(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("axes"), [&](Object first) { return bool(first) == false ? (Object::list({Object(1)}) * python::len({self.get("axes")})) : first; }(self.get("sizes"))}).items()) { Object a = item1_[0]; Object size = item1_[1]; made.push_back(((shape[a] - size) + Object(1))); } })});
}

static Object GatherSlices_check_slices(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object a, axes, batch, n, name, size, span;
  Object item1_ = Object::tuple({self.get("opcode"), self.get("axes"), self.get("batch_axes")});
  name = item1_[0];
  axes = item1_[1];
  batch = item1_[2];
  (void)rules_normal_axes(rule, {name, Object::list(spread({axes, batch})), input.get("rank")});
  if (rule.refused())
    return {};
  if (!bool(axes)) {
    return rule.refuse(Object("E4007"), python::text({name, " takes one axis or more"}));
  }
  if (bool(self.get("sizes")) && (python::len({self.get("sizes")}) != python::len({axes}))) {
    return rule.refuse(Object("E4007"), python::text({name, " takes a size for each of ", python::len({axes}), " axes, or none, found ", python::len({self.get("sizes")})}));
  }
  if (!bool(indices.get("dtype").get("is_integer"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes indices of integers, found ", indices.get("dtype")}));
  }
  if (indices.get("rank") < (python::len({batch}) + Object(1))) {
    return rule.refuse(Object("E3002"), python::text({name, " takes indices of rank ", (python::len({batch}) + Object(1)), " or more, indices are ", indices}));
  }
  if (indices.get("shape")[Object(-1)] != python::len({axes})) {
    return rule.refuse(Object("E3003"), python::text({name, " names ", python::len({axes}), " axes, index vectors have extent ", indices.get("shape")[Object(-1)]}));
  }
  for (const Object &item2_ : python::enumerate({batch}).items()) {
    n = item2_[0];
    a = item2_[1];
    if (indices.get("shape")[n] != input.get("shape")[a]) {
      return rule.refuse(Object("E3003"), python::text({name, ": axis ", a, " of input has extent ", input.get("shape")[a], ", axis ", n, " of indices ", indices.get("shape")[n]}));
    }
  }
  for (const Object &item3_ : python::enumerate({GatherSlices_spans(rule, {self, input.get("shape")})}).items()) {
    n = item3_[0];
    span = item3_[1];
    size = (bool(self.get("sizes")) ? self.get("sizes")[n] : Object(1));
    if ((span < Object(1)) && bool(self.get("sizes"))) {
      return rule.refuse(Object("E3011"), python::text({name, " takes ", size, " elements of extent ", input.get("shape")[axes[n]], " of dimension ", axes[n]}));
    }
    if ((span < Object(1)) && (self.get("oob") == Object("clip")) && bool(indices.get("size"))) {
      return rule.refuse(Object("E3006"), python::text({name, " with oob = \"clip\" finds no element along axis ", axes[n], " of ", input}));
    }
  }
  if (rule.refused())
    return {};
  return {};
}

static Object GatherSlices_positive(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object both;
  both = rules_normal_axes(rule, {self.get("opcode"), Object::list(spread({self.get("axes"), self.get("batch_axes")})), rank});
  if (rule.refused())
    return {};
  return Object::tuple({both.part(Object(), python::len({self.get("axes")}), Object()), both.part(python::len({self.get("axes")}), Object(), Object())});
}

static Object GatherSlices_window_axes(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object axes, batch;
  Object item1_ = GatherSlices_positive(rule, {self, rank});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return python::list({collected([&](List &made) { for (const Object &item2_ : python::range({rank}).items()) { Object a = item2_; if ((!contains(batch, a) && (bool(self.get("sizes")) || !contains(axes, a)))) made.push_back(a); } })});
}

static Object GatherSlices_slices_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object _, axes, window;
  Object item1_ = GatherSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  _ = item1_[1];
  if (rule.refused())
    return {};
  window = python::list({collected([&](List &made) { for (const Object &item2_ : GatherSlices_window_axes(rule, {self, input.get("rank")}).items()) { Object a = item2_; made.push_back((contains(axes, a) ? self.get("sizes")[axes.call("index", {a})] : input.get("shape")[a])); } })});
  if (rule.refused())
    return {};
  return python::TensorType({input.get("dtype"), (indices.get("shape").part(Object(), Object(-1), Object()) + python::tuple({window}))});
}

static Object GatherSlices_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  (void)GatherSlices_check_slices(rule, {self, input, indices});
  if (rule.refused())
    return {};
  return GatherSlices_slices_type(rule, {self, input, indices});
}

static Object GatherSlices_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object updates = Object::tuple(args.drop_front(3));
  Object axes, batch;
  Object item1_ = GatherSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return self.with({{"axes", axes}, {"batch_axes", batch}});
}

static Object GatherSlices_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object indices = args[4];
  Object axes, batch;
  Object item1_ = GatherSlices_positive(rule, {self, e.call("type", {input}).get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return e.get("slices").call("gathered", {input, indices, axes, batch, self.get("sizes"), self.get("oob"), result});
}

static Object Greater_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i1"), rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Greater_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object dtype;
  dtype = e.call("type", {lhs}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("of", {dtype}).call("greater", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object GreaterEqual_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i1"), rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object GreaterEqual_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object dtype;
  dtype = e.call("type", {lhs}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("of", {dtype}).call("greater_equal", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Index_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (python::len({self.get("indices")}) != input.get("rank")) {
    return rule.refuse(Object("E4006"), python::text({"Index of a rank-", input.get("rank"), " operand takes ", input.get("rank"), " indices, found ", python::len({self.get("indices")})}));
  }
  return input.call("with_shape", {Object::tuple({})});
}

static Object Index_position(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::tuple({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("indices"), shape}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back(((i < Object(0)) ? (i + n) : i)); } })});
}

static Object Index_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(python::all({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("indices"), input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back(Object(((-n <= i) && (i < n)))); } })}))) {
    return self;
  }
  return self.with({{"indices", Index_position(rule, {self, input.get("shape")})}});
}

static Object Index_check_before_run(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object axis, i, n;
  for (const Object &item1_ : python::enumerate({python::zip({self.get("indices"), input.get("shape")})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    i = item2_[0];
    n = item2_[1];
    if (!((-n <= i) && (i < n))) {
      return rule.refuse(Object("E6001"), python::text({"Index ", python::list({self.get("indices")}), " is out of bounds for ", python::list({input.get("shape")})}));
    }
  }
  return {};
}

static Object Index_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("tensor").call("element", {input, Index_position(rule, {self, e.call("type", {input}).get("shape")}), result});
}

static Object Iota_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object result;
  result = python::TensorType({self.get("dtype"), self.get("shape")});
  (void)rules_numbers_only(rule, {Object("Iota"), result});
  if (rule.refused())
    return {};
  (void)rules_one_axis(rule, {Object("Iota"), self.get("axis"), result});
  if (rule.refused())
    return {};
  return result;
}

static Object Iota_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  return e.get("linalg").call("counted", {self.get("axis"), result});
}

static Object IsFinite_infer_type(Rule &rule, Args args) {
  Object input = args[1];
  (void)rules_float_only(rule, {Object("IsFinite"), input});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i1"), input.get("shape")});
}

static Object is_finite_is_finite(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  return s.call("both", {s.call("less", {x, s.call("number", {Object(std::numeric_limits<double>::infinity())})}), s.call("greater", {x, s.call("number", {-Object(std::numeric_limits<double>::infinity())})})});
}

static Object IsFinite_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object dtype;
  dtype = e.call("type", {input}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return is_finite_is_finite(rule, {s.call("of", {dtype}), x}); })), Object::tuple({input}), result});
}

static Object Less_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i1"), rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Less_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object dtype;
  dtype = e.call("type", {lhs}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("of", {dtype}).call("less", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object LessEqual_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i1"), rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object LessEqual_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object dtype;
  dtype = e.call("type", {lhs}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("of", {dtype}).call("less_equal", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Log_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Log_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("named", {Object("linalg.log"), Object::tuple({input}), result});
}

static Object Log10_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object logarithm_special_values(Rule &rule, Args args) {
  Object w = args[0];
  Object x = args[1];
  Object y = args[2];
  y = w.call("select", {w.call("equal", {x, w.call("number", {Object(0.0)})}), w.call("number", {-Object(std::numeric_limits<double>::infinity())}), y});
  y = w.call("select", {w.call("less", {x, w.call("number", {Object(0.0)})}), w.call("number", {Object(std::numeric_limits<double>::quiet_NaN())}), y});
  y = w.call("select", {w.call("equal", {x, w.call("number", {Object(std::numeric_limits<double>::infinity())})}), x, y});
  return w.call("select", {w.call("unordered", {x, x}), x, y});
}

static Object logarithm_logarithm_to_base(Rule &rule, Args args) {
  Object w = args[0];
  Object x = args[1];
  Object inverse = args[2];
  Object of_two = args[3];
  Object f, half, high, i, low, n, product, q, r, rest, v, whole, y, z;
  i = w.get("integers");
  Object item1_ = logarithm_split(rule, {w, x});
  n = item1_[0];
  f = item1_[1];
  if (rule.refused())
    return {};
  q = w.call("div", {f, w.call("add", {w.call("number", {Object(2.0)}), f})});
  z = w.call("mul", {q, q});
  v = w.call("mul", {z, z});
  half = w.call("mul", {w.call("mul", {w.call("number", {Object(0.5)}), f}), f});
  r = w.call("mul", {q, w.call("add", {half, w.call("add", {w.call("mul", {z, w.call("polynomial", {v, Object::tuple({Object(0.6666666666666735), Object(0.2857142874366239), Object(0.1818357216161805), Object(0.14798198605116586)})})}), w.call("mul", {v, w.call("polynomial", {v, Object::tuple({Object(0.3999999999940942), Object(0.22222198432149784), Object(0.15313837699209373)})})})})})});
  high = w.call("from_bits", {i.call("bit_and", {w.call("to_bits", {w.call("sub", {f, half})}), i.call("number", {Object(-4294967296LL)})})});
  low = w.call("add", {w.call("sub", {w.call("sub", {f, high}), half}), r});
  product = w.call("mul", {high, w.call("number", {inverse[Object(0)]})});
  rest = w.call("add", {w.call("mul", {w.call("add", {low, high}), w.call("number", {inverse[Object(1)]})}), w.call("mul", {low, w.call("number", {inverse[Object(0)]})})});
  rest = w.call("add", {w.call("mul", {n, w.call("number", {of_two[Object(1)]})}), rest});
  whole = w.call("mul", {n, w.call("number", {of_two[Object(0)]})});
  y = w.call("add", {whole, product});
  y = w.call("add", {w.call("add", {rest, w.call("add", {w.call("sub", {whole, y}), product})}), y});
  return logarithm_special_values(rule, {w, x, y});
}

static Object Log10_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  Object y;
  y = logarithm_logarithm_to_base(rule, {s.get("f64"), s.call("to_f64", {input}), Object::tuple({Object(0.4342944818781689), Object(2.5082946711645275e-11)}), Object::tuple({Object(0.30102999566361177), Object(3.694239077158931e-13)})});
  if (rule.refused())
    return {};
  return s.call("from_f64", {y});
}

static Object Log10_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Log10_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object Log1p_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Log1p_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.log1p"), x}); })), Object::tuple({input}), result});
}

static Object Log2_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Log2_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  Object y;
  y = logarithm_logarithm_to_base(rule, {s.get("f64"), s.call("to_f64", {input}), Object::tuple({Object(1.4426950407214463), Object(1.6751713164886512e-10)}), Object::tuple({Object(1.0), Object(0.0)})});
  if (rule.refused())
    return {};
  return s.call("from_f64", {y});
}

static Object Log2_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Log2_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object LogGamma_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object LogGamma_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("mind.LogGamma"), x}); })), Object::tuple({input}), result});
}

static Object Logistic_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Logistic_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("mind.Logistic"), x}); })), Object::tuple({input}), result});
}

static Object MatMul_infer_type(Rule &rule, Args args) {
  Object lhs = args[1];
  Object rhs = args[2];
  Object a, b, i, k, k_rhs, m, n, name, x;
  (void)rules_same_numbers(rule, {Object("MatMul"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  for (const Object &item1_ : python::enumerate({Object::tuple({Object::tuple({Object("lhs"), lhs}), Object::tuple({Object("rhs"), rhs})})}).items()) {
    i = item1_[0];
    Object item2_ = item1_[1];
    name = item2_[0];
    x = item2_[1];
    if (x.get("rank") < Object(2)) {
      return rule.refuse(Object("E3002"), python::text({"MatMul takes rank 2 or more, ", name, " is ", x}));
    }
  }
  Object item3_ = lhs.get("shape");
  a = item3_.part(0, -2);
  m = item3_[-2];
  k = item3_[-1];
  Object item4_ = rhs.get("shape");
  b = item4_.part(0, -2);
  k_rhs = item4_[-2];
  n = item4_[-1];
  if (k != k_rhs) {
    return rule.refuse(Object("E3003"), python::text({"MatMul contracts ", k, " against ", k_rhs}));
  }
  return lhs.call("with_shape", {Object::tuple(spread({rules_broadcast(rule, {Object("MatMul batch"), python::tuple({a}), python::tuple({b})}), Object::tuple({m}), Object::tuple({n})}))});
}

static Object MatMul_dims(Rule &rule, Args args) {
  return Object("... i k, ... k j -> ... i j");
}

static Object MatMul_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object batches;
  if (result.get("rank") == Object(2)) {
    return e.get("linalg").call("named", {Object("linalg.matmul"), Object::tuple({lhs, rhs}), result, Object(0)});
  }
  batches = Object::tuple({e.call("type", {lhs}).get("shape").part(Object(), Object(-2), Object()), e.call("type", {rhs}).get("shape").part(Object(), Object(-2), Object())});
  if ((result.get("rank") == Object(3)) && (batches == (Object::tuple({result.get("shape").part(Object(), Object(1), Object())}) * Object(2)))) {
    return e.get("linalg").call("named", {Object("linalg.batch_matmul"), Object::tuple({lhs, rhs}), result, Object(0)});
  }
  return e.get("linalg").call("contract", {MatMul_dims(rule, {self, e.call("type", {lhs}), e.call("type", {rhs})}), Object::tuple({lhs, rhs}), result});
}

static Object Max_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object Max_left(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  gone = Max_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object Max_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {Max_left(rule, {self, input})});
}

static Object Max_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return self.with({{"keepdims", Object(false)}});
  }
  return self.with({{"axes", Max_reduced(rule, {self, input})}});
}

static Object Max_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((input.get("type").get("rank") == Object(0)) ? input : Object());
}

static Object Max_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("reduced", {Object("max"), input, Max_reduced(rule, {self, e.call("type", {input})}), result});
}

static Object Maximum_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Maximum_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  if (!bool(result.get("dtype").get("is_signed"))) {
    return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("joined", {Object("max"), x, y}); })), Object::tuple({lhs, rhs}), result});
  }
  return e.get("linalg").call("elementwise", {python::text({"linalg.", Object("max")}), Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("joined", {Object("max"), x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Mean_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object Mean_left(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  gone = Mean_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object Mean_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {Mean_left(rule, {self, input})});
}

static Object Mean_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return self.with({{"keepdims", Object(false)}});
  }
  return self.with({{"axes", Mean_reduced(rule, {self, input})}});
}

static Object Mean_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((input.get("type").get("rank") == Object(0)) ? input : Object());
}

static Object Mean_count(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return python::prod({collected([&](List &made) { for (const Object &item1_ : Mean_reduced(rule, {self, input}).items()) { Object a = item1_; made.push_back(input.get("shape")[a]); } })});
}

static Object Mean_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object count, total;
  total = e.get("reduction").call("sum", {input, Mean_reduced(rule, {self, e.call("type", {input})}), result});
  if (rule.refused())
    return {};
  count = Mean_count(rule, {self, e.call("type", {input})});
  if (rule.refused())
    return {};
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("div", {x, s.call("number", {count})}); })), Object::tuple({total}), result});
}

static Object Min_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object Min_left(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  gone = Min_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object Min_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {Min_left(rule, {self, input})});
}

static Object Min_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return self.with({{"keepdims", Object(false)}});
  }
  return self.with({{"axes", Min_reduced(rule, {self, input})}});
}

static Object Min_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((input.get("type").get("rank") == Object(0)) ? input : Object());
}

static Object Min_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("reduced", {Object("min"), input, Min_reduced(rule, {self, e.call("type", {input})}), result});
}

static Object Minimum_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Minimum_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  if (!bool(result.get("dtype").get("is_signed"))) {
    return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("joined", {Object("min"), x, y}); })), Object::tuple({lhs, rhs}), result});
  }
  return e.get("linalg").call("elementwise", {python::text({"linalg.", Object("min")}), Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("joined", {Object("min"), x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Mul_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Mul_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("elementwise", {Object("linalg.mul"), Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("mul", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Neg_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Neg_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("Neg"))) ? input.get("operands")[Object(0)] : Object());
}

static Object Neg_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  if (bool(result.get("dtype").get("is_float"))) {
    return e.get("linalg").call("named", {Object("linalg.negf"), Object::tuple({input}), result});
  }
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("sub", {s.call("number", {Object(0)}), x}); })), Object::tuple({input}), result});
}

static Object Not_infer_type(Rule &rule, Args args) {
  Object input = args[1];
  (void)rules_no_float(rule, {Object("Not"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Not_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("Not"))) ? input.get("operands")[Object(0)] : Object());
}

static Object Not_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("bit_xor", {x, s.call("number", {Object(-1)})}); })), Object::tuple({input}), result});
}

static Object NotEqual_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i1"), rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object NotEqual_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object dtype;
  dtype = e.call("type", {lhs}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("of", {dtype}).call("not_equal", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Or_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_no_float(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Or_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("bit_or", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object PVary_check_size(Rule &rule, Args args) {
  Object self = args[0];
  if (!bool(self.get("axis"))) {
    return rule.refuse(Object("E8002"), python::text({self.get("opcode"), " needs the name of a mesh axis"}));
  }
  if (self.get("size") < Object(1)) {
    return rule.refuse(Object("E8006"), python::text({self.get("opcode"), " along ", self.get("axis"), " says ", self.get("size"), " ranks"}));
  }
  return {};
}

static Object PVary_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)PVary_check_size(rule, {self});
  if (rule.refused())
    return {};
  return input;
}

static Object PVary_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((self.get("size") == Object(1)) ? input : Object());
}

static Object PVary_lower(Rule &rule, Args args) {
  Object input = args[3];
  return input;
}

static Object Pad_ends(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({shape, self.get("low"), self.get("interior")}).items()) { Object n = item1_[0]; Object l = item1_[1]; Object k = item1_[2]; made.push_back(((l + n) + (python::max({(n - Object(1)), Object(0)}) * k))); } })});
}

static Object Pad_padded_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object i, list_, n, name, shape, values;
  name = self.get("opcode");
  for (const Object &item1_ : Object::tuple({Object::tuple({Object("low"), self.get("low")}), Object::tuple({Object("high"), self.get("high")}), Object::tuple({Object("interior"), self.get("interior")})}).items()) {
    list_ = item1_[0];
    values = item1_[1];
    if (python::len({values}) != input.get("rank")) {
      return rule.refuse(Object("E4007"), python::text({name, " of a rank-", input.get("rank"), " operand takes ", input.get("rank"), " numbers as ", list_, ", found ", python::len({values})}));
    }
  }
  for (const Object &item2_ : python::enumerate({self.get("interior")}).items()) {
    i = item2_[0];
    n = item2_[1];
    if (n < Object(0)) {
      return rule.refuse(Object("E4016"), python::text({"entry ", i, " of interior of ", name, " is ", n}));
    }
  }
  shape = python::tuple({python::list({collected([&](List &made) { for (const Object &item3_ : python::zip({Pad_ends(rule, {self, input.get("shape")}), self.get("high")}).items()) { Object end = item3_[0]; Object h = item3_[1]; made.push_back((end + h)); } })})});
  if (rule.refused())
    return {};
  for (const Object &item4_ : python::enumerate({shape}).items()) {
    i = item4_[0];
    n = item4_[1];
    if (n < Object(0)) {
      return rule.refuse(Object("E4016"), python::text({"low ", self.get("low")[i], " and high ", self.get("high")[i], " of ", name, " remove more than axis ", i, " has"}));
    }
  }
  return input.call("with_shape", {rules_check_extents(rule, {name, shape})});
}

static Object Pad_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return Pad_padded_type(rule, {self, input});
}

static Object Pad_changes_nothing(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return [&](Object first) { return bool(first) == true ? [&](Object first) { return bool(first) == true ? Object((Pad_padded_type(rule, {self, input}) == input)) : first; }(Object(!bool(python::any({self.get("high")})))) : first; }(Object(!bool(python::any({self.get("low")}))));
}

static Object Pad_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return (bool(Pad_changes_nothing(rule, {self, input.get("type")})) ? input : Object());
}

static Object Pad_kept(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object end, first_, found, h, k, l, last, n;
  found = Object::list({});
  for (const Object &item1_ : python::zip({shape, self.get("low"), self.get("high"), self.get("interior"), Pad_ends(rule, {self, shape})}).items()) {
    n = item1_[0];
    l = item1_[1];
    h = item1_[2];
    k = item1_[3];
    end = item1_[4];
    first_ = python::min({-floorDiv(python::min({l, Object(0)}), (k + Object(1))), n});
    last = (((h >= Object(0)) || (n == Object(0))) ? n : python::max({floorDiv((((end + h) - l) + k), (k + Object(1))), first_}));
    (void)found.call("append", {((first_ < last) ? Object::tuple({first_, last, (l + (first_ * (k + Object(1))))}) : Object::tuple({Object(0), Object(0), Object(0)}))});
  }
  if (rule.refused())
    return {};
  return found;
}

static Object Pad_steps(Rule &rule, Args args) {
  Object self = args[0];
  Object counts = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({counts, self.get("interior")}).items()) { Object n = item1_[0]; Object k = item1_[1]; made.push_back(((n > Object(1)) ? (k + Object(1)) : Object(1))); } })});
}

static Object Pad_placed(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object paddings = args[4];
  Object counts, inner, kept, part, shape;
  shape = e.call("type", {input}).get("shape");
  kept = Pad_kept(rule, {self, shape});
  if (rule.refused())
    return {};
  counts = python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : kept.items()) { Object first_ = item1_[0]; Object last = item1_[1]; made.push_back((last - first_)); } })})});
  if ((counts == result.get("shape")) && (counts == shape)) {
    return input;
  }
  inner = e.call("type", {input}).call("with_shape", {counts});
  if (!bool(inner.get("size"))) {
    return paddings({e});
  }
  part = e.get("tensor").call("slice", {input, python::list({collected([&](List &made) { for (const Object &item2_ : kept.items()) { Object first_ = item2_[0]; made.push_back(first_); } })}), (Object::list({Object(1)}) * result.get("rank")), inner});
  return e.get("tensor").call("inserted", {part, paddings({e}), python::list({collected([&](List &made) { for (const Object &item3_ : kept.items()) { Object at = item3_[2]; made.push_back(at); } })}), result, Pad_steps(rule, {self, counts})});
}

static Object Pad_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return Pad_placed(rule, {self, e, result, input, Object(Function([=, &rule](Args args) -> Object { Object e = args[0]; return e.get("linalg").call("filled", {result, Object(0)}); }))});
}

static Object PadWith_ends(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({shape, self.get("low"), self.get("interior")}).items()) { Object n = item1_[0]; Object l = item1_[1]; Object k = item1_[2]; made.push_back(((l + n) + (python::max({(n - Object(1)), Object(0)}) * k))); } })});
}

static Object PadWith_padded_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object i, list_, n, name, shape, values;
  name = self.get("opcode");
  for (const Object &item1_ : Object::tuple({Object::tuple({Object("low"), self.get("low")}), Object::tuple({Object("high"), self.get("high")}), Object::tuple({Object("interior"), self.get("interior")})}).items()) {
    list_ = item1_[0];
    values = item1_[1];
    if (python::len({values}) != input.get("rank")) {
      return rule.refuse(Object("E4007"), python::text({name, " of a rank-", input.get("rank"), " operand takes ", input.get("rank"), " numbers as ", list_, ", found ", python::len({values})}));
    }
  }
  for (const Object &item2_ : python::enumerate({self.get("interior")}).items()) {
    i = item2_[0];
    n = item2_[1];
    if (n < Object(0)) {
      return rule.refuse(Object("E4016"), python::text({"entry ", i, " of interior of ", name, " is ", n}));
    }
  }
  shape = python::tuple({python::list({collected([&](List &made) { for (const Object &item3_ : python::zip({PadWith_ends(rule, {self, input.get("shape")}), self.get("high")}).items()) { Object end = item3_[0]; Object h = item3_[1]; made.push_back((end + h)); } })})});
  if (rule.refused())
    return {};
  for (const Object &item4_ : python::enumerate({shape}).items()) {
    i = item4_[0];
    n = item4_[1];
    if (n < Object(0)) {
      return rule.refuse(Object("E4016"), python::text({"low ", self.get("low")[i], " and high ", self.get("high")[i], " of ", name, " remove more than axis ", i, " has"}));
    }
  }
  return input.call("with_shape", {rules_check_extents(rule, {name, shape})});
}

static Object PadWith_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object value = args[2];
  (void)rules_same_dtype(rule, {Object("PadWith"), input, value, Object::tuple({Object("input"), Object("value")})});
  if (rule.refused())
    return {};
  if (bool(value.get("rank"))) {
    return rule.refuse(Object("E3002"), python::text({"PadWith takes a scalar as value, value is ", value}));
  }
  return PadWith_padded_type(rule, {self, input});
}

static Object PadWith_changes_nothing(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return [&](Object first) { return bool(first) == true ? [&](Object first) { return bool(first) == true ? Object((PadWith_padded_type(rule, {self, input}) == input)) : first; }(Object(!bool(python::any({self.get("high")})))) : first; }(Object(!bool(python::any({self.get("low")}))));
}

static Object PadWith_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return (bool(PadWith_changes_nothing(rule, {self, input.get("type")})) ? input : Object());
}

static Object PadWith_kept(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object end, first_, found, h, k, l, last, n;
  found = Object::list({});
  for (const Object &item1_ : python::zip({shape, self.get("low"), self.get("high"), self.get("interior"), PadWith_ends(rule, {self, shape})}).items()) {
    n = item1_[0];
    l = item1_[1];
    h = item1_[2];
    k = item1_[3];
    end = item1_[4];
    first_ = python::min({-floorDiv(python::min({l, Object(0)}), (k + Object(1))), n});
    last = (((h >= Object(0)) || (n == Object(0))) ? n : python::max({floorDiv((((end + h) - l) + k), (k + Object(1))), first_}));
    (void)found.call("append", {((first_ < last) ? Object::tuple({first_, last, (l + (first_ * (k + Object(1))))}) : Object::tuple({Object(0), Object(0), Object(0)}))});
  }
  if (rule.refused())
    return {};
  return found;
}

static Object PadWith_steps(Rule &rule, Args args) {
  Object self = args[0];
  Object counts = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({counts, self.get("interior")}).items()) { Object n = item1_[0]; Object k = item1_[1]; made.push_back(((n > Object(1)) ? (k + Object(1)) : Object(1))); } })});
}

static Object PadWith_placed(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object paddings = args[4];
  Object counts, inner, kept, part, shape;
  shape = e.call("type", {input}).get("shape");
  kept = PadWith_kept(rule, {self, shape});
  if (rule.refused())
    return {};
  counts = python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : kept.items()) { Object first_ = item1_[0]; Object last = item1_[1]; made.push_back((last - first_)); } })})});
  if ((counts == result.get("shape")) && (counts == shape)) {
    return input;
  }
  inner = e.call("type", {input}).call("with_shape", {counts});
  if (!bool(inner.get("size"))) {
    return paddings({e});
  }
  part = e.get("tensor").call("slice", {input, python::list({collected([&](List &made) { for (const Object &item2_ : kept.items()) { Object first_ = item2_[0]; made.push_back(first_); } })}), (Object::list({Object(1)}) * result.get("rank")), inner});
  return e.get("tensor").call("inserted", {part, paddings({e}), python::list({collected([&](List &made) { for (const Object &item3_ : kept.items()) { Object at = item3_[2]; made.push_back(at); } })}), result, PadWith_steps(rule, {self, counts})});
}

static Object PadWith_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object value = args[4];
  return PadWith_placed(rule, {self, e, result, input, Object(Function([=, &rule](Args args) -> Object { Object e = args[0]; return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object v = args[1]; return v; })), Object::tuple({value}), result}); }))});
}

static Object Polygamma_infer_type_of_base(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Polygamma_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!((Object(1) <= self.get("order")) && (self.get("order") <= Object(1000)))) {
    return rule.refuse(Object("E4013"), python::text({self.get("opcode"), " takes orders 1 to ", Object(1000), ", found ", self.get("order")}));
  }
  return Polygamma_infer_type_of_base(rule, {self, input});
}

static Object Polygamma_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {python::text({"mind.Polygamma ", self.get("order")}), x}); })), Object::tuple({input}), result});
}

static Object rules_integer_only(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object help;
  if (!bool(input.get("dtype").get("is_integer"))) {
    help = (bool(input.get("dtype").get("is_float")) ? Object("BitCast gives the bits of a float") : Object("Convert makes integers of truth values"));
    return rule.refuse(Object("E2005"), python::text({name, " takes ", Object("i8, i16, i32, i64, u8, u16, u32 or u64"), ", found ", input}));
  }
  return {};
}

static Object PopCount_infer_type(Rule &rule, Args args) {
  Object input = args[1];
  (void)rules_integer_only(rule, {Object("PopCount"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object pop_count_right(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object bits = args[2];
  return s.call("op", {Object("arith.shrui"), x, s.call("number", {bits})});
}

static Object pop_count_repeated(Rule &rule, Args args) {
  Object byte = args[0];
  Object width = args[1];
  return (byte * floorDiv((power(Object(256), width) - Object(1)), Object(255)));
}

static Object pop_count_count(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object pairs, width;
  width = floorDiv(s.get("bits"), Object(8));
  x = s.call("sub", {x, s.call("bit_and", {pop_count_right(rule, {s, x, Object(1)}), s.call("number", {pop_count_repeated(rule, {Object(85), width})})})});
  if (rule.refused())
    return {};
  pairs = s.call("number", {pop_count_repeated(rule, {Object(51), width})});
  if (rule.refused())
    return {};
  x = s.call("add", {s.call("bit_and", {x, pairs}), s.call("bit_and", {pop_count_right(rule, {s, x, Object(2)}), pairs})});
  if (rule.refused())
    return {};
  x = s.call("bit_and", {s.call("add", {x, pop_count_right(rule, {s, x, Object(4)})}), s.call("number", {pop_count_repeated(rule, {Object(15), width})})});
  if (rule.refused())
    return {};
  return pop_count_right(rule, {s, s.call("mul", {x, s.call("number", {pop_count_repeated(rule, {Object(1), width})})}), (s.get("bits") - Object(8))});
}

static Object PopCount_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return pop_count_count(rule, args); })), Object::tuple({input}), result});
}

static Object Pow_infer_type_of_base(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Pow_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_float_only(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  return Pow_infer_type_of_base(rule, {self, lhs, rhs});
}

static Object Pow_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("function", {Object("mind.Pow"), x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Prod_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object Prod_left(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  gone = Prod_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object Prod_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {Prod_left(rule, {self, input})});
}

static Object Prod_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return self.with({{"keepdims", Object(false)}});
  }
  return self.with({{"axes", Prod_reduced(rule, {self, input})}});
}

static Object Prod_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((input.get("type").get("rank") == Object(0)) ? input : Object());
}

static Object Prod_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("reduced", {Object("prod"), input, Prod_reduced(rule, {self, e.call("type", {input})}), result});
}

static Object Reciprocal_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Reciprocal_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("div", {s.call("number", {Object(1)}), x}); })), Object::tuple({input}), result});
}

static Object ReduceScatter_check_size(Rule &rule, Args args) {
  Object self = args[0];
  if (!bool(self.get("axis"))) {
    return rule.refuse(Object("E8002"), python::text({self.get("opcode"), " needs the name of a mesh axis"}));
  }
  if (self.get("size") < Object(1)) {
    return rule.refuse(Object("E8006"), python::text({self.get("opcode"), " along ", self.get("axis"), " says ", self.get("size"), " ranks"}));
  }
  return {};
}

static Object ReduceScatter_check_dim(Rule &rule, Args args) {
  Object self = args[0];
  Object name = args[1];
  Object dim = args[2];
  Object input = args[3];
  Object message, span;
  if (dim >= input.get("rank")) {
    span = (bool(input.get("rank")) ? python::text({"dimensions run from 0 to ", (input.get("rank") - Object(1))}) : Object("a scalar has no dimensions"));
    message = python::text({self.get("opcode"), " ", name, " ", dim, " is out of range for rank ", input.get("rank")});
    return rule.refuse(Object("E3004"), message);
  }
  return {};
}

static Object ReduceScatter_part(Rule &rule, Args args) {
  Object self = args[0];
  Object dim = args[2];
  Object input = args[3];
  Object message, n;
  n = input.get("shape")[dim];
  if (bool((n % self.get("size")))) {
    message = python::text({self.get("opcode"), " along ", self.get("axis"), " cuts extent ", n, " of dimension ", dim, " into ", self.get("size"), " parts"});
    return rule.refuse(Object("E8006"), message);
  }
  return floorDiv(n, self.get("size"));
}

static Object ReduceScatter_part_type(Rule &rule, Args args) {
  Object self = args[0];
  Object name = args[1];
  Object dim = args[2];
  Object input = args[3];
  Object part;
  (void)ReduceScatter_check_size(rule, {self});
  if (rule.refused())
    return {};
  (void)ReduceScatter_check_dim(rule, {self, name, dim, input});
  if (rule.refused())
    return {};
  part = ReduceScatter_part(rule, {self, name, dim, input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back(((i == dim) ? part : n)); } })})});
}

static Object ReduceScatter_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)rules_numbers_only(rule, {Object("ReduceScatter"), input});
  if (rule.refused())
    return {};
  return ReduceScatter_part_type(rule, {self, Object("dim"), self.get("dim"), input});
}

static Object ReduceScatter_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((self.get("size") == Object(1)) ? input : Object());
}

static Object ReduceScatter_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("shard").call("reduce_scatter", {input, self.get("axis"), self.get("size"), self.get("dim"), result});
}

static Object Relu_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Relu_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("Relu"))) ? input : Object());
}

static Object Relu_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("select", {s.call("greater", {x, s.call("number", {Object(0)})}), x, s.call("number", {Object(0)})}); })), Object::tuple({input}), result});
}

static Object elementwise_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Remainder_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  return elementwise_infer_type(rule, {self, lhs, rhs});
}

static Object Remainder_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("function", {Object("mind.Remainder"), x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object remainder_of_integers(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object y = args[2];
  Object differ, left, overflow, safe, zero;
  zero = s.call("number", {Object(0)});
  overflow = s.call("both", {s.call("equal", {x, s.call("number", {s.get("smallest")})}), s.call("equal", {y, s.call("number", {Object(-1)})})});
  safe = s.call("select", {s.call("either", {s.call("equal", {y, zero}), overflow}), s.call("number", {Object(1)}), y});
  left = s.call("sub", {x, s.call("mul", {s.call("div", {x, safe}), safe})});
  differ = s.call("either", {s.call("both", {s.call("less", {left, zero}), s.call("greater", {y, zero})}), s.call("both", {s.call("greater", {left, zero}), s.call("less", {y, zero})})});
  return s.call("select", {differ, s.call("add", {left, y}), left});
}

static Object Remainder_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  if (bool(result.get("dtype").get("is_float"))) {
    return Remainder_lower_by_name(rule, {self, e, result, lhs, rhs});
  }
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return remainder_of_integers(rule, args); })), Object::tuple({lhs, rhs}), result});
}

static Object Reshape_counts(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object found = args[2];
  return rule.refuse(Object("E3007"), python::text({"Reshape of ", python::list({input.get("shape")}), " with ", input.get("size"), " elements to ", python::list({self.get("new_shape")}), " with ", found}));
}

static Object Reshape_resolved(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object i, known, n, shape;
  shape = self.get("new_shape");
  for (const Object &item1_ : python::enumerate({shape}).items()) {
    i = item1_[0];
    n = item1_[1];
    if (n < Object(-1)) {
      return rule.refuse(Object("E3006"), python::text({"entry ", i, " of Reshape to ", python::list({shape}), " is ", n}));
    }
  }
  if (shape.call("count", {Object(-1)}) > Object(1)) {
    return rule.refuse(Object("E3006"), python::text({"Reshape to ", python::list({shape}), " has more than one -1"}));
  }
  if (!contains(shape, Object(-1))) {
    if (python::prod({shape}) != input.get("size")) {
      return Reshape_counts(rule, {self, input, python::text({python::prod({shape}), " elements"})});
    }
    return shape;
  }
  known = python::prod({collected([&](List &made) { for (const Object &item2_ : shape.items()) { Object n = item2_; if ((n != Object(-1))) made.push_back(n); } })});
  if (known == Object(0)) {
    return Reshape_counts(rule, {self, input, Object("a 0 beside a -1, so the -1 is not determined")});
  }
  if (bool((input.get("size") % known))) {
    return Reshape_counts(rule, {self, input, python::text({"a -1 beside ", known, " elements, which do not divide ", input.get("size")})});
  }
  return rules_check_extents(rule, {Object("Reshape"), python::tuple({collected([&](List &made) { for (const Object &item3_ : shape.items()) { Object n = item3_; made.push_back(((n == Object(-1)) ? floorDiv(input.get("size"), known) : n)); } })})});
}

static Object Reshape_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return input.call("with_shape", {Reshape_resolved(rule, {self, input})});
}

static Object Reshape_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return self.with({{"new_shape", Reshape_resolved(rule, {self, input})}});
}

static Object Reshape_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("tensor").call("reshaped", {input, result});
}

static Object Reshard_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object message;
  if (self.get("to").get("rank") != input.get("rank")) {
    message = python::text({"Reshard to ", self.get("to"), ", which has ", self.get("to").get("rank"), " dimensions, of ", input});
    return rule.refuse(Object("E8003"), message);
  }
  return input;
}

static Object Reshard_lower(Rule &rule, Args args) {
  Object input = args[3];
  return input;
}

static Object Reverse_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)rules_normal_axes(rule, {Object("Reverse"), self.get("axes"), input.get("rank")});
  if (rule.refused())
    return {};
  return input;
}

static Object Reverse_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object axes;
  axes = rules_normal_axes(rule, {Object("Reverse"), self.get("axes"), input.get("rank")});
  if (rule.refused())
    return {};
  return self.with({{"axes", python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::range({input.get("rank")}).items()) { Object i = item1_; if ((contains(axes, i) && (input.get("shape")[i] > Object(1)))) made.push_back(i); } })})})}});
}

static Object Reverse_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object axes;
  axes = rules_normal_axes(rule, {Object("Reverse"), self.get("axes"), result.get("rank")});
  if (rule.refused())
    return {};
  return e.get("linalg").call("reversed", {input, axes, result});
}

static Object Round_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Round_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("Round"))) ? input : Object());
}

static Object Round_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  return s.call("round_even", {input});
}

static Object Round_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Round_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object Rsqrt_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Rsqrt_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("mind.Rsqrt"), x}); })), Object::tuple({input}), result});
}

static Object ScatterAdd_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  Object axis, expected, found, n;
  (void)rows_check_rows(rule, {Object("ScatterAdd"), input, indices, self.get("oob")});
  if (rule.refused())
    return {};
  (void)rules_same_numbers(rule, {Object("ScatterAdd"), input, updates, Object::tuple({Object("input"), Object("updates")})});
  if (rule.refused())
    return {};
  expected = (indices.get("shape") + input.get("shape").part(Object(1), Object(), Object()));
  if (updates.get("rank") != python::len({expected})) {
    return rule.refuse(Object("E3002"), python::text({"ScatterAdd takes updates of rank ", python::len({expected}), ", updates are ", updates}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({updates.get("shape"), expected})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    found = item2_[0];
    n = item2_[1];
    if (found != n) {
      return rule.refuse(Object("E3003"), python::text({"ScatterAdd updates have extent ", found, " at axis ", axis, ", where indices and rows give ", n}));
    }
  }
  return input;
}

static Object ScatterAdd_fold(Rule &rule, Args args) {
  Object input = args[2];
  Object indices = args[3];
  return (bool(indices.get("type").get("size")) ? Object() : input);
}

static Object ScatterAdd_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object input = args[3];
  Object indices = args[4];
  Object updates = args[5];
  return e.get("rows").call("scatter_add", {input, indices, updates, self.get("oob")});
}

static Object ScatterAddSlices_spans(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("axes"), [&](Object first) { return bool(first) == false ? (Object::list({Object(1)}) * python::len({self.get("axes")})) : first; }(self.get("sizes"))}).items()) { Object a = item1_[0]; Object size = item1_[1]; made.push_back(((shape[a] - size) + Object(1))); } })});
}

static Object ScatterAddSlices_check_slices(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object a, axes, batch, n, name, size, span;
  Object item1_ = Object::tuple({self.get("opcode"), self.get("axes"), self.get("batch_axes")});
  name = item1_[0];
  axes = item1_[1];
  batch = item1_[2];
  (void)rules_normal_axes(rule, {name, Object::list(spread({axes, batch})), input.get("rank")});
  if (rule.refused())
    return {};
  if (!bool(axes)) {
    return rule.refuse(Object("E4007"), python::text({name, " takes one axis or more"}));
  }
  if (bool(self.get("sizes")) && (python::len({self.get("sizes")}) != python::len({axes}))) {
    return rule.refuse(Object("E4007"), python::text({name, " takes a size for each of ", python::len({axes}), " axes, or none, found ", python::len({self.get("sizes")})}));
  }
  if (!bool(indices.get("dtype").get("is_integer"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes indices of integers, found ", indices.get("dtype")}));
  }
  if (indices.get("rank") < (python::len({batch}) + Object(1))) {
    return rule.refuse(Object("E3002"), python::text({name, " takes indices of rank ", (python::len({batch}) + Object(1)), " or more, indices are ", indices}));
  }
  if (indices.get("shape")[Object(-1)] != python::len({axes})) {
    return rule.refuse(Object("E3003"), python::text({name, " names ", python::len({axes}), " axes, index vectors have extent ", indices.get("shape")[Object(-1)]}));
  }
  for (const Object &item2_ : python::enumerate({batch}).items()) {
    n = item2_[0];
    a = item2_[1];
    if (indices.get("shape")[n] != input.get("shape")[a]) {
      return rule.refuse(Object("E3003"), python::text({name, ": axis ", a, " of input has extent ", input.get("shape")[a], ", axis ", n, " of indices ", indices.get("shape")[n]}));
    }
  }
  for (const Object &item3_ : python::enumerate({ScatterAddSlices_spans(rule, {self, input.get("shape")})}).items()) {
    n = item3_[0];
    span = item3_[1];
    size = (bool(self.get("sizes")) ? self.get("sizes")[n] : Object(1));
    if ((span < Object(1)) && bool(self.get("sizes"))) {
      return rule.refuse(Object("E3011"), python::text({name, " takes ", size, " elements of extent ", input.get("shape")[axes[n]], " of dimension ", axes[n]}));
    }
    if ((span < Object(1)) && (self.get("oob") == Object("clip")) && bool(indices.get("size"))) {
      return rule.refuse(Object("E3006"), python::text({name, " with oob = \"clip\" finds no element along axis ", axes[n], " of ", input}));
    }
  }
  if (rule.refused())
    return {};
  return {};
}

static Object ScatterAddSlices_positive(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object both;
  both = rules_normal_axes(rule, {self.get("opcode"), Object::list(spread({self.get("axes"), self.get("batch_axes")})), rank});
  if (rule.refused())
    return {};
  return Object::tuple({both.part(Object(), python::len({self.get("axes")}), Object()), both.part(python::len({self.get("axes")}), Object(), Object())});
}

static Object ScatterAddSlices_window_axes(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object axes, batch;
  Object item1_ = ScatterAddSlices_positive(rule, {self, rank});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return python::list({collected([&](List &made) { for (const Object &item2_ : python::range({rank}).items()) { Object a = item2_; if ((!contains(batch, a) && (bool(self.get("sizes")) || !contains(axes, a)))) made.push_back(a); } })});
}

static Object ScatterAddSlices_slices_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object _, axes, window;
  Object item1_ = ScatterAddSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  _ = item1_[1];
  if (rule.refused())
    return {};
  window = python::list({collected([&](List &made) { for (const Object &item2_ : ScatterAddSlices_window_axes(rule, {self, input.get("rank")}).items()) { Object a = item2_; made.push_back((contains(axes, a) ? self.get("sizes")[axes.call("index", {a})] : input.get("shape")[a])); } })});
  if (rule.refused())
    return {};
  return python::TensorType({input.get("dtype"), (indices.get("shape").part(Object(), Object(-1), Object()) + python::tuple({window}))});
}

static Object ScatterAddSlices_check_updates(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  Object axis, expected, found, n, name;
  name = self.get("opcode");
  (void)ScatterAddSlices_check_slices(rule, {self, input, indices});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {name, input, updates, Object::tuple({Object("input"), Object("updates")})});
  if (rule.refused())
    return {};
  expected = ScatterAddSlices_slices_type(rule, {self, input, indices});
  if (rule.refused())
    return {};
  if (updates.get("rank") != expected.get("rank")) {
    return rule.refuse(Object("E3002"), python::text({name, " takes updates of rank ", expected.get("rank"), ", updates are ", updates}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({updates.get("shape"), expected.get("shape")})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    found = item2_[0];
    n = item2_[1];
    if (found != n) {
      return rule.refuse(Object("E3003"), python::text({name, " updates have extent ", found, " at axis ", axis, ", where the slices have ", n}));
    }
  }
  return {};
}

static Object ScatterAddSlices_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  (void)rules_numbers_only(rule, {Object("ScatterAddSlices"), input});
  if (rule.refused())
    return {};
  (void)ScatterAddSlices_check_updates(rule, {self, input, indices, updates});
  if (rule.refused())
    return {};
  return input;
}

static Object ScatterAddSlices_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object updates = Object::tuple(args.drop_front(3));
  Object axes, batch;
  Object item1_ = ScatterAddSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return self.with({{"axes", axes}, {"batch_axes", batch}});
}

static Object ScatterAddSlices_fold(Rule &rule, Args args) {
  Object input = args[2];
  Object updates = args[4];
  return (bool(updates.get("type").get("size")) ? Object() : input);
}

static Object ScatterAddSlices_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object indices = args[4];
  Object updates = args[5];
  Object axes, batch;
  Object item1_ = ScatterAddSlices_positive(rule, {self, result.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return e.get("slices").call("scattered", {input, indices, updates, axes, batch, self.get("sizes"), self.get("oob"), Object("add"), Object("ScatterAddSlices")});
}

static Object ScatterMaxSlices_spans(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("axes"), [&](Object first) { return bool(first) == false ? (Object::list({Object(1)}) * python::len({self.get("axes")})) : first; }(self.get("sizes"))}).items()) { Object a = item1_[0]; Object size = item1_[1]; made.push_back(((shape[a] - size) + Object(1))); } })});
}

static Object ScatterMaxSlices_check_slices(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object a, axes, batch, n, name, size, span;
  Object item1_ = Object::tuple({self.get("opcode"), self.get("axes"), self.get("batch_axes")});
  name = item1_[0];
  axes = item1_[1];
  batch = item1_[2];
  (void)rules_normal_axes(rule, {name, Object::list(spread({axes, batch})), input.get("rank")});
  if (rule.refused())
    return {};
  if (!bool(axes)) {
    return rule.refuse(Object("E4007"), python::text({name, " takes one axis or more"}));
  }
  if (bool(self.get("sizes")) && (python::len({self.get("sizes")}) != python::len({axes}))) {
    return rule.refuse(Object("E4007"), python::text({name, " takes a size for each of ", python::len({axes}), " axes, or none, found ", python::len({self.get("sizes")})}));
  }
  if (!bool(indices.get("dtype").get("is_integer"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes indices of integers, found ", indices.get("dtype")}));
  }
  if (indices.get("rank") < (python::len({batch}) + Object(1))) {
    return rule.refuse(Object("E3002"), python::text({name, " takes indices of rank ", (python::len({batch}) + Object(1)), " or more, indices are ", indices}));
  }
  if (indices.get("shape")[Object(-1)] != python::len({axes})) {
    return rule.refuse(Object("E3003"), python::text({name, " names ", python::len({axes}), " axes, index vectors have extent ", indices.get("shape")[Object(-1)]}));
  }
  for (const Object &item2_ : python::enumerate({batch}).items()) {
    n = item2_[0];
    a = item2_[1];
    if (indices.get("shape")[n] != input.get("shape")[a]) {
      return rule.refuse(Object("E3003"), python::text({name, ": axis ", a, " of input has extent ", input.get("shape")[a], ", axis ", n, " of indices ", indices.get("shape")[n]}));
    }
  }
  for (const Object &item3_ : python::enumerate({ScatterMaxSlices_spans(rule, {self, input.get("shape")})}).items()) {
    n = item3_[0];
    span = item3_[1];
    size = (bool(self.get("sizes")) ? self.get("sizes")[n] : Object(1));
    if ((span < Object(1)) && bool(self.get("sizes"))) {
      return rule.refuse(Object("E3011"), python::text({name, " takes ", size, " elements of extent ", input.get("shape")[axes[n]], " of dimension ", axes[n]}));
    }
    if ((span < Object(1)) && (self.get("oob") == Object("clip")) && bool(indices.get("size"))) {
      return rule.refuse(Object("E3006"), python::text({name, " with oob = \"clip\" finds no element along axis ", axes[n], " of ", input}));
    }
  }
  if (rule.refused())
    return {};
  return {};
}

static Object ScatterMaxSlices_positive(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object both;
  both = rules_normal_axes(rule, {self.get("opcode"), Object::list(spread({self.get("axes"), self.get("batch_axes")})), rank});
  if (rule.refused())
    return {};
  return Object::tuple({both.part(Object(), python::len({self.get("axes")}), Object()), both.part(python::len({self.get("axes")}), Object(), Object())});
}

static Object ScatterMaxSlices_window_axes(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object axes, batch;
  Object item1_ = ScatterMaxSlices_positive(rule, {self, rank});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return python::list({collected([&](List &made) { for (const Object &item2_ : python::range({rank}).items()) { Object a = item2_; if ((!contains(batch, a) && (bool(self.get("sizes")) || !contains(axes, a)))) made.push_back(a); } })});
}

static Object ScatterMaxSlices_slices_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object _, axes, window;
  Object item1_ = ScatterMaxSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  _ = item1_[1];
  if (rule.refused())
    return {};
  window = python::list({collected([&](List &made) { for (const Object &item2_ : ScatterMaxSlices_window_axes(rule, {self, input.get("rank")}).items()) { Object a = item2_; made.push_back((contains(axes, a) ? self.get("sizes")[axes.call("index", {a})] : input.get("shape")[a])); } })});
  if (rule.refused())
    return {};
  return python::TensorType({input.get("dtype"), (indices.get("shape").part(Object(), Object(-1), Object()) + python::tuple({window}))});
}

static Object ScatterMaxSlices_check_updates(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  Object axis, expected, found, n, name;
  name = self.get("opcode");
  (void)ScatterMaxSlices_check_slices(rule, {self, input, indices});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {name, input, updates, Object::tuple({Object("input"), Object("updates")})});
  if (rule.refused())
    return {};
  expected = ScatterMaxSlices_slices_type(rule, {self, input, indices});
  if (rule.refused())
    return {};
  if (updates.get("rank") != expected.get("rank")) {
    return rule.refuse(Object("E3002"), python::text({name, " takes updates of rank ", expected.get("rank"), ", updates are ", updates}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({updates.get("shape"), expected.get("shape")})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    found = item2_[0];
    n = item2_[1];
    if (found != n) {
      return rule.refuse(Object("E3003"), python::text({name, " updates have extent ", found, " at axis ", axis, ", where the slices have ", n}));
    }
  }
  return {};
}

static Object ScatterMaxSlices_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  (void)ScatterMaxSlices_check_updates(rule, {self, input, indices, updates});
  if (rule.refused())
    return {};
  return input;
}

static Object ScatterMaxSlices_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object updates = Object::tuple(args.drop_front(3));
  Object axes, batch;
  Object item1_ = ScatterMaxSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return self.with({{"axes", axes}, {"batch_axes", batch}});
}

static Object ScatterMaxSlices_fold(Rule &rule, Args args) {
  Object input = args[2];
  Object updates = args[4];
  return (bool(updates.get("type").get("size")) ? Object() : input);
}

static Object ScatterMaxSlices_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object indices = args[4];
  Object updates = args[5];
  Object axes, batch;
  Object item1_ = ScatterMaxSlices_positive(rule, {self, result.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return e.get("slices").call("scattered", {input, indices, updates, axes, batch, self.get("sizes"), self.get("oob"), Object("max"), Object("ScatterMaxSlices")});
}

static Object ScatterMinSlices_spans(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("axes"), [&](Object first) { return bool(first) == false ? (Object::list({Object(1)}) * python::len({self.get("axes")})) : first; }(self.get("sizes"))}).items()) { Object a = item1_[0]; Object size = item1_[1]; made.push_back(((shape[a] - size) + Object(1))); } })});
}

static Object ScatterMinSlices_check_slices(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object a, axes, batch, n, name, size, span;
  Object item1_ = Object::tuple({self.get("opcode"), self.get("axes"), self.get("batch_axes")});
  name = item1_[0];
  axes = item1_[1];
  batch = item1_[2];
  (void)rules_normal_axes(rule, {name, Object::list(spread({axes, batch})), input.get("rank")});
  if (rule.refused())
    return {};
  if (!bool(axes)) {
    return rule.refuse(Object("E4007"), python::text({name, " takes one axis or more"}));
  }
  if (bool(self.get("sizes")) && (python::len({self.get("sizes")}) != python::len({axes}))) {
    return rule.refuse(Object("E4007"), python::text({name, " takes a size for each of ", python::len({axes}), " axes, or none, found ", python::len({self.get("sizes")})}));
  }
  if (!bool(indices.get("dtype").get("is_integer"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes indices of integers, found ", indices.get("dtype")}));
  }
  if (indices.get("rank") < (python::len({batch}) + Object(1))) {
    return rule.refuse(Object("E3002"), python::text({name, " takes indices of rank ", (python::len({batch}) + Object(1)), " or more, indices are ", indices}));
  }
  if (indices.get("shape")[Object(-1)] != python::len({axes})) {
    return rule.refuse(Object("E3003"), python::text({name, " names ", python::len({axes}), " axes, index vectors have extent ", indices.get("shape")[Object(-1)]}));
  }
  for (const Object &item2_ : python::enumerate({batch}).items()) {
    n = item2_[0];
    a = item2_[1];
    if (indices.get("shape")[n] != input.get("shape")[a]) {
      return rule.refuse(Object("E3003"), python::text({name, ": axis ", a, " of input has extent ", input.get("shape")[a], ", axis ", n, " of indices ", indices.get("shape")[n]}));
    }
  }
  for (const Object &item3_ : python::enumerate({ScatterMinSlices_spans(rule, {self, input.get("shape")})}).items()) {
    n = item3_[0];
    span = item3_[1];
    size = (bool(self.get("sizes")) ? self.get("sizes")[n] : Object(1));
    if ((span < Object(1)) && bool(self.get("sizes"))) {
      return rule.refuse(Object("E3011"), python::text({name, " takes ", size, " elements of extent ", input.get("shape")[axes[n]], " of dimension ", axes[n]}));
    }
    if ((span < Object(1)) && (self.get("oob") == Object("clip")) && bool(indices.get("size"))) {
      return rule.refuse(Object("E3006"), python::text({name, " with oob = \"clip\" finds no element along axis ", axes[n], " of ", input}));
    }
  }
  if (rule.refused())
    return {};
  return {};
}

static Object ScatterMinSlices_positive(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object both;
  both = rules_normal_axes(rule, {self.get("opcode"), Object::list(spread({self.get("axes"), self.get("batch_axes")})), rank});
  if (rule.refused())
    return {};
  return Object::tuple({both.part(Object(), python::len({self.get("axes")}), Object()), both.part(python::len({self.get("axes")}), Object(), Object())});
}

static Object ScatterMinSlices_window_axes(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object axes, batch;
  Object item1_ = ScatterMinSlices_positive(rule, {self, rank});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return python::list({collected([&](List &made) { for (const Object &item2_ : python::range({rank}).items()) { Object a = item2_; if ((!contains(batch, a) && (bool(self.get("sizes")) || !contains(axes, a)))) made.push_back(a); } })});
}

static Object ScatterMinSlices_slices_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object _, axes, window;
  Object item1_ = ScatterMinSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  _ = item1_[1];
  if (rule.refused())
    return {};
  window = python::list({collected([&](List &made) { for (const Object &item2_ : ScatterMinSlices_window_axes(rule, {self, input.get("rank")}).items()) { Object a = item2_; made.push_back((contains(axes, a) ? self.get("sizes")[axes.call("index", {a})] : input.get("shape")[a])); } })});
  if (rule.refused())
    return {};
  return python::TensorType({input.get("dtype"), (indices.get("shape").part(Object(), Object(-1), Object()) + python::tuple({window}))});
}

static Object ScatterMinSlices_check_updates(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  Object axis, expected, found, n, name;
  name = self.get("opcode");
  (void)ScatterMinSlices_check_slices(rule, {self, input, indices});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {name, input, updates, Object::tuple({Object("input"), Object("updates")})});
  if (rule.refused())
    return {};
  expected = ScatterMinSlices_slices_type(rule, {self, input, indices});
  if (rule.refused())
    return {};
  if (updates.get("rank") != expected.get("rank")) {
    return rule.refuse(Object("E3002"), python::text({name, " takes updates of rank ", expected.get("rank"), ", updates are ", updates}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({updates.get("shape"), expected.get("shape")})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    found = item2_[0];
    n = item2_[1];
    if (found != n) {
      return rule.refuse(Object("E3003"), python::text({name, " updates have extent ", found, " at axis ", axis, ", where the slices have ", n}));
    }
  }
  return {};
}

static Object ScatterMinSlices_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  (void)ScatterMinSlices_check_updates(rule, {self, input, indices, updates});
  if (rule.refused())
    return {};
  return input;
}

static Object ScatterMinSlices_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object updates = Object::tuple(args.drop_front(3));
  Object axes, batch;
  Object item1_ = ScatterMinSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return self.with({{"axes", axes}, {"batch_axes", batch}});
}

static Object ScatterMinSlices_fold(Rule &rule, Args args) {
  Object input = args[2];
  Object updates = args[4];
  return (bool(updates.get("type").get("size")) ? Object() : input);
}

static Object ScatterMinSlices_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object indices = args[4];
  Object updates = args[5];
  Object axes, batch;
  Object item1_ = ScatterMinSlices_positive(rule, {self, result.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return e.get("slices").call("scattered", {input, indices, updates, axes, batch, self.get("sizes"), self.get("oob"), Object("min"), Object("ScatterMinSlices")});
}

static Object ScatterSlices_spans(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  return python::list({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("axes"), [&](Object first) { return bool(first) == false ? (Object::list({Object(1)}) * python::len({self.get("axes")})) : first; }(self.get("sizes"))}).items()) { Object a = item1_[0]; Object size = item1_[1]; made.push_back(((shape[a] - size) + Object(1))); } })});
}

static Object ScatterSlices_check_slices(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object a, axes, batch, n, name, size, span;
  Object item1_ = Object::tuple({self.get("opcode"), self.get("axes"), self.get("batch_axes")});
  name = item1_[0];
  axes = item1_[1];
  batch = item1_[2];
  (void)rules_normal_axes(rule, {name, Object::list(spread({axes, batch})), input.get("rank")});
  if (rule.refused())
    return {};
  if (!bool(axes)) {
    return rule.refuse(Object("E4007"), python::text({name, " takes one axis or more"}));
  }
  if (bool(self.get("sizes")) && (python::len({self.get("sizes")}) != python::len({axes}))) {
    return rule.refuse(Object("E4007"), python::text({name, " takes a size for each of ", python::len({axes}), " axes, or none, found ", python::len({self.get("sizes")})}));
  }
  if (!bool(indices.get("dtype").get("is_integer"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes indices of integers, found ", indices.get("dtype")}));
  }
  if (indices.get("rank") < (python::len({batch}) + Object(1))) {
    return rule.refuse(Object("E3002"), python::text({name, " takes indices of rank ", (python::len({batch}) + Object(1)), " or more, indices are ", indices}));
  }
  if (indices.get("shape")[Object(-1)] != python::len({axes})) {
    return rule.refuse(Object("E3003"), python::text({name, " names ", python::len({axes}), " axes, index vectors have extent ", indices.get("shape")[Object(-1)]}));
  }
  for (const Object &item2_ : python::enumerate({batch}).items()) {
    n = item2_[0];
    a = item2_[1];
    if (indices.get("shape")[n] != input.get("shape")[a]) {
      return rule.refuse(Object("E3003"), python::text({name, ": axis ", a, " of input has extent ", input.get("shape")[a], ", axis ", n, " of indices ", indices.get("shape")[n]}));
    }
  }
  for (const Object &item3_ : python::enumerate({ScatterSlices_spans(rule, {self, input.get("shape")})}).items()) {
    n = item3_[0];
    span = item3_[1];
    size = (bool(self.get("sizes")) ? self.get("sizes")[n] : Object(1));
    if ((span < Object(1)) && bool(self.get("sizes"))) {
      return rule.refuse(Object("E3011"), python::text({name, " takes ", size, " elements of extent ", input.get("shape")[axes[n]], " of dimension ", axes[n]}));
    }
    if ((span < Object(1)) && (self.get("oob") == Object("clip")) && bool(indices.get("size"))) {
      return rule.refuse(Object("E3006"), python::text({name, " with oob = \"clip\" finds no element along axis ", axes[n], " of ", input}));
    }
  }
  if (rule.refused())
    return {};
  return {};
}

static Object ScatterSlices_positive(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object both;
  both = rules_normal_axes(rule, {self.get("opcode"), Object::list(spread({self.get("axes"), self.get("batch_axes")})), rank});
  if (rule.refused())
    return {};
  return Object::tuple({both.part(Object(), python::len({self.get("axes")}), Object()), both.part(python::len({self.get("axes")}), Object(), Object())});
}

static Object ScatterSlices_window_axes(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  Object axes, batch;
  Object item1_ = ScatterSlices_positive(rule, {self, rank});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return python::list({collected([&](List &made) { for (const Object &item2_ : python::range({rank}).items()) { Object a = item2_; if ((!contains(batch, a) && (bool(self.get("sizes")) || !contains(axes, a)))) made.push_back(a); } })});
}

static Object ScatterSlices_slices_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object _, axes, window;
  Object item1_ = ScatterSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  _ = item1_[1];
  if (rule.refused())
    return {};
  window = python::list({collected([&](List &made) { for (const Object &item2_ : ScatterSlices_window_axes(rule, {self, input.get("rank")}).items()) { Object a = item2_; made.push_back((contains(axes, a) ? self.get("sizes")[axes.call("index", {a})] : input.get("shape")[a])); } })});
  if (rule.refused())
    return {};
  return python::TensorType({input.get("dtype"), (indices.get("shape").part(Object(), Object(-1), Object()) + python::tuple({window}))});
}

static Object ScatterSlices_check_updates(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  Object axis, expected, found, n, name;
  name = self.get("opcode");
  (void)ScatterSlices_check_slices(rule, {self, input, indices});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {name, input, updates, Object::tuple({Object("input"), Object("updates")})});
  if (rule.refused())
    return {};
  expected = ScatterSlices_slices_type(rule, {self, input, indices});
  if (rule.refused())
    return {};
  if (updates.get("rank") != expected.get("rank")) {
    return rule.refuse(Object("E3002"), python::text({name, " takes updates of rank ", expected.get("rank"), ", updates are ", updates}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({updates.get("shape"), expected.get("shape")})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    found = item2_[0];
    n = item2_[1];
    if (found != n) {
      return rule.refuse(Object("E3003"), python::text({name, " updates have extent ", found, " at axis ", axis, ", where the slices have ", n}));
    }
  }
  return {};
}

static Object ScatterSlices_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  (void)ScatterSlices_check_updates(rule, {self, input, indices, updates});
  if (rule.refused())
    return {};
  return input;
}

static Object ScatterSlices_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object updates = Object::tuple(args.drop_front(3));
  Object axes, batch;
  Object item1_ = ScatterSlices_positive(rule, {self, input.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return self.with({{"axes", axes}, {"batch_axes", batch}});
}

static Object ScatterSlices_fold(Rule &rule, Args args) {
  Object input = args[2];
  Object updates = args[4];
  return (bool(updates.get("type").get("size")) ? Object() : input);
}

static Object ScatterSlices_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object indices = args[4];
  Object updates = args[5];
  Object axes, batch;
  Object item1_ = ScatterSlices_positive(rule, {self, result.get("rank")});
  axes = item1_[0];
  batch = item1_[1];
  if (rule.refused())
    return {};
  return e.get("slices").call("scattered", {input, indices, updates, axes, batch, self.get("sizes"), self.get("oob"), Object("set"), Object("ScatterSlices")});
}

static Object Select_infer_type(Rule &rule, Args args) {
  Object condition = args[1];
  Object lhs = args[2];
  Object rhs = args[3];
  if (!bool(condition.get("dtype").get("is_bool"))) {
    return rule.refuse(Object("E2005"), python::text({"Select takes an i1 condition, condition is ", condition}));
  }
  (void)rules_same_dtype(rule, {Object("Select"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {Object("Select"), condition.get("shape"), rules_broadcast(rule, {Object("Select"), lhs.get("shape"), rhs.get("shape")})})});
}

static Object Select_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object condition = args[3];
  Object lhs = args[4];
  Object rhs = args[5];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object c = args[1]; Object x = args[2]; Object y = args[3]; return s.call("select", {c, x, y}); })), Object::tuple({condition, lhs, rhs}), result});
}

static Object ShardSlice_check_size(Rule &rule, Args args) {
  Object self = args[0];
  if (!bool(self.get("axis"))) {
    return rule.refuse(Object("E8002"), python::text({self.get("opcode"), " needs the name of a mesh axis"}));
  }
  if (self.get("size") < Object(1)) {
    return rule.refuse(Object("E8006"), python::text({self.get("opcode"), " along ", self.get("axis"), " says ", self.get("size"), " ranks"}));
  }
  return {};
}

static Object ShardSlice_check_dim(Rule &rule, Args args) {
  Object self = args[0];
  Object name = args[1];
  Object dim = args[2];
  Object input = args[3];
  Object message, span;
  if (dim >= input.get("rank")) {
    span = (bool(input.get("rank")) ? python::text({"dimensions run from 0 to ", (input.get("rank") - Object(1))}) : Object("a scalar has no dimensions"));
    message = python::text({self.get("opcode"), " ", name, " ", dim, " is out of range for rank ", input.get("rank")});
    return rule.refuse(Object("E3004"), message);
  }
  return {};
}

static Object ShardSlice_part(Rule &rule, Args args) {
  Object self = args[0];
  Object dim = args[2];
  Object input = args[3];
  Object message, n;
  n = input.get("shape")[dim];
  if (bool((n % self.get("size")))) {
    message = python::text({self.get("opcode"), " along ", self.get("axis"), " cuts extent ", n, " of dimension ", dim, " into ", self.get("size"), " parts"});
    return rule.refuse(Object("E8006"), message);
  }
  return floorDiv(n, self.get("size"));
}

static Object ShardSlice_part_type(Rule &rule, Args args) {
  Object self = args[0];
  Object name = args[1];
  Object dim = args[2];
  Object input = args[3];
  Object part;
  (void)ShardSlice_check_size(rule, {self});
  if (rule.refused())
    return {};
  (void)ShardSlice_check_dim(rule, {self, name, dim, input});
  if (rule.refused())
    return {};
  part = ShardSlice_part(rule, {self, name, dim, input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back(((i == dim) ? part : n)); } })})});
}

static Object ShardSlice_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return ShardSlice_part_type(rule, {self, Object("dim"), self.get("dim"), input});
}

static Object ShardSlice_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((self.get("size") == Object(1)) ? input : Object());
}

static Object ShardSlice_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("shard").call("shard_slice", {input, self.get("axis"), self.get("size"), self.get("dim"), result});
}

static Object ShiftLeft_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_integer_only(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object bitwise_outside(Rule &rule, Args args) {
  Object s = args[0];
  Object amount = args[1];
  return s.call("either", {s.call("less", {amount, s.call("number", {Object(0)})}), s.call("greater", {amount, s.call("number", {(s.get("bits") - Object(1))})})});
}

static Object shift_left_shift(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object amount = args[2];
  Object none, zero;
  Object item1_ = Object::tuple({s.call("number", {Object(0)}), bitwise_outside(rule, {s, amount})});
  zero = item1_[0];
  none = item1_[1];
  if (rule.refused())
    return {};
  return s.call("select", {none, zero, s.call("op", {Object("arith.shli"), x, s.call("select", {none, zero, amount})})});
}

static Object ShiftLeft_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return shift_left_shift(rule, args); })), Object::tuple({lhs, rhs}), result});
}

static Object ShiftRightArithmetic_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_integer_only(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object shift_right_arithmetic_shift(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object amount = args[2];
  Object within;
  within = s.call("select", {bitwise_outside(rule, {s, amount}), s.call("number", {(s.get("bits") - Object(1))}), amount});
  if (rule.refused())
    return {};
  return s.call("op", {Object("arith.shrsi"), x, within});
}

static Object ShiftRightArithmetic_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return shift_right_arithmetic_shift(rule, args); })), Object::tuple({lhs, rhs}), result});
}

static Object ShiftRightLogical_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_integer_only(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object shift_right_logical_shift(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object amount = args[2];
  Object none, zero;
  Object item1_ = Object::tuple({s.call("number", {Object(0)}), bitwise_outside(rule, {s, amount})});
  zero = item1_[0];
  none = item1_[1];
  if (rule.refused())
    return {};
  return s.call("select", {none, zero, s.call("op", {Object("arith.shrui"), x, s.call("select", {none, zero, amount})})});
}

static Object ShiftRightLogical_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return shift_right_logical_shift(rule, args); })), Object::tuple({lhs, rhs}), result});
}

static Object Sign_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Sign_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("Sign"))) ? input : Object());
}

static Object sign_sign(Rule &rule, Args args) {
  Object s = args[0];
  Object x = args[1];
  Object below;
  below = s.call("select", {s.call("less", {x, s.call("number", {Object(0)})}), s.call("number", {Object(-1)}), x});
  return s.call("select", {s.call("greater", {x, s.call("number", {Object(0)})}), s.call("number", {Object(1)}), below});
}

static Object Sign_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  if (!bool(result.get("dtype").get("is_signed"))) {
    return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("select", {s.call("greater", {x, s.call("number", {Object(0)})}), s.call("number", {Object(1)}), x}); })), Object::tuple({input}), result});
  }
  return e.get("linalg").call("map", {Object(Function([&rule](Args args) { return sign_sign(rule, args); })), Object::tuple({input}), result});
}

static Object Sin_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Sin_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.sin"), x}); })), Object::tuple({input}), result});
}

static Object Sinh_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Sinh_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.sinh"), x}); })), Object::tuple({input}), result});
}

static Object Slice_bounds(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object i, n, out, v, values, what;
  out = Object::list({});
  for (const Object &item1_ : Object::tuple({Object::tuple({Object("starts"), self.get("starts")}), Object::tuple({Object("ends"), self.get("ends")})}).items()) {
    what = item1_[0];
    values = item1_[1];
    for (const Object &item2_ : python::enumerate({python::zip({values, shape})}).items()) {
      i = item2_[0];
      Object item3_ = item2_[1];
      v = item3_[0];
      n = item3_[1];
      if (!((-n <= v) && (v <= n))) {
        return rule.refuse(Object("E3011"), python::text({what.part(Object(), Object(-1), Object()), " ", v, " of Slice is outside extent ", n, " of dimension ", i}));
      }
    }
    (void)out.call("append", {python::tuple({collected([&](List &made) { for (const Object &item4_ : python::zip({values, shape}).items()) { Object v = item4_[0]; Object n = item4_[1]; made.push_back(((v < Object(0)) ? (v + n) : v)); } })})});
  }
  return out;
}

static Object Slice_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object ends, i, lengths, starts, step;
  lengths = Object::list({python::len({self.get("starts")}), python::len({self.get("ends")}), python::len({self.get("steps")})});
  if (lengths != (Object::list({input.get("rank")}) * Object(3))) {
    return rule.refuse(Object("E4007"), python::text({"Slice of a rank-", input.get("rank"), " operand takes ", input.get("rank"), " starts, ends and steps, found ", lengths[Object(0)], ", ", lengths[Object(1)], " and ", lengths[Object(2)]}));
  }
  for (const Object &item1_ : python::enumerate({self.get("steps")}).items()) {
    i = item1_[0];
    step = item1_[1];
    if (step <= Object(0)) {
      return rule.refuse(Object("E4008"), python::text({"step ", i, " of Slice is ", step}));
    }
  }
  Object item2_ = Slice_bounds(rule, {self, input.get("shape")});
  starts = item2_[0];
  ends = item2_[1];
  if (rule.refused())
    return {};
  return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item3_ : python::zip({starts, ends, self.get("steps")}).items()) { Object s = item3_[0]; Object e = item3_[1]; Object k = item3_[2]; made.push_back(-floorDiv(-python::max({(e - s), Object(0)}), k)); } })})});
}

static Object Slice_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object ends, starts;
  Object item1_ = Slice_bounds(rule, {self, input.get("shape")});
  starts = item1_[0];
  ends = item1_[1];
  if (rule.refused())
    return {};
  return self.with({{"starts", starts}, {"ends", ends}, {"steps", self.get("steps")}});
}

static Object Slice_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  Object whole;
  whole = python::all({collected([&](List &made) { for (const Object &item1_ : python::zip({self.get("starts"), self.get("ends"), self.get("steps"), input.get("type").get("shape")}).items()) { Object s = item1_[0]; Object e = item1_[1]; Object k = item1_[2]; Object n = item1_[3]; made.push_back([&](Object first) { return bool(first) == true ? [&](Object first) { return bool(first) == true ? Object((k == Object(1))) : first; }(Object((e == n))) : first; }(Object((s == Object(0))))); } })});
  return (bool(whole) ? input : Object());
}

static Object Slice_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object _, starts;
  Object item1_ = Slice_bounds(rule, {self, e.call("type", {input}).get("shape")});
  starts = item1_[0];
  _ = item1_[1];
  if (rule.refused())
    return {};
  return e.get("tensor").call("slice", {input, starts, self.get("steps"), result});
}

static Object Sort_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object parts = Object::tuple(args.drop_front(1));
  Object n, part;
  if (!bool(parts)) {
    return rule.refuse(Object("E2007"), Object("Sort takes 1 operand or more, found 0"));
  }
  (void)order_check_axis(rule, {Object("Sort"), self.get("axis"), parts[Object(0)]});
  if (rule.refused())
    return {};
  for (const Object &item1_ : python::enumerate({parts}).items()) {
    n = item1_[0];
    part = item1_[1];
    if (part.get("shape") != parts[Object(0)].get("shape")) {
      return rule.refuse(Object("E3003"), python::text({"Sort takes parts of one shape, parts[", n, "] is ", part, ", parts[0] is ", parts[Object(0)]}));
    }
  }
  return parts;
}

static Object Sort_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object parts = Object::tuple(args.drop_front(2));
  return ((parts[Object(0)].get("shape")[self.get("axis")] < Object(2)) ? python::tuple({parts}) : Object());
}

static Object Sqrt_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Sqrt_formula(Rule &rule, Args args) {
  Object s = args[1];
  Object input = args[2];
  return s.call("sqrt", {input});
}

static Object Sqrt_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) { return Sqrt_formula(rule, spread({Object::tuple({self}), Object::tuple(args)})); })), Object::tuple({input}), result});
}

static Object Squeeze_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object a, gone;
  gone = rules_normal_axes(rule, {Object("Squeeze"), self.get("axes"), input.get("rank")});
  if (rule.refused())
    return {};
  for (const Object &item1_ : gone.items()) {
    a = item1_;
    if (input.get("shape")[a] != Object(1)) {
      return rule.refuse(Object("E3009"), python::text({"Squeeze of axis ", a, " with extent ", input.get("shape")[a]}));
    }
  }
  return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object Squeeze_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  return self.with({{"axes", python::tuple({python::sorted({rules_normal_axes(rule, {Object("Squeeze"), self.get("axes"), input.get("rank")})})})}});
}

static Object Squeeze_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return (bool(self.get("axes")) ? Object() : input);
}

static Object Squeeze_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("tensor").call("reshaped", {input, result});
}

static Object StopGradient_infer_type(Rule &rule, Args args) {
  Object input = args[1];
  return input;
}

static Object StopGradient_fold(Rule &rule, Args args) {
  Object input = args[2];
  return (bool(Object(input.get("op").get("opcode") == Object("StopGradient"))) ? input : Object());
}

static Object StopGradient_lower(Rule &rule, Args args) {
  Object input = args[3];
  return input;
}

static Object Sub_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_numbers(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Sub_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("elementwise", {Object("linalg.sub"), Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("sub", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

static Object Sum_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object Sum_left(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  gone = Sum_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
}

static Object Sum_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {Sum_left(rule, {self, input})});
}

static Object Sum_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return self.with({{"keepdims", Object(false)}});
  }
  return self.with({{"axes", Sum_reduced(rule, {self, input})}});
}

static Object Sum_fold(Rule &rule, Args args) {
  Object input = args[2];
  return ((input.get("type").get("rank") == Object(0)) ? input : Object());
}

static Object Sum_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("reduction").call("sum", {input, Sum_reduced(rule, {self, e.call("type", {input})}), result});
}

static Object Tan_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Tan_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.tan"), x}); })), Object::tuple({input}), result});
}

static Object Tanh_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input;
}

static Object Tanh_lower_by_name(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; return s.call("function", {Object("math.tanh"), x}); })), Object::tuple({input}), result});
}

static Object TopK_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object shape;
  (void)order_check_axis(rule, {Object("TopK"), python::max({(input.get("rank") - Object(1)), Object(0)}), input});
  if (rule.refused())
    return {};
  if (self.get("k") > input.get("shape")[Object(-1)]) {
    return rule.refuse(Object("E3011"), python::text({"TopK takes the ", self.get("k"), " largest of extent ", input.get("shape")[Object(-1)]}));
  }
  shape = Object::tuple(spread({input.get("shape").part(Object(), Object(-1), Object()), Object::tuple({self.get("k")})}));
  return Object::tuple({input.call("with_shape", {shape}), python::TensorType({rule.dtype("i64"), shape})});
}

static Object Transpose_bad(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object why = args[2];
  return rule.refuse(Object("E3008"), python::text({"Transpose takes a permutation of ", input.get("rank"), " axes, found ", python::list({self.get("permutation")}), ": ", why}));
}

static Object Transpose_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object a, i, p, rank;
  Object item1_ = Object::tuple({self.get("permutation"), input.get("rank")});
  p = item1_[0];
  rank = item1_[1];
  if (python::len({p}) != rank) {
    return Transpose_bad(rule, {self, input, python::text({"its length is ", python::len({p})})});
  }
  for (const Object &item2_ : python::enumerate({p}).items()) {
    i = item2_[0];
    a = item2_[1];
    if (!((Object(0) <= a) && (a < rank))) {
      return Transpose_bad(rule, {self, input, python::text({"entry ", i, " is ", a})});
    }
    if (contains(p.part(Object(), i, Object()), a)) {
      return Transpose_bad(rule, {self, input, python::text({a, " stands twice"})});
    }
  }
  return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item3_ : p.items()) { Object a = item3_; made.push_back(input.get("shape")[a]); } })})});
}

static Object Transpose_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("transposed", {input, self.get("permutation"), result});
}

static Object WindowArgMax_pads(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return Object::tuple({[&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("low")), [&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("high"))});
}

static Object WindowArgMax_padded(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object high, low;
  Object item1_ = WindowArgMax_pads(rule, {self, python::len({shape})});
  low = item1_[0];
  high = item1_[1];
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({low, shape, high}).items()) { Object l = item2_[0]; Object n = item2_[1]; Object h = item2_[2]; made.push_back(((l + n) + h)); } })})});
}

static Object WindowArgMax_dilations(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return [&](Object first) { return bool(first) == false ? (Object::tuple({Object(1)}) * rank) : first; }(self.get("dilation"));
}

static Object WindowArgMax_windows_of(Rule &rule, Args args) {
  Object self = args[0];
  Object what = args[1];
  Object shape = args[2];
  Object found, i, n, name, padded, rank, spans, values;
  rank = python::len({shape});
  for (const Object &item1_ : Object::tuple({Object("window"), Object("strides"), Object("low"), Object("high"), Object("dilation")}).items()) {
    name = item1_;
    values = self.get(name);
    if ((python::len({values}) != rank) && (bool(values) || contains(Object::tuple({Object("window"), Object("strides")}), name))) {
      return rule.refuse(Object("E4007"), python::text({self.get("opcode"), " of a rank-", rank, " ", what, " takes ", rank, " numbers as ", name, ", found ", python::len({values})}));
    }
  }
  for (const Object &item2_ : Object::tuple({Object("window"), Object("strides"), Object("dilation")}).items()) {
    name = item2_;
    for (const Object &item3_ : python::enumerate({self.get(name)}).items()) {
      i = item3_[0];
      n = item3_[1];
      if (n < Object(1)) {
        return rule.refuse(Object("E4010"), python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n}));
      }
    }
  }
  for (const Object &item4_ : Object::tuple({Object("low"), Object("high")}).items()) {
    name = item4_;
    for (const Object &item5_ : python::enumerate({self.get(name)}).items()) {
      i = item5_[0];
      n = item5_[1];
      if (n < Object(0)) {
        found = python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n});
        return rule.refuse(Object("E4016"), found);
      }
    }
  }
  if (python::prod({self.get("window")}) > Object(2147483647)) {
    return rule.refuse(Object("E4010"), python::text({"the window of ", self.get("opcode"), " has ", python::prod({self.get("window")}), " elements"}));
  }
  padded = rules_check_extents(rule, {self.get("opcode"), WindowArgMax_padded(rule, {self, shape})});
  if (rule.refused())
    return {};
  spans = python::list({collected([&](List &made) { for (const Object &item6_ : python::zip({self.get("window"), WindowArgMax_dilations(rule, {self, rank})}).items()) { Object n = item6_[0]; Object d = item6_[1]; made.push_back((((n - Object(1)) * d) + Object(1))); } })});
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item7_ : python::zip({padded, spans, self.get("strides")}).items()) { Object n = item7_[0]; Object w = item7_[1]; Object s = item7_[2]; made.push_back(((n >= w) ? (floorDiv((n - w), s) + Object(1)) : Object(0))); } })})});
}

static Object WindowArgMax_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return python::TensorType({rule.dtype("i32"), WindowArgMax_windows_of(rule, {self, Object("input"), input.get("shape")})});
}

static Object WindowArgMax_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object operands = Object::tuple(args.drop_front(1));
  return self.with({{"low", (bool(python::any({collected([&](List &made) { for (const Object &item1_ : self.get("low").items()) { Object n = item1_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("low") : Object::tuple({}))}, {"high", (bool(python::any({collected([&](List &made) { for (const Object &item2_ : self.get("high").items()) { Object n = item2_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("high") : Object::tuple({}))}, {"dilation", (bool(python::any({collected([&](List &made) { for (const Object &item3_ : self.get("dilation").items()) { Object n = item3_; made.push_back(Object((n != Object(1)))); } })})) ? self.get("dilation") : Object::tuple({}))}});
}

static Object WindowArgMax_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object given;
  given = Object::tuple(spread({Object::tuple({self.get("window")}), Object::tuple({self.get("strides")}), WindowArgMax_pads(rule, {self, python::len({self.get("window")})}), Object::tuple({WindowArgMax_dilations(rule, {self, python::len({self.get("window")})})})}));
  if (rule.refused())
    return {};
  return e.get("window").call("arg_max", spread({Object::tuple({input}), given, Object::tuple({result})}));
}

static Object window_check_for_each_window(Rule &rule, Args args) {
  Object name = args[0];
  Object what = args[1];
  Object found = args[2];
  Object windows = args[3];
  Object axis, count, message, n;
  if (found.get("rank") != python::len({windows})) {
    return rule.refuse(Object("E3002"), python::text({name, " takes ", what, " of rank ", python::len({windows}), ", ", what, " are ", found}));
  }
  for (const Object &item1_ : python::enumerate({python::zip({found.get("shape"), windows})}).items()) {
    axis = item1_[0];
    Object item2_ = item1_[1];
    n = item2_[0];
    count = item2_[1];
    if (n != count) {
      message = python::text({name, " has ", count, " windows along axis ", axis, ", ", what, " have extent ", n});
      return rule.refuse(Object("E3003"), message);
    }
  }
  return {};
}

static Object window_check_indices(Rule &rule, Args args) {
  Object name = args[0];
  Object found = args[1];
  Object windows = args[2];
  if (!bool(found.get("dtype").get("is_integer"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes integers as indices, indices are ", found}));
  }
  (void)window_check_for_each_window(rule, {name, Object("indices"), found, windows, Object(1)});
  if (rule.refused())
    return {};
  return {};
}

static Object WindowGather_pads(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return Object::tuple({[&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("low")), [&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("high"))});
}

static Object WindowGather_padded(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object high, low;
  Object item1_ = WindowGather_pads(rule, {self, python::len({shape})});
  low = item1_[0];
  high = item1_[1];
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({low, shape, high}).items()) { Object l = item2_[0]; Object n = item2_[1]; Object h = item2_[2]; made.push_back(((l + n) + h)); } })})});
}

static Object WindowGather_dilations(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return [&](Object first) { return bool(first) == false ? (Object::tuple({Object(1)}) * rank) : first; }(self.get("dilation"));
}

static Object WindowGather_windows_of(Rule &rule, Args args) {
  Object self = args[0];
  Object what = args[1];
  Object shape = args[2];
  Object found, i, n, name, padded, rank, spans, values;
  rank = python::len({shape});
  for (const Object &item1_ : Object::tuple({Object("window"), Object("strides"), Object("low"), Object("high"), Object("dilation")}).items()) {
    name = item1_;
    values = self.get(name);
    if ((python::len({values}) != rank) && (bool(values) || contains(Object::tuple({Object("window"), Object("strides")}), name))) {
      return rule.refuse(Object("E4007"), python::text({self.get("opcode"), " of a rank-", rank, " ", what, " takes ", rank, " numbers as ", name, ", found ", python::len({values})}));
    }
  }
  for (const Object &item2_ : Object::tuple({Object("window"), Object("strides"), Object("dilation")}).items()) {
    name = item2_;
    for (const Object &item3_ : python::enumerate({self.get(name)}).items()) {
      i = item3_[0];
      n = item3_[1];
      if (n < Object(1)) {
        return rule.refuse(Object("E4010"), python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n}));
      }
    }
  }
  for (const Object &item4_ : Object::tuple({Object("low"), Object("high")}).items()) {
    name = item4_;
    for (const Object &item5_ : python::enumerate({self.get(name)}).items()) {
      i = item5_[0];
      n = item5_[1];
      if (n < Object(0)) {
        found = python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n});
        return rule.refuse(Object("E4016"), found);
      }
    }
  }
  if (python::prod({self.get("window")}) > Object(2147483647)) {
    return rule.refuse(Object("E4010"), python::text({"the window of ", self.get("opcode"), " has ", python::prod({self.get("window")}), " elements"}));
  }
  padded = rules_check_extents(rule, {self.get("opcode"), WindowGather_padded(rule, {self, shape})});
  if (rule.refused())
    return {};
  spans = python::list({collected([&](List &made) { for (const Object &item6_ : python::zip({self.get("window"), WindowGather_dilations(rule, {self, rank})}).items()) { Object n = item6_[0]; Object d = item6_[1]; made.push_back((((n - Object(1)) * d) + Object(1))); } })});
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item7_ : python::zip({padded, spans, self.get("strides")}).items()) { Object n = item7_[0]; Object w = item7_[1]; Object s = item7_[2]; made.push_back(((n >= w) ? (floorDiv((n - w), s) + Object(1)) : Object(0))); } })})});
}

static Object WindowGather_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  (void)window_check_indices(rule, {self.get("opcode"), indices, WindowGather_windows_of(rule, {self, Object("input"), input.get("shape")})});
  if (rule.refused())
    return {};
  return input.call("with_shape", {indices.get("shape")});
}

static Object WindowGather_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object operands = Object::tuple(args.drop_front(1));
  return self.with({{"low", (bool(python::any({collected([&](List &made) { for (const Object &item1_ : self.get("low").items()) { Object n = item1_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("low") : Object::tuple({}))}, {"high", (bool(python::any({collected([&](List &made) { for (const Object &item2_ : self.get("high").items()) { Object n = item2_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("high") : Object::tuple({}))}, {"dilation", (bool(python::any({collected([&](List &made) { for (const Object &item3_ : self.get("dilation").items()) { Object n = item3_; made.push_back(Object((n != Object(1)))); } })})) ? self.get("dilation") : Object::tuple({}))}});
}

static Object WindowGather_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object indices = args[4];
  Object given;
  given = Object::tuple(spread({Object::tuple({self.get("window")}), Object::tuple({self.get("strides")}), WindowGather_pads(rule, {self, python::len({self.get("window")})}), Object::tuple({WindowGather_dilations(rule, {self, python::len({self.get("window")})})})}));
  if (rule.refused())
    return {};
  return e.get("window").call("gathered", spread({Object::tuple({input}), Object::tuple({indices}), given, Object::tuple({result})}));
}

static Object WindowMax_pads(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return Object::tuple({[&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("low")), [&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("high"))});
}

static Object WindowMax_padded(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object high, low;
  Object item1_ = WindowMax_pads(rule, {self, python::len({shape})});
  low = item1_[0];
  high = item1_[1];
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({low, shape, high}).items()) { Object l = item2_[0]; Object n = item2_[1]; Object h = item2_[2]; made.push_back(((l + n) + h)); } })})});
}

static Object WindowMax_dilations(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return [&](Object first) { return bool(first) == false ? (Object::tuple({Object(1)}) * rank) : first; }(self.get("dilation"));
}

static Object WindowMax_windows_of(Rule &rule, Args args) {
  Object self = args[0];
  Object what = args[1];
  Object shape = args[2];
  Object found, i, n, name, padded, rank, spans, values;
  rank = python::len({shape});
  for (const Object &item1_ : Object::tuple({Object("window"), Object("strides"), Object("low"), Object("high"), Object("dilation")}).items()) {
    name = item1_;
    values = self.get(name);
    if ((python::len({values}) != rank) && (bool(values) || contains(Object::tuple({Object("window"), Object("strides")}), name))) {
      return rule.refuse(Object("E4007"), python::text({self.get("opcode"), " of a rank-", rank, " ", what, " takes ", rank, " numbers as ", name, ", found ", python::len({values})}));
    }
  }
  for (const Object &item2_ : Object::tuple({Object("window"), Object("strides"), Object("dilation")}).items()) {
    name = item2_;
    for (const Object &item3_ : python::enumerate({self.get(name)}).items()) {
      i = item3_[0];
      n = item3_[1];
      if (n < Object(1)) {
        return rule.refuse(Object("E4010"), python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n}));
      }
    }
  }
  for (const Object &item4_ : Object::tuple({Object("low"), Object("high")}).items()) {
    name = item4_;
    for (const Object &item5_ : python::enumerate({self.get(name)}).items()) {
      i = item5_[0];
      n = item5_[1];
      if (n < Object(0)) {
        found = python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n});
        return rule.refuse(Object("E4016"), found);
      }
    }
  }
  if (python::prod({self.get("window")}) > Object(2147483647)) {
    return rule.refuse(Object("E4010"), python::text({"the window of ", self.get("opcode"), " has ", python::prod({self.get("window")}), " elements"}));
  }
  padded = rules_check_extents(rule, {self.get("opcode"), WindowMax_padded(rule, {self, shape})});
  if (rule.refused())
    return {};
  spans = python::list({collected([&](List &made) { for (const Object &item6_ : python::zip({self.get("window"), WindowMax_dilations(rule, {self, rank})}).items()) { Object n = item6_[0]; Object d = item6_[1]; made.push_back((((n - Object(1)) * d) + Object(1))); } })});
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item7_ : python::zip({padded, spans, self.get("strides")}).items()) { Object n = item7_[0]; Object w = item7_[1]; Object s = item7_[2]; made.push_back(((n >= w) ? (floorDiv((n - w), s) + Object(1)) : Object(0))); } })})});
}

static Object WindowMax_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {WindowMax_windows_of(rule, {self, Object("input"), input.get("shape")})});
}

static Object WindowMax_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object operands = Object::tuple(args.drop_front(1));
  return self.with({{"low", (bool(python::any({collected([&](List &made) { for (const Object &item1_ : self.get("low").items()) { Object n = item1_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("low") : Object::tuple({}))}, {"high", (bool(python::any({collected([&](List &made) { for (const Object &item2_ : self.get("high").items()) { Object n = item2_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("high") : Object::tuple({}))}, {"dilation", (bool(python::any({collected([&](List &made) { for (const Object &item3_ : self.get("dilation").items()) { Object n = item3_; made.push_back(Object((n != Object(1)))); } })})) ? self.get("dilation") : Object::tuple({}))}});
}

static Object WindowMax_named(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object high, low, plain;
  Object item1_ = WindowMax_pads(rule, {self, python::len({shape})});
  low = item1_[0];
  high = item1_[1];
  if (rule.refused())
    return {};
  plain = python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({self.get("window"), self.get("strides"), low, high}).items()) { Object w = item2_[0]; Object s = item2_[1]; Object l = item2_[2]; Object h = item2_[3]; made.push_back([&](Object first) { return bool(first) == true ? Object(((l == h) && (h == Object(0)))) : first; }(Object(((w == s) && (s == Object(1)))))); } })});
  return python::list({collected([&](List &made) { for (const Object &item3_ : python::zip({rules_names(rule, {python::len({shape}), Object("d")}), plain}).items()) { Object d = item3_[0]; Object alone = item3_[1]; made.push_back((bool(alone) ? d : Object("_"))); } })});
}

static Object WindowMax_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  Object plain;
  plain = python::all({collected([&](List &made) { for (const Object &item1_ : WindowMax_named(rule, {self, input.get("type").get("shape")}).items()) { Object d = item1_; made.push_back(Object((d != Object("_")))); } })});
  if (rule.refused())
    return {};
  return (bool(plain) ? input : Object());
}

static Object WindowMax_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object given;
  given = Object::tuple(spread({Object::tuple({self.get("window")}), Object::tuple({self.get("strides")}), WindowMax_pads(rule, {self, python::len({self.get("window")})}), Object::tuple({WindowMax_dilations(rule, {self, python::len({self.get("window")})})})}));
  if (rule.refused())
    return {};
  return e.get("window").call("pooled", spread({Object::tuple({Object("max")}), Object::tuple({input}), given, Object::tuple({result})}));
}

static Object WindowScatterAdd_pads(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return Object::tuple({[&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("low")), [&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("high"))});
}

static Object WindowScatterAdd_padded(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object high, low;
  Object item1_ = WindowScatterAdd_pads(rule, {self, python::len({shape})});
  low = item1_[0];
  high = item1_[1];
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({low, shape, high}).items()) { Object l = item2_[0]; Object n = item2_[1]; Object h = item2_[2]; made.push_back(((l + n) + h)); } })})});
}

static Object WindowScatterAdd_dilations(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return [&](Object first) { return bool(first) == false ? (Object::tuple({Object(1)}) * rank) : first; }(self.get("dilation"));
}

static Object WindowScatterAdd_windows_of(Rule &rule, Args args) {
  Object self = args[0];
  Object what = args[1];
  Object shape = args[2];
  Object found, i, n, name, padded, rank, spans, values;
  rank = python::len({shape});
  for (const Object &item1_ : Object::tuple({Object("window"), Object("strides"), Object("low"), Object("high"), Object("dilation")}).items()) {
    name = item1_;
    values = self.get(name);
    if ((python::len({values}) != rank) && (bool(values) || contains(Object::tuple({Object("window"), Object("strides")}), name))) {
      return rule.refuse(Object("E4007"), python::text({self.get("opcode"), " of a rank-", rank, " ", what, " takes ", rank, " numbers as ", name, ", found ", python::len({values})}));
    }
  }
  for (const Object &item2_ : Object::tuple({Object("window"), Object("strides"), Object("dilation")}).items()) {
    name = item2_;
    for (const Object &item3_ : python::enumerate({self.get(name)}).items()) {
      i = item3_[0];
      n = item3_[1];
      if (n < Object(1)) {
        return rule.refuse(Object("E4010"), python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n}));
      }
    }
  }
  for (const Object &item4_ : Object::tuple({Object("low"), Object("high")}).items()) {
    name = item4_;
    for (const Object &item5_ : python::enumerate({self.get(name)}).items()) {
      i = item5_[0];
      n = item5_[1];
      if (n < Object(0)) {
        found = python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n});
        return rule.refuse(Object("E4016"), found);
      }
    }
  }
  if (python::prod({self.get("window")}) > Object(2147483647)) {
    return rule.refuse(Object("E4010"), python::text({"the window of ", self.get("opcode"), " has ", python::prod({self.get("window")}), " elements"}));
  }
  padded = rules_check_extents(rule, {self.get("opcode"), WindowScatterAdd_padded(rule, {self, shape})});
  if (rule.refused())
    return {};
  spans = python::list({collected([&](List &made) { for (const Object &item6_ : python::zip({self.get("window"), WindowScatterAdd_dilations(rule, {self, rank})}).items()) { Object n = item6_[0]; Object d = item6_[1]; made.push_back((((n - Object(1)) * d) + Object(1))); } })});
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item7_ : python::zip({padded, spans, self.get("strides")}).items()) { Object n = item7_[0]; Object w = item7_[1]; Object s = item7_[2]; made.push_back(((n >= w) ? (floorDiv((n - w), s) + Object(1)) : Object(0))); } })})});
}

static Object WindowScatterAdd_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object updates = args[1];
  Object indices = args[2];
  Object windows;
  (void)rules_numbers_only(rule, {self.get("opcode"), updates});
  if (rule.refused())
    return {};
  windows = WindowScatterAdd_windows_of(rule, {self, Object("shape"), self.get("shape")});
  if (rule.refused())
    return {};
  (void)window_check_for_each_window(rule, {self.get("opcode"), Object("updates"), updates, windows, Object(0)});
  if (rule.refused())
    return {};
  (void)window_check_indices(rule, {self.get("opcode"), indices, windows});
  if (rule.refused())
    return {};
  return updates.call("with_shape", {self.get("shape")});
}

static Object WindowScatterAdd_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object operands = Object::tuple(args.drop_front(1));
  return self.with({{"low", (bool(python::any({collected([&](List &made) { for (const Object &item1_ : self.get("low").items()) { Object n = item1_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("low") : Object::tuple({}))}, {"high", (bool(python::any({collected([&](List &made) { for (const Object &item2_ : self.get("high").items()) { Object n = item2_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("high") : Object::tuple({}))}, {"dilation", (bool(python::any({collected([&](List &made) { for (const Object &item3_ : self.get("dilation").items()) { Object n = item3_; made.push_back(Object((n != Object(1)))); } })})) ? self.get("dilation") : Object::tuple({}))}});
}

static Object WindowScatterAdd_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object updates = args[3];
  Object indices = args[4];
  Object given;
  given = Object::tuple(spread({Object::tuple({self.get("window")}), Object::tuple({self.get("strides")}), WindowScatterAdd_pads(rule, {self, python::len({self.get("window")})}), Object::tuple({WindowScatterAdd_dilations(rule, {self, python::len({self.get("window")})})})}));
  if (rule.refused())
    return {};
  return e.get("window").call("scattered", spread({Object::tuple({updates}), Object::tuple({indices}), given, Object::tuple({result})}));
}

static Object WindowSum_pads(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return Object::tuple({[&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("low")), [&](Object first) { return bool(first) == false ? (Object::tuple({Object(0)}) * rank) : first; }(self.get("high"))});
}

static Object WindowSum_padded(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object high, low;
  Object item1_ = WindowSum_pads(rule, {self, python::len({shape})});
  low = item1_[0];
  high = item1_[1];
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({low, shape, high}).items()) { Object l = item2_[0]; Object n = item2_[1]; Object h = item2_[2]; made.push_back(((l + n) + h)); } })})});
}

static Object WindowSum_dilations(Rule &rule, Args args) {
  Object self = args[0];
  Object rank = args[1];
  return [&](Object first) { return bool(first) == false ? (Object::tuple({Object(1)}) * rank) : first; }(self.get("dilation"));
}

static Object WindowSum_windows_of(Rule &rule, Args args) {
  Object self = args[0];
  Object what = args[1];
  Object shape = args[2];
  Object found, i, n, name, padded, rank, spans, values;
  rank = python::len({shape});
  for (const Object &item1_ : Object::tuple({Object("window"), Object("strides"), Object("low"), Object("high"), Object("dilation")}).items()) {
    name = item1_;
    values = self.get(name);
    if ((python::len({values}) != rank) && (bool(values) || contains(Object::tuple({Object("window"), Object("strides")}), name))) {
      return rule.refuse(Object("E4007"), python::text({self.get("opcode"), " of a rank-", rank, " ", what, " takes ", rank, " numbers as ", name, ", found ", python::len({values})}));
    }
  }
  for (const Object &item2_ : Object::tuple({Object("window"), Object("strides"), Object("dilation")}).items()) {
    name = item2_;
    for (const Object &item3_ : python::enumerate({self.get(name)}).items()) {
      i = item3_[0];
      n = item3_[1];
      if (n < Object(1)) {
        return rule.refuse(Object("E4010"), python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n}));
      }
    }
  }
  for (const Object &item4_ : Object::tuple({Object("low"), Object("high")}).items()) {
    name = item4_;
    for (const Object &item5_ : python::enumerate({self.get(name)}).items()) {
      i = item5_[0];
      n = item5_[1];
      if (n < Object(0)) {
        found = python::text({"entry ", i, " of ", name, " of ", self.get("opcode"), " is ", n});
        return rule.refuse(Object("E4016"), found);
      }
    }
  }
  if (python::prod({self.get("window")}) > Object(2147483647)) {
    return rule.refuse(Object("E4010"), python::text({"the window of ", self.get("opcode"), " has ", python::prod({self.get("window")}), " elements"}));
  }
  padded = rules_check_extents(rule, {self.get("opcode"), WindowSum_padded(rule, {self, shape})});
  if (rule.refused())
    return {};
  spans = python::list({collected([&](List &made) { for (const Object &item6_ : python::zip({self.get("window"), WindowSum_dilations(rule, {self, rank})}).items()) { Object n = item6_[0]; Object d = item6_[1]; made.push_back((((n - Object(1)) * d) + Object(1))); } })});
  if (rule.refused())
    return {};
  return python::tuple({python::list({collected([&](List &made) { for (const Object &item7_ : python::zip({padded, spans, self.get("strides")}).items()) { Object n = item7_[0]; Object w = item7_[1]; Object s = item7_[2]; made.push_back(((n >= w) ? (floorDiv((n - w), s) + Object(1)) : Object(0))); } })})});
}

static Object WindowSum_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  (void)rules_numbers_only(rule, {self.get("opcode"), input});
  if (rule.refused())
    return {};
  return input.call("with_shape", {WindowSum_windows_of(rule, {self, Object("input"), input.get("shape")})});
}

static Object WindowSum_canonical(Rule &rule, Args args) {
  Object self = args[0];
  Object operands = Object::tuple(args.drop_front(1));
  return self.with({{"low", (bool(python::any({collected([&](List &made) { for (const Object &item1_ : self.get("low").items()) { Object n = item1_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("low") : Object::tuple({}))}, {"high", (bool(python::any({collected([&](List &made) { for (const Object &item2_ : self.get("high").items()) { Object n = item2_; made.push_back(Object((n != Object(0)))); } })})) ? self.get("high") : Object::tuple({}))}, {"dilation", (bool(python::any({collected([&](List &made) { for (const Object &item3_ : self.get("dilation").items()) { Object n = item3_; made.push_back(Object((n != Object(1)))); } })})) ? self.get("dilation") : Object::tuple({}))}});
}

static Object WindowSum_named(Rule &rule, Args args) {
  Object self = args[0];
  Object shape = args[1];
  Object high, low, plain;
  Object item1_ = WindowSum_pads(rule, {self, python::len({shape})});
  low = item1_[0];
  high = item1_[1];
  if (rule.refused())
    return {};
  plain = python::list({collected([&](List &made) { for (const Object &item2_ : python::zip({self.get("window"), self.get("strides"), low, high}).items()) { Object w = item2_[0]; Object s = item2_[1]; Object l = item2_[2]; Object h = item2_[3]; made.push_back([&](Object first) { return bool(first) == true ? Object(((l == h) && (h == Object(0)))) : first; }(Object(((w == s) && (s == Object(1)))))); } })});
  return python::list({collected([&](List &made) { for (const Object &item3_ : python::zip({rules_names(rule, {python::len({shape}), Object("d")}), plain}).items()) { Object d = item3_[0]; Object alone = item3_[1]; made.push_back((bool(alone) ? d : Object("_"))); } })});
}

static Object WindowSum_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  Object plain;
  plain = python::all({collected([&](List &made) { for (const Object &item1_ : WindowSum_named(rule, {self, input.get("type").get("shape")}).items()) { Object d = item1_; made.push_back(Object((d != Object("_")))); } })});
  if (rule.refused())
    return {};
  return (bool(plain) ? input : Object());
}

static Object WindowSum_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object given;
  given = Object::tuple(spread({Object::tuple({self.get("window")}), Object::tuple({self.get("strides")}), WindowSum_pads(rule, {self, python::len({self.get("window")})}), Object::tuple({WindowSum_dilations(rule, {self, python::len({self.get("window")})})})}));
  if (rule.refused())
    return {};
  return e.get("window").call("pooled", spread({Object::tuple({Object("sum")}), Object::tuple({input}), given, Object::tuple({result})}));
}

static Object Xor_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_no_float(rule, {self.get("opcode"), lhs});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Xor_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("bit_xor", {x, y}); })), Object::tuple({lhs, rhs}), result});
}

const OperationRules &mlir::mind::rulesOf(StringRef name) {
  static const llvm::StringMap<OperationRules> all{
      {"mind.abs",
       {"Abs", 1, false, true, {},
        Abs_infer_type, nullptr, Abs_fold, nullptr, Abs_lower}},
      {"mind.acos",
       {"Acos", 1, false, true, {},
        Acos_infer_type, nullptr, nullptr, nullptr, Acos_lower_by_name}},
      {"mind.acosh",
       {"Acosh", 1, false, true, {},
        Acosh_infer_type, nullptr, nullptr, nullptr, Acosh_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.add",
       {"Add", 2, false, true, {},
        Add_infer_type, nullptr, nullptr, nullptr, Add_lower}},
      {"mind.all",
       {"All", 1, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        All_infer_type, All_canonical, All_fold, nullptr, All_lower}},
      {"mind.all_gather",
       {"AllGather", 1, false, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"dim", AttributeRules::Count, {}, Object()}, {"invariant", AttributeRules::Flag, {}, Object(false)}},
        AllGather_infer_type, nullptr, AllGather_fold, nullptr, AllGather_lower}},
      {"mind.all_reduce",
       {"AllReduce", 1, false, true, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"kind", AttributeRules::Choice, {"sum", "max", "min"}, Object("sum")}, {"invariant", AttributeRules::Flag, {}, Object(false)}},
        AllReduce_infer_type, nullptr, AllReduce_fold, nullptr, AllReduce_lower}},
      {"mind.all_to_all",
       {"AllToAll", 1, false, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"split", AttributeRules::Count, {}, Object()}, {"concat", AttributeRules::Count, {}, Object()}},
        AllToAll_infer_type, nullptr, AllToAll_fold, nullptr, AllToAll_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.and",
       {"And", 2, false, false, {},
        And_infer_type, nullptr, nullptr, nullptr, And_lower}},
      {"mind.any",
       {"Any", 1, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Any_infer_type, Any_canonical, Any_fold, nullptr, Any_lower}},
      {"mind.arg_max",
       {"ArgMax", 1, false, true, {{"axis", AttributeRules::Count, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        ArgMax_infer_type, nullptr, nullptr, nullptr, ArgMax_lower}},
      {"mind.arg_min",
       {"ArgMin", 1, false, true, {{"axis", AttributeRules::Count, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        ArgMin_infer_type, nullptr, nullptr, nullptr, ArgMin_lower}},
      // lower is not translated: arg_sort.py: a call of .arg_sorted
      {"mind.arg_sort",
       {"ArgSort", 1, false, true, {{"axis", AttributeRules::Count, {}, Object()}, {"descending", AttributeRules::Flag, {}, Object(false)}},
        ArgSort_infer_type, nullptr, nullptr, nullptr, nullptr}},
      {"mind.asin",
       {"Asin", 1, false, true, {},
        Asin_infer_type, nullptr, nullptr, nullptr, Asin_lower_by_name}},
      {"mind.asinh",
       {"Asinh", 1, false, true, {},
        Asinh_infer_type, nullptr, nullptr, nullptr, Asinh_lower}},
      {"mind.atan",
       {"Atan", 1, false, true, {},
        Atan_infer_type, nullptr, nullptr, nullptr, Atan_lower_by_name}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.atan2",
       {"Atan2", 2, false, true, {},
        Atan2_infer_type, nullptr, nullptr, nullptr, Atan2_lower_by_name}},
      {"mind.atanh",
       {"Atanh", 1, false, true, {},
        Atanh_infer_type, nullptr, nullptr, nullptr, Atanh_lower}},
      {"mind.bit_cast",
       {"BitCast", 1, false, false, {{"to", AttributeRules::ElementType, {"a dtype: i1, i8, i16, i32, i64, u8, u16, u32, u64, bf16, f16, f32 or f64"}, Object()}},
        BitCast_infer_type, nullptr, BitCast_fold, nullptr, BitCast_lower}},
      // fold is not translated: _rules.py: .literal
      {"mind.broadcast",
       {"Broadcast", 1, false, false, {{"shape", AttributeRules::Extents, {}, Object()}},
        Broadcast_infer_type, nullptr, nullptr, nullptr, Broadcast_lower}},
      {"mind.cbrt",
       {"Cbrt", 1, false, true, {},
        Cbrt_infer_type, nullptr, nullptr, nullptr, Cbrt_lower}},
      {"mind.ceil",
       {"Ceil", 1, false, true, {},
        Ceil_infer_type, nullptr, Ceil_fold, nullptr, Ceil_lower}},
      // fold is not translated: concatenate.py: a call of .Concatenate
      {"mind.concatenate",
       {"Concatenate", 0, true, false, {{"axis", AttributeRules::Count, {}, Object()}},
        Concatenate_infer_type, nullptr, nullptr, nullptr, Concatenate_lower}},
      // canonical is not translated: _scalar.py: a constant of type Vocabulary
      {"mind.const_f32",
       {"ConstF32", 0, false, true, {{"value", AttributeRules::Scalar, {}, Object()}},
        ConstF32_infer_type, nullptr, nullptr, nullptr, ConstF32_lower}},
      // canonical is not translated: _scalar.py: a constant of type Vocabulary
      {"mind.const_f64",
       {"ConstF64", 0, false, true, {{"value", AttributeRules::Scalar, {}, Object()}},
        ConstF64_infer_type, nullptr, nullptr, nullptr, ConstF64_lower}},
      // canonical is not translated: _scalar.py: a constant of type Vocabulary
      {"mind.const_i64",
       {"ConstI64", 0, false, true, {{"value", AttributeRules::Scalar, {}, Object()}},
        ConstI64_infer_type, nullptr, nullptr, nullptr, ConstI64_lower}},
      {"mind.const_tensor",
       {"ConstTensor", 0, false, true, {{"data", AttributeRules::Data, {}, Object()}},
        ConstTensor_infer_type, nullptr, nullptr, nullptr, ConstTensor_lower}},
      // fold is not translated: _mixed.py: a call of .Convert
      {"mind.conv",
       {"Conv", 2, false, true, {{"layout", AttributeRules::Name, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object::tuple({})}, {"low", AttributeRules::Ints, {}, Object::tuple({})}, {"high", AttributeRules::Ints, {}, Object::tuple({})}, {"input_dilation", AttributeRules::Ints, {}, Object::tuple({})}, {"filter_dilation", AttributeRules::Ints, {}, Object::tuple({})}, {"reverse", AttributeRules::Flag, {}, Object(false)}, {"groups", AttributeRules::Count, {}, Object(1)}, {"batch_groups", AttributeRules::Count, {}, Object(1)}, {"element_type", AttributeRules::ElementType, {"a dtype: i1, i8, i16, i32, i64, u8, u16, u32, u64, bf16, f16, f32 or f64, or none"}, Object()}},
        Conv_infer_type, Conv_canonical, nullptr, nullptr, Conv_lower}},
      {"mind.conv2d",
       {"Conv2d", 2, false, true, {{"strides", AttributeRules::Ints, {}, Object()}, {"padding", AttributeRules::Padding, {}, Object()}},
        Conv2d_infer_type, nullptr, nullptr, nullptr, Conv2d_lower}},
      {"mind.conv2d_backward_filter",
       {"Conv2dBackwardFilter", 2, false, true, {{"filter_shape", AttributeRules::Extents, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"padding", AttributeRules::Padding, {}, Object()}},
        Conv2dBackwardFilter_infer_type, nullptr, nullptr, nullptr, Conv2dBackwardFilter_lower}},
      {"mind.conv2d_backward_input",
       {"Conv2dBackwardInput", 2, false, true, {{"input_shape", AttributeRules::Extents, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"padding", AttributeRules::Padding, {}, Object()}},
        Conv2dBackwardInput_infer_type, nullptr, nullptr, nullptr, Conv2dBackwardInput_lower}},
      {"mind.convert",
       {"Convert", 1, false, false, {{"to", AttributeRules::ElementType, {"a dtype: i1, i8, i16, i32, i64, u8, u16, u32, u64, bf16, f16, f32 or f64"}, Object()}},
        Convert_infer_type, nullptr, Convert_fold, nullptr, Convert_lower}},
      {"mind.cos",
       {"Cos", 1, false, true, {},
        Cos_infer_type, nullptr, nullptr, nullptr, Cos_lower_by_name}},
      {"mind.cosh",
       {"Cosh", 1, false, true, {},
        Cosh_infer_type, nullptr, nullptr, nullptr, Cosh_lower_by_name}},
      {"mind.cum_max",
       {"CumMax", 1, false, true, {{"axis", AttributeRules::Count, {}, Object()}, {"reverse", AttributeRules::Flag, {}, Object()}},
        CumMax_infer_type, nullptr, CumMax_fold, nullptr, CumMax_lower}},
      {"mind.cum_min",
       {"CumMin", 1, false, true, {{"axis", AttributeRules::Count, {}, Object()}, {"reverse", AttributeRules::Flag, {}, Object()}},
        CumMin_infer_type, nullptr, CumMin_fold, nullptr, CumMin_lower}},
      {"mind.cum_prod",
       {"CumProd", 1, false, true, {{"axis", AttributeRules::Count, {}, Object()}, {"reverse", AttributeRules::Flag, {}, Object()}},
        CumProd_infer_type, nullptr, CumProd_fold, nullptr, CumProd_lower}},
      {"mind.cum_sum",
       {"CumSum", 1, false, true, {{"axis", AttributeRules::Count, {}, Object()}, {"reverse", AttributeRules::Flag, {}, Object()}},
        CumSum_infer_type, nullptr, CumSum_fold, nullptr, CumSum_lower}},
      {"mind.digamma",
       {"Digamma", 1, false, true, {},
        Digamma_infer_type, nullptr, nullptr, nullptr, Digamma_lower_by_name}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.div",
       {"Div", 2, false, true, {},
        Div_infer_type, nullptr, nullptr, nullptr, Div_lower}},
      {"mind.dot",
       {"Dot", 2, false, true, {},
        Dot_infer_type, nullptr, nullptr, nullptr, Dot_lower}},
      // fold is not translated: _mixed.py: a call of .Convert
      {"mind.dot_general",
       {"DotGeneral", 2, false, true, {{"lhs_batch", AttributeRules::Ints, {}, Object::tuple({})}, {"rhs_batch", AttributeRules::Ints, {}, Object::tuple({})}, {"lhs_contract", AttributeRules::Ints, {}, Object::tuple({})}, {"rhs_contract", AttributeRules::Ints, {}, Object::tuple({})}, {"element_type", AttributeRules::ElementType, {"a dtype: i1, i8, i16, i32, i64, u8, u16, u32, u64, bf16, f16, f32 or f64, or none"}, Object()}},
        DotGeneral_infer_type, DotGeneral_canonical, nullptr, nullptr, DotGeneral_lower}},
      // fold is not translated: dynamic_slice.py: .literal
      {"mind.dynamic_slice",
       {"DynamicSlice", 1, true, false, {{"sizes", AttributeRules::Extents, {}, Object()}},
        DynamicSlice_infer_type, nullptr, nullptr, nullptr, DynamicSlice_lower}},
      {"mind.dynamic_update_slice",
       {"DynamicUpdateSlice", 2, true, false, {},
        DynamicUpdateSlice_infer_type, nullptr, DynamicUpdateSlice_fold, nullptr, DynamicUpdateSlice_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.equal",
       {"Equal", 2, false, true, {},
        Equal_infer_type, nullptr, nullptr, nullptr, Equal_lower}},
      {"mind.erf",
       {"Erf", 1, false, true, {},
        Erf_infer_type, nullptr, nullptr, nullptr, Erf_lower_by_name}},
      {"mind.erf_inv",
       {"ErfInv", 1, false, true, {},
        ErfInv_infer_type, nullptr, nullptr, nullptr, ErfInv_lower_by_name}},
      {"mind.erfc",
       {"Erfc", 1, false, true, {},
        Erfc_infer_type, nullptr, nullptr, nullptr, Erfc_lower_by_name}},
      {"mind.exp",
       {"Exp", 1, false, true, {},
        Exp_infer_type, nullptr, nullptr, nullptr, Exp_lower}},
      {"mind.expand_dims",
       {"ExpandDims", 1, false, false, {{"axes", AttributeRules::Ints, {}, Object()}},
        ExpandDims_infer_type, ExpandDims_canonical, ExpandDims_fold, nullptr, ExpandDims_lower}},
      {"mind.expm1",
       {"Expm1", 1, false, true, {},
        Expm1_infer_type, nullptr, nullptr, nullptr, Expm1_lower_by_name}},
      {"mind.floor",
       {"Floor", 1, false, true, {},
        Floor_infer_type, nullptr, Floor_fold, nullptr, Floor_lower}},
      {"mind.gather",
       {"Gather", 2, false, false, {{"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        Gather_infer_type, nullptr, nullptr, nullptr, Gather_lower}},
      {"mind.gather_slices",
       {"GatherSlices", 2, false, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        GatherSlices_infer_type, GatherSlices_canonical, nullptr, nullptr, GatherSlices_lower}},
      // fold is not translated: greater.py: .literal
      {"mind.greater",
       {"Greater", 2, false, true, {},
        Greater_infer_type, nullptr, nullptr, nullptr, Greater_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.greater_equal",
       {"GreaterEqual", 2, false, true, {},
        GreaterEqual_infer_type, nullptr, nullptr, nullptr, GreaterEqual_lower}},
      {"mind.index",
       {"Index", 1, false, false, {{"indices", AttributeRules::Ints, {}, Object()}},
        Index_infer_type, Index_canonical, nullptr, Index_check_before_run, Index_lower}},
      {"mind.iota",
       {"Iota", 0, false, false, {{"shape", AttributeRules::Extents, {}, Object()}, {"axis", AttributeRules::Count, {}, Object()}, {"dtype", AttributeRules::ElementType, {"a dtype: i1, i8, i16, i32, i64, u8, u16, u32, u64, bf16, f16, f32 or f64"}, Object()}},
        Iota_infer_type, nullptr, nullptr, nullptr, Iota_lower}},
      {"mind.is_finite",
       {"IsFinite", 1, false, true, {},
        IsFinite_infer_type, nullptr, nullptr, nullptr, IsFinite_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.less",
       {"Less", 2, false, true, {},
        Less_infer_type, nullptr, nullptr, nullptr, Less_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.less_equal",
       {"LessEqual", 2, false, true, {},
        LessEqual_infer_type, nullptr, nullptr, nullptr, LessEqual_lower}},
      {"mind.log",
       {"Log", 1, false, true, {},
        Log_infer_type, nullptr, nullptr, nullptr, Log_lower}},
      {"mind.log10",
       {"Log10", 1, false, true, {},
        Log10_infer_type, nullptr, nullptr, nullptr, Log10_lower}},
      {"mind.log1p",
       {"Log1p", 1, false, true, {},
        Log1p_infer_type, nullptr, nullptr, nullptr, Log1p_lower_by_name}},
      {"mind.log2",
       {"Log2", 1, false, true, {},
        Log2_infer_type, nullptr, nullptr, nullptr, Log2_lower}},
      {"mind.log_gamma",
       {"LogGamma", 1, false, true, {},
        LogGamma_infer_type, nullptr, nullptr, nullptr, LogGamma_lower_by_name}},
      {"mind.logistic",
       {"Logistic", 1, false, true, {},
        Logistic_infer_type, nullptr, nullptr, nullptr, Logistic_lower_by_name}},
      {"mind.matmul",
       {"MatMul", 2, false, true, {},
        MatMul_infer_type, nullptr, nullptr, nullptr, MatMul_lower}},
      {"mind.max",
       {"Max", 1, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Max_infer_type, Max_canonical, Max_fold, nullptr, Max_lower}},
      // fold is not translated: _extremes.py: .id
      {"mind.maximum",
       {"Maximum", 2, false, true, {},
        Maximum_infer_type, nullptr, nullptr, nullptr, Maximum_lower}},
      {"mind.mean",
       {"Mean", 1, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Mean_infer_type, Mean_canonical, Mean_fold, nullptr, Mean_lower}},
      {"mind.min",
       {"Min", 1, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Min_infer_type, Min_canonical, Min_fold, nullptr, Min_lower}},
      // fold is not translated: _extremes.py: .id
      {"mind.minimum",
       {"Minimum", 2, false, true, {},
        Minimum_infer_type, nullptr, nullptr, nullptr, Minimum_lower}},
      // fold is not translated: mul.py: .literal
      {"mind.mul",
       {"Mul", 2, false, true, {},
        Mul_infer_type, nullptr, nullptr, nullptr, Mul_lower}},
      {"mind.neg",
       {"Neg", 1, false, true, {},
        Neg_infer_type, nullptr, Neg_fold, nullptr, Neg_lower}},
      {"mind.not",
       {"Not", 1, false, false, {},
        Not_infer_type, nullptr, Not_fold, nullptr, Not_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.not_equal",
       {"NotEqual", 2, false, true, {},
        NotEqual_infer_type, nullptr, nullptr, nullptr, NotEqual_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.or",
       {"Or", 2, false, false, {},
        Or_infer_type, nullptr, nullptr, nullptr, Or_lower}},
      {"mind.pvary",
       {"PVary", 1, false, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}},
        PVary_infer_type, nullptr, PVary_fold, nullptr, PVary_lower}},
      {"mind.pad",
       {"Pad", 1, false, false, {{"low", AttributeRules::Ints, {}, Object()}, {"high", AttributeRules::Ints, {}, Object()}, {"interior", AttributeRules::Ints, {}, Object()}},
        Pad_infer_type, nullptr, Pad_fold, nullptr, Pad_lower}},
      {"mind.pad_with",
       {"PadWith", 2, false, false, {{"low", AttributeRules::Ints, {}, Object()}, {"high", AttributeRules::Ints, {}, Object()}, {"interior", AttributeRules::Ints, {}, Object()}},
        PadWith_infer_type, nullptr, PadWith_fold, nullptr, PadWith_lower}},
      {"mind.polygamma",
       {"Polygamma", 1, false, true, {{"order", AttributeRules::Count, {}, Object()}},
        Polygamma_infer_type, nullptr, nullptr, nullptr, Polygamma_lower}},
      {"mind.pop_count",
       {"PopCount", 1, false, false, {},
        PopCount_infer_type, nullptr, nullptr, nullptr, PopCount_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.pow",
       {"Pow", 2, false, true, {},
        Pow_infer_type, nullptr, nullptr, nullptr, Pow_lower_by_name}},
      {"mind.prod",
       {"Prod", 1, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Prod_infer_type, Prod_canonical, Prod_fold, nullptr, Prod_lower}},
      {"mind.reciprocal",
       {"Reciprocal", 1, false, true, {},
        Reciprocal_infer_type, nullptr, nullptr, nullptr, Reciprocal_lower}},
      {"mind.reduce_scatter",
       {"ReduceScatter", 1, false, true, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"dim", AttributeRules::Count, {}, Object()}},
        ReduceScatter_infer_type, nullptr, ReduceScatter_fold, nullptr, ReduceScatter_lower}},
      {"mind.relu",
       {"Relu", 1, false, true, {},
        Relu_infer_type, nullptr, Relu_fold, nullptr, Relu_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.remainder",
       {"Remainder", 2, false, true, {},
        Remainder_infer_type, nullptr, nullptr, nullptr, Remainder_lower}},
      // fold is not translated: reshape.py: a call of .Reshape
      {"mind.reshape",
       {"Reshape", 1, false, false, {{"new_shape", AttributeRules::Ints, {}, Object()}},
        Reshape_infer_type, Reshape_canonical, nullptr, nullptr, Reshape_lower}},
      // fold is not translated: reshard.py: .unreduced
      {"mind.reshard",
       {"Reshard", 1, false, false, {{"to", AttributeRules::Sharding, {}, Object()}},
        Reshard_infer_type, nullptr, nullptr, nullptr, Reshard_lower}},
      // fold is not translated: reverse.py: .axes
      {"mind.reverse",
       {"Reverse", 1, false, false, {{"axes", AttributeRules::Ints, {}, Object()}},
        Reverse_infer_type, Reverse_canonical, nullptr, nullptr, Reverse_lower}},
      {"mind.round",
       {"Round", 1, false, true, {},
        Round_infer_type, nullptr, Round_fold, nullptr, Round_lower}},
      {"mind.rsqrt",
       {"Rsqrt", 1, false, true, {},
        Rsqrt_infer_type, nullptr, nullptr, nullptr, Rsqrt_lower_by_name}},
      {"mind.scatter_add",
       {"ScatterAdd", 3, false, true, {{"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterAdd_infer_type, nullptr, ScatterAdd_fold, nullptr, ScatterAdd_lower}},
      {"mind.scatter_add_slices",
       {"ScatterAddSlices", 3, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterAddSlices_infer_type, ScatterAddSlices_canonical, ScatterAddSlices_fold, nullptr, ScatterAddSlices_lower}},
      {"mind.scatter_max_slices",
       {"ScatterMaxSlices", 3, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterMaxSlices_infer_type, ScatterMaxSlices_canonical, ScatterMaxSlices_fold, nullptr, ScatterMaxSlices_lower}},
      {"mind.scatter_min_slices",
       {"ScatterMinSlices", 3, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterMinSlices_infer_type, ScatterMinSlices_canonical, ScatterMinSlices_fold, nullptr, ScatterMinSlices_lower}},
      {"mind.scatter_slices",
       {"ScatterSlices", 3, false, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterSlices_infer_type, ScatterSlices_canonical, ScatterSlices_fold, nullptr, ScatterSlices_lower}},
      // fold is not translated: select.py: .id
      {"mind.select",
       {"Select", 3, false, false, {},
        Select_infer_type, nullptr, nullptr, nullptr, Select_lower}},
      {"mind.shard_slice",
       {"ShardSlice", 1, false, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"dim", AttributeRules::Count, {}, Object()}},
        ShardSlice_infer_type, nullptr, ShardSlice_fold, nullptr, ShardSlice_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.shift_left",
       {"ShiftLeft", 2, false, false, {},
        ShiftLeft_infer_type, nullptr, nullptr, nullptr, ShiftLeft_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.shift_right_arithmetic",
       {"ShiftRightArithmetic", 2, false, false, {},
        ShiftRightArithmetic_infer_type, nullptr, nullptr, nullptr, ShiftRightArithmetic_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.shift_right_logical",
       {"ShiftRightLogical", 2, false, false, {},
        ShiftRightLogical_infer_type, nullptr, nullptr, nullptr, ShiftRightLogical_lower}},
      {"mind.sign",
       {"Sign", 1, false, true, {},
        Sign_infer_type, nullptr, Sign_fold, nullptr, Sign_lower}},
      {"mind.sin",
       {"Sin", 1, false, true, {},
        Sin_infer_type, nullptr, nullptr, nullptr, Sin_lower_by_name}},
      {"mind.sinh",
       {"Sinh", 1, false, true, {},
        Sinh_infer_type, nullptr, nullptr, nullptr, Sinh_lower_by_name}},
      {"mind.slice",
       {"Slice", 1, false, false, {{"starts", AttributeRules::Ints, {}, Object()}, {"ends", AttributeRules::Ints, {}, Object()}, {"steps", AttributeRules::Ints, {}, Object()}},
        Slice_infer_type, Slice_canonical, Slice_fold, nullptr, Slice_lower}},
      // lower is not translated: sort.py: a call of .sorted
      {"mind.sort",
       {"Sort", 0, true, false, {{"axis", AttributeRules::Count, {}, Object()}, {"descending", AttributeRules::Flag, {}, Object(false)}},
        Sort_infer_type, nullptr, Sort_fold, nullptr, nullptr}},
      {"mind.sqrt",
       {"Sqrt", 1, false, true, {},
        Sqrt_infer_type, nullptr, nullptr, nullptr, Sqrt_lower}},
      {"mind.squeeze",
       {"Squeeze", 1, false, false, {{"axes", AttributeRules::Ints, {}, Object()}},
        Squeeze_infer_type, Squeeze_canonical, Squeeze_fold, nullptr, Squeeze_lower}},
      {"mind.stop_gradient",
       {"StopGradient", 1, false, false, {},
        StopGradient_infer_type, nullptr, StopGradient_fold, nullptr, StopGradient_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.sub",
       {"Sub", 2, false, true, {},
        Sub_infer_type, nullptr, nullptr, nullptr, Sub_lower}},
      {"mind.sum",
       {"Sum", 1, false, true, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Sum_infer_type, Sum_canonical, Sum_fold, nullptr, Sum_lower}},
      {"mind.tan",
       {"Tan", 1, false, true, {},
        Tan_infer_type, nullptr, nullptr, nullptr, Tan_lower_by_name}},
      {"mind.tanh",
       {"Tanh", 1, false, true, {},
        Tanh_infer_type, nullptr, nullptr, nullptr, Tanh_lower_by_name}},
      // lower is not translated: top_k.py: a call of .largest
      {"mind.top_k",
       {"TopK", 1, false, true, {{"k", AttributeRules::Count, {}, Object()}},
        TopK_infer_type, nullptr, nullptr, nullptr, nullptr}},
      // fold is not translated: transpose.py: .permutation
      {"mind.transpose",
       {"Transpose", 1, false, false, {{"permutation", AttributeRules::Ints, {}, Object()}},
        Transpose_infer_type, nullptr, nullptr, nullptr, Transpose_lower}},
      {"mind.window_arg_max",
       {"WindowArgMax", 1, false, true, {{"window", AttributeRules::Ints, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"low", AttributeRules::Ints, {}, Object::tuple({})}, {"high", AttributeRules::Ints, {}, Object::tuple({})}, {"dilation", AttributeRules::Ints, {}, Object::tuple({})}},
        WindowArgMax_infer_type, WindowArgMax_canonical, nullptr, nullptr, WindowArgMax_lower}},
      {"mind.window_gather",
       {"WindowGather", 2, false, false, {{"window", AttributeRules::Ints, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"low", AttributeRules::Ints, {}, Object::tuple({})}, {"high", AttributeRules::Ints, {}, Object::tuple({})}, {"dilation", AttributeRules::Ints, {}, Object::tuple({})}},
        WindowGather_infer_type, WindowGather_canonical, nullptr, nullptr, WindowGather_lower}},
      {"mind.window_max",
       {"WindowMax", 1, false, true, {{"window", AttributeRules::Ints, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"low", AttributeRules::Ints, {}, Object::tuple({})}, {"high", AttributeRules::Ints, {}, Object::tuple({})}, {"dilation", AttributeRules::Ints, {}, Object::tuple({})}},
        WindowMax_infer_type, WindowMax_canonical, WindowMax_fold, nullptr, WindowMax_lower}},
      {"mind.window_scatter_add",
       {"WindowScatterAdd", 2, false, true, {{"shape", AttributeRules::Extents, {}, Object()}, {"window", AttributeRules::Ints, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"low", AttributeRules::Ints, {}, Object::tuple({})}, {"high", AttributeRules::Ints, {}, Object::tuple({})}, {"dilation", AttributeRules::Ints, {}, Object::tuple({})}},
        WindowScatterAdd_infer_type, WindowScatterAdd_canonical, nullptr, nullptr, WindowScatterAdd_lower}},
      {"mind.window_sum",
       {"WindowSum", 1, false, true, {{"window", AttributeRules::Ints, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"low", AttributeRules::Ints, {}, Object::tuple({})}, {"high", AttributeRules::Ints, {}, Object::tuple({})}, {"dilation", AttributeRules::Ints, {}, Object::tuple({})}},
        WindowSum_infer_type, WindowSum_canonical, WindowSum_fold, nullptr, WindowSum_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.xor",
       {"Xor", 2, false, false, {},
        Xor_infer_type, nullptr, nullptr, nullptr, Xor_lower}},
  };
  return all.find(name)->second;
}
