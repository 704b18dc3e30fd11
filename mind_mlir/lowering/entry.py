"""The function that is called from outside, the same for any number of arrays.

    mind_main(pointers) -> status

It takes the address of an array of data pointers, those of the arguments and then those of the outputs, and calls
`main` with them.  A caller needs no prototype of its own for each module, and no limit on how many arguments one has.
`main` is inlined: LLVM's time for a call is quadratic in the number of arguments, 24 s for 8,000.
"""

from __future__ import annotations

PACKED = "mind_main"
"""What it is called."""


def packed_entry(count: int) -> str:
    """MLIR text of `mind_main` for a `main` that takes so many pointers."""
    data, types = ", ".join(f"%d{i}" for i in range(count)), ", ".join(["!llvm.ptr"] * count)
    body = [f"llvm.func @main({types}) -> i64", f"llvm.func @{PACKED}(%pointers: !llvm.ptr) -> i64 {{"]
    for i in range(count):
        body.append(f"  %p{i} = llvm.getelementptr %pointers[{i}] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr")
        body.append(f"  %d{i} = llvm.load %p{i} : !llvm.ptr -> !llvm.ptr")
    body.append(f"  %status = llvm.call @main({data}) : ({types}) -> i64")
    return "\n".join([*body, "  llvm.return %status : i64", "}\n"])
