// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --split-input-file --verify-diagnostics %s
// What the rules of shapes, ranges, rows and convolutions refuse, in Core's words; no extent passes 64 bits unseen.

func.func @axis(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.sum' op E3004: Sum axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.sum %x, axes = [2], keepdims = false : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @twice(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.mean' op E3005: Mean names axis 1 twice in [1, -1]}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.mean %x, axes = [1, -1], keepdims = false : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @missing(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.sum' op requires attribute 'keepdims'}}
  %0 = "mind.sum"(%x) {axes = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @kind(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.sum' op attribute 'axes' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "mind.sum"(%x) {axes = [0], keepdims = true} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @shrunk(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.broadcast' op E3001: Broadcast of [2, 3] to [1, 3] would shrink it}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.broadcast %x, shape = [1, 3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

func.func @negative(%x: tensor<3xf32>) {
  // expected-error @below {{'mind.broadcast' op E3006: extent 0 of [-9223372036854775808, 3] is -9223372036854775808}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.broadcast %x, shape = [-9223372036854775808, 3] : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @fresh_axis(%x: tensor<3xf32>) {
  // expected-error @below {{'mind.expand_dims' op E3004: ExpandDims axis 2 is out of range for rank 2}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.expand_dims %x, axes = [2] : (tensor<3xf32>) -> tensor<3x1xf32>
  return
}

// -----

func.func @squeezed(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.squeeze' op E3009: Squeeze of axis 1 with extent 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.squeeze %x, axes = [-1] : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

// 2^62 · 4 elements are 2^64: counted without wrapping to 0.
func.func @counts(%x: tensor<4611686018427387904x4xf32>) {
  // expected-error @below {{'mind.reshape' op E3007: Reshape of [4611686018427387904, 4] with 18446744073709551616 elements to [0] with 0 elements}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.reshape %x, new_shape = [0] : (tensor<4611686018427387904x4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @worked_out(%x: tensor<4611686018427387904x4xf32>) {
  // expected-error @below {{'mind.reshape' op E3006: extent 0 of the result of Reshape is larger than 9223372036854775807: 18446744073709551616}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.reshape %x, new_shape = [-1] : (tensor<4611686018427387904x4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @permutation(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.transpose' op E3008: Transpose takes a permutation of 2 axes, found [1, 1]: 1 stands twice}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.transpose %x, permutation = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @position(%x: tensor<2x3xf32>) {
  // expected-error @below {{'mind.index' op E4006: Index of a rank-2 operand takes 2 indices, found 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.index %x, indices = [0] : (tensor<2x3xf32>) -> tensor<f32>
  return
}

// -----

func.func @range(%x: tensor<5xf32>) {
  // expected-error @below {{'mind.slice' op E3011: end 6 of Slice is outside extent 5 of dimension 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.slice %x, starts = [0], ends = [6], steps = [1] : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @step(%x: tensor<5xf32>) {
  // expected-error @below {{'mind.slice' op E4008: step 0 of Slice is 0}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.slice %x, starts = [0], ends = [5], steps = [0] : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @padded(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.pad' op E3006: extent 0 of the result of Pad is larger than 9223372036854775807: 9223372036854775809}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.pad %x, low = [9223372036854775807], high = [0], interior = [0] : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @removed(%x: tensor<2xf32>) {
  // expected-error @below {{'mind.pad' op E4016: low -3 and high 0 of Pad remove more than axis 0 has}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.pad %x, low = [-3], high = [0], interior = [0] : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @word(%x: tensor<5x3xf32>, %i: tensor<4xi64>) {
  // expected-error @below {{'mind.gather' op E4013: attribute oob: expected "error" or "clip" or "fill", found 'wrap'}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.gather %x, %i, oob = "wrap" : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  return
}

// -----

func.func @indices(%x: tensor<5x3xf32>, %i: tensor<4xf32>) {
  // expected-error @below {{'mind.gather' op E4011: Gather takes indices of integers, found f32}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.gather %x, %i : (tensor<5x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @updates(%x: tensor<5x3xf32>, %i: tensor<4xi64>, %u: tensor<4x2xf32>) {
  // expected-error @below {{'mind.scatter_add' op E3003: ScatterAdd updates have extent 2 at axis 1, where indices and rows give 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.scatter_add %x, %i, %u : (tensor<5x3xf32>, tensor<4xi64>, tensor<4x2xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @channels(%x: tensor<1x5x5x2xf32>, %w: tensor<3x3x1x1xf32>) {
  // expected-error @below {{'mind.conv2d' op E4009: Conv2d input has 2 channels, the filter takes 1}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.conv2d %x, %w, strides = [1, 1], padding = "Valid"
     : (tensor<1x5x5x2xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x3x1xf32>
  return
}

// -----

func.func @padding(%x: tensor<1x5x5x1xf32>, %w: tensor<3x3x1x1xf32>) {
  // expected-error @below {{'mind.conv2d' op E4010: padding: expected "Valid", "Same" or [[low, high], [low, high]], found ((0, 0), (1,))}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.conv2d %x, %w, strides = [1, 1], padding = [[0, 0], [1]]
     : (tensor<1x5x5x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x3x1xf32>
  return
}

// -----

func.func @window(%x: tensor<1x5x5x1xf32>, %w: tensor<7x3x1x1xf32>) {
  // expected-error @below {{'mind.conv2d' op E4010: Conv2d window of extent 7 is larger than the padded input of 6}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.conv2d %x, %w, strides = [1, 1], padding = [[1, 0], [0, 0]]
     : (tensor<1x5x5x1xf32>, tensor<7x3x1x1xf32>) -> tensor<1x1x3x1xf32>
  return
}

// -----

func.func @cotangent(%x: tensor<1x5x5x1xf32>, %y: tensor<1x3x2x1xf32>) {
  // expected-error @below {{'mind.conv2d_backward_filter' op E3003: Conv2dBackwardFilter cotangent has extent 2 at axis 2, where Conv2d gives 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.conv2d_backward_filter %x, %y, filter_shape = [3, 3, 1, 1], strides = [1, 1], padding = "Valid"
     : (tensor<1x5x5x1xf32>, tensor<1x3x2x1xf32>) -> tensor<3x3x1x1xf32>
  return
}

// -----

func.func @four(%y: tensor<1x3x2x1xf32>, %w: tensor<3x3x1x1xf32>) {
  // expected-error @below {{'mind.conv2d_backward_input' op E3002: Conv2dBackwardInput takes four extents as input_shape, found 3}}
  // expected-error @below {{failed to infer returned types}}
  %0 = mind.conv2d_backward_input %y, %w, input_shape = [1, 5, 5], strides = [1, 1], padding = "Valid"
     : (tensor<1x3x2x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x5x5x1xf32>
  return
}
