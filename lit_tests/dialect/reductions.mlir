// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Reductions, positions of extremes, and sums up to each element.

// CHECK-LABEL: func.func @all(
// GENERIC-LABEL: sym_name = "all"
func.func @all(%x: tensor<3x4x5xi1>) {
  // CHECK: mind.all %{{.*}}, axes = [1], keepdims = false : (tensor<3x4x5xi1>) -> tensor<3x5xi1>
  // GENERIC: "mind.all"(%{{.*}}) {axes = array<i64: 1>, keepdims = false} : (tensor<3x4x5xi1>) -> tensor<3x5xi1>
  %0 = mind.all %x, axes = [1], keepdims = false : (tensor<3x4x5xi1>) -> tensor<3x5xi1>
  return
}

// CHECK-LABEL: func.func @any(
// GENERIC-LABEL: sym_name = "any"
func.func @any(%x: tensor<3x4x5xi1>) {
  // CHECK: mind.any %{{.*}}, axes = [1], keepdims = false : (tensor<3x4x5xi1>) -> tensor<3x5xi1>
  // GENERIC: "mind.any"(%{{.*}}) {axes = array<i64: 1>, keepdims = false} : (tensor<3x4x5xi1>) -> tensor<3x5xi1>
  %0 = mind.any %x, axes = [1], keepdims = false : (tensor<3x4x5xi1>) -> tensor<3x5xi1>
  return
}

// CHECK-LABEL: func.func @arg_max(
// GENERIC-LABEL: sym_name = "arg_max"
func.func @arg_max(%x: tensor<7xf32>) {
  // CHECK: mind.arg_max %{{.*}}, axis = 0, keepdims = false : (tensor<7xf32>) -> tensor<i64>
  // GENERIC: "mind.arg_max"(%{{.*}}) {axis = 0 : i64, keepdims = false} : (tensor<7xf32>) -> tensor<i64>
  %0 = mind.arg_max %x, axis = 0, keepdims = false : (tensor<7xf32>) -> tensor<i64>
  return
}

// CHECK-LABEL: func.func @arg_min(
// GENERIC-LABEL: sym_name = "arg_min"
func.func @arg_min(%x: tensor<7xf32>) {
  // CHECK: mind.arg_min %{{.*}}, axis = 0, keepdims = false : (tensor<7xf32>) -> tensor<i64>
  // GENERIC: "mind.arg_min"(%{{.*}}) {axis = 0 : i64, keepdims = false} : (tensor<7xf32>) -> tensor<i64>
  %0 = mind.arg_min %x, axis = 0, keepdims = false : (tensor<7xf32>) -> tensor<i64>
  return
}

// CHECK-LABEL: func.func @cum_max(
// GENERIC-LABEL: sym_name = "cum_max"
func.func @cum_max(%x: tensor<7xf32>) {
  // CHECK: mind.cum_max %{{.*}}, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  // GENERIC: "mind.cum_max"(%{{.*}}) {axis = 0 : i64, reverse = false} : (tensor<7xf32>) -> tensor<7xf32>
  %0 = mind.cum_max %x, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @cum_min(
// GENERIC-LABEL: sym_name = "cum_min"
func.func @cum_min(%x: tensor<7xf32>) {
  // CHECK: mind.cum_min %{{.*}}, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  // GENERIC: "mind.cum_min"(%{{.*}}) {axis = 0 : i64, reverse = false} : (tensor<7xf32>) -> tensor<7xf32>
  %0 = mind.cum_min %x, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @cum_prod(
// GENERIC-LABEL: sym_name = "cum_prod"
func.func @cum_prod(%x: tensor<7xf32>) {
  // CHECK: mind.cum_prod %{{.*}}, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  // GENERIC: "mind.cum_prod"(%{{.*}}) {axis = 0 : i64, reverse = false} : (tensor<7xf32>) -> tensor<7xf32>
  %0 = mind.cum_prod %x, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @cum_sum(
// GENERIC-LABEL: sym_name = "cum_sum"
func.func @cum_sum(%x: tensor<7xf32>) {
  // CHECK: mind.cum_sum %{{.*}}, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  // GENERIC: "mind.cum_sum"(%{{.*}}) {axis = 0 : i64, reverse = false} : (tensor<7xf32>) -> tensor<7xf32>
  %0 = mind.cum_sum %x, axis = 0, reverse = false : (tensor<7xf32>) -> tensor<7xf32>
  return
}

// CHECK-LABEL: func.func @max(
// GENERIC-LABEL: sym_name = "max"
func.func @max(%x: tensor<3x4x5xf32>) {
  // CHECK: mind.max %{{.*}}, axes = [1], keepdims = false : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  // GENERIC: "mind.max"(%{{.*}}) {axes = array<i64: 1>, keepdims = false} : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  %0 = mind.max %x, axes = [1], keepdims = false : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @min(
// GENERIC-LABEL: sym_name = "min"
func.func @min(%x: tensor<3x4x5xf32>) {
  // CHECK: mind.min %{{.*}}, axes = [1], keepdims = false : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  // GENERIC: "mind.min"(%{{.*}}) {axes = array<i64: 1>, keepdims = false} : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  %0 = mind.min %x, axes = [1], keepdims = false : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  return
}

// CHECK-LABEL: func.func @prod(
// GENERIC-LABEL: sym_name = "prod"
func.func @prod(%x: tensor<3x4x5xf32>) {
  // CHECK: mind.prod %{{.*}}, axes = [1], keepdims = false : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  // GENERIC: "mind.prod"(%{{.*}}) {axes = array<i64: 1>, keepdims = false} : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  %0 = mind.prod %x, axes = [1], keepdims = false : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  return
}
