"""Lets the callers of private functions pass their scratch memory.

`plan-arena` then gives it offsets at which nothing else is live during the call, and a call allocates no memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ..kernels.record import ATTRIBUTE
from ..memory.buffers import allocated, freed
from ..memory.offsets import ALIGNMENT
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children, operations


@rewrite("hoist-scratch")
def hoist_scratch(r: Rewriter) -> None:
    """Make memory that private functions allocate a parameter that their callers pass.

    A function that is called in a loop, or by another private one, is not changed.
    """
    private = {_name(f): f for f in r.functions() if "sym_visibility" in f.attributes}
    calls: dict[str, list[Any]] = {
        name: [] for name, f in private.items() if len(f.regions[0].blocks) == 1 and freed(children(f))
    }
    for f in r.functions():
        if not calls or ATTRIBUTE in f.attributes:  # a kernel calls nothing
            continue
        for top in children(f):
            for op in operations(top):
                if op.name != "func.call" or (name := op.attributes["callee"].value) not in calls:
                    continue
                if op == top and _name(f) not in private:
                    calls[name].append(op)
                else:
                    del calls[name]
    for name, callers in calls.items():
        types = scratch_to_parameters(private[name])
        for call in callers:
            give_scratch(call, name, types)


def scratch_to_parameters(f: Any) -> list[Any]:
    """Make the memory that a function allocates and frees in its one block parameters; returns their types.

    Its callers have to be changed too.
    """
    if len(f.regions[0].blocks) != 1 or not (frees := freed(block := children(f))):
        return []
    entry = f.regions[0].blocks[0]
    allocations = [op for op in block if op.name == "memref.alloc" and op.result in frees]
    types = [op.result.type for op in allocations]
    given = (
        list(f.attributes["arg_attrs"]) if "arg_attrs" in f.attributes else [ir.DictAttr.get({})] * len(entry.arguments)
    )
    for op in allocations:
        op.result.replace_all_uses_with(entry.add_argument(op.result.type, op.location))
    for op in (*frees.values(), *allocations):
        op.erase()
    before = ir.FunctionType(f.attributes["function_type"].value)
    f.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get([*before.inputs, *types], before.results))
    own = {
        "llvm.align": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), ALIGNMENT),
        "llvm.noalias": ir.UnitAttr.get(),
    }
    f.attributes["arg_attrs"] = ir.ArrayAttr.get([*given, *[ir.DictAttr.get(own)] * len(types)])
    return types


def give_scratch(call: Any, name: str, types: Sequence[Any]) -> None:
    """Let a call be one of the function `name`, with memory of these types after its operands, which is freed then."""
    with Rewriter.before(call):
        scratch = [allocated(type) for type in types]
        made = Rewriter.call(name, [*call.operands, *scratch], [v.type for v in call.results])
        for v in scratch:
            ir.Operation.create("memref.dealloc", operands=[v])
    Rewriter.replace(call, *made.results)


def _name(f: Any) -> str:
    return str(f.attributes["sym_name"].value)
