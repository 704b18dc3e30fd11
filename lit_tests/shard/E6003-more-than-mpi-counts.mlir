// RUN: exits-with 1 mind-opt -p lower-collectives %s 2>&1 | FileCheck %s

module {
  shard.grid @mind_mesh(shape = 2)
  func.func @main(%x: tensor<65536x65536xf32>) -> tensor<65536x65536xf32> {
    %0 = shard.all_reduce %x on @mind_mesh grid_axes = [0] : tensor<65536x65536xf32> -> tensor<65536x65536xf32>
    return %0 : tensor<65536x65536xf32>
  }
}

// CHECK: error[E6003]: all_reduce of 4294967296 elements on a rank; MPI counts up to 2147483647
