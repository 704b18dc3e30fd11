// RUN: exits-with 1 mind-opt %s 2>&1 | FileCheck %s
// RUN: exits-with 1 mind-opt %s --convert-mind-to-linalg 2>&1 | FileCheck %s --check-prefix=CONVERT
// A module of the dialect is held to the rules of Core IR.
// CHECK: error[E3003]: MatMul contracts 3 against 4
// CONVERT: error[E7008]: the MLIR pass convert-mind-to-linalg failed
// CONVERT: note: E3003: MatMul contracts 3 against 4 at "-":8:
func.func @f(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<2x5xf32> {
  %0 = "mind.matmul"(%x, %y) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
