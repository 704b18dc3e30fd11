// written by scripts/gen_dialect.py from the op classes; do not edit

#include "Rules.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::mind;

static Object rules_same_dtype(Rule &rule, Args args);
static Object rules_broadcast(Rule &rule, Args args);
static Object Add_infer_type(Rule &rule, Args args);
static Object Add_lower(Rule &rule, Args args);
static Object AllGather_check_size(Rule &rule, Args args);
static Object AllGather_check_dim(Rule &rule, Args args);
static Object rules_check_extents(Rule &rule, Args args);
static Object AllGather_infer_type(Rule &rule, Args args);
static Object AllGather_fold(Rule &rule, Args args);
static Object AllGather_lower(Rule &rule, Args args);
static Object AllReduce_check_size(Rule &rule, Args args);
static Object AllReduce_infer_type(Rule &rule, Args args);
static Object AllReduce_fold(Rule &rule, Args args);
static Object AllReduce_lower(Rule &rule, Args args);
static Object AllToAll_check_size(Rule &rule, Args args);
static Object AllToAll_check_dim(Rule &rule, Args args);
static Object AllToAll_part(Rule &rule, Args args);
static Object AllToAll_infer_type(Rule &rule, Args args);
static Object AllToAll_fold(Rule &rule, Args args);
static Object AllToAll_lower(Rule &rule, Args args);
static Object rules_one_axis(Rule &rule, Args args);
static Object order_check_axis(Rule &rule, Args args);
static Object ArgSort_infer_type(Rule &rule, Args args);
static Object Broadcast_infer_type(Rule &rule, Args args);
static Object Broadcast_lower(Rule &rule, Args args);
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
static Object Div_infer_type(Rule &rule, Args args);
static Object div_divide(Rule &rule, Args args);
static Object Div_lower(Rule &rule, Args args);
static Object Dot_infer_type(Rule &rule, Args args);
static Object Dot_lower(Rule &rule, Args args);
static Object starts_check_starts(Rule &rule, Args args);
static Object starts_check_sizes(Rule &rule, Args args);
static Object DynamicSlice_infer_type(Rule &rule, Args args);
static Object DynamicSlice_lower(Rule &rule, Args args);
static Object DynamicUpdateSlice_infer_type(Rule &rule, Args args);
static Object DynamicUpdateSlice_fold(Rule &rule, Args args);
static Object DynamicUpdateSlice_lower(Rule &rule, Args args);
static Object rules_float_only(Rule &rule, Args args);
static Object Exp_infer_type(Rule &rule, Args args);
static Object Exp_lower(Rule &rule, Args args);
static Object expand_dims_inserted(Rule &rule, Args args);
static Object rules_normal_axes(Rule &rule, Args args);
static Object ExpandDims_positions(Rule &rule, Args args);
static Object ExpandDims_infer_type(Rule &rule, Args args);
static Object ExpandDims_canonical(Rule &rule, Args args);
static Object ExpandDims_fold(Rule &rule, Args args);
static Object ExpandDims_lower(Rule &rule, Args args);
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
static Object Greater_infer_type_of_base(Rule &rule, Args args);
static Object Greater_infer_type(Rule &rule, Args args);
static Object Greater_lower(Rule &rule, Args args);
static Object Index_infer_type(Rule &rule, Args args);
static Object Index_position(Rule &rule, Args args);
static Object Index_canonical(Rule &rule, Args args);
static Object Index_check_before_run(Rule &rule, Args args);
static Object Index_lower(Rule &rule, Args args);
static Object Iota_infer_type(Rule &rule, Args args);
static Object Iota_lower(Rule &rule, Args args);
static Object Log_infer_type(Rule &rule, Args args);
static Object Log_lower(Rule &rule, Args args);
static Object MatMul_infer_type(Rule &rule, Args args);
static Object MatMul_dims(Rule &rule, Args args);
static Object MatMul_lower(Rule &rule, Args args);
static Object Mean_reduced(Rule &rule, Args args);
static Object Mean_infer_type(Rule &rule, Args args);
static Object Mean_canonical(Rule &rule, Args args);
static Object Mean_fold(Rule &rule, Args args);
static Object Mean_count(Rule &rule, Args args);
static Object Mean_lower(Rule &rule, Args args);
static Object Mul_infer_type(Rule &rule, Args args);
static Object Mul_lower(Rule &rule, Args args);
static Object Neg_infer_type(Rule &rule, Args args);
static Object Neg_fold(Rule &rule, Args args);
static Object Neg_lower(Rule &rule, Args args);
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
static Object Slice_bounds(Rule &rule, Args args);
static Object Slice_infer_type(Rule &rule, Args args);
static Object Slice_canonical(Rule &rule, Args args);
static Object Slice_fold(Rule &rule, Args args);
static Object Slice_lower(Rule &rule, Args args);
static Object Sort_infer_type(Rule &rule, Args args);
static Object Sort_fold(Rule &rule, Args args);
static Object Squeeze_infer_type(Rule &rule, Args args);
static Object Squeeze_canonical(Rule &rule, Args args);
static Object Squeeze_fold(Rule &rule, Args args);
static Object Squeeze_lower(Rule &rule, Args args);
static Object Sub_infer_type(Rule &rule, Args args);
static Object Sub_lower(Rule &rule, Args args);
static Object Sum_reduced(Rule &rule, Args args);
static Object Sum_infer_type(Rule &rule, Args args);
static Object Sum_canonical(Rule &rule, Args args);
static Object Sum_fold(Rule &rule, Args args);
static Object Sum_lower(Rule &rule, Args args);
static Object TopK_infer_type(Rule &rule, Args args);
static Object Transpose_bad(Rule &rule, Args args);
static Object Transpose_infer_type(Rule &rule, Args args);
static Object Transpose_lower(Rule &rule, Args args);

static Object rules_same_dtype(Rule &rule, Args args) {
  Object name = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  if (lhs.get("dtype") != rhs.get("dtype")) {
    return rule.refuse(Object("E2004"), python::text({name, " mixes ", lhs.get("dtype"), " and ", rhs.get("dtype")}));
  }
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
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
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
  return input;
}

static Object AllReduce_fold(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[2];
  return ((self.get("size") == Object(1)) ? input : Object());
}

static Object AllReduce_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object input = args[3];
  return e.get("shard").call("all_reduce", {input, self.get("axis"), self.get("size"), self.get("kind")});
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
  (void)rules_same_dtype(rule, {name, input, filter, Object::tuple({Object("input"), Object("filter")})});
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
  (void)rules_same_dtype(rule, {name, input, cotangent, Object::tuple({Object("input"), Object("cotangent")})});
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
  (void)rules_same_dtype(rule, {name, cotangent, filter, Object::tuple({Object("cotangent"), Object("filter")})});
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

static Object Div_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
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
  (void)rules_same_dtype(rule, {Object("Dot"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
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
    if (bool(start.get("dtype").get("is_float"))) {
      return rule.refuse(Object("E4011"), python::text({name, " takes i32 or i64 starts, found ", start.get("dtype")}));
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

static Object rules_float_only(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  if (!bool(input.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E2005"), python::text({name, " takes f32 or f64, input is ", input}));
  }
  return {};
}

static Object Exp_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
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

static Object rows_check_rows(Rule &rule, Args args) {
  Object name = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object oob = args[3];
  if (input.get("rank") < Object(1)) {
    return rule.refuse(Object("E3002"), python::text({name, " takes rank 1 or more, input is ", input}));
  }
  if (bool(indices.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes i32 or i64 indices, found ", indices.get("dtype")}));
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
  if (bool(indices.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes i32 or i64 indices, found ", indices.get("dtype")}));
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

static Object Greater_infer_type_of_base(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
  if (rule.refused())
    return {};
  return lhs.call("with_shape", {rules_broadcast(rule, {self.get("opcode"), lhs.get("shape"), rhs.get("shape")})});
}

static Object Greater_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  return python::TensorType({rule.dtype("i32"), Greater_infer_type_of_base(rule, {self, lhs, rhs}).get("shape")});
}

static Object Greater_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object lhs = args[3];
  Object rhs = args[4];
  Object dtype;
  dtype = e.call("type", {lhs}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object x = args[1]; Object y = args[2]; return s.call("from_condition", {s.call("of", {dtype}).call("greater", {x, y})}); })), Object::tuple({lhs, rhs}), result});
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

static Object Log_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  return input;
}

static Object Log_lower(Rule &rule, Args args) {
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  return e.get("linalg").call("named", {Object("linalg.log"), Object::tuple({input}), result});
}

static Object MatMul_infer_type(Rule &rule, Args args) {
  Object lhs = args[1];
  Object rhs = args[2];
  Object a, b, i, k, k_rhs, m, n, name, x;
  (void)rules_same_dtype(rule, {Object("MatMul"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
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

static Object Mean_reduced(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (!bool(self.get("axes"))) {
    return python::tuple({python::range({input.get("rank")})});
  }
  return python::tuple({python::sorted({rules_normal_axes(rule, {self.get("opcode"), self.get("axes"), input.get("rank")})})});
}

static Object Mean_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  gone = Mean_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
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

static Object Mul_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
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
  counts = python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : kept.items()) { Object first_ = item1_[0]; Object last = item1_[1]; Object _ = item1_[2]; made.push_back((last - first_)); } })})});
  if ((counts == result.get("shape")) && (counts == shape)) {
    return input;
  }
  inner = e.call("type", {input}).call("with_shape", {counts});
  if (!bool(inner.get("size"))) {
    return paddings({e});
  }
  part = e.get("tensor").call("slice", {input, python::list({collected([&](List &made) { for (const Object &item2_ : kept.items()) { Object first_ = item2_[0]; Object _ = item2_[1]; Object _ = item2_[2]; made.push_back(first_); } })}), (Object::list({Object(1)}) * result.get("rank")), inner});
  return e.get("tensor").call("inserted", {part, paddings({e}), python::list({collected([&](List &made) { for (const Object &item3_ : kept.items()) { Object _ = item3_[0]; Object _ = item3_[1]; Object at = item3_[2]; made.push_back(at); } })}), result, Pad_steps(rule, {self, counts})});
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
  counts = python::tuple({python::list({collected([&](List &made) { for (const Object &item1_ : kept.items()) { Object first_ = item1_[0]; Object last = item1_[1]; Object _ = item1_[2]; made.push_back((last - first_)); } })})});
  if ((counts == result.get("shape")) && (counts == shape)) {
    return input;
  }
  inner = e.call("type", {input}).call("with_shape", {counts});
  if (!bool(inner.get("size"))) {
    return paddings({e});
  }
  part = e.get("tensor").call("slice", {input, python::list({collected([&](List &made) { for (const Object &item2_ : kept.items()) { Object first_ = item2_[0]; Object _ = item2_[1]; Object _ = item2_[2]; made.push_back(first_); } })}), (Object::list({Object(1)}) * result.get("rank")), inner});
  return e.get("tensor").call("inserted", {part, paddings({e}), python::list({collected([&](List &made) { for (const Object &item3_ : kept.items()) { Object _ = item3_[0]; Object _ = item3_[1]; Object at = item3_[2]; made.push_back(at); } })}), result, PadWith_steps(rule, {self, counts})});
}

static Object PadWith_lower(Rule &rule, Args args) {
  Object self = args[0];
  Object e = args[1];
  Object result = args[2];
  Object input = args[3];
  Object value = args[4];
  return PadWith_placed(rule, {self, e, result, input, Object(Function([=, &rule](Args args) -> Object { Object e = args[0]; return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object v = args[1]; return v; })), Object::tuple({value}), result}); }))});
}

static Object Reciprocal_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  if (bool(Object(true))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
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

static Object ScatterAdd_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object indices = args[2];
  Object updates = args[3];
  Object axis, expected, found, n;
  (void)rows_check_rows(rule, {Object("ScatterAdd"), input, indices, self.get("oob")});
  if (rule.refused())
    return {};
  (void)rules_same_dtype(rule, {Object("ScatterAdd"), input, updates, Object::tuple({Object("input"), Object("updates")})});
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
  if (bool(indices.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes i32 or i64 indices, found ", indices.get("dtype")}));
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
  if (bool(indices.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes i32 or i64 indices, found ", indices.get("dtype")}));
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
  if (bool(indices.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes i32 or i64 indices, found ", indices.get("dtype")}));
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
  if (bool(indices.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E4011"), python::text({name, " takes i32 or i64 indices, found ", indices.get("dtype")}));
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
  if (bool(condition.get("dtype").get("is_float"))) {
    return rule.refuse(Object("E2005"), python::text({"Select takes an i32 or i64 condition, condition is ", condition}));
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
  Object dtype;
  dtype = e.call("type", {condition}).get("dtype");
  return e.get("linalg").call("map", {Object(Function([=, &rule](Args args) -> Object { Object s = args[0]; Object c = args[1]; Object x = args[2]; Object y = args[3]; return s.call("select", {s.call("of", {dtype}).call("equal", {c, s.call("of", {dtype}).call("number", {Object(0)})}), y, x}); })), Object::tuple({condition, lhs, rhs}), result});
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

static Object Sub_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object lhs = args[1];
  Object rhs = args[2];
  (void)rules_same_dtype(rule, {self.get("opcode"), lhs, rhs, Object::tuple({Object("lhs"), Object("rhs")})});
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

static Object Sum_infer_type(Rule &rule, Args args) {
  Object self = args[0];
  Object input = args[1];
  Object gone;
  if (bool(Object(false))) {
    (void)rules_float_only(rule, {self.get("opcode"), input});
    if (rule.refused())
      return {};
  }
  gone = Sum_reduced(rule, {self, input});
  if (rule.refused())
    return {};
  if (bool(self.get("axes")) && bool(self.get("keepdims"))) {
    return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item1_ : python::enumerate({input.get("shape")}).items()) { Object i = item1_[0]; Object n = item1_[1]; made.push_back((contains(gone, i) ? Object(1) : n)); } })})});
  }
  return input.call("with_shape", {python::tuple({collected([&](List &made) { for (const Object &item2_ : python::enumerate({input.get("shape")}).items()) { Object i = item2_[0]; Object n = item2_[1]; if (!contains(gone, i)) made.push_back(n); } })})});
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

const OperationRules &mlir::mind::rulesOf(StringRef name) {
  static const llvm::StringMap<OperationRules> all{
      // fold is not translated: _rules.py: NamedExpr
      {"mind.add",
       {"Add", 2, false, {},
        Add_infer_type, nullptr, nullptr, nullptr, Add_lower}},
      {"mind.all_gather",
       {"AllGather", 1, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"dim", AttributeRules::Count, {}, Object()}, {"invariant", AttributeRules::Flag, {}, Object(false)}},
        AllGather_infer_type, nullptr, AllGather_fold, nullptr, AllGather_lower}},
      {"mind.all_reduce",
       {"AllReduce", 1, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"kind", AttributeRules::Choice, {"sum", "max", "min"}, Object("sum")}, {"invariant", AttributeRules::Flag, {}, Object(false)}},
        AllReduce_infer_type, nullptr, AllReduce_fold, nullptr, AllReduce_lower}},
      {"mind.all_to_all",
       {"AllToAll", 1, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"split", AttributeRules::Count, {}, Object()}, {"concat", AttributeRules::Count, {}, Object()}},
        AllToAll_infer_type, nullptr, AllToAll_fold, nullptr, AllToAll_lower}},
      // lower is not translated: arg_sort.py: a call of .arg_sorted
      {"mind.arg_sort",
       {"ArgSort", 1, false, {{"axis", AttributeRules::Count, {}, Object()}, {"descending", AttributeRules::Flag, {}, Object(false)}},
        ArgSort_infer_type, nullptr, nullptr, nullptr, nullptr}},
      // fold is not translated: _rules.py: .literal
      {"mind.broadcast",
       {"Broadcast", 1, false, {{"shape", AttributeRules::Extents, {}, Object()}},
        Broadcast_infer_type, nullptr, nullptr, nullptr, Broadcast_lower}},
      // fold is not translated: concatenate.py: a call of .Concatenate
      {"mind.concatenate",
       {"Concatenate", 0, true, {{"axis", AttributeRules::Count, {}, Object()}},
        Concatenate_infer_type, nullptr, nullptr, nullptr, Concatenate_lower}},
      // canonical is not translated: _scalar.py: a constant of type Vocabulary
      {"mind.const_f32",
       {"ConstF32", 0, false, {{"value", AttributeRules::Scalar, {}, Object()}},
        ConstF32_infer_type, nullptr, nullptr, nullptr, ConstF32_lower}},
      // canonical is not translated: _scalar.py: a constant of type Vocabulary
      {"mind.const_f64",
       {"ConstF64", 0, false, {{"value", AttributeRules::Scalar, {}, Object()}},
        ConstF64_infer_type, nullptr, nullptr, nullptr, ConstF64_lower}},
      // canonical is not translated: _scalar.py: a constant of type Vocabulary
      {"mind.const_i64",
       {"ConstI64", 0, false, {{"value", AttributeRules::Scalar, {}, Object()}},
        ConstI64_infer_type, nullptr, nullptr, nullptr, ConstI64_lower}},
      {"mind.const_tensor",
       {"ConstTensor", 0, false, {{"data", AttributeRules::Data, {}, Object()}},
        ConstTensor_infer_type, nullptr, nullptr, nullptr, ConstTensor_lower}},
      {"mind.conv2d",
       {"Conv2d", 2, false, {{"strides", AttributeRules::Ints, {}, Object()}, {"padding", AttributeRules::Padding, {}, Object()}},
        Conv2d_infer_type, nullptr, nullptr, nullptr, Conv2d_lower}},
      {"mind.conv2d_backward_filter",
       {"Conv2dBackwardFilter", 2, false, {{"filter_shape", AttributeRules::Extents, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"padding", AttributeRules::Padding, {}, Object()}},
        Conv2dBackwardFilter_infer_type, nullptr, nullptr, nullptr, Conv2dBackwardFilter_lower}},
      {"mind.conv2d_backward_input",
       {"Conv2dBackwardInput", 2, false, {{"input_shape", AttributeRules::Extents, {}, Object()}, {"strides", AttributeRules::Ints, {}, Object()}, {"padding", AttributeRules::Padding, {}, Object()}},
        Conv2dBackwardInput_infer_type, nullptr, nullptr, nullptr, Conv2dBackwardInput_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.div",
       {"Div", 2, false, {},
        Div_infer_type, nullptr, nullptr, nullptr, Div_lower}},
      {"mind.dot",
       {"Dot", 2, false, {},
        Dot_infer_type, nullptr, nullptr, nullptr, Dot_lower}},
      // fold is not translated: dynamic_slice.py: .literal
      {"mind.dynamic_slice",
       {"DynamicSlice", 1, true, {{"sizes", AttributeRules::Extents, {}, Object()}},
        DynamicSlice_infer_type, nullptr, nullptr, nullptr, DynamicSlice_lower}},
      {"mind.dynamic_update_slice",
       {"DynamicUpdateSlice", 2, true, {},
        DynamicUpdateSlice_infer_type, nullptr, DynamicUpdateSlice_fold, nullptr, DynamicUpdateSlice_lower}},
      {"mind.exp",
       {"Exp", 1, false, {},
        Exp_infer_type, nullptr, nullptr, nullptr, Exp_lower}},
      {"mind.expand_dims",
       {"ExpandDims", 1, false, {{"axes", AttributeRules::Ints, {}, Object()}},
        ExpandDims_infer_type, ExpandDims_canonical, ExpandDims_fold, nullptr, ExpandDims_lower}},
      {"mind.gather",
       {"Gather", 2, false, {{"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        Gather_infer_type, nullptr, nullptr, nullptr, Gather_lower}},
      {"mind.gather_slices",
       {"GatherSlices", 2, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        GatherSlices_infer_type, GatherSlices_canonical, nullptr, nullptr, GatherSlices_lower}},
      // fold is not translated: greater.py: .literal
      {"mind.greater",
       {"Greater", 2, false, {},
        Greater_infer_type, nullptr, nullptr, nullptr, Greater_lower}},
      {"mind.index",
       {"Index", 1, false, {{"indices", AttributeRules::Ints, {}, Object()}},
        Index_infer_type, Index_canonical, nullptr, Index_check_before_run, Index_lower}},
      {"mind.iota",
       {"Iota", 0, false, {{"shape", AttributeRules::Extents, {}, Object()}, {"axis", AttributeRules::Count, {}, Object()}, {"dtype", AttributeRules::DType, {}, Object()}},
        Iota_infer_type, nullptr, nullptr, nullptr, Iota_lower}},
      {"mind.log",
       {"Log", 1, false, {},
        Log_infer_type, nullptr, nullptr, nullptr, Log_lower}},
      {"mind.matmul",
       {"MatMul", 2, false, {},
        MatMul_infer_type, nullptr, nullptr, nullptr, MatMul_lower}},
      {"mind.mean",
       {"Mean", 1, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Mean_infer_type, Mean_canonical, Mean_fold, nullptr, Mean_lower}},
      // fold is not translated: mul.py: .literal
      {"mind.mul",
       {"Mul", 2, false, {},
        Mul_infer_type, nullptr, nullptr, nullptr, Mul_lower}},
      {"mind.neg",
       {"Neg", 1, false, {},
        Neg_infer_type, nullptr, Neg_fold, nullptr, Neg_lower}},
      {"mind.pvary",
       {"PVary", 1, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}},
        PVary_infer_type, nullptr, PVary_fold, nullptr, PVary_lower}},
      {"mind.pad",
       {"Pad", 1, false, {{"low", AttributeRules::Ints, {}, Object()}, {"high", AttributeRules::Ints, {}, Object()}, {"interior", AttributeRules::Ints, {}, Object()}},
        Pad_infer_type, nullptr, Pad_fold, nullptr, Pad_lower}},
      {"mind.pad_with",
       {"PadWith", 2, false, {{"low", AttributeRules::Ints, {}, Object()}, {"high", AttributeRules::Ints, {}, Object()}, {"interior", AttributeRules::Ints, {}, Object()}},
        PadWith_infer_type, nullptr, PadWith_fold, nullptr, PadWith_lower}},
      {"mind.reciprocal",
       {"Reciprocal", 1, false, {},
        Reciprocal_infer_type, nullptr, nullptr, nullptr, Reciprocal_lower}},
      {"mind.reduce_scatter",
       {"ReduceScatter", 1, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"dim", AttributeRules::Count, {}, Object()}},
        ReduceScatter_infer_type, nullptr, ReduceScatter_fold, nullptr, ReduceScatter_lower}},
      {"mind.relu",
       {"Relu", 1, false, {},
        Relu_infer_type, nullptr, Relu_fold, nullptr, Relu_lower}},
      // fold is not translated: reshape.py: a call of .Reshape
      {"mind.reshape",
       {"Reshape", 1, false, {{"new_shape", AttributeRules::Ints, {}, Object()}},
        Reshape_infer_type, Reshape_canonical, nullptr, nullptr, Reshape_lower}},
      // fold is not translated: reshard.py: .unreduced
      {"mind.reshard",
       {"Reshard", 1, false, {{"to", AttributeRules::Sharding, {}, Object()}},
        Reshard_infer_type, nullptr, nullptr, nullptr, Reshard_lower}},
      // fold is not translated: reverse.py: .axes
      {"mind.reverse",
       {"Reverse", 1, false, {{"axes", AttributeRules::Ints, {}, Object()}},
        Reverse_infer_type, Reverse_canonical, nullptr, nullptr, Reverse_lower}},
      {"mind.scatter_add",
       {"ScatterAdd", 3, false, {{"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterAdd_infer_type, nullptr, ScatterAdd_fold, nullptr, ScatterAdd_lower}},
      {"mind.scatter_add_slices",
       {"ScatterAddSlices", 3, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterAddSlices_infer_type, ScatterAddSlices_canonical, ScatterAddSlices_fold, nullptr, ScatterAddSlices_lower}},
      {"mind.scatter_max_slices",
       {"ScatterMaxSlices", 3, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterMaxSlices_infer_type, ScatterMaxSlices_canonical, ScatterMaxSlices_fold, nullptr, ScatterMaxSlices_lower}},
      {"mind.scatter_min_slices",
       {"ScatterMinSlices", 3, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterMinSlices_infer_type, ScatterMinSlices_canonical, ScatterMinSlices_fold, nullptr, ScatterMinSlices_lower}},
      {"mind.scatter_slices",
       {"ScatterSlices", 3, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"batch_axes", AttributeRules::Ints, {}, Object()}, {"sizes", AttributeRules::Extents, {}, Object()}, {"oob", AttributeRules::Choice, {"error", "clip", "fill"}, Object("error")}},
        ScatterSlices_infer_type, ScatterSlices_canonical, ScatterSlices_fold, nullptr, ScatterSlices_lower}},
      // fold is not translated: select.py: .id
      {"mind.select",
       {"Select", 3, false, {},
        Select_infer_type, nullptr, nullptr, nullptr, Select_lower}},
      {"mind.shard_slice",
       {"ShardSlice", 1, false, {{"axis", AttributeRules::Name, {}, Object()}, {"size", AttributeRules::Count, {}, Object()}, {"dim", AttributeRules::Count, {}, Object()}},
        ShardSlice_infer_type, nullptr, ShardSlice_fold, nullptr, ShardSlice_lower}},
      {"mind.slice",
       {"Slice", 1, false, {{"starts", AttributeRules::Ints, {}, Object()}, {"ends", AttributeRules::Ints, {}, Object()}, {"steps", AttributeRules::Ints, {}, Object()}},
        Slice_infer_type, Slice_canonical, Slice_fold, nullptr, Slice_lower}},
      // lower is not translated: sort.py: a call of .sorted
      {"mind.sort",
       {"Sort", 0, true, {{"axis", AttributeRules::Count, {}, Object()}, {"descending", AttributeRules::Flag, {}, Object(false)}},
        Sort_infer_type, nullptr, Sort_fold, nullptr, nullptr}},
      {"mind.squeeze",
       {"Squeeze", 1, false, {{"axes", AttributeRules::Ints, {}, Object()}},
        Squeeze_infer_type, Squeeze_canonical, Squeeze_fold, nullptr, Squeeze_lower}},
      // fold is not translated: _rules.py: NamedExpr
      {"mind.sub",
       {"Sub", 2, false, {},
        Sub_infer_type, nullptr, nullptr, nullptr, Sub_lower}},
      {"mind.sum",
       {"Sum", 1, false, {{"axes", AttributeRules::Ints, {}, Object()}, {"keepdims", AttributeRules::Flag, {}, Object()}},
        Sum_infer_type, Sum_canonical, Sum_fold, nullptr, Sum_lower}},
      // lower is not translated: top_k.py: a call of .largest
      {"mind.top_k",
       {"TopK", 1, false, {{"k", AttributeRules::Count, {}, Object()}},
        TopK_infer_type, nullptr, nullptr, nullptr, nullptr}},
      // fold is not translated: transpose.py: .permutation
      {"mind.transpose",
       {"Transpose", 1, false, {{"permutation", AttributeRules::Ints, {}, Object()}},
        Transpose_infer_type, nullptr, nullptr, nullptr, Transpose_lower}},
  };
  return all.find(name)->second;
}
