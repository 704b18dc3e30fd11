// RUN: mind-opt %s -p form-kernels | FileCheck %s
// A part of %a is written after the fill, by a view that was there before it: the fill does not move to the sum.

func.func @main(%x: memref<2xf32> {llvm.noalias}, %y: memref<4xf32> {llvm.noalias}, %o: memref<4xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  linalg.exp ins(%y : memref<4xf32>) outs(%a : memref<4xf32>)
  %part = memref.subview %a[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  linalg.fill ins(%zero : f32) outs(%a : memref<4xf32>)
  linalg.copy ins(%x : memref<2xf32>) outs(%part : memref<2xf32, strided<[1], offset: 1>>)
  linalg.add ins(%a, %y : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
  linalg.exp ins(%a : memref<4xf32>) outs(%o : memref<4xf32>)
  memref.dealloc %a : memref<4xf32>
  return
}

// CHECK:      %[[A:.*]] = memref.alloc()
// CHECK:      %[[PART:.*]] = memref.subview %[[A]]
// CHECK-NEXT: call @[[FILL:elementwise.*]](%[[A]]) : (memref<4xf32>) -> ()
// CHECK-NEXT: {{.*(call|copy).*}}%[[PART]]
// CHECK-NEXT: call @elementwise{{.*}}%[[A]]
// CHECK:      func.func private @[[FILL]](
// CHECK:      linalg.fill
// CHECK-NEXT: return
