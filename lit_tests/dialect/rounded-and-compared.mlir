// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Rounding, signs, the larger and the smaller of two.

// CHECK-LABEL: func.func @abs(
// GENERIC-LABEL: sym_name = "abs"
func.func @abs(%x: tensor<2x3xf32>) {
  // CHECK: mind.abs %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.abs"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.abs %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @ceil(
// GENERIC-LABEL: sym_name = "ceil"
func.func @ceil(%x: tensor<2x3xf32>) {
  // CHECK: mind.ceil %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.ceil"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.ceil %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @floor(
// GENERIC-LABEL: sym_name = "floor"
func.func @floor(%x: tensor<2x3xf32>) {
  // CHECK: mind.floor %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.floor"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.floor %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @maximum(
// GENERIC-LABEL: sym_name = "maximum"
func.func @maximum(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // CHECK: mind.maximum %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.maximum"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.maximum %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @minimum(
// GENERIC-LABEL: sym_name = "minimum"
func.func @minimum(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // CHECK: mind.minimum %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.minimum"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.minimum %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @remainder(
// GENERIC-LABEL: sym_name = "remainder"
func.func @remainder(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // CHECK: mind.remainder %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.remainder"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.remainder %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @round(
// GENERIC-LABEL: sym_name = "round"
func.func @round(%x: tensor<2x3xf32>) {
  // CHECK: mind.round %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.round"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.round %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @sign(
// GENERIC-LABEL: sym_name = "sign"
func.func @sign(%x: tensor<2x3xf32>) {
  // CHECK: mind.sign %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.sign"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.sign %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @stop_gradient(
// GENERIC-LABEL: sym_name = "stop_gradient"
func.func @stop_gradient(%x: tensor<2x3xf32>) {
  // CHECK: mind.stop_gradient %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.stop_gradient"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.stop_gradient %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
