// RUN: mind-opt %s --canonicalize | FileCheck %s
// RUN: mind-opt %s -p 'canonicalize,lower-to-linalg' | FileCheck %s --check-prefix=LINALG
// RUN: mind-opt %s -p 'builtin.module(canonicalize)' | FileCheck %s --check-prefix=MLIR
// RUN: mind-opt %s --canonicalize --digest > %t.digest
// RUN: mind-translate --from-mind %s | mind-opt --canonicalize --digest | diff - %t.digest
// Core passes run on MLIR of the dialect as on Core IR text, and give it back.
// CHECK:      func.func @main(%x: tensor<2x3xf32> {mind.name = "x"}) -> tensor<2xf32> {
// CHECK-NEXT:   "mind.sum"(%x) {axes = array<i64: 1>, keepdims = false}
// LINALG: func.func @main(%x: tensor<2x3xf32> {bufferization.writable = false})
// LINALG: linalg.reduce
// MLIR: "mind.sum"({{.*}}) {axes = array<i64: -1>, keepdims = false}
module attributes {mind.ir_version = 1 : i64} {
  func.func @main(%x: tensor<2x3xf32> {mind.name = "x"}) -> tensor<2xf32> {
    %0 = "mind.neg"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %1 = "mind.neg"(%0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %2 = "mind.sum"(%1) {axes = array<i64: -1>, keepdims = false} : (tensor<2x3xf32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}
