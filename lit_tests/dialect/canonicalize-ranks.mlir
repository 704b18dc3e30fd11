// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(mind-canonicalize)' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --canonicalize %s | FileCheck %s
// Along an axis of one rank nothing moves; of two placements in a row the second holds.

// CHECK-LABEL: func.func @one_rank
// CHECK-SAME: (%[[X:.*]]: tensor<4x3xf32>)
func.func @one_rank(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK-NOT: mind.
  %0 = mind.all_reduce %x, axis = "dp", size = 1, kind = "max" : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %1 = mind.all_gather %0, axis = "dp", size = 1, dim = 1, invariant = true : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = mind.reduce_scatter %1, axis = "dp", size = 1, dim = 0 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = mind.all_to_all %2, axis = "dp", size = 1, split = 0, concat = 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %4 = mind.shard_slice %3, axis = "dp", size = 1, dim = 0 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %5 = mind.pvary %4, axis = "dp", size = 1 : (tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK: return %[[X]]
  return %5 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @two_ranks
func.func @two_ranks(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK: mind.all_reduce
  %0 = mind.all_reduce %x, axis = "dp", size = 2, kind = "max" : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @placed_twice
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
func.func @placed_twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %[[Y:.*]] = mind.reshard %[[X]], to = "[tp]" {mind.sharding = "[tp]"} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: return %[[Y]]
  %0 = mind.reshard %x, to = "[dp]" : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mind.reshard %0, to = "[tp]" {mind.sharding = "[tp]"} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @partial
func.func @partial(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-COUNT-2: mind.reshard
  %0 = mind.reshard %x, to = "[dp]" : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mind.reshard %0, to = "partial([dp], [tp])" : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
