// RUN: exits-with 1 mind-opt %s --split-input-file -p 'expand-kernels{cpu=avx512}' 2>&1 | FileCheck --strict-whitespace %s
// A record that does not fit its function or its strategy is refused, by the name of the function and of the field.

// CHECK:      error[E7008]: the MLIR pass expand-kernels failed
// CHECK-NEXT:   = note: tile: columns are 1 to 8 vectors of 16, found 20
// CHECK-NEXT:   = help: see it again with: mind-opt mind-reproducer-{{.*}}.mlir --expand-kernels
func.func private @tile(%out: memref<6x32xf32>, %x: memref<6x8xf32>, %y: memref<8x32xf32>)
    attributes {mind.strategy = {align = false, block = 0 : i64, columns = 20 : i64, depth = 0 : i64, fused = false,
                                 kind = "contraction", pack = false, rows = 3 : i64, unroll = 2 : i64}} {
  linalg.matmul ins(%x, %y : memref<6x8xf32>, memref<8x32xf32>) outs(%out : memref<6x32xf32>)
  return
}

// -----

// CHECK:      error[E7008]: the MLIR pass expand-kernels failed
// CHECK-NEXT:   = note: short: unroll is missing
func.func private @short(%out: memref<6x32xf32>, %x: memref<6x8xf32>, %y: memref<8x32xf32>)
    attributes {mind.strategy = {align = false, block = 0 : i64, columns = 16 : i64, depth = 0 : i64, fused = false,
                                 kind = "contraction", pack = false, rows = 3 : i64}} {
  linalg.matmul ins(%x, %y : memref<6x8xf32>, memref<8x32xf32>) outs(%out : memref<6x32xf32>)
  return
}

// -----

// CHECK:      error[E7008]: the MLIR pass expand-kernels failed
// CHECK-NEXT:   = note: dot: rows is an i64, found "one"
func.func private @dot(%out: memref<f32>, %x: memref<64xf32>, %y: memref<64xf32>)
    attributes {mind.strategy = {fused = true, kind = "dots", rows = "one", vectors = 4 : i64}} {
  linalg.dot ins(%x, %y : memref<64xf32>, memref<64xf32>) outs(%out : memref<f32>)
  return
}

// -----

// CHECK:      error[E7008]: the MLIR pass expand-kernels failed
// CHECK-NEXT:   = note: other: the operations of the function are no dots
func.func private @other(%out: memref<64xf32>, %x: memref<64xf32>)
    attributes {mind.strategy = {fused = true, kind = "dots", rows = 1 : i64, vectors = 4 : i64}} {
  linalg.exp ins(%x : memref<64xf32>) outs(%out : memref<64xf32>)
  return
}

// -----

// CHECK:      error[E7008]: mind.threads is an i64 above 0, found 0 : i64
func.func private @threads(%out: memref<64xf32>, %x: memref<64xf32>)
    attributes {mind.threads = 0 : i64, mind.strategy = {kind = "elementwise"}} {
  linalg.exp ins(%x : memref<64xf32>) outs(%out : memref<64xf32>)
  return
}
// CHECK-NOT: {{^}}error
