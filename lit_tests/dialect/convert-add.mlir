// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s | FileCheck %s
// Equal shapes are linalg's named operation; what is stretched is a formula with indexing maps.

// CHECK: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: @equal
func.func @equal(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<2x3xf32>
  // CHECK-NEXT: %[[SUM:.*]] = linalg.add ins(%arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32>) outs(%[[E]] : tensor<2x3xf32>)
  // CHECK-NEXT: return %[[SUM]]
  %0 = mind.add %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @stretched
func.func @stretched(%x: tensor<2x3xi32>, %y: tensor<3xi32>) -> tensor<2x3xi32> {
  // CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
  // CHECK-SAME: ins(%arg0, %arg1
  // CHECK-NEXT: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32, %{{.*}}: i32):
  // CHECK-NEXT: %[[S:.*]] = arith.addi %[[X]], %[[Y]] : i32
  // CHECK-NEXT: linalg.yield %[[S]] : i32
  %0 = mind.add %x, %y : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// CHECK-LABEL: @without_elements
func.func @without_elements(%x: tensor<1xf32>, %y: tensor<0xf32>) -> tensor<0xf32> {
  // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<0xf32>
  // CHECK-NEXT: return %[[E]]
  %0 = mind.add %x, %y : (tensor<1xf32>, tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
