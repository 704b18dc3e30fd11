// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(mind-canonicalize)' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --canonicalize %s | FileCheck %s
// Attributes come into normal form, and what computes nothing goes; MLIR's own pass does the same.

// CHECK-LABEL: func.func @axes
func.func @axes(%x: tensor<2x1x3xf32>) -> (tensor<1xf32>, tensor<f32>, tensor<2x3xf32>, tensor<1x2x1x3x1xf32>) {
  // CHECK: mind.sum %{{.*}}, axes = [0, 2], keepdims = false
  %0 = mind.sum %x, axes = [-1, 0], keepdims = false : (tensor<2x1x3xf32>) -> tensor<1xf32>
  // CHECK: mind.mean %{{.*}}, axes = [], keepdims = false
  %1 = mind.mean %x, axes = [], keepdims = true : (tensor<2x1x3xf32>) -> tensor<f32>
  // CHECK: mind.squeeze %{{.*}}, axes = [1]
  %2 = mind.squeeze %x, axes = [-2] : (tensor<2x1x3xf32>) -> tensor<2x3xf32>
  // CHECK: mind.expand_dims %{{.*}}, axes = [0, 4]
  %3 = mind.expand_dims %x, axes = [-1, 0] : (tensor<2x1x3xf32>) -> tensor<1x2x1x3x1xf32>
  return %0, %1, %2, %3 : tensor<1xf32>, tensor<f32>, tensor<2x3xf32>, tensor<1x2x1x3x1xf32>
}

// CHECK-LABEL: func.func @positions
func.func @positions(%x: tensor<5x4xf32>) -> (tensor<f32>, tensor<f32>, tensor<2x4xf32>, tensor<4x5xf32>) {
  // CHECK: mind.index %{{.*}}, indices = [4, 0]
  %0 = mind.index %x, indices = [-1, -4] : (tensor<5x4xf32>) -> tensor<f32>
  // A position out of bounds stays: the error comes when it is run.
  // CHECK: mind.index %{{.*}}, indices = [5, -1]
  %1 = mind.index %x, indices = [5, -1] : (tensor<5x4xf32>) -> tensor<f32>
  // CHECK: mind.slice %{{.*}}, starts = [2, 0], ends = [4, 4], steps = [1, 1]
  %2 = mind.slice %x, starts = [-3, -4], ends = [-1, 4], steps = [1, 1] : (tensor<5x4xf32>) -> tensor<2x4xf32>
  // CHECK: mind.reshape %{{.*}}, new_shape = [4, 5]
  %3 = mind.reshape %x, new_shape = [4, -1] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<2x4xf32>, tensor<4x5xf32>
}

// CHECK-LABEL: func.func @padding
func.func @padding(%x: tensor<1x4x4x1xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x4x4x1xf32> {
  // CHECK: padding = "Same"
  %0 = mind.conv2d %x, %w, strides = [1, 1], padding = "same"
     : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x4x4x1xf32>
  return %0 : tensor<1x4x4x1xf32>
}

// CHECK-LABEL: func.func @nothing
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[S:.*]]: tensor<f32>
func.func @nothing(%x: tensor<2x3xf32>, %s: tensor<f32>, %c: tensor<3xi1>, %i: tensor<0xi64>, %u: tensor<0x3xf32>)
    -> (tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK-NOT: mind.
  %0 = mind.neg %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = mind.neg %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = mind.transpose %1, permutation = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = mind.reshape %2, new_shape = [2, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = mind.broadcast %3, shape = [2, 3] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = mind.expand_dims %4, axes = [] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = mind.squeeze %5, axes = [] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %7 = mind.slice %6, starts = [0, -3], ends = [2, 3], steps = [1, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %8 = mind.pad %7, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %9 = mind.sum %s, axes = [], keepdims = true : (tensor<f32>) -> tensor<f32>
  %10 = mind.mean %9, axes = [], keepdims = false : (tensor<f32>) -> tensor<f32>
  %11 = mind.select %c, %8, %8 : (tensor<3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %12 = mind.scatter_add %x, %i, %u : (tensor<2x3xf32>, tensor<0xi64>, tensor<0x3xf32>) -> tensor<2x3xf32>
  // CHECK: return %[[X]], %[[S]], %[[X]], %[[X]]
  return %8, %10, %11, %12 : tensor<2x3xf32>, tensor<f32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// What stretches its operands is not what it stretches.
// CHECK-LABEL: func.func @stretched
func.func @stretched(%x: tensor<3xf32>, %c: tensor<2x3xi1>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  // CHECK: mind.select
  %0 = mind.select %c, %x, %x : (tensor<2x3xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: mind.mul
  %one = mind.const_tensor dense<1.0> : tensor<2x3xf32> : tensor<2x3xf32>
  %1 = mind.mul %x, %one : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @composed
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>)
func.func @composed(%x: tensor<2x3x4xf32>) -> (tensor<4x3x2xf32>, tensor<12x2xf32>, tensor<4x2x3xf32>) {
  // CHECK-DAG: %[[T:.*]] = mind.transpose %[[X]], permutation = [2, 1, 0]
  %0 = mind.transpose %x, permutation = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = mind.transpose %0, permutation = [0, 2, 1] : (tensor<4x2x3xf32>) -> tensor<4x3x2xf32>
  // CHECK-DAG: %[[R:.*]] = mind.reshape %[[X]], new_shape = [12, 2]
  %2 = mind.reshape %x, new_shape = [6, 4] : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %3 = mind.reshape %2, new_shape = [12, -1] : (tensor<6x4xf32>) -> tensor<12x2xf32>
  // CHECK-DAG: %[[S:.*]] = mind.relu
  // CHECK-NOT: mind.relu
  %4 = mind.relu %0 : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  %5 = mind.relu %4 : (tensor<4x2x3xf32>) -> tensor<4x2x3xf32>
  // CHECK: return %[[T]], %[[R]], %[[S]]
  return %1, %3, %5 : tensor<4x3x2xf32>, tensor<12x2xf32>, tensor<4x2x3xf32>
}

// One value has one form: a const_tensor; the bits of a NaN are kept.
// CHECK-LABEL: func.func @constants
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
func.func @constants(%x: tensor<3xf32>) -> (tensor<f32>, tensor<i64>, tensor<3x2xi32>, tensor<1x1xf64>, tensor<3xf32>) {
  // CHECK-DAG: %[[NAN:.*]] = mind.const_tensor dense<0x7F800001> : tensor<f32>
  %0 = mind.const_f32 value = 0x7F800001 : tensor<f32>
  // CHECK-DAG: %[[INT:.*]] = mind.const_tensor dense<-7> : tensor<i64>
  %1 = mind.const_i64 value = -7 : tensor<i64>
  // CHECK-DAG: %[[ROWS:.*]] = mind.const_tensor dense<{{\[\[}}1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %2 = mind.const_tensor dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32> : tensor<2x3xi32>
  %3 = mind.reshape %2, new_shape = [3, 2] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  // CHECK-DAG: %[[WIDE:.*]] = mind.const_tensor dense<-0.000000e+00> : tensor<1x1xf64>
  %4 = mind.const_f64 value = -0.0 : tensor<f64>
  %5 = mind.expand_dims %4, axes = [0, 1] : (tensor<f64>) -> tensor<1x1xf64>
  // 1 · x is x.
  %one = mind.const_f32 value = 1.0 : tensor<f32>
  %6 = mind.mul %one, %x : (tensor<f32>, tensor<3xf32>) -> tensor<3xf32>
  // CHECK-NOT: mind.
  // CHECK: return %[[NAN]], %[[INT]], %[[ROWS]], %[[WIDE]], %[[X]]
  return %0, %1, %3, %5, %6 : tensor<f32>, tensor<i64>, tensor<3x2xi32>, tensor<1x1xf64>, tensor<3xf32>
}

// A constant that no memory holds is not made.
// CHECK-LABEL: func.func @unaddressable
func.func @unaddressable() -> (tensor<9223372036854775807x8xf32>, tensor<4x2xf32>) {
  %0 = mind.const_f32 value = 1.0 : tensor<f32>
  // CHECK-DAG: mind.broadcast %{{.*}}, shape = [9223372036854775807, 8]
  %1 = mind.broadcast %0, shape = [9223372036854775807, 8] : (tensor<f32>) -> tensor<9223372036854775807x8xf32>
  // CHECK-DAG: mind.const_tensor dense<1.000000e+00> : tensor<4x2xf32>
  %2 = mind.broadcast %0, shape = [4, 2] : (tensor<f32>) -> tensor<4x2xf32>
  return %1, %2 : tensor<9223372036854775807x8xf32>, tensor<4x2xf32>
}

// Abs of numbers with a sign stays, of others it is its operand.
// CHECK-LABEL: func.func @absolute
func.func @absolute(%x: tensor<3xf32>, %u: tensor<3xui8>) -> (tensor<3xf32>, tensor<3xui8>) {
  // CHECK: %[[ABS:.*]] = mind.abs %{{.*}} : (tensor<3xf32>) -> tensor<3xf32>
  // CHECK: return %[[ABS]], %arg1
  %0 = mind.abs %x : (tensor<3xf32>) -> tensor<3xf32>
  %1 = mind.abs %u : (tensor<3xui8>) -> tensor<3xui8>
  return %0, %1 : tensor<3xf32>, tensor<3xui8>
}
