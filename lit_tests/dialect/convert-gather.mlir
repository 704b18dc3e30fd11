// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s | FileCheck %s
// Before rows are read, every index is compared with the extent; what is read lies within it in any case.

// CHECK-LABEL: @gather
func.func @gather(%x: tensor<5x2xf32>, %i: tensor<4xi32>) -> tensor<4x2xf32> {
  // CHECK: %[[FLAG:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%arg1 : tensor<4xi32>)
  // CHECK: } -> tensor<i64>
  // CHECK-NEXT: %[[F:.*]] = tensor.extract %[[FLAG]][] : tensor<i64>
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK-NEXT: %[[OK:.*]] = arith.cmpi eq, %[[F]], %[[ZERO]] : i64
  // CHECK-NEXT: cf.assert %[[OK]], "Gather index out of bounds"
  // CHECK-NEXT: tensor.empty() : tensor<4x2xf32>
  // CHECK-NEXT: linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<4xi32>)
  // CHECK: %[[ROW:.*]] = arith.index_cast %{{.*}} : i32 to index
  // CHECK-NEXT: %[[COLUMN:.*]] = linalg.index 1 : index
  // CHECK-NEXT: tensor.extract %arg0[%[[ROW]], %[[COLUMN]]] : tensor<5x2xf32>
  %0 = mind.gather %x, %i : (tensor<5x2xf32>, tensor<4xi32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// No row can be missed.
// CHECK-LABEL: @clip
func.func @clip(%x: tensor<5x2xf32>, %i: tensor<4xi64>) -> tensor<4x2xf32> {
  // CHECK-NOT: cf.assert
  // CHECK: return
  %0 = mind.gather %x, %i, oob = "clip" : (tensor<5x2xf32>, tensor<4xi64>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// Rows are added one after the other.
// CHECK-LABEL: @scatter_add
func.func @scatter_add(%x: tensor<5x2xf32>, %i: tensor<4xi64>, %u: tensor<4x2xf32>) -> tensor<5x2xf32> {
  // CHECK: cf.assert %{{.*}}, "ScatterAdd index out of bounds"
  // CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[OUTER:.*]] = %arg0) -> (tensor<5x2xf32>) {
  // CHECK: tensor.extract %arg1[%[[I]]] : tensor<4xi64>
  // CHECK: scf.for %[[J:.*]] = {{.*}} iter_args(%[[INNER:.*]] = %[[OUTER]]) -> (tensor<5x2xf32>) {
  // CHECK-NEXT: %[[OLD:.*]] = tensor.extract %[[INNER]][%[[ROW:.*]], %[[J]]] : tensor<5x2xf32>
  // CHECK-NEXT: %[[UPDATE:.*]] = tensor.extract %arg2[%[[I]], %[[J]]] : tensor<4x2xf32>
  // CHECK-NEXT: %[[NEW:.*]] = arith.addf %[[OLD]], %[[UPDATE]] : f32
  // CHECK-NEXT: tensor.insert %[[NEW]] into %[[INNER]][%[[ROW]], %[[J]]] : tensor<5x2xf32>
  %0 = mind.scatter_add %x, %i, %u : (tensor<5x2xf32>, tensor<4xi64>, tensor<4x2xf32>) -> tensor<5x2xf32>
  return %0 : tensor<5x2xf32>
}
