// RUN: mind-opt %s -p canonicalize | FileCheck %s
// RUN: mind-opt %s --canonicalize | FileCheck %s
// RUN: mind-opt %s --cpu-bufferize --dump-pipeline | FileCheck %s --check-prefix=DUMP
// A .mlir file enters at the MLIR level: `canonicalize` is MLIR's, and no Core pass runs.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %unused = arith.constant 1.0 : f32
  return %x : tensor<4xf32>
}

// CHECK:      func.func @f(%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   return %[[X]] : tensor<4xf32>
// CHECK-NEXT: }

// DUMP: {{^}}builtin.module(bools-as-bytes,cpu-abi,
