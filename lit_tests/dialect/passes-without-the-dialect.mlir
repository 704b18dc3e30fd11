// REQUIRES: native
// RUN: mlir-opt %s --load-pass-plugin=%plugin --allow-unregistered-dialect --verify-diagnostics --pass-pipeline='builtin.module(convert-mind-to-linalg)'
// RUN: mlir-opt %s --load-pass-plugin=%plugin --irdl-file=%S/../../dialect/mind.irdl.mlir --verify-diagnostics --pass-pipeline='builtin.module(convert-mind-to-linalg)'
// RUN: mlir-opt %s --load-pass-plugin=%plugin --allow-unregistered-dialect --pass-pipeline='builtin.module(mind-canonicalize)' | FileCheck %s
// RUN: mlir-opt %s --load-pass-plugin=%plugin --irdl-file=%S/../../dialect/mind.irdl.mlir --pass-pipeline='builtin.module(mind-canonicalize)' | FileCheck %s
// The passes leave operations alone that were read without the dialect in C++; what has to convert them says so.

// CHECK: %0 = "mind.add"(%arg0, %arg0)
// CHECK: return %0
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{cannot be converted: the dialect mind is not loaded, or not in C++}}
  %0 = "mind.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
