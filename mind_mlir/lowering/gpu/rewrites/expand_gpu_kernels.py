"""GPU kernels as what one thread does: every function with a `mind.strategy` is written by that strategy's emitter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...emit.modes import numerics_of
from ...kernels.record import ATTRIBUTE, kind_of
from ...kernels.strategies import written
from ...mlir.failure import MlirPassFailed
from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import children, functions, operations
from ...rewrites.form_kernels import nests_of
from ...targets.chips import find_chip
from .. import scatters
from ..gpu_strategies import GPU_STRATEGIES
from ..mapped_views import Mapped
from ..thread_code import GpuCode
from .form_gpu_kernels import SERIAL


@rewrite("expand-gpu-kernels")
def expand_gpu_kernels(r: Rewriter, *, chip: str = "sm_80") -> None:
    """Write what one thread does in functions that name a strategy for GPUs, and how many threads there are.

    MlirPassFailed if a record does not fit its function.
    """
    target = find_chip(chip)
    for f in r.functions():
        if ATTRIBUTE in f.attributes:
            name, code = f.attributes["sym_name"].value, GpuCode(f, target, numerics_of(f))
            try:
                _expand(f, code)
            except ValueError as why:
                raise MlirPassFailed("expand-gpu-kernels", [f"{name}: {why}"]) from None
            if code.maps:
                _pass_maps(r.module, name, code.maps)


def _expand(f: Any, code: GpuCode) -> None:
    attribute = f.attributes[ATTRIBUTE]
    if kind_of(attribute) == SERIAL:
        code.launched([1], [1])
        return
    block = children(f)
    if kind_of(attribute) == scatters.KIND:
        _scatter(code, block)
        return
    nests = nests_of(f)
    if nests is None:
        raise ValueError("the function holds operations that no strategy reads")
    first = next(op for op in block if op.name.startswith("linalg."))
    with Rewriter.before(first):
        written(code, nests, attribute, GPU_STRATEGIES)
    for op in reversed(block):
        unused = op.name in ("memref.alloc", "memref.subview") and not list(op.result.uses)
        if op.name.startswith("linalg.") or unused:
            op.erase()


def _pass_maps(module: Any, name: str, maps: Sequence[Mapped]) -> None:
    """Give the kernel the tensor maps that it has parameters for, wherever it is called."""
    for caller in functions(module):
        for call in operations(caller):
            if call.name == "func.call" and call.attributes["callee"].value == name:
                with Rewriter.before(call):
                    made = [m.on_host(call.operands[m.view.parameter]) for m in maps]
                    Rewriter.call(name, [*call.operands, *made])
                call.erase()


def _scatter(code: GpuCode, block: list[Any]) -> None:
    loops = [op for op in block if op.name == "scf.for"]
    constants = {op.result: op for op in block if op.name == "arith.constant"}
    found = scatters.match(loops[0], constants) if len(loops) == 1 else None
    if found is None:
        raise ValueError("the function holds no loops of a scatter")
    with Rewriter.before(loops[0]):
        scatters.emit(code, found)
    loops[0].erase()
