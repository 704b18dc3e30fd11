// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Reductions, shapes, ranges and rows are read and written in both forms.

// CHECK-LABEL: func.func @reductions
// GENERIC-LABEL: sym_name = "reductions"
func.func @reductions(%x: tensor<3x4x5xf32>) {
  // CHECK: mind.sum %{{.*}}, axes = [-1], keepdims = true : (tensor<3x4x5xf32>) -> tensor<3x4x1xf32>
  // GENERIC: "mind.sum"(%{{.*}}) {axes = array<i64: -1>, keepdims = true} : (tensor<3x4x5xf32>) -> tensor<3x4x1xf32>
  %0 = mind.sum %x, axes = [-1], keepdims = true : (tensor<3x4x5xf32>) -> tensor<3x4x1xf32>
  // CHECK: mind.mean %{{.*}}, axes = [], keepdims = true : (tensor<3x4x5xf32>) -> tensor<f32>
  // GENERIC: "mind.mean"(%{{.*}}) {axes = array<i64>, keepdims = true} : (tensor<3x4x5xf32>) -> tensor<f32>
  %1 = mind.mean %x, axes = [], keepdims = true : (tensor<3x4x5xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @shapes
// GENERIC-LABEL: sym_name = "shapes"
func.func @shapes(%x: tensor<2x3xf32>) {
  // CHECK: mind.broadcast %{{.*}}, shape = [4, 2, 3] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  // GENERIC: "mind.broadcast"(%{{.*}}) {shape = array<i64: 4, 2, 3>}
  %0 = mind.broadcast %x, shape = [4, 2, 3] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  // CHECK: mind.expand_dims %{{.*}}, axes = [0, -1] : (tensor<2x3xf32>) -> tensor<1x2x3x1xf32>
  // GENERIC: "mind.expand_dims"(%{{.*}}) {axes = array<i64: 0, -1>}
  %1 = mind.expand_dims %x, axes = [0, -1] : (tensor<2x3xf32>) -> tensor<1x2x3x1xf32>
  // CHECK: mind.squeeze %{{.*}}, axes = [0] : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
  // GENERIC: "mind.squeeze"(%{{.*}}) {axes = array<i64: 0>}
  %2 = mind.squeeze %1, axes = [0] : (tensor<1x2x3x1xf32>) -> tensor<2x3x1xf32>
  // CHECK: mind.reshape %{{.*}}, new_shape = [3, -1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // GENERIC: "mind.reshape"(%{{.*}}) {new_shape = array<i64: 3, -1>}
  %3 = mind.reshape %x, new_shape = [3, -1] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: mind.transpose %{{.*}}, permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // GENERIC: "mind.transpose"(%{{.*}}) {permutation = array<i64: 1, 0>}
  %4 = mind.transpose %x, permutation = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// CHECK-LABEL: func.func @ranges
// GENERIC-LABEL: sym_name = "ranges"
func.func @ranges(%x: tensor<5x4xf32>) {
  // CHECK: mind.index %{{.*}}, indices = [-1, 2] : (tensor<5x4xf32>) -> tensor<f32>
  // GENERIC: "mind.index"(%{{.*}}) {indices = array<i64: -1, 2>}
  %0 = mind.index %x, indices = [-1, 2] : (tensor<5x4xf32>) -> tensor<f32>
  // CHECK: mind.slice %{{.*}}, starts = [-3, 0], ends = [5, 4], steps = [1, 3] : (tensor<5x4xf32>) -> tensor<3x2xf32>
  // GENERIC: "mind.slice"(%{{.*}}) {ends = array<i64: 5, 4>, starts = array<i64: -3, 0>, steps = array<i64: 1, 3>}
  %1 = mind.slice %x, starts = [-3, 0], ends = [5, 4], steps = [1, 3] : (tensor<5x4xf32>) -> tensor<3x2xf32>
  // CHECK: mind.pad %{{.*}}, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<5x4xf32>) -> tensor<6x9xf32>
  // GENERIC: "mind.pad"(%{{.*}}) {high = array<i64: 0, 2>, interior = array<i64: 0, 1>, low = array<i64: 1, 0>}
  %2 = mind.pad %x, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<5x4xf32>) -> tensor<6x9xf32>
  return
}

// `oob` is "error" where it is left out, and is not written where it is "error".
// CHECK-LABEL: func.func @rows
// GENERIC-LABEL: sym_name = "rows"
func.func @rows(%x: tensor<5x3xf32>, %i: tensor<4xi64>, %u: tensor<4x3xf32>) {
  // CHECK: mind.gather %{{.*}}, %{{.*}} : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  // GENERIC: "mind.gather"(%{{.*}}, %{{.*}}) {oob = "error"} : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  %0 = mind.gather %x, %i : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  // CHECK: mind.gather %{{.*}}, %{{.*}}, oob = "clip" :
  // GENERIC: "mind.gather"(%{{.*}}, %{{.*}}) {oob = "clip"}
  %1 = mind.gather %x, %i, oob = "clip" : (tensor<5x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>
  // CHECK: mind.scatter_add %{{.*}}, %{{.*}}, %{{.*}} : (tensor<5x3xf32>, tensor<4xi64>, tensor<4x3xf32>) -> tensor<5x3xf32>
  // GENERIC: "mind.scatter_add"(%{{.*}}, %{{.*}}, %{{.*}}) {oob = "error"}
  %2 = "mind.scatter_add"(%x, %i, %u) : (tensor<5x3xf32>, tensor<4xi64>, tensor<4x3xf32>) -> tensor<5x3xf32>
  // CHECK: mind.scatter_add %{{.*}}, %{{.*}}, %{{.*}}, oob = "fill" :
  // GENERIC: "mind.scatter_add"(%{{.*}}, %{{.*}}, %{{.*}}) {oob = "fill"}
  %3 = mind.scatter_add %x, %i, %u, oob = "fill" : (tensor<5x3xf32>, tensor<4xi64>, tensor<4x3xf32>) -> tensor<5x3xf32>
  return
}
