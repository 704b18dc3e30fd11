// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(func.func(mind-canonicalize))' %s | FileCheck %s
// mind-canonicalize runs on any operation, finds those of the dialect wherever they stand, and leaves others alone.

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2x3xf32>, %c: i1) -> tensor<2x3xf32> {
  // CHECK: arith.constant 2 : index
  // CHECK: arith.addi
  %two = arith.constant 2 : index
  %four = arith.addi %two, %two : index
  %0 = scf.if %c -> tensor<2x3xf32> {
    // CHECK: mind.sum %{{.*}}, axes = [1], keepdims = true
    %1 = mind.sum %x, axes = [-1], keepdims = true : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %2 = mind.add %x, %1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    scf.yield %2 : tensor<2x3xf32>
  } else {
    // CHECK-NOT: mind.neg
    %1 = mind.neg %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = mind.neg %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    scf.yield %2 : tensor<2x3xf32>
  }
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @empty
func.func @empty() {
  return
}
