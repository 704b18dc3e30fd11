"""Memory that kernels work on, and until when it is held."""

from __future__ import annotations

from support import after


def test_memory_that_a_group_uses_by_a_view_is_held_until_the_call():
    text = """
    func.func @main(%x: memref<6x4xf32> {llvm.noalias}, %o: memref<4x6xf32> {llvm.noalias}) {
      %m = memref.alloc() : memref<6x4xf32>
      %flat = memref.collapse_shape %m [[0, 1]] : memref<6x4xf32> into memref<24xf32>
      %v = memref.expand_shape %flat [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
      %s = memref.alloc() : memref<4x6xf32>
      memref.copy %x, %m : memref<6x4xf32> to memref<6x4xf32>
      linalg.add {mind.group = 0 : i64} ins(%v, %v : memref<4x6xf32>, memref<4x6xf32>) outs(%s : memref<4x6xf32>)
      memref.dealloc %m : memref<6x4xf32>
      linalg.add {mind.group = 0 : i64} ins(%s, %s : memref<4x6xf32>, memref<4x6xf32>) outs(%o : memref<4x6xf32>)
      memref.dealloc %s : memref<4x6xf32>
      return
    }"""
    formed = after("form-kernels{cpu=avx2}", text).split("return")[0]
    assert formed.index("call @") < formed.index("memref.dealloc %alloc")
    assert formed.count("memref.dealloc") == 1
