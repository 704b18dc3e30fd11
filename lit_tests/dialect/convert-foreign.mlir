// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(func.func(convert-mind-to-linalg))' %s | FileCheck %s
// What is not of the dialect stays, within loops and beside calls; the pass runs on any operation.

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: @in_a_loop
func.func @in_a_loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // CHECK: scf.for {{.*}} iter_args(%[[Y:.*]] = %arg0) -> (tensor<4xf32>) {
  %0 = scf.for %i = %zero to %n step %one iter_args(%y = %x) -> tensor<4xf32> {
    // CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<4xf32>
    // CHECK-NEXT: %[[P:.*]] = linalg.mul ins(%[[Y]], %arg0 : {{.*}}) outs(%[[E]] : tensor<4xf32>)
    // CHECK-NEXT: %[[Q:.*]] = func.call @elsewhere(%[[P]])
    // CHECK-NEXT: scf.yield %[[Q]]
    %p = mind.mul %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %q = func.call @elsewhere(%p) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
