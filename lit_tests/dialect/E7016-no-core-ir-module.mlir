// RUN: exits-with 1 mind-opt %s --canonicalize 2>&1 | FileCheck %s
// CHECK:      error[E7016]: scf.execute_region is no operation of Core IR
// CHECK-NEXT:  --> {{.*}}.mlir:9:
// CHECK:      help: one function whose operations are those of mind is a Core IR module
module {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %zero = "mind.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %c = "mind.neg"(%zero) : (tensor<4xf32>) -> tensor<4xf32>
    %z = scf.execute_region -> tensor<4xf32> {
      scf.yield %c : tensor<4xf32>
    }
    return %z : tensor<4xf32>
  }
}
