// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Operations between ranks, and shardings, are read and written in both forms.

// CHECK: module attributes {mind.mesh = "dp = 2, tp = 4"}
module attributes {mind.mesh = "dp = 2, tp = 4"} {
  // CHECK-LABEL: func.func @reduce
  // CHECK-SAME: {mind.sharding = "[dp, _]"}
  // GENERIC-LABEL: sym_name = "reduce"
  func.func @reduce(%x: tensor<8x4xf32> {mind.sharding = "[dp, _]"}) -> tensor<8x4xf32> {
    // CHECK: mind.all_reduce %{{.*}}, axis = "dp", size = 2, kind = "sum" : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // GENERIC: "mind.all_reduce"(%{{.*}}) {axis = "dp", invariant = false, kind = "sum", size = 2 : i64}
    %0 = "mind.all_reduce"(%x) {axis = "dp", size = 2 : i64} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    // CHECK: mind.all_reduce %{{.*}}, axis = "tp", size = 4, kind = "max", invariant = true : (tensor<8x4xf32>)
    %1 = mind.all_reduce %0, axis = "tp", size = 4, kind = "max", invariant = true : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }

  // CHECK-LABEL: func.func @move
  func.func @move(%x: tensor<8x4xf32>) -> tensor<4x16xf32> {
    // CHECK: mind.all_gather %{{.*}}, axis = "tp", size = 4, dim = 0 : (tensor<8x4xf32>) -> tensor<32x4xf32>
    // GENERIC: "mind.all_gather"(%{{.*}}) {axis = "tp", dim = 0 : i64, invariant = false, size = 4 : i64}
    %0 = mind.all_gather %x, axis = "tp", size = 4, dim = 0 : (tensor<8x4xf32>) -> tensor<32x4xf32>
    // CHECK: mind.reduce_scatter %{{.*}}, axis = "dp", size = 2, dim = 0 : (tensor<32x4xf32>) -> tensor<16x4xf32>
    // GENERIC: "mind.reduce_scatter"
    %1 = mind.reduce_scatter %0, axis = "dp", size = 2, dim = 0 : (tensor<32x4xf32>) -> tensor<16x4xf32>
    // CHECK: mind.all_to_all %{{.*}}, axis = "tp", size = 4, split = 0, concat = 1 : (tensor<16x4xf32>) -> tensor<4x16xf32>
    // GENERIC: "mind.all_to_all"
    %2 = mind.all_to_all %1, axis = "tp", size = 4, split = 0, concat = 1 : (tensor<16x4xf32>) -> tensor<4x16xf32>
    return %2 : tensor<4x16xf32>
  }

  // CHECK-LABEL: func.func @place
  func.func @place(%x: tensor<8x4xf32>) -> tensor<4x4xf32> {
    // CHECK: mind.shard_slice %{{.*}}, axis = "dp", size = 2, dim = 0 : (tensor<8x4xf32>) -> tensor<4x4xf32>
    // GENERIC: "mind.shard_slice"
    %0 = mind.shard_slice %x, axis = "dp", size = 2, dim = 0 : (tensor<8x4xf32>) -> tensor<4x4xf32>
    // CHECK: mind.pvary %{{.*}}, axis = "dp", size = 2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // GENERIC: "mind.pvary"
    %1 = mind.pvary %0, axis = "dp", size = 2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
    // CHECK: mind.reshard %{{.*}}, to = "[_, [dp, tp]]" {mind.sharding = "partial([dp, _], [tp])"}
    // GENERIC: "mind.reshard"(%{{.*}}) {mind.sharding = "partial([dp, _], [tp])", to = "[_, [dp, tp]]"}
    %2 = mind.reshard %1, to = "[_, [dp, tp]]" {mind.sharding = "partial([dp, _], [tp])"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    return %2 : tensor<4x4xf32>
  }
}
