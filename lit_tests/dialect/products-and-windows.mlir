// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Products over any dimensions, convolutions and windows.

// CHECK-LABEL: func.func @conv(
// GENERIC-LABEL: sym_name = "conv"
func.func @conv(%x: tensor<2x5x4x3xf32>, %y: tensor<3x2x3x2xf32>) {
  // CHECK: mind.conv %{{.*}}, %{{.*}}, layout = "NHWC, HWIO -> NHWC", strides = [2, 1], low = [1, 0], high = [0, 1], input_dilation = [], filter_dilation = [], reverse = false, groups = 1, batch_groups = 1 : (tensor<2x5x4x3xf32>, tensor<3x2x3x2xf32>) -> tensor<2x2x4x2xf32>
  // GENERIC: "mind.conv"(%{{.*}}, %{{.*}}) {batch_groups = 1 : i64, filter_dilation = array<i64>, groups = 1 : i64, high = array<i64: 0, 1>, input_dilation = array<i64>, layout = "NHWC, HWIO -> NHWC", low = array<i64: 1, 0>, reverse = false, strides = array<i64: 2, 1>} : (tensor<2x5x4x3xf32>, tensor<3x2x3x2xf32>) -> tensor<2x2x4x2xf32>
  %0 = mind.conv %x, %y, layout = "NHWC, HWIO -> NHWC", strides = [2, 1], low = [1, 0], high = [0, 1], input_dilation = [], filter_dilation = [], reverse = false, groups = 1, batch_groups = 1 : (tensor<2x5x4x3xf32>, tensor<3x2x3x2xf32>) -> tensor<2x2x4x2xf32>
  return
}

// CHECK-LABEL: func.func @dot_general(
// GENERIC-LABEL: sym_name = "dot_general"
func.func @dot_general(%x: tensor<4x5xf32>, %y: tensor<5x3xf32>) {
  // CHECK: mind.dot_general %{{.*}}, %{{.*}}, lhs_batch = [], rhs_batch = [], lhs_contract = [1], rhs_contract = [0] : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  // GENERIC: "mind.dot_general"(%{{.*}}, %{{.*}}) {lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  %0 = mind.dot_general %x, %y, lhs_batch = [], rhs_batch = [], lhs_contract = [1], rhs_contract = [0] : (tensor<4x5xf32>, tensor<5x3xf32>) -> tensor<4x3xf32>
  return
}

// CHECK-LABEL: func.func @in_a_wider_type(
// GENERIC-LABEL: sym_name = "in_a_wider_type"
func.func @in_a_wider_type(%x: tensor<4x5xui8>, %y: tensor<5x3xi8>) {
  // CHECK: mind.dot_general %{{.*}}, %{{.*}}, lhs_batch = [], rhs_batch = [], lhs_contract = [1], rhs_contract = [0], element_type = i32 : (tensor<4x5xui8>, tensor<5x3xi8>) -> tensor<4x3xi32>
  // GENERIC: "mind.dot_general"(%{{.*}}, %{{.*}}) {element_type = i32, lhs_batch = array<i64>, lhs_contract = array<i64: 1>, rhs_batch = array<i64>, rhs_contract = array<i64: 0>} : (tensor<4x5xui8>, tensor<5x3xi8>) -> tensor<4x3xi32>
  %0 = mind.dot_general %x, %y, lhs_batch = [], rhs_batch = [], lhs_contract = [1], rhs_contract = [0], element_type = i32 : (tensor<4x5xui8>, tensor<5x3xi8>) -> tensor<4x3xi32>
  return
}

// CHECK-LABEL: func.func @window_arg_max(
// GENERIC-LABEL: sym_name = "window_arg_max"
func.func @window_arg_max(%x: tensor<2x6x4x3xf32>) {
  // CHECK: mind.window_arg_max %{{.*}}, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xi32>
  // GENERIC: "mind.window_arg_max"(%{{.*}}) {dilation = array<i64>, high = array<i64>, low = array<i64>, strides = array<i64: 1, 2, 2, 1>, window = array<i64: 1, 2, 2, 1>} : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xi32>
  %0 = mind.window_arg_max %x, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xi32>
  return
}

// CHECK-LABEL: func.func @window_gather(
// GENERIC-LABEL: sym_name = "window_gather"
func.func @window_gather(%x: tensor<2x6x4x3xf32>, %y: tensor<2x3x2x3xi32>) {
  // CHECK: mind.window_gather %{{.*}}, %{{.*}}, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>, tensor<2x3x2x3xi32>) -> tensor<2x3x2x3xf32>
  // GENERIC: "mind.window_gather"(%{{.*}}, %{{.*}}) {dilation = array<i64>, high = array<i64>, low = array<i64>, strides = array<i64: 1, 2, 2, 1>, window = array<i64: 1, 2, 2, 1>} : (tensor<2x6x4x3xf32>, tensor<2x3x2x3xi32>) -> tensor<2x3x2x3xf32>
  %0 = mind.window_gather %x, %y, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>, tensor<2x3x2x3xi32>) -> tensor<2x3x2x3xf32>
  return
}

// CHECK-LABEL: func.func @window_max(
// GENERIC-LABEL: sym_name = "window_max"
func.func @window_max(%x: tensor<2x6x4x3xf32>) {
  // CHECK: mind.window_max %{{.*}}, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xf32>
  // GENERIC: "mind.window_max"(%{{.*}}) {dilation = array<i64>, high = array<i64>, low = array<i64>, strides = array<i64: 1, 2, 2, 1>, window = array<i64: 1, 2, 2, 1>} : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xf32>
  %0 = mind.window_max %x, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xf32>
  return
}

// CHECK-LABEL: func.func @window_scatter_add(
// GENERIC-LABEL: sym_name = "window_scatter_add"
func.func @window_scatter_add(%x: tensor<2x3x2x3xf32>, %y: tensor<2x3x2x3xi32>) {
  // CHECK: mind.window_scatter_add %{{.*}}, %{{.*}}, shape = [2, 6, 4, 3], window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) -> tensor<2x6x4x3xf32>
  // GENERIC: "mind.window_scatter_add"(%{{.*}}, %{{.*}}) {dilation = array<i64>, high = array<i64>, low = array<i64>, shape = array<i64: 2, 6, 4, 3>, strides = array<i64: 1, 2, 2, 1>, window = array<i64: 1, 2, 2, 1>} : (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) -> tensor<2x6x4x3xf32>
  %0 = mind.window_scatter_add %x, %y, shape = [2, 6, 4, 3], window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x3x2x3xf32>, tensor<2x3x2x3xi32>) -> tensor<2x6x4x3xf32>
  return
}

// CHECK-LABEL: func.func @window_sum(
// GENERIC-LABEL: sym_name = "window_sum"
func.func @window_sum(%x: tensor<2x6x4x3xf32>) {
  // CHECK: mind.window_sum %{{.*}}, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xf32>
  // GENERIC: "mind.window_sum"(%{{.*}}) {dilation = array<i64>, high = array<i64>, low = array<i64>, strides = array<i64: 1, 2, 2, 1>, window = array<i64: 1, 2, 2, 1>} : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xf32>
  %0 = mind.window_sum %x, window = [1, 2, 2, 1], strides = [1, 2, 2, 1], low = [], high = [] : (tensor<2x6x4x3xf32>) -> tensor<2x3x2x3xf32>
  return
}
