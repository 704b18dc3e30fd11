// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Products and convolutions are read and written in both forms; a padding in brackets stands as an array.

// CHECK-LABEL: func.func @products
// GENERIC-LABEL: sym_name = "products"
func.func @products(%a: tensor<2x1x4x5xf32>, %b: tensor<3x5x6xf32>, %v: tensor<5xf32>) {
  // CHECK: mind.matmul %{{.*}}, %{{.*}} : (tensor<2x1x4x5xf32>, tensor<3x5x6xf32>) -> tensor<2x3x4x6xf32>
  // GENERIC: "mind.matmul"(%{{.*}}, %{{.*}}) : (tensor<2x1x4x5xf32>, tensor<3x5x6xf32>) -> tensor<2x3x4x6xf32>
  %0 = mind.matmul %a, %b : (tensor<2x1x4x5xf32>, tensor<3x5x6xf32>) -> tensor<2x3x4x6xf32>
  // CHECK: mind.dot %{{.*}}, %{{.*}} : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  // GENERIC: "mind.dot"(%{{.*}}, %{{.*}}) : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  %1 = mind.dot %v, %v : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @convolutions
// GENERIC-LABEL: sym_name = "convolutions"
func.func @convolutions(%x: tensor<1x5x5x2xf32>, %w: tensor<3x3x2x1xf32>, %y: tensor<1x2x3x1xf32>) {
  // CHECK: mind.conv2d %{{.*}}, %{{.*}}, strides = [2, 2], padding = {{\[\[}}1, 0], [2, 1]]
  // CHECK-SAME: : (tensor<1x5x5x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x2x3x1xf32>
  // GENERIC: "mind.conv2d"(%{{.*}}, %{{.*}}) {padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 2>}
  %0 = mind.conv2d %x, %w, strides = [2, 2], padding = [[1, 0], [2, 1]]
     : (tensor<1x5x5x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x2x3x1xf32>
  // CHECK: mind.conv2d %{{.*}}, %{{.*}}, strides = [1, 1], padding = "Same"
  // GENERIC: "mind.conv2d"(%{{.*}}, %{{.*}}) {padding = "Same", strides = array<i64: 1, 1>}
  %1 = mind.conv2d %x, %w, strides = [1, 1], padding = "Same"
     : (tensor<1x5x5x2xf32>, tensor<3x3x2x1xf32>) -> tensor<1x5x5x1xf32>
  // CHECK: mind.conv2d_backward_filter %{{.*}}, %{{.*}}, filter_shape = [3, 3, 2, 1], strides = [2, 2], padding = {{\[\[}}1, 0], [2, 1]]
  // GENERIC: "mind.conv2d_backward_filter"(%{{.*}}, %{{.*}}) {filter_shape = array<i64: 3, 3, 2, 1>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 2>}
  %2 = mind.conv2d_backward_filter %x, %y, filter_shape = [3, 3, 2, 1], strides = [2, 2], padding = [[1, 0], [2, 1]]
     : (tensor<1x5x5x2xf32>, tensor<1x2x3x1xf32>) -> tensor<3x3x2x1xf32>
  // CHECK: mind.conv2d_backward_input %{{.*}}, %{{.*}}, input_shape = [1, 5, 5, 2], strides = [2, 2], padding = {{\[\[}}1, 0], [2, 1]]
  // GENERIC: "mind.conv2d_backward_input"(%{{.*}}, %{{.*}}) {input_shape = array<i64: 1, 5, 5, 2>, padding = array<i64: 1, 0, 2, 1>, strides = array<i64: 2, 2>}
  %3 = mind.conv2d_backward_input %y, %w, input_shape = [1, 5, 5, 2], strides = [2, 2], padding = [[1, 0], [2, 1]]
     : (tensor<1x2x3x1xf32>, tensor<3x3x2x1xf32>) -> tensor<1x5x5x2xf32>
  return
}
