"""Makes `mind_main`, which takes one pointer to the pointers of all arrays, of `main`, which takes each: see entry.py.

Each pointer is loaded where it is used. A function that calls `main` would have to hold all pointers at once, and
LLVM's time for that is quadratic in their number: 24 s for 8,000.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ..abi.entry import PACKED
from ..mlir.walk import children, operations


def pack_entry(module: Any) -> None:
    """Make `mind_main` of the `main` of a module in the LLVM dialect."""
    with module.context, ir.Location.unknown():
        (main,) = [
            f for f in children(module) if "sym_name" in f.attributes and f.attributes["sym_name"].value == "main"
        ]
        block = main.regions[0].blocks[0]
        number = {a: n for n, a in enumerate(block.arguments)}
        using = operations(main)[1:]
        pointer = ir.Type.parse("!llvm.ptr")
        table = block.add_argument(pointer, ir.Location.unknown())
        for op in using:
            for n, v in enumerate(op.operands):
                if (which := number.get(v)) is not None:
                    with ir.InsertionPoint(op), op.location:
                        op.operands[n] = _loaded(table, which, pointer)
        for _ in number:
            block.erase_argument(0)
        main.attributes["sym_name"] = ir.StringAttr.get(PACKED)
        main.attributes["function_type"] = ir.TypeAttr.get(ir.Type.parse("!llvm.func<i64 (ptr)>"))
        if "arg_attrs" in main.attributes:
            del main.attributes["arg_attrs"]


def _loaded(table: Any, number: int, pointer: Any) -> Any:
    """A load of a pointer from the table, which does not change during the call."""
    where = {"rawConstantIndices": ir.DenseI32ArrayAttr.get([number]), "elem_type": ir.TypeAttr.get(pointer)}
    place = ir.Operation.create("llvm.getelementptr", results=[pointer], operands=[table], attributes=where).result
    same = {"invariant": ir.UnitAttr.get()}
    return ir.Operation.create("llvm.load", results=[pointer], operands=[place], attributes=same).result
