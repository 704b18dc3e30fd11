// RUN: exits-with 1 mind-translate --from-mind %s 2>&1 | FileCheck %s
// Elements that the bindings have no class for are an error of the module, not of the program.
// CHECK:      error[E2002]: mind.const_tensor has elements of another type in an attribute
// CHECK-NEXT:  --> {{.*}}.mlir:9:
// CHECK:      help: Core IR has elements of i1, i8, i16, i32, i64, u8, u16, u32, u64, f32 and f64

module attributes {mind.ir_version = 1 : i64} {
  func.func @main() -> tensor<2xf32> {
    %0 = "mind.const_tensor"() {data = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>} : () -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
