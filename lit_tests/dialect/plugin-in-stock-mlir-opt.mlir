// REQUIRES: native
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(mind-canonicalize)' | FileCheck %s
// RUN: mind-opt-cc %s --mind-canonicalize | FileCheck %s
// The plugin gives stock mlir-opt the short form, the rules and the passes; mind-opt-cc has them built in.

// CHECK: %0 = mind.add %arg0, %arg0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = mind.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
