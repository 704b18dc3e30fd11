// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(mind-canonicalize)' %s | FileCheck %s
// Equal elements become no constant of more elements than MLIR can count.

// CHECK-LABEL: @f
func.func @f() -> tensor<4611686018427387904x2xf32> {
  // CHECK: mind.broadcast
  %0 = mind.const_tensor dense<1.0> : tensor<1x1xf32> : tensor<1x1xf32>
  %1 = mind.broadcast %0, shape = [4611686018427387904, 2] : (tensor<1x1xf32>) -> tensor<4611686018427387904x2xf32>
  return %1 : tensor<4611686018427387904x2xf32>
}
