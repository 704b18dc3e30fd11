"""The function that Python calls: it takes array objects, checks them against what the module expects, and runs.

NumPy's C API fixes the fields of an array object, so the check costs nanoseconds in native code where it costs
microseconds in Python.  What does not fit is handed back, and Python finds out why.

    mind_call(table, given, array, …, array) -> status

The arrays are the arguments, then the outputs; `given` tells that the caller chose the outputs, which then must be
apart from all other arrays.  The status is that of `main`, or -1 if nothing ran.  The table is of i64: the address of
NumPy's array type, then for each array the address of its dtype object, its rank, the flags it must have, its size in
bytes, and its extents.
"""

from __future__ import annotations

from collections.abc import Sequence

HEAD = 4
"""Entries of the table for an array before its extents."""

# Where the fields of an array object are, in bytes after the pointer to the data.
_RANK, _EXTENTS, _DTYPE, _FLAGS = 8, 16, 40, 48


def entry_functions(ranks: Sequence[int], inputs: int, offset: int) -> str:
    """MLIR text of `mind_call` for arrays of these ranks, of which the first `inputs` are arguments.

    `offset` is where an array object holds the pointer to its data, in bytes.
    """
    count = len(ranks)
    arguments = "".join(f", %a{i}: !llvm.ptr" for i in range(count))
    body = [f"llvm.func @mind_call(%table: !llvm.ptr, %given: i64{arguments}) -> i64 {{"]
    say = body.append
    for name, value in (("zero", 0), ("no", -1), ("count", count), ("inputs", inputs)):
        say(f"  %{name} = llvm.mlir.constant({value} : i64) : i64")
    say("  %datas = llvm.alloca %count x !llvm.ptr : (i64) -> !llvm.ptr")
    say("  %sizes = llvm.alloca %count x i64 : (i64) -> !llvm.ptr")
    place = 1
    for i, rank in enumerate(ranks):
        say(f"  %t{i} = llvm.getelementptr %table[{place}] : (!llvm.ptr) -> !llvm.ptr, i64")
        say(f"  %f{i} = llvm.call @mind_fits(%a{i}, %t{i}, %table) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i1")
        say(f"  llvm.cond_br %f{i}, ^fits{i}, ^refused\n^fits{i}:")
        say(f"  %p{i} = llvm.getelementptr %a{i}[{offset}] : (!llvm.ptr) -> !llvm.ptr, i8")
        say(f"  %d{i} = llvm.load %p{i} : !llvm.ptr -> !llvm.ptr")
        say(f"  %dp{i} = llvm.getelementptr %datas[{i}] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr")
        say(f"  llvm.store %d{i}, %dp{i} : !llvm.ptr, !llvm.ptr")
        say(f"  %np{i} = llvm.getelementptr %t{i}[3] : (!llvm.ptr) -> !llvm.ptr, i64")
        say(f"  %n{i} = llvm.load %np{i} : !llvm.ptr -> i64")
        say(f"  %sp{i} = llvm.getelementptr %sizes[{i}] : (!llvm.ptr) -> !llvm.ptr, i64")
        say(f"  llvm.store %n{i}, %sp{i} : i64, !llvm.ptr")
        place += HEAD + rank
    say('  %own = llvm.icmp "eq" %given, %zero : i64\n  llvm.cond_br %own, ^run, ^apart\n^apart:')
    say("  %ok = llvm.call @mind_apart(%datas, %sizes, %inputs, %count)")
    body[-1] += " : (!llvm.ptr, !llvm.ptr, i64, i64) -> i1"
    say("  llvm.cond_br %ok, ^run, ^refused\n^run:")
    pointers = ", ".join(["!llvm.ptr"] * count)
    data = ", ".join(f"%d{i}" for i in range(count))
    say(f"  %status = llvm.call @main({data}) {{no_inline}} : ({pointers}) -> i64\n  llvm.return %status : i64")
    say("^refused:\n  llvm.return %no : i64\n}")
    return "\n".join(body) + "\n" + _FITS.format(type=offset - 8, **_fields(offset)) + _APART


def _fields(offset: int) -> dict[str, int]:
    return {
        "rank": offset + _RANK,
        "extents": offset + _EXTENTS,
        "dtype": offset + _DTYPE,
        "flags": offset + _FLAGS,
    }


_FITS = """
llvm.func internal @mind_fits(%a: !llvm.ptr, %t: !llvm.ptr, %table: !llvm.ptr) -> i1
    attributes {{passthrough = ["noinline"]}} {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %head = llvm.mlir.constant(4 : i64) : i64
  %false = llvm.mlir.constant(false) : i1
  %true = llvm.mlir.constant(true) : i1
  %0 = llvm.getelementptr %a[{type}] : (!llvm.ptr) -> !llvm.ptr, i8
  %1 = llvm.load %0 : !llvm.ptr -> i64
  %2 = llvm.load %table : !llvm.ptr -> i64
  %3 = llvm.icmp "eq" %1, %2 : i64
  llvm.cond_br %3, ^array, ^no
^array:
  %4 = llvm.getelementptr %a[{dtype}] : (!llvm.ptr) -> !llvm.ptr, i8
  %5 = llvm.load %4 : !llvm.ptr -> i64
  %6 = llvm.load %t : !llvm.ptr -> i64
  %7 = llvm.icmp "eq" %5, %6 : i64
  %8 = llvm.getelementptr %a[{rank}] : (!llvm.ptr) -> !llvm.ptr, i8
  %9 = llvm.load %8 : !llvm.ptr -> i32
  %10 = llvm.sext %9 : i32 to i64
  %11 = llvm.getelementptr %t[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %rank = llvm.load %11 : !llvm.ptr -> i64
  %12 = llvm.icmp "eq" %10, %rank : i64
  %13 = llvm.getelementptr %a[{flags}] : (!llvm.ptr) -> !llvm.ptr, i8
  %14 = llvm.load %13 : !llvm.ptr -> i32
  %15 = llvm.sext %14 : i32 to i64
  %16 = llvm.getelementptr %t[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %flags = llvm.load %16 : !llvm.ptr -> i64
  %17 = llvm.and %15, %flags : i64
  %18 = llvm.icmp "eq" %17, %flags : i64
  %19 = llvm.and %7, %12 : i1
  %20 = llvm.and %19, %18 : i1
  %21 = llvm.getelementptr %a[{extents}] : (!llvm.ptr) -> !llvm.ptr, i8
  %extents = llvm.load %21 : !llvm.ptr -> !llvm.ptr
  llvm.cond_br %20, ^next(%zero : i64), ^no
^next(%i: i64):
  %22 = llvm.icmp "eq" %i, %rank : i64
  llvm.cond_br %22, ^yes, ^extent
^extent:
  %23 = llvm.getelementptr %extents[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %24 = llvm.load %23 : !llvm.ptr -> i64
  %25 = llvm.add %i, %head : i64
  %26 = llvm.getelementptr %t[%25] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %27 = llvm.load %26 : !llvm.ptr -> i64
  %28 = llvm.icmp "eq" %24, %27 : i64
  %29 = llvm.add %i, %one : i64
  llvm.cond_br %28, ^next(%29 : i64), ^no
^yes:
  llvm.return %true : i1
^no:
  llvm.return %false : i1
}}
"""
"""Whether an object is an array of NumPy's own type, of the dtype, rank, extents and flags in the table at %t.

Not inlined: LLVM would optimise it once for every array, for 1 ms each.
"""

_APART = """
llvm.func internal @mind_apart(%datas: !llvm.ptr, %sizes: !llvm.ptr, %inputs: i64, %count: i64) -> i1
    attributes {passthrough = ["noinline"]} {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %false = llvm.mlir.constant(false) : i1
  %true = llvm.mlir.constant(true) : i1
  llvm.br ^output(%inputs : i64)
^output(%o: i64):
  %0 = llvm.icmp "eq" %o, %count : i64
  llvm.cond_br %0, ^yes, ^start
^start:
  %1 = llvm.getelementptr %datas[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %low = llvm.load %1 : !llvm.ptr -> i64
  %2 = llvm.getelementptr %sizes[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %size = llvm.load %2 : !llvm.ptr -> i64
  %high = llvm.add %low, %size : i64
  %next = llvm.add %o, %one : i64
  llvm.br ^other(%zero : i64)
^other(%i: i64):
  %3 = llvm.icmp "eq" %i, %o : i64
  llvm.cond_br %3, ^output(%next : i64), ^compare
^compare:
  %4 = llvm.getelementptr %datas[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %5 = llvm.load %4 : !llvm.ptr -> i64
  %6 = llvm.getelementptr %sizes[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %7 = llvm.load %6 : !llvm.ptr -> i64
  %8 = llvm.add %5, %7 : i64
  %9 = llvm.icmp "ult" %low, %8 : i64
  %10 = llvm.icmp "ult" %5, %high : i64
  %11 = llvm.and %9, %10 : i1
  %12 = llvm.add %i, %one : i64
  llvm.cond_br %11, ^no, ^other(%12 : i64)
^yes:
  llvm.return %true : i1
^no:
  llvm.return %false : i1
}
"""
"""Whether every output shares no byte with an argument or an output before it."""
