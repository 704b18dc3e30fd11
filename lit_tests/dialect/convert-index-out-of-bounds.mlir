// REQUIRES: native
// RUN: exits-with 1 mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s 2>&1 | FileCheck %s
// An index that is out of bounds whatever the elements are is valid, and cannot be converted.

func.func @f(%x: tensor<3xf32>) -> tensor<f32> {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'mind.index' op E6001: Index [9] is out of bounds for [3]
  %0 = mind.index %x, indices = [9] : (tensor<3xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
