// written by scripts/gen_dialect.py from the op classes; do not edit

irdl.dialect @mind {
  irdl.operation @abs {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @acos {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @acosh {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @add {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @all {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @all_gather {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.string"
    %size_attribute = irdl.base "#builtin.integer"
    %dim_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "size" = %size_attribute, "dim" = %dim_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @all_reduce {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.string"
    %size_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "size" = %size_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @all_to_all {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.string"
    %size_attribute = irdl.base "#builtin.integer"
    %split_attribute = irdl.base "#builtin.integer"
    %concat_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "size" = %size_attribute, "split" = %split_attribute, "concat" = %concat_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @and {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @any {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @arg_max {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @arg_min {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @arg_sort {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @asin {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @asinh {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @atan {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @atan2 {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @atanh {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @bit_cast {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %to_attribute = irdl.base "#builtin.type"
    irdl.operands(input: %input)
    irdl.attributes {"to" = %to_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @broadcast {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %shape_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"shape" = %shape_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @cbrt {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @ceil {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @concatenate {
    %parts = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    irdl.operands(parts: variadic %parts)
    irdl.attributes {"axis" = %axis_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @const_f32 {
    %result = irdl.base "!builtin.tensor"
    %value_attribute = irdl.base "#builtin.float"
    irdl.attributes {"value" = %value_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @const_f64 {
    %result = irdl.base "!builtin.tensor"
    %value_attribute = irdl.base "#builtin.float"
    irdl.attributes {"value" = %value_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @const_i64 {
    %result = irdl.base "!builtin.tensor"
    %value_attribute = irdl.base "#builtin.integer"
    irdl.attributes {"value" = %value_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @const_tensor {
    %result = irdl.base "!builtin.tensor"
    %data_attribute = irdl.any
    irdl.attributes {"data" = %data_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @conv {
    %input = irdl.base "!builtin.tensor"
    %filter = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %layout_attribute = irdl.base "#builtin.string"
    irdl.operands(input: %input, filter: %filter)
    irdl.attributes {"layout" = %layout_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @conv2d {
    %input = irdl.base "!builtin.tensor"
    %filter = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %strides_attribute = irdl.base "#builtin.dense_array"
    %padding_attribute = irdl.any
    irdl.operands(input: %input, filter: %filter)
    irdl.attributes {"strides" = %strides_attribute, "padding" = %padding_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @conv2d_backward_filter {
    %input = irdl.base "!builtin.tensor"
    %cotangent = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %filter_shape_attribute = irdl.base "#builtin.dense_array"
    %strides_attribute = irdl.base "#builtin.dense_array"
    %padding_attribute = irdl.any
    irdl.operands(input: %input, cotangent: %cotangent)
    irdl.attributes {"filter_shape" = %filter_shape_attribute, "strides" = %strides_attribute, "padding" = %padding_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @conv2d_backward_input {
    %cotangent = irdl.base "!builtin.tensor"
    %filter = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %input_shape_attribute = irdl.base "#builtin.dense_array"
    %strides_attribute = irdl.base "#builtin.dense_array"
    %padding_attribute = irdl.any
    irdl.operands(cotangent: %cotangent, filter: %filter)
    irdl.attributes {"input_shape" = %input_shape_attribute, "strides" = %strides_attribute, "padding" = %padding_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @convert {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %to_attribute = irdl.base "#builtin.type"
    irdl.operands(input: %input)
    irdl.attributes {"to" = %to_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @cos {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @cosh {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @cum_max {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    %reverse_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "reverse" = %reverse_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @cum_min {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    %reverse_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "reverse" = %reverse_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @cum_prod {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    %reverse_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "reverse" = %reverse_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @cum_sum {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    %reverse_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "reverse" = %reverse_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @digamma {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @div {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @dot {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @dot_general {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @dynamic_slice {
    %input = irdl.base "!builtin.tensor"
    %starts = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %sizes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, starts: variadic %starts)
    irdl.attributes {"sizes" = %sizes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @dynamic_update_slice {
    %input = irdl.base "!builtin.tensor"
    %update = irdl.base "!builtin.tensor"
    %starts = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input, update: %update, starts: variadic %starts)
    irdl.results(result: %result)
  }
  irdl.operation @equal {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @erf {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @erf_inv {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @erfc {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @exp {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @expand_dims {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @expm1 {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @floor {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @gather {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input, indices: %indices)
    irdl.results(result: %result)
  }
  irdl.operation @gather_slices {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %batch_axes_attribute = irdl.base "#builtin.dense_array"
    %sizes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, indices: %indices)
    irdl.attributes {"axes" = %axes_attribute, "batch_axes" = %batch_axes_attribute, "sizes" = %sizes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @greater {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @greater_equal {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @index {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %indices_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"indices" = %indices_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @iota {
    %result = irdl.base "!builtin.tensor"
    %shape_attribute = irdl.base "#builtin.dense_array"
    %axis_attribute = irdl.base "#builtin.integer"
    %dtype_attribute = irdl.base "#builtin.type"
    irdl.attributes {"shape" = %shape_attribute, "axis" = %axis_attribute, "dtype" = %dtype_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @is_finite {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @less {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @less_equal {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @log {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @log10 {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @log1p {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @log2 {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @log_gamma {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @logistic {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @matmul {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @max {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @maximum {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @mean {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @min {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @minimum {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @mul {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @neg {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @not {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @not_equal {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @or {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @pvary {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.string"
    %size_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "size" = %size_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @pad {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %low_attribute = irdl.base "#builtin.dense_array"
    %high_attribute = irdl.base "#builtin.dense_array"
    %interior_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"low" = %low_attribute, "high" = %high_attribute, "interior" = %interior_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @pad_with {
    %input = irdl.base "!builtin.tensor"
    %value = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %low_attribute = irdl.base "#builtin.dense_array"
    %high_attribute = irdl.base "#builtin.dense_array"
    %interior_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, value: %value)
    irdl.attributes {"low" = %low_attribute, "high" = %high_attribute, "interior" = %interior_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @polygamma {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %order_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"order" = %order_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @pop_count {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @pow {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @prod {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @reciprocal {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @reduce_scatter {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.string"
    %size_attribute = irdl.base "#builtin.integer"
    %dim_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "size" = %size_attribute, "dim" = %dim_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @relu {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @remainder {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @reshape {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %new_shape_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"new_shape" = %new_shape_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @reshard {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %to_attribute = irdl.base "#builtin.string"
    irdl.operands(input: %input)
    irdl.attributes {"to" = %to_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @reverse {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @round {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @rsqrt {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @scatter_add {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %updates = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input, indices: %indices, updates: %updates)
    irdl.results(result: %result)
  }
  irdl.operation @scatter_add_slices {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %updates = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %batch_axes_attribute = irdl.base "#builtin.dense_array"
    %sizes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, indices: %indices, updates: %updates)
    irdl.attributes {"axes" = %axes_attribute, "batch_axes" = %batch_axes_attribute, "sizes" = %sizes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @scatter_max_slices {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %updates = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %batch_axes_attribute = irdl.base "#builtin.dense_array"
    %sizes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, indices: %indices, updates: %updates)
    irdl.attributes {"axes" = %axes_attribute, "batch_axes" = %batch_axes_attribute, "sizes" = %sizes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @scatter_min_slices {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %updates = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %batch_axes_attribute = irdl.base "#builtin.dense_array"
    %sizes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, indices: %indices, updates: %updates)
    irdl.attributes {"axes" = %axes_attribute, "batch_axes" = %batch_axes_attribute, "sizes" = %sizes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @scatter_slices {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %updates = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %batch_axes_attribute = irdl.base "#builtin.dense_array"
    %sizes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, indices: %indices, updates: %updates)
    irdl.attributes {"axes" = %axes_attribute, "batch_axes" = %batch_axes_attribute, "sizes" = %sizes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @select {
    %condition = irdl.base "!builtin.tensor"
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(condition: %condition, lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @shard_slice {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.string"
    %size_attribute = irdl.base "#builtin.integer"
    %dim_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axis" = %axis_attribute, "size" = %size_attribute, "dim" = %dim_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @shift_left {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @shift_right_arithmetic {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @shift_right_logical {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @sign {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @sin {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @sinh {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @slice {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %starts_attribute = irdl.base "#builtin.dense_array"
    %ends_attribute = irdl.base "#builtin.dense_array"
    %steps_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"starts" = %starts_attribute, "ends" = %ends_attribute, "steps" = %steps_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @sort {
    %parts = irdl.base "!builtin.tensor"
    %sorted = irdl.base "!builtin.tensor"
    %axis_attribute = irdl.base "#builtin.integer"
    irdl.operands(parts: variadic %parts)
    irdl.attributes {"axis" = %axis_attribute}
    irdl.results(sorted: variadic %sorted)
  }
  irdl.operation @sqrt {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @squeeze {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @stop_gradient {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @sub {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
  irdl.operation @sum {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %axes_attribute = irdl.base "#builtin.dense_array"
    %keepdims_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"axes" = %axes_attribute, "keepdims" = %keepdims_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @tan {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @tanh {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(input: %input)
    irdl.results(result: %result)
  }
  irdl.operation @top_k {
    %input = irdl.base "!builtin.tensor"
    %values = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %k_attribute = irdl.base "#builtin.integer"
    irdl.operands(input: %input)
    irdl.attributes {"k" = %k_attribute}
    irdl.results(values: %values, indices: %indices)
  }
  irdl.operation @transpose {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %permutation_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"permutation" = %permutation_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @window_arg_max {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %window_attribute = irdl.base "#builtin.dense_array"
    %strides_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"window" = %window_attribute, "strides" = %strides_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @window_gather {
    %input = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %window_attribute = irdl.base "#builtin.dense_array"
    %strides_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input, indices: %indices)
    irdl.attributes {"window" = %window_attribute, "strides" = %strides_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @window_max {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %window_attribute = irdl.base "#builtin.dense_array"
    %strides_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"window" = %window_attribute, "strides" = %strides_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @window_scatter_add {
    %updates = irdl.base "!builtin.tensor"
    %indices = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %shape_attribute = irdl.base "#builtin.dense_array"
    %window_attribute = irdl.base "#builtin.dense_array"
    %strides_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(updates: %updates, indices: %indices)
    irdl.attributes {"shape" = %shape_attribute, "window" = %window_attribute, "strides" = %strides_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @window_sum {
    %input = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    %window_attribute = irdl.base "#builtin.dense_array"
    %strides_attribute = irdl.base "#builtin.dense_array"
    irdl.operands(input: %input)
    irdl.attributes {"window" = %window_attribute, "strides" = %strides_attribute}
    irdl.results(result: %result)
  }
  irdl.operation @xor {
    %lhs = irdl.base "!builtin.tensor"
    %rhs = irdl.base "!builtin.tensor"
    %result = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %lhs, rhs: %rhs)
    irdl.results(result: %result)
  }
}
