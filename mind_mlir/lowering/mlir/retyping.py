"""Gives the values of a module other types."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mlir import ir


def retype(operations: Iterable[Any], new: Callable[[Any], Any]) -> None:
    """Give results, arguments of blocks, and the signatures of functions the types that `new` says."""
    for op in operations:
        for v in op.results:
            if (type := new(v.type)) != v.type:
                v.set_type(type)
        for region in op.regions:
            for block in region.blocks:
                for a in block.arguments:
                    if (type := new(a.type)) != a.type:
                        a.set_type(type)
        if op.name == "func.func":
            t = op.attributes["function_type"].value
            signature = ir.FunctionType.get([new(x) for x in t.inputs], [new(x) for x in t.results])
            op.attributes["function_type"] = ir.TypeAttr.get(signature)
