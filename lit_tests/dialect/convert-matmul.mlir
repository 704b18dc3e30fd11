// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s | FileCheck %s
// A product adds up onto zeros; batches that are stretched are a contraction over the axes that are there.

// CHECK: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: @matrices
func.func @matrices(%x: tensor<4x5xf32>, %y: tensor<5x3xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4x3xf32>
  // CHECK-NEXT: %[[Z:.*]] = linalg.fill ins(%[[ZERO]] : f32) outs(%[[E]] : tensor<4x3xf32>)
  // CHECK-NEXT: linalg.matmul ins(%arg0, %arg1 : tensor<4x5xf32>, tensor<5x3xf32>) outs(%[[Z]] : tensor<4x3xf32>)
  %0 = mind.matmul %x, %y : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: @batches
func.func @batches(%x: tensor<1x4x5xf64>, %y: tensor<3x5x2xf64>) -> tensor<3x4x2xf64> {
  // CHECK: %[[X:.*]] = tensor.extract_slice %arg0[0, 0, 0] [1, 4, 5] [1, 1, 1] : tensor<1x4x5xf64> to tensor<4x5xf64>
  // CHECK-NEXT: linalg.contract indexing_maps = [#[[LHS]], #[[RHS]], #[[OUT]]]
  // CHECK-SAME: ins(%[[X]], %arg1 : tensor<4x5xf64>, tensor<3x5x2xf64>)
  %0 = mind.matmul %x, %y : (tensor<1x4x5xf64>, tensor<3x5x2xf64>) -> tensor<3x4x2xf64>
  return %0 : tensor<3x4x2xf64>
}

// CHECK-LABEL: @nothing_to_contract
func.func @nothing_to_contract(%x: tensor<3x0xf32>, %y: tensor<0x2xf32>) -> tensor<3x2xf32> {
  // CHECK: %[[Z:.*]] = linalg.fill
  // CHECK-NEXT: return %[[Z]]
  %0 = mind.matmul %x, %y : (tensor<3x0xf32>, tensor<0x2xf32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
