// RUN: mind-opt %s -p 'keep-arena' | FileCheck %s
//
// An arena of 16 MB or more is taken from an earlier call and left to a later one; a smaller one is freed.
llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func @main() -> i64 {
  %align = llvm.mlir.constant(64 : index) : i64
  %null = llvm.mlir.zero : !llvm.ptr
  %end = llvm.getelementptr %null[4194304] : (!llvm.ptr) -> !llvm.ptr, f32
  %size = llvm.ptrtoint %end : !llvm.ptr to i64
  %small_end = llvm.getelementptr %null[4000] : (!llvm.ptr) -> !llvm.ptr, i8
  %small_size = llvm.ptrtoint %small_end : !llvm.ptr to i64
  // CHECK: %[[ARENA:.*]] = llvm.call @mind_take
  %arena = llvm.call @aligned_alloc(%align, %size) : (i64, i64) -> !llvm.ptr
  // CHECK: %[[SMALL:.*]] = llvm.call @aligned_alloc
  %small = llvm.call @aligned_alloc(%align, %small_size) : (i64, i64) -> !llvm.ptr
  // CHECK: llvm.call @free(%[[SMALL]])
  llvm.call @free(%small) : (!llvm.ptr) -> ()
  // CHECK: llvm.call @mind_keep(%[[ARENA]])
  llvm.call @free(%arena) : (!llvm.ptr) -> ()
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.return %zero : i64
}
// CHECK: llvm.mlir.global internal @mind_kept
// CHECK: llvm.func internal @mind_take(
// CHECK: llvm.atomicrmw xchg
// CHECK: llvm.mlir.global_dtors dtors = [@mind_release]
