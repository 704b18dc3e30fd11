// RUN: env MIND_MLIR_NATIVE_DIR=%t.nowhere exits-with 1 mind-opt %s 2>&1 | FileCheck %s
// CHECK: error[E7014]: {{.*}} is in the short form: the native dialect cannot be used: {{.*}}MindPy.so does not exist
// CHECK: help: write the generic form
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = mind.relu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
