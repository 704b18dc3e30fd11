// RUN: mlir-opt %s --irdl-file=%S/../../dialect/mind.irdl.mlir --split-input-file --verify-diagnostics | FileCheck %s
// The dialect in IRDL loads into stock mlir-opt, which then reads the generic form and counts operands.

// CHECK: "mind.add"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "mind.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{op expects exactly 2 operands, but got 1}}
  %0 = "mind.add"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
