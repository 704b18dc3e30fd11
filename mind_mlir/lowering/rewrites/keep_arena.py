"""Keeps large arenas from call to call.

The C library gives memory of more than 32 MB back to the system at once, and new pages take as long as several passes
over the memory. So a call takes the arena that an earlier one has left, and leaves it for the next; calls that run at
the same time allocate their own. The last one is freed when the code is unloaded.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import DType
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations

LEAST = 16 << 20
"""Arenas of at least so many bytes are kept; the C library keeps smaller ones by itself."""

RELEASE = "mind_release"
"""The function that frees a kept arena; it exists if there is one."""

# mind_release is visible: the owner of code that is kept on disk calls it before unloading.
_FUNCTIONS = """
llvm.mlir.global internal @mind_kept() {addr_space = 0 : i32} : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr
llvm.func @free(!llvm.ptr)
llvm.func internal @mind_take(%alignment: i64, %size: i64) -> !llvm.ptr {
  %0 = llvm.mlir.addressof @mind_kept : !llvm.ptr
  %1 = llvm.mlir.zero : !llvm.ptr
  %2 = llvm.atomicrmw xchg %0, %1 acq_rel : !llvm.ptr, !llvm.ptr
  %3 = llvm.icmp "eq" %2, %1 : !llvm.ptr
  llvm.cond_br %3, ^none, ^kept
^none:
  %4 = llvm.call @aligned_alloc(%alignment, %size) : (i64, i64) -> !llvm.ptr
  llvm.return %4 : !llvm.ptr
^kept:
  llvm.return %2 : !llvm.ptr
}
llvm.func internal @mind_keep(%arena: !llvm.ptr) {
  %0 = llvm.mlir.addressof @mind_kept : !llvm.ptr
  %1 = llvm.atomicrmw xchg %0, %arena acq_rel : !llvm.ptr, !llvm.ptr
  llvm.call @free(%1) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.func @mind_release() {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.call @mind_keep(%0) : (!llvm.ptr) -> ()
  llvm.return
}
llvm.mlir.global_dtors dtors = [@mind_release], priorities = [0 : i32], data = [#llvm.zero]
"""


@rewrite("keep-arena")
def keep_arena(r: Rewriter) -> None:
    """Keep a large arena from call to call, in the LLVM dialect.

    `main` takes it from `mind_take` and leaves it to `mind_keep`.
    """
    main = next((f for f in r.children("llvm.func") if _is_named(f, "main")), None)
    found = None if main is None else _arena(main)
    if found is None:
        return
    taken, freed = found
    taken.attributes["callee"] = ir.FlatSymbolRefAttr.get("mind_take")
    freed.attributes["callee"] = ir.FlatSymbolRefAttr.get("mind_keep")
    added = ir.Module.parse(_FUNCTIONS)
    for op in children(added):
        if not any(_is_named(op, name) for name in ("aligned_alloc", "free")):
            r.module.body.append(op)


def _is_named(op: Any, name: str) -> bool:
    return "sym_name" in op.attributes and op.attributes["sym_name"].value == name


def _arena(main: Any) -> tuple[Any, Any] | None:
    """The call that allocates a large arena and the one that frees it; None if there is not one pair."""
    block = operations(main)
    makers = {v: op for op in block for v in op.results}
    calls = [op for op in block if op.name == "llvm.call" and "callee" in op.attributes]
    large = [op for op in calls if _callee(op) == "aligned_alloc" and _bytes(makers, op.operands[1]) >= LEAST]
    if len(large) != 1:
        return None
    freed = [op for op in calls if _callee(op) == "free" and op.operands[0] == large[0].result]
    return (large[0], freed[0]) if len(freed) == 1 else None


def _callee(call: Any) -> str:
    return str(call.attributes["callee"].value)


_WIDTHS = {"i8": 1, **{d.value: d.width for d in DType}}


def _bytes(makers: dict[Any, Any], size: Any) -> int:
    """A size: a number, or the address of the element after the last one of an array at null, as MLIR writes it.

    0 for anything else.
    """
    distance = makers.get(size)
    if distance is not None and distance.name == "llvm.mlir.constant":
        return int(ir.IntegerAttr(distance.attributes["value"]).value)
    end = makers.get(distance.operands[0]) if distance is not None and distance.name == "llvm.ptrtoint" else None
    if end is None or end.name != "llvm.getelementptr" or len(end.operands) != 1:
        return 0
    (count,) = end.attributes["rawConstantIndices"]
    return int(count) * _WIDTHS.get(str(end.attributes["elem_type"].value), 0)
