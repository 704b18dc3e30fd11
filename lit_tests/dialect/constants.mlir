// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Constants keep every bit, those of NaNs too; the module states which Core IR it is.

// CHECK: module attributes {mind.ir_version = 1 : i64}
module attributes {mind.ir_version = 1 : i64} {
  func.func @main() {
    // CHECK: mind.const_f32 value = 1.000000e-01 : tensor<f32>
    // GENERIC: "mind.const_f32"() {value = 1.000000e-01 : f32} : () -> tensor<f32>
    %0 = mind.const_f32 value = 1.000000e-01 : tensor<f32>
    // CHECK: mind.const_f32 value = 0x7F800001 : tensor<f32>
    // GENERIC: "mind.const_f32"() {value = 0x7F800001 : f32} : () -> tensor<f32>
    %1 = mind.const_f32 value = 0x7F800001 : tensor<f32>
    // CHECK: mind.const_f64 value = -0.000000e+00 : tensor<f64>
    // GENERIC: "mind.const_f64"() {value = -0.000000e+00 : f64} : () -> tensor<f64>
    %2 = mind.const_f64 value = -0.000000e+00 : tensor<f64>
    // CHECK: mind.const_i64 value = 9223372036854775807 : tensor<i64>
    // GENERIC: "mind.const_i64"() {value = 9223372036854775807 : i64} : () -> tensor<i64>
    %3 = mind.const_i64 value = 9223372036854775807 : tensor<i64>
    // CHECK: mind.const_tensor dense<{{\[\[}}1, 2], [3, -4]]> : tensor<2x2xi32> : tensor<2x2xi32>
    // GENERIC: "mind.const_tensor"() {data = dense<{{\[\[}}1, 2], [3, -4]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
    %4 = mind.const_tensor dense<[[1, 2], [3, -4]]> : tensor<2x2xi32> : tensor<2x2xi32>
    // CHECK: mind.const_tensor dense<> : tensor<0x3xf64> : tensor<0x3xf64>
    %5 = mind.const_tensor dense<> : tensor<0x3xf64> : tensor<0x3xf64>
    return
  }
}
