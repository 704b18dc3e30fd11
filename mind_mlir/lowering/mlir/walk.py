"""Finds operations of a module.

This is always done by a walk, never by iterating over a block, by `value.owner` or by `use.owner`, which make MLIR's
bindings import mlir.dialects.linalg, which takes 80 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlir import ir


def operations(root: Any) -> list[Any]:
    """`root` and every operation within it, parents first."""
    root = root.operation
    if not len(root.regions):
        return [root]  # a walk would take ten times as long
    found: list[Any] = []

    def note(op: Any) -> Any:
        found.append(op.operation)
        return ir.WalkResult.ADVANCE

    root.walk(note, ir.WalkOrder.PRE_ORDER)
    return found


def children(root: Any) -> list[Any]:
    """The operations directly in `root`, in order."""
    found: list[Any] = []
    root = root.operation

    def note(op: Any) -> Any:
        if op.operation == root:
            return ir.WalkResult.ADVANCE
        found.append(op.operation)
        return ir.WalkResult.SKIP

    root.walk(note, ir.WalkOrder.PRE_ORDER)
    return found


def parameters(f: Any) -> list[tuple[Any, Any]]:
    """The arguments of a func.func with a body, each with its attributes, also where MLIR's text has none."""
    arguments = list(f.regions[0].blocks[0].arguments)
    given = f.attributes["arg_attrs"] if "arg_attrs" in f.attributes else [ir.DictAttr.get({})] * len(arguments)
    return list(zip(arguments, given))


def add_parameter(f: Any, type: Any, attributes: dict[str, Any]) -> Any:
    """Add a last argument to a func.func without results; its callers have to be changed too."""
    given = [a for _, a in parameters(f)]
    block = f.regions[0].blocks[0]
    made = block.add_argument(type, f.location)
    f.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([a.type for a in block.arguments], []))
    f.attributes["arg_attrs"] = ir.ArrayAttr.get([*given, ir.DictAttr.get(attributes)])
    return made


def functions(module: Any) -> Iterator[Any]:
    """Every func.func with a body."""
    for f in children(module):
        if f.name == "func.func" and len(f.regions[0].blocks):
            yield f
