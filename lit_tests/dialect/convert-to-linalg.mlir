// RUN: mind-opt %s --convert-mind-to-linalg | FileCheck %s
// RUN: mind-opt %s --convert-mind-to-linalg='numerics=strict' | FileCheck %s --check-prefix=STRICT
// Operations of the dialect become linalg where they stand; the rest of the module stays.
// CHECK-LABEL: func.func @loop
// CHECK:       scf.for
// CHECK-NEXT:    %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %[[M:.*]] = linalg.mul ins(%{{.*}}, %{{.*}} : tensor<4xf32>, tensor<4xf32>) outs(%[[E]] : tensor<4xf32>)
// CHECK-NEXT:    scf.yield %[[M]]
// CHECK-LABEL: func.func @total
// CHECK:       linalg.reduce { arith.addf {fastmath = #arith.fastmath<reassoc>} }
// CHECK-LABEL: func.func @pick
// CHECK:       %[[FLAG:.*]] = linalg.generic
// CHECK:       %[[F:.*]] = tensor.extract %[[FLAG]][] : tensor<i64>
// CHECK:       %[[OK:.*]] = arith.cmpi eq, %[[F]], %{{.*}} : i64
// CHECK:       cf.assert %[[OK]], "Gather index out of bounds"
// CHECK-NOT:   mind.
// STRICT-LABEL: func.func @total
// STRICT-NOT:   reassoc
// STRICT:       tensor.expand_shape {{.*}} : tensor<256xf32> into tensor<2x128xf32>
func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %z = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> tensor<4xf32> {
    %s = "mind.mul"(%acc, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}
func.func @total(%x: tensor<256xf32>) -> tensor<f32> {
  %y = "mind.sum"(%x) {axes = array<i64>, keepdims = false} : (tensor<256xf32>) -> tensor<f32>
  return %y : tensor<f32>
}
func.func @pick(%x: tensor<4xf32>, %i: tensor<2xi64>) -> tensor<2xf32> {
  %y = "mind.gather"(%x, %i) : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
