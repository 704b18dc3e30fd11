"""Makes one function for each distinct linalg operation or loop, which is called wherever it occurs.

LLVM's time grows with the square of a function's length. Outlined, a module of thousands of operations is a list of
calls to a few small functions, and equal operations are compiled once. And the parameters of a function can be declared
not to overlap, which LLVM cannot find out for two parts of one allocation.
"""

from __future__ import annotations

from typing import Any

from ..emit.modes import NUMERICS
from ..mlir.rewriter import Rewriter, rewrite
from ..mlir.walk import children
from ._outline import Outliner, memory_of, used_from_outside


@rewrite("outline-linalg")
def outline_linalg(r: Rewriter, *, allocations: int = 0) -> None:
    """Move linalg operations and loops on memrefs into private functions, where a function has so many allocations.

    Equal ones are moved into the same function.
    """
    outliner = Outliner(r.module)
    for f in r.functions():
        if "sym_visibility" in f.attributes:
            continue
        block = children(f)
        if sum(op.name == "memref.alloc" for op in block) < allocations:
            continue
        constants = {op.result: op for op in block if op.name == "arith.constant"}
        memory = memory_of(f, block)
        for op in block:
            if op.name.startswith("linalg.") or (op.name == "scf.for" and not len(op.results)):
                _outline(outliner, op, constants, memory, f)


def _outline(outliner: Outliner, op: Any, constants: dict[Any, Any], memory: dict[Any, set[Any]], caller: Any) -> None:
    """Replace `op` by a call, unless a stride is known only at run time, since only pointers are passed."""
    if any("?" in str(v.type) for v in used_from_outside(op) if v not in constants):
        return
    f, parameters = outliner.function([op], constants, memory)
    if NUMERICS in caller.attributes:
        f.attributes[NUMERICS] = caller.attributes[NUMERICS]
    outliner.call(outliner.named(f, "linalg"), parameters, op)
    op.erase()
