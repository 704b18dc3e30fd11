// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Operations on elements are read and written in both forms.

// CHECK-LABEL: func.func @binary
// GENERIC-LABEL: sym_name = "binary"
func.func @binary(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xi1> {
  // CHECK: %[[SUM:.*]] = mind.add %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.add"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = mind.add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: mind.sub %[[SUM]], %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.sub"
  %1 = mind.sub %0, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: mind.mul
  // GENERIC: "mind.mul"
  %2 = mind.mul %1, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: mind.div
  // GENERIC: "mind.div"
  %3 = mind.div %2, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK: mind.greater %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // GENERIC: "mind.greater"
  %4 = mind.greater %3, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  return %4 : tensor<2x3xi1>
}

// CHECK-LABEL: func.func @unary
// GENERIC-LABEL: sym_name = "unary"
func.func @unary(%x: tensor<4xf64>) -> tensor<4xf64> {
  // CHECK: mind.neg %{{.*}} : (tensor<4xf64>) -> tensor<4xf64>
  // GENERIC: "mind.neg"(%{{.*}}) : (tensor<4xf64>) -> tensor<4xf64>
  %0 = mind.neg %x : (tensor<4xf64>) -> tensor<4xf64>
  // CHECK: mind.exp
  // GENERIC: "mind.exp"
  %1 = mind.exp %0 : (tensor<4xf64>) -> tensor<4xf64>
  // CHECK: mind.log
  // GENERIC: "mind.log"
  %2 = mind.log %1 : (tensor<4xf64>) -> tensor<4xf64>
  // CHECK: mind.relu
  // GENERIC: "mind.relu"
  %3 = mind.relu %2 : (tensor<4xf64>) -> tensor<4xf64>
  // CHECK: mind.reciprocal
  // GENERIC: "mind.reciprocal"
  %4 = mind.reciprocal %3 : (tensor<4xf64>) -> tensor<4xf64>
  return %4 : tensor<4xf64>
}

// CHECK-LABEL: func.func @select
// GENERIC-LABEL: sym_name = "select"
func.func @select(%c: tensor<3xi1>, %x: tensor<2x1xf32>, %y: tensor<f32>) -> tensor<2x3xf32> {
  // CHECK: mind.select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<3xi1>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x3xf32>
  // GENERIC: "mind.select"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<3xi1>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x3xf32>
  %0 = mind.select %c, %x, %y : (tensor<3xi1>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// An attribute that no rule knows is kept.
// CHECK-LABEL: func.func @marked
func.func @marked(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: mind.neg %{{.*}} {mark = 7 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  %0 = mind.neg %x {mark = 7 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
