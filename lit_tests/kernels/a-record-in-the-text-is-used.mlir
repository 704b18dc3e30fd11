// RUN: mind-opt %s -p 'expand-kernels{cpu=avx512},canonicalize,cse' | FileCheck %s
// The tile is as the text says, whatever the rules choose: three rows of one vector, two terms a turn.

func.func private @contraction0(%out: memref<6x32xf32> {llvm.noalias}, %x: memref<6x8xf32> {llvm.noalias},
                                %y: memref<8x32xf32> {llvm.noalias})
    attributes {mind.strategy = {align = false, block = 0 : i64, columns = 16 : i64, depth = 0 : i64, fused = false,
                                 kind = "contraction", pack = false, rows = 3 : i64, unroll = 2 : i64}} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<6x32xf32>)
  linalg.matmul ins(%x, %y : memref<6x8xf32>, memref<8x32xf32>) outs(%out : memref<6x32xf32>)
  return
}

// CHECK-NOT:   linalg
// CHECK:       scf.for %{{.*}} = %c0 to %c6 step %c3 {
// CHECK:         scf.for %{{.*}} = %c0 to %c32 step %c16 {
// CHECK:           %[[SUMS:.*]]:3 = scf.for %{{.*}} = %c0 to %c8 step %c2 iter_args(
// CHECK-COUNT-6:     arith.mulf
// CHECK-NOT:         arith.mulf
// CHECK:             scf.yield
// CHECK:           vector.store %[[SUMS]]#2
