// REQUIRES: native
// RUN: mlir-opt %s --load-dialect-plugin=%plugin --load-pass-plugin=%plugin --pass-pipeline='builtin.module(convert-mind-to-linalg)' > %t
// RUN: FileCheck %s < %t
// RUN: mlir-opt %t --linalg-generalize-named-ops --linalg-fuse-elementwise-ops | FileCheck %s --check-prefix=FUSED
// What the plugin's conversion writes, stock passes take up; the code around it stays as it is.

// CHECK-LABEL: @main
// CHECK-NOT: mind.
// CHECK: linalg.
// CHECK: scf.for
// FUSED: linalg.generic
func.func @main(%x: tensor<2xf32>, %n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = mind.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%y = %0) -> tensor<2xf32> {
    %2 = mind.mul %y, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  }
  return %1 : tensor<2xf32>
}
