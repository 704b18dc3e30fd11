// RUN: exits-with 1 mind-opt %s --convert-mind-to-linalg 2>&1 | FileCheck %s
// An operation between ranks that does not fit the mesh around it is refused by the conversion.
// CHECK: E8006: AllReduce along dp says 2 ranks, the mesh has 3
module attributes {mind.mesh = "dp = 3"} {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = "mind.all_reduce"(%x) {axis = "dp", size = 2 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
