// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Comparisons, bits and conversions are read and written in both forms.

func.func @comparisons(%x: tensor<3xf32>, %y: tensor<3xf32>) {
  // CHECK: mind.equal %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // GENERIC: "mind.equal"
  %0 = mind.equal %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: mind.not_equal %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // GENERIC: "mind.not_equal"
  %1 = mind.not_equal %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: mind.less %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // GENERIC: "mind.less"
  %2 = mind.less %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: mind.less_equal %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // GENERIC: "mind.less_equal"
  %3 = mind.less_equal %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: mind.greater_equal %{{.*}}, %{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // GENERIC: "mind.greater_equal"
  %4 = mind.greater_equal %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  // CHECK: mind.is_finite %{{.*}} : (tensor<3xf32>) -> tensor<3xi1>
  // GENERIC: "mind.is_finite"
  %5 = mind.is_finite %x : (tensor<3xf32>) -> tensor<3xi1>
  return
}

func.func @bits(%x: tensor<3xui8>, %y: tensor<3xui8>) {
  // CHECK: mind.and %{{.*}}, %{{.*}} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.and"
  %0 = mind.and %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // CHECK: mind.or %{{.*}}, %{{.*}} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.or"
  %1 = mind.or %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // CHECK: mind.xor %{{.*}}, %{{.*}} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.xor"
  %2 = mind.xor %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // CHECK: mind.shift_left %{{.*}}, %{{.*}} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.shift_left"
  %3 = mind.shift_left %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // CHECK: mind.shift_right_logical %{{.*}}, %{{.*}} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.shift_right_logical"
  %4 = mind.shift_right_logical %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // CHECK: mind.shift_right_arithmetic %{{.*}}, %{{.*}} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.shift_right_arithmetic"
  %5 = mind.shift_right_arithmetic %x, %y : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  // CHECK: mind.not %{{.*}} : (tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.not"
  %6 = mind.not %x : (tensor<3xui8>) -> tensor<3xui8>
  // CHECK: mind.pop_count %{{.*}} : (tensor<3xui8>) -> tensor<3xui8>
  // GENERIC: "mind.pop_count"
  %7 = mind.pop_count %x : (tensor<3xui8>) -> tensor<3xui8>
  return
}

func.func @conversions(%x: tensor<3xf32>) {
  // CHECK: mind.convert %{{.*}}, to = ui8 : (tensor<3xf32>) -> tensor<3xui8>
  // GENERIC: "mind.convert"
  %0 = mind.convert %x, to = ui8 : (tensor<3xf32>) -> tensor<3xui8>
  // CHECK: mind.bit_cast %{{.*}}, to = ui32 : (tensor<3xf32>) -> tensor<3xui32>
  // GENERIC: "mind.bit_cast"
  %1 = mind.bit_cast %x, to = ui32 : (tensor<3xf32>) -> tensor<3xui32>
  return
}
