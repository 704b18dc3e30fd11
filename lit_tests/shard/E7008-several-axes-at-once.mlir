// RUN: exits-with 1 mind-opt %s --lower-collectives 2>&1 | FileCheck %s
// MLIR's dialect shard has operations along several axes of a grid, the calls are along one.

shard.grid @grid(shape = 2x2)
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = shard.all_reduce %x on @grid grid_axes = [0, 1] : tensor<8xf32> -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK: error[E7008]: lower-collectives takes operations along one axis of a grid on static tensors, found shard.all_reduce
