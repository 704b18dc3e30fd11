// RUN: exits-with 1 mind-opt %s 2>&1 | FileCheck --strict-whitespace %s
// A .mlir file that does not parse or verify: the message is MLIR's, with the place in the file.

func.func @f(%x: i32) -> i64 {
  return %x : i32
}

// CHECK:      error[E7008]: type of return operand 0 ('i32') doesn't match function result type ('i64') in function @f
// CHECK-NEXT:  --> {{.*}}E7008-mlir-refuses-the-text.mlir:5:3
// CHECK-NEXT:   |
// CHECK-NEXT: 5 |   return %x : i32
// CHECK-NEXT:   |   ^^^^^^
// CHECK-NOT: {{.}}
