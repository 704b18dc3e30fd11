// REQUIRES: native
// RUN: exits-with 1 mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s 2>&1 | FileCheck %s
// MLIR multiplies extents in 64 bits, and ends the process where those do not hold the product.

func.func @f(%x: tensor<4294967296x2147483648xf32>) -> tensor<2147483648x4294967296xf32> {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'mind.reshape' op E6004: tensor<f32[4294967296, 2147483648]> is larger than any memory
  %0 = mind.reshape %x, new_shape = [2147483648, 4294967296] : (tensor<4294967296x2147483648xf32>) -> tensor<2147483648x4294967296xf32>
  return %0 : tensor<2147483648x4294967296xf32>
}
