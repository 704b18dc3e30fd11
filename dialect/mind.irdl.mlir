// written by scripts/gen_dialect.py from the op classes; do not edit

irdl.dialect @mind {
  irdl.operation @add {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @broadcast {
    %tensor = irdl.base "!builtin.tensor"
    %shape = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"shape" = %shape}
    irdl.results(result: %tensor)
  }
  irdl.operation @const_f32 {
    %tensor = irdl.base "!builtin.tensor"
    %value = irdl.base "#builtin.float"
    irdl.attributes {"value" = %value}
    irdl.results(result: %tensor)
  }
  irdl.operation @const_f64 {
    %tensor = irdl.base "!builtin.tensor"
    %value = irdl.base "#builtin.float"
    irdl.attributes {"value" = %value}
    irdl.results(result: %tensor)
  }
  irdl.operation @const_i64 {
    %tensor = irdl.base "!builtin.tensor"
    %value = irdl.base "#builtin.integer"
    irdl.attributes {"value" = %value}
    irdl.results(result: %tensor)
  }
  irdl.operation @const_tensor {
    %tensor = irdl.base "!builtin.tensor"
    %data = irdl.any
    irdl.attributes {"data" = %data}
    irdl.results(result: %tensor)
  }
  irdl.operation @conv2d {
    %tensor = irdl.base "!builtin.tensor"
    %strides = irdl.base "#builtin.dense_array"
    %padding = irdl.any
    irdl.operands(input: %tensor, filter: %tensor)
    irdl.attributes {"strides" = %strides, "padding" = %padding}
    irdl.results(result: %tensor)
  }
  irdl.operation @conv2d_backward_filter {
    %tensor = irdl.base "!builtin.tensor"
    %filter_shape = irdl.base "#builtin.dense_array"
    %strides = irdl.base "#builtin.dense_array"
    %padding = irdl.any
    irdl.operands(input: %tensor, cotangent: %tensor)
    irdl.attributes {"filter_shape" = %filter_shape, "strides" = %strides, "padding" = %padding}
    irdl.results(result: %tensor)
  }
  irdl.operation @conv2d_backward_input {
    %tensor = irdl.base "!builtin.tensor"
    %input_shape = irdl.base "#builtin.dense_array"
    %strides = irdl.base "#builtin.dense_array"
    %padding = irdl.any
    irdl.operands(cotangent: %tensor, filter: %tensor)
    irdl.attributes {"input_shape" = %input_shape, "strides" = %strides, "padding" = %padding}
    irdl.results(result: %tensor)
  }
  irdl.operation @div {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @dot {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @exp {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(input: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @expand_dims {
    %tensor = irdl.base "!builtin.tensor"
    %axes = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"axes" = %axes}
    irdl.results(result: %tensor)
  }
  irdl.operation @gather {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(input: %tensor, indices: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @greater {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @index {
    %tensor = irdl.base "!builtin.tensor"
    %indices = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"indices" = %indices}
    irdl.results(result: %tensor)
  }
  irdl.operation @log {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(input: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @matmul {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @mean {
    %tensor = irdl.base "!builtin.tensor"
    %axes = irdl.base "#builtin.dense_array"
    %keepdims = irdl.base "#builtin.integer"
    irdl.operands(input: %tensor)
    irdl.attributes {"axes" = %axes, "keepdims" = %keepdims}
    irdl.results(result: %tensor)
  }
  irdl.operation @mul {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @neg {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(input: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @pad {
    %tensor = irdl.base "!builtin.tensor"
    %low = irdl.base "#builtin.dense_array"
    %high = irdl.base "#builtin.dense_array"
    %interior = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"low" = %low, "high" = %high, "interior" = %interior}
    irdl.results(result: %tensor)
  }
  irdl.operation @reciprocal {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(input: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @relu {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(input: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @reshape {
    %tensor = irdl.base "!builtin.tensor"
    %new_shape = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"new_shape" = %new_shape}
    irdl.results(result: %tensor)
  }
  irdl.operation @scatter_add {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(input: %tensor, indices: %tensor, updates: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @select {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(condition: %tensor, lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @slice {
    %tensor = irdl.base "!builtin.tensor"
    %starts = irdl.base "#builtin.dense_array"
    %ends = irdl.base "#builtin.dense_array"
    %steps = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"starts" = %starts, "ends" = %ends, "steps" = %steps}
    irdl.results(result: %tensor)
  }
  irdl.operation @squeeze {
    %tensor = irdl.base "!builtin.tensor"
    %axes = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"axes" = %axes}
    irdl.results(result: %tensor)
  }
  irdl.operation @sub {
    %tensor = irdl.base "!builtin.tensor"
    irdl.operands(lhs: %tensor, rhs: %tensor)
    irdl.results(result: %tensor)
  }
  irdl.operation @sum {
    %tensor = irdl.base "!builtin.tensor"
    %axes = irdl.base "#builtin.dense_array"
    %keepdims = irdl.base "#builtin.integer"
    irdl.operands(input: %tensor)
    irdl.attributes {"axes" = %axes, "keepdims" = %keepdims}
    irdl.results(result: %tensor)
  }
  irdl.operation @transpose {
    %tensor = irdl.base "!builtin.tensor"
    %permutation = irdl.base "#builtin.dense_array"
    irdl.operands(input: %tensor)
    irdl.attributes {"permutation" = %permutation}
    irdl.results(result: %tensor)
  }
}
