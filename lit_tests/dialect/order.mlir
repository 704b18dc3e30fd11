// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Sorting: several operands, several results.

// CHECK-LABEL: func.func @arg_sort(
// GENERIC-LABEL: sym_name = "arg_sort"
func.func @arg_sort(%x: tensor<7xf32>) {
  // CHECK: mind.arg_sort %{{.*}}, axis = 0 : (tensor<7xf32>) -> tensor<7xi64>
  // GENERIC: "mind.arg_sort"(%{{.*}}) {axis = 0 : i64, descending = false} : (tensor<7xf32>) -> tensor<7xi64>
  %0 = mind.arg_sort %x, axis = 0 : (tensor<7xf32>) -> tensor<7xi64>
  return
}

// CHECK-LABEL: func.func @sort(
// GENERIC-LABEL: sym_name = "sort"
func.func @sort(%x: tensor<2x40x3xf32>, %y: tensor<2x40x3xi64>) {
  // CHECK: = mind.sort(%{{.*}}, %{{.*}}), axis = 1 : (tensor<2x40x3xf32>, tensor<2x40x3xi64>) -> (tensor<2x40x3xf32>, tensor<2x40x3xi64>)
  // GENERIC: "mind.sort"(%{{.*}}, %{{.*}}) {axis = 1 : i64, descending = false} : (tensor<2x40x3xf32>, tensor<2x40x3xi64>) -> (tensor<2x40x3xf32>, tensor<2x40x3xi64>)
  %0:2 = mind.sort(%x, %y), axis = 1 : (tensor<2x40x3xf32>, tensor<2x40x3xi64>) -> (tensor<2x40x3xf32>, tensor<2x40x3xi64>)
  return
}

// CHECK-LABEL: func.func @top_k(
// GENERIC-LABEL: sym_name = "top_k"
func.func @top_k(%x: tensor<7xf32>) {
  // CHECK: = mind.top_k %{{.*}}, k = 2 : (tensor<7xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  // GENERIC: "mind.top_k"(%{{.*}}) {k = 2 : i64} : (tensor<7xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  %0:2 = mind.top_k %x, k = 2 : (tensor<7xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return
}
