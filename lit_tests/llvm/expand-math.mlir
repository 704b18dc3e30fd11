// RUN: mind-opt %s -p 'expand-math{cpu=avx512},canonicalize,cse' | FileCheck %s --check-prefixes=CHECK,AVX512
// RUN: mind-opt %s -p 'expand-math{cpu=avx2},canonicalize,cse' | FileCheck %s --check-prefixes=CHECK,AVX2
// RUN: mind-opt %s -p 'expand-math{cpu=sse2},canonicalize,cse' | FileCheck %s --check-prefix=SSE2
// exp and log become arithmetic in their own precision, with the instructions of AVX-512 where a vector is as wide as
// its registers; under strict numerics, or without fused multiply-add, they become the steps of the interpreter.

// CHECK-LABEL:    func.func @element(
// CHECK-NOT:        f64
// CHECK-COUNT-9:    math.fma {{.*}} : f32
// CHECK-NOT:        math.fma
// CHECK-NOT:        call_intrinsic
// SSE2-LABEL:     func.func @element(
// SSE2:             arith.extf
// SSE2-NOT:         math.
// SSE2:             arith.truncf
func.func @element(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// CHECK-LABEL:    func.func @exponential(
// CHECK-COUNT-14:   math.fma {{.*}} : vector<8xf64>
// AVX512-NOT:       arith.mulf
// AVX512:           llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"
// AVX2:             arith.mulf
// AVX2-NOT:         call_intrinsic
// AVX2:             arith.mulf
// CHECK:            return
func.func @exponential(%x: vector<8xf64>) -> vector<8xf64> {
  %0 = math.exp %x : vector<8xf64>
  return %0 : vector<8xf64>
}

// CHECK-LABEL:    func.func @logarithm(
// AVX512-NOT:       arith.select
// AVX512:           llvm.call_intrinsic "llvm.x86.avx512.mask.getmant.ps.512"
// AVX512:           llvm.call_intrinsic "llvm.x86.avx512.mask.getexp.ps.512"
// AVX2-NOT:         call_intrinsic
// CHECK-COUNT-10:   math.fma {{.*}} : vector<16xf32>
// CHECK-NOT:        math.fma
// CHECK:            return
func.func @logarithm(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.log %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL:    func.func @strict(
// CHECK-NOT:        math.
// CHECK-NOT:        call_intrinsic
// CHECK:            arith.extf %{{.*}} : vector<16xf32> to vector<16xf64>
// CHECK-NOT:        math.
// CHECK-NOT:        call_intrinsic
// CHECK:            arith.truncf %{{.*}} : vector<16xf64> to vector<16xf32>
func.func @strict(%x: vector<16xf32>) -> vector<16xf32> attributes {mind.numerics = "strict"} {
  %0 = math.log %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// CHECK-LABEL:    func.func @of_other_types(
// CHECK:            math.exp %{{.*}} : f16
// CHECK:            math.log %{{.*}} : vector<2x4xf32>
func.func @of_other_types(%x: f16, %y: vector<2x4xf32>) -> (f16, vector<2x4xf32>) {
  %0 = math.exp %x : f16
  %1 = math.log %y : vector<2x4xf32>
  return %0, %1 : f16, vector<2x4xf32>
}
