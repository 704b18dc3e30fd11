// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s | FileCheck %s
// Padding is zeros that the input is inserted into; the adjoint in the input cuts them off again.

// CHECK-LABEL: @same
func.func @same(%x: tensor<1x4x4x1xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32> {
  // CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<1x5x5x1xf32>
  // CHECK-NEXT: %[[PADDED:.*]] = tensor.insert_slice %arg0 into %[[ZEROS]][0, 0, 0, 0] [1, 4, 4, 1] [1, 1, 1, 1]
  // CHECK: %[[INIT:.*]] = linalg.fill {{.*}} -> tensor<1x2x2x1xf32>
  // CHECK-NEXT: linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
  // CHECK-SAME: ins(%[[PADDED]], %arg1 : {{.*}}) outs(%[[INIT]] : tensor<1x2x2x1xf32>)
  %0 = mind.conv2d %x, %w, strides = [2, 2], padding = "Same" : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x2x2x1xf32>
  return %0 : tensor<1x2x2x1xf32>
}

// CHECK-LABEL: @back
func.func @back(%g: tensor<1x2x3x1xf32>, %w: tensor<3x3x2x1xf32>) -> tensor<1x5x5x2xf32> {
  // CHECK: linalg.transpose ins(%arg1 : tensor<3x3x2x1xf32>) outs({{.*}} : tensor<3x3x1x2xf32>) permutation = [0, 1, 3, 2]
  // CHECK: %[[ALL:.*]] = linalg.generic
  // CHECK: } -> tensor<1x6x8x2xf32>
  // CHECK-NEXT: tensor.extract_slice %[[ALL]][0, 1, 2, 0] [1, 5, 5, 2] [1, 1, 1, 1]
  %0 = mind.conv2d_backward_input %g, %w, input_shape = [1, 5, 5, 2], strides = [2, 2], padding = [[1, 0], [2, 1]] : (tensor<1x2x3x1xf32>, tensor<3x3x2x1xf32>) -> tensor<1x5x5x2xf32>
  return %0 : tensor<1x5x5x2xf32>
}
