// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s | FileCheck %s --check-prefixes=CHECK,FREE
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg{numerics=strict})' %s | FileCheck %s --check-prefixes=CHECK,STRICT
// A sum may be reordered, unless numerics are strict: then it is one of blocks of 128, and last of the sums of blocks.

// CHECK-LABEL: @sum
func.func @sum(%x: tensor<300xf32>) -> tensor<f32> {
  // FREE: linalg.reduce { arith.addf {fastmath = #arith.fastmath<reassoc>} } ins(%arg0 : tensor<300xf32>)
  // FREE-NOT: linalg.reduce

  // STRICT-NEXT: %[[WHOLE:.*]] = tensor.extract_slice %arg0[0] [256] [1] : tensor<300xf32> to tensor<256xf32>
  // STRICT-NEXT: %[[BLOCKS:.*]] = tensor.expand_shape %[[WHOLE]] {{\[\[}}0, 1]] output_shape [2, 128]
  // STRICT: linalg.reduce { arith.addf } ins(%[[BLOCKS]] : tensor<2x128xf32>) outs({{.*}} : tensor<2xf32>) dimensions = [1]
  // STRICT: %[[REST:.*]] = tensor.extract_slice %arg0[256] [44] [1] : tensor<300xf32> to tensor<44xf32>
  // STRICT: linalg.reduce { arith.addf } ins(%[[REST]] : tensor<44xf32>)
  // STRICT: %[[SUMS:.*]] = tensor.insert_slice {{.*}} : tensor<1xf32> into tensor<3xf32>
  // STRICT: linalg.reduce { arith.addf } ins(%[[SUMS]] : tensor<3xf32>)
  // CHECK: return
  %0 = mind.sum %x, axes = [0], keepdims = false : (tensor<300xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// The function says it for itself.
// CHECK-LABEL: @by_itself
func.func @by_itself(%x: tensor<2x3xf32>) -> tensor<2x1xf32> attributes {mind.numerics = "default"} {
  // CHECK: linalg.reduce { arith.addf {fastmath = #arith.fastmath<reassoc>} } ins(%arg0 : tensor<2x3xf32>)
  // CHECK-SAME: dimensions = [1]
  // CHECK: tensor.expand_shape {{.*}} output_shape [2, 1] : tensor<2xf32> into tensor<2x1xf32>
  %0 = mind.sum %x, axes = [-1], keepdims = true : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// Integers add up to the same in any order.
// CHECK-LABEL: @integers
func.func @integers(%x: tensor<300xi64>) -> tensor<i64> {
  // CHECK: linalg.reduce { arith.addi {{.*}} } ins(%arg0 : tensor<300xi64>)
  %0 = mind.sum %x, axes = [], keepdims = false : (tensor<300xi64>) -> tensor<i64>
  return %0 : tensor<i64>
}
