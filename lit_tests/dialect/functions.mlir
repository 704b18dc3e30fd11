// REQUIRES: native
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | mlir-opt --load-dialect-plugin=%plugin | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%plugin --mlir-print-op-generic %s | FileCheck --check-prefix=GENERIC %s
// Functions of numbers, computed by their own steps.

// CHECK-LABEL: func.func @acos(
// GENERIC-LABEL: sym_name = "acos"
func.func @acos(%x: tensor<2x3xf32>) {
  // CHECK: mind.acos %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.acos"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.acos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @acosh(
// GENERIC-LABEL: sym_name = "acosh"
func.func @acosh(%x: tensor<2x3xf32>) {
  // CHECK: mind.acosh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.acosh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.acosh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @asin(
// GENERIC-LABEL: sym_name = "asin"
func.func @asin(%x: tensor<2x3xf32>) {
  // CHECK: mind.asin %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.asin"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.asin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @asinh(
// GENERIC-LABEL: sym_name = "asinh"
func.func @asinh(%x: tensor<2x3xf32>) {
  // CHECK: mind.asinh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.asinh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.asinh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @atan(
// GENERIC-LABEL: sym_name = "atan"
func.func @atan(%x: tensor<2x3xf32>) {
  // CHECK: mind.atan %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.atan"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.atan %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @atan2(
// GENERIC-LABEL: sym_name = "atan2"
func.func @atan2(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // CHECK: mind.atan2 %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.atan2"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.atan2 %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @atanh(
// GENERIC-LABEL: sym_name = "atanh"
func.func @atanh(%x: tensor<2x3xf32>) {
  // CHECK: mind.atanh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.atanh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.atanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @cbrt(
// GENERIC-LABEL: sym_name = "cbrt"
func.func @cbrt(%x: tensor<2x3xf32>) {
  // CHECK: mind.cbrt %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.cbrt"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.cbrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @cos(
// GENERIC-LABEL: sym_name = "cos"
func.func @cos(%x: tensor<2x3xf32>) {
  // CHECK: mind.cos %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.cos"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.cos %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @cosh(
// GENERIC-LABEL: sym_name = "cosh"
func.func @cosh(%x: tensor<2x3xf32>) {
  // CHECK: mind.cosh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.cosh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.cosh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @erf(
// GENERIC-LABEL: sym_name = "erf"
func.func @erf(%x: tensor<2x3xf32>) {
  // CHECK: mind.erf %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.erf"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.erf %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @erf_inv(
// GENERIC-LABEL: sym_name = "erf_inv"
func.func @erf_inv(%x: tensor<2x3xf32>) {
  // CHECK: mind.erf_inv %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.erf_inv"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.erf_inv %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @erfc(
// GENERIC-LABEL: sym_name = "erfc"
func.func @erfc(%x: tensor<2x3xf32>) {
  // CHECK: mind.erfc %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.erfc"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.erfc %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @expm1(
// GENERIC-LABEL: sym_name = "expm1"
func.func @expm1(%x: tensor<2x3xf32>) {
  // CHECK: mind.expm1 %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.expm1"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.expm1 %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @log10(
// GENERIC-LABEL: sym_name = "log10"
func.func @log10(%x: tensor<2x3xf32>) {
  // CHECK: mind.log10 %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.log10"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.log10 %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @log1p(
// GENERIC-LABEL: sym_name = "log1p"
func.func @log1p(%x: tensor<2x3xf32>) {
  // CHECK: mind.log1p %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.log1p"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.log1p %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @log2(
// GENERIC-LABEL: sym_name = "log2"
func.func @log2(%x: tensor<2x3xf32>) {
  // CHECK: mind.log2 %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.log2"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.log2 %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @logistic(
// GENERIC-LABEL: sym_name = "logistic"
func.func @logistic(%x: tensor<2x3xf32>) {
  // CHECK: mind.logistic %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.logistic"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.logistic %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @pow(
// GENERIC-LABEL: sym_name = "pow"
func.func @pow(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // CHECK: mind.pow %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.pow"(%{{.*}}, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.pow %x, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @rsqrt(
// GENERIC-LABEL: sym_name = "rsqrt"
func.func @rsqrt(%x: tensor<2x3xf32>) {
  // CHECK: mind.rsqrt %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.rsqrt"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.rsqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @sin(
// GENERIC-LABEL: sym_name = "sin"
func.func @sin(%x: tensor<2x3xf32>) {
  // CHECK: mind.sin %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.sin"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.sin %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @sinh(
// GENERIC-LABEL: sym_name = "sinh"
func.func @sinh(%x: tensor<2x3xf32>) {
  // CHECK: mind.sinh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.sinh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.sinh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @sqrt(
// GENERIC-LABEL: sym_name = "sqrt"
func.func @sqrt(%x: tensor<2x3xf32>) {
  // CHECK: mind.sqrt %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.sqrt"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.sqrt %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @tan(
// GENERIC-LABEL: sym_name = "tan"
func.func @tan(%x: tensor<2x3xf32>) {
  // CHECK: mind.tan %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.tan"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.tan %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @tanh(
// GENERIC-LABEL: sym_name = "tanh"
func.func @tanh(%x: tensor<2x3xf32>) {
  // CHECK: mind.tanh %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.tanh"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @digamma(
// GENERIC-LABEL: sym_name = "digamma"
func.func @digamma(%x: tensor<2x3xf32>) {
  // CHECK: mind.digamma %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.digamma"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.digamma %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @log_gamma(
// GENERIC-LABEL: sym_name = "log_gamma"
func.func @log_gamma(%x: tensor<2x3xf32>) {
  // CHECK: mind.log_gamma %{{.*}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.log_gamma"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.log_gamma %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @polygamma(
// GENERIC-LABEL: sym_name = "polygamma"
func.func @polygamma(%x: tensor<2x3xf32>) {
  // CHECK: mind.polygamma %{{.*}}, order = 2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // GENERIC: "mind.polygamma"(%{{.*}}) {order = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = mind.polygamma %x, order = 2 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}
