// RUN: mind-opt %s --gradient='wrt=0' --profile=extended | FileCheck %s
// The gradient of a module of the dialect is a module of the dialect, with the map in an attribute.
// CHECK: -> (tensor<f32>, tensor<3xf32>) attributes {mind.gradients = array<i64: 0, [[G:[0-9]+]]>}
func.func @main(%x: tensor<3xf32> {mind.name = "x"}) -> tensor<f32> {
  %0 = "mind.mul"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = "mind.sum"(%0) {axes = array<i64>, keepdims = false} : (tensor<3xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}
