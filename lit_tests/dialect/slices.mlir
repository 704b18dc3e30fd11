// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Parts of tensors, at places known or computed.

// CHECK-LABEL: func.func @concatenate(
// GENERIC-LABEL: sym_name = "concatenate"
func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<1x3xf32>, %z: tensor<4x3xf32>) {
  // CHECK: mind.concatenate(%{{.*}}, %{{.*}}, %{{.*}}), axis = 0 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  // GENERIC: "mind.concatenate"(%{{.*}}, %{{.*}}, %{{.*}}) {axis = 0 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  %0 = mind.concatenate(%x, %y, %z), axis = 0 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<7x3xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_slice(
// GENERIC-LABEL: sym_name = "dynamic_slice"
func.func @dynamic_slice(%x: tensor<5xf32>, %y: tensor<i64>) {
  // CHECK: mind.dynamic_slice %{{.*}}, (%{{.*}}), sizes = [2] : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
  // GENERIC: "mind.dynamic_slice"(%{{.*}}, %{{.*}}) {sizes = array<i64: 2>} : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
  %0 = mind.dynamic_slice %x, (%y), sizes = [2] : (tensor<5xf32>, tensor<i64>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @dynamic_update_slice(
// GENERIC-LABEL: sym_name = "dynamic_update_slice"
func.func @dynamic_update_slice(%x: tensor<5xf32>, %y: tensor<2xf32>, %z: tensor<i64>) {
  // CHECK: mind.dynamic_update_slice %{{.*}}, %{{.*}}, (%{{.*}}) : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  // GENERIC: "mind.dynamic_update_slice"(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  %0 = mind.dynamic_update_slice %x, %y, (%z) : (tensor<5xf32>, tensor<2xf32>, tensor<i64>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @gather_slices(
// GENERIC-LABEL: sym_name = "gather_slices"
func.func @gather_slices(%x: tensor<5x3xf32>, %y: tensor<4x2xi64>) {
  // CHECK: mind.gather_slices %{{.*}}, %{{.*}}, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>) -> tensor<4xf32>
  // GENERIC: "mind.gather_slices"(%{{.*}}, %{{.*}}) {axes = array<i64: 0, 1>, batch_axes = array<i64>, oob = "error", sizes = array<i64>} : (tensor<5x3xf32>, tensor<4x2xi64>) -> tensor<4xf32>
  %0 = mind.gather_slices %x, %y, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: func.func @iota(
// GENERIC-LABEL: sym_name = "iota"
func.func @iota() {
  // CHECK: mind.iota shape = [5], axis = 0, dtype = i64 : tensor<5xi64>
  // GENERIC: "mind.iota"() {axis = 0 : i64, dtype = i64, shape = array<i64: 5>} : () -> tensor<5xi64>
  %0 = mind.iota shape = [5], axis = 0, dtype = i64 : tensor<5xi64>
  return
}

// CHECK-LABEL: func.func @pad_with(
// GENERIC-LABEL: sym_name = "pad_with"
func.func @pad_with(%x: tensor<2x3xf32>, %y: tensor<f32>) {
  // CHECK: mind.pad_with %{{.*}}, %{{.*}}, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  // GENERIC: "mind.pad_with"(%{{.*}}, %{{.*}}) {high = array<i64: 2, 0>, interior = array<i64: 0, 0>, low = array<i64: 1, 0>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  %0 = mind.pad_with %x, %y, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  return
}

// CHECK-LABEL: func.func @reverse(
// GENERIC-LABEL: sym_name = "reverse"
func.func @reverse(%x: tensor<5xf32>) {
  // CHECK: mind.reverse %{{.*}}, axes = [0] : (tensor<5xf32>) -> tensor<5xf32>
  // GENERIC: "mind.reverse"(%{{.*}}) {axes = array<i64: 0>} : (tensor<5xf32>) -> tensor<5xf32>
  %0 = mind.reverse %x, axes = [0] : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @scatter_add_slices(
// GENERIC-LABEL: sym_name = "scatter_add_slices"
func.func @scatter_add_slices(%x: tensor<5x3xf32>, %y: tensor<4x2xi64>, %z: tensor<4xf32>) {
  // CHECK: mind.scatter_add_slices %{{.*}}, %{{.*}}, %{{.*}}, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  // GENERIC: "mind.scatter_add_slices"(%{{.*}}, %{{.*}}, %{{.*}}) {axes = array<i64: 0, 1>, batch_axes = array<i64>, oob = "error", sizes = array<i64>} : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  %0 = mind.scatter_add_slices %x, %y, %z, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  return
}

// CHECK-LABEL: func.func @scatter_max_slices(
// GENERIC-LABEL: sym_name = "scatter_max_slices"
func.func @scatter_max_slices(%x: tensor<5x3xf32>, %y: tensor<4x2xi64>, %z: tensor<4xf32>) {
  // CHECK: mind.scatter_max_slices %{{.*}}, %{{.*}}, %{{.*}}, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  // GENERIC: "mind.scatter_max_slices"(%{{.*}}, %{{.*}}, %{{.*}}) {axes = array<i64: 0, 1>, batch_axes = array<i64>, oob = "error", sizes = array<i64>} : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  %0 = mind.scatter_max_slices %x, %y, %z, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  return
}

// CHECK-LABEL: func.func @scatter_min_slices(
// GENERIC-LABEL: sym_name = "scatter_min_slices"
func.func @scatter_min_slices(%x: tensor<5x3xf32>, %y: tensor<4x2xi64>, %z: tensor<4xf32>) {
  // CHECK: mind.scatter_min_slices %{{.*}}, %{{.*}}, %{{.*}}, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  // GENERIC: "mind.scatter_min_slices"(%{{.*}}, %{{.*}}, %{{.*}}) {axes = array<i64: 0, 1>, batch_axes = array<i64>, oob = "error", sizes = array<i64>} : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  %0 = mind.scatter_min_slices %x, %y, %z, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  return
}

// CHECK-LABEL: func.func @scatter_slices(
// GENERIC-LABEL: sym_name = "scatter_slices"
func.func @scatter_slices(%x: tensor<5x3xf32>, %y: tensor<4x2xi64>, %z: tensor<4xf32>) {
  // CHECK: mind.scatter_slices %{{.*}}, %{{.*}}, %{{.*}}, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  // GENERIC: "mind.scatter_slices"(%{{.*}}, %{{.*}}, %{{.*}}) {axes = array<i64: 0, 1>, batch_axes = array<i64>, oob = "error", sizes = array<i64>} : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  %0 = mind.scatter_slices %x, %y, %z, axes = [0, 1], batch_axes = [], sizes = [] : (tensor<5x3xf32>, tensor<4x2xi64>, tensor<4xf32>) -> tensor<5x3xf32>
  return
}
