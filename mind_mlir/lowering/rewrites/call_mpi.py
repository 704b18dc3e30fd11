"""Writes the functions that `lower-collectives` declares, in the LLVM dialect: each calls one function of MPI.

The functions and handles of MPI, and the rank's coordinates, are read from a table at run time, so compiled code is the
same for every rank, and for MPICH and Open MPI, whose handles differ in kind. `mind_set_ranks` sets the pointer to it.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ...ir import DType
from ..abi.rank_table import DTYPES, REDUCTIONS, SET_RANKS, TABLE, axis_entry, entry
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children
from .lower_collectives import COLLECTIVE

_HEAD = f"""
llvm.mlir.global internal @{TABLE}() {{addr_space = 0 : i32}} : !llvm.ptr {{
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}}
llvm.func @{SET_RANKS}(%table: !llvm.ptr) {{
  %0 = llvm.mlir.addressof @{TABLE} : !llvm.ptr
  llvm.store %table, %0 : !llvm.ptr, !llvm.ptr
  llvm.return
}}
"""

_SIGNATURES = {
    "all_reduce": "(%x, %out, %count, %type, %op, %comm) : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64)",
    "reduce_scatter": "(%x, %out, %count, %type, %op, %comm) : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64)",
    "all_gather": "(%x, %count, %type, %out, %count, %type, %comm) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, i64, i64)",
    "all_to_all": "(%x, %count, %type, %out, %count, %type, %comm) : (!llvm.ptr, i64, i64, !llvm.ptr, i64, i64, i64)",
}
"""How MPI_Allreduce and the others are called: handles are integers, and all arguments are in registers and slots of 8
bytes, whatever their width."""


@rewrite("call-mpi")
def call_mpi(r: Rewriter) -> None:
    """Make the functions that lower-collectives declares call MPI, in the LLVM dialect.

    An operation that takes a part of a value becomes a copy.
    """
    found = [op for op in r.children("llvm.func") if COLLECTIVE in op.attributes]
    if not found:
        return
    text = [_HEAD]
    for f in found:
        about = {a.name: a.attr for a in ir.DictAttr(f.attributes[COLLECTIVE])}
        text.append(_function(f.attributes["sym_name"].value, about))
        f.erase()
    _put_in_front(r.module, "".join(text))


def offer_ranks(module: Any) -> None:
    """Add `mind_set_ranks` to a module in the LLVM dialect, even if MLIR has dropped all operations between ranks.

    It drops those on empty arrays and those whose result is not read, but callers call the function in any case.
    """
    with module.context, ir.Location.unknown(module.context):
        names = (f.attributes["sym_name"].value for f in children(module) if "sym_name" in f.attributes)
        if SET_RANKS not in names:
            _put_in_front(module, _HEAD)


def _put_in_front(module: Any, text: str) -> None:
    added = ir.Module.parse(text)
    point = ir.InsertionPoint.at_block_begin(module.body)
    for op in children(added):
        op.clone(point)


def _function(name: str, about: dict[str, Any]) -> str:
    kind, axis = about["kind"].value, about["axis"].value
    element, count = str(about["element"].value), about["count"].value
    out = [
        f"llvm.func internal @{name}(%x: !llvm.ptr, %out: !llvm.ptr)",
        '    attributes {passthrough = ["noinline"]} {',
        f"  %where = llvm.mlir.addressof @{TABLE} : !llvm.ptr",
        "  %table = llvm.load %where : !llvm.ptr -> !llvm.ptr",
        f"  %count = llvm.mlir.constant({count} : i64) : i64",
    ]

    def load(what: str, place: int) -> None:
        out.append(f"  %{what}_at = llvm.getelementptr %table[{place}] : (!llvm.ptr) -> !llvm.ptr, i64")
        out.append(f"  %{what} = llvm.load %{what}_at : !llvm.ptr -> i64")

    if kind == "part":
        load("rank", axis_entry(axis, "coordinate"))
        width = DType(element).width
        stored = element if width > 1 else "i8"
        out += [
            "  %first = llvm.mul %rank, %count : i64",
            f"  %from = llvm.getelementptr %x[%first] : (!llvm.ptr, i64) -> !llvm.ptr, {stored}",
            f"  %bytes = llvm.mlir.constant({count * width} : i64) : i64",
            '  "llvm.intr.memcpy"(%out, %from, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()',
        ]
    else:
        load("address", entry(kind))
        load("type", entry(element))
        load("op", entry(about["reduction"].value))
        load("comm", axis_entry(axis, "communicator"))
        out.append("  %f = llvm.inttoptr %address : i64 to !llvm.ptr")
        arguments, _, types = _SIGNATURES[kind].partition(" : ")
        out.append(f"  %status = llvm.call %f{arguments} : !llvm.ptr, {types} -> i32")
    assert element in DTYPES
    assert about["reduction"].value in REDUCTIONS
    return "\n".join([*out, "  llvm.return", "}\n"])
