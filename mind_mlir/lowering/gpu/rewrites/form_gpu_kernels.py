"""Everything that a function computes, to kernels: what a strategy takes, and the rest on one thread.

What stays in the function is memory, parts of it, and calls: what a host does. A status is stored to a parameter more,
`%status: memref<i64>`, instead of being returned.
"""

from __future__ import annotations

from typing import Any, Literal

from mlir import ir

from ...emit.modes import NUMERICS
from ...kernels.record import ATTRIBUTE
from ...mlir.failure import MlirPassFailed
from ...mlir.rewriter import Rewriter, rewrite
from ...mlir.walk import children, operations
from ...rewrites._outline import Outliner, memory_of, used_from_outside
from ...rewrites._scalars_in_memory import pass_through_memory
from ...rewrites.form_kernels import Forming
from ...targets.chips import find_chip
from .. import scatters
from ..gpu_strategies import GPU_STRATEGIES

SERIAL = "serial"
"""The kind of a kernel that one thread runs: what no strategy takes."""

_HOST = {"func.call", "func.return", "arith.constant"}
_MEMORY: tuple[str, ...] = (
    "memref.alloc",
    "memref.dealloc",
    "memref.get_global",
    "memref.subview",
    "memref.collapse_shape",
)
_MEMORY += ("memref.expand_shape", "memref.reinterpret_cast", "memref.cast")


@rewrite("form-gpu-kernels")
def form_gpu_kernels(r: Rewriter, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32") -> None:
    """Move all that is computed on memrefs into functions that name a strategy for GPUs, for a kind of chip.

    Each kernel names its strategy and record in `mind.strategy`.
    """
    target = find_chip(chip, precision)
    outliner = Outliner(r.module)
    for f in r.functions():
        if ATTRIBUTE in f.attributes:
            continue
        _copies_to_linalg(f)
        _store_status(f)
        Forming(f, outliner, target, GPU_STRATEGIES, fills_apart=True).run()
        _Serial(f, outliner).run()


def _copies_to_linalg(f: Any) -> None:
    for copy in operations(f):
        if copy.name != "memref.copy":
            continue
        with Rewriter.before(copy):
            Rewriter.linalg("linalg.copy", copy.operands)
        copy.erase()


def _store_status(f: Any) -> None:
    """No result; a status that may be other than 0 goes to memory."""
    block = f.regions[0].blocks[0]
    *_, end = children(f)
    if len(end.operands) != 1:
        return
    (status,) = end.operands
    constants = {op.result: op for op in children(f) if op.name == "arith.constant"}
    if status not in constants:
        place = block.add_argument(ir.MemRefType.get([], status.type), ir.Location.name("status"))
        with ir.InsertionPoint(end):
            ir.Operation.create("memref.store", operands=[status, place])
        given = [*f.attributes["arg_attrs"], ir.DictAttr.get({"llvm.noalias": ir.UnitAttr.get()})]
        f.attributes["arg_attrs"] = ir.ArrayAttr.get(given)
    with ir.InsertionPoint(end):
        ir.Operation.create("func.return")
    end.erase()
    types = [a.type for a in block.arguments]
    f.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(types, []))


class _Serial:
    """Over one function: what is left to compute, in runs of neighbours, each a kernel of one thread."""

    def __init__(self, f: Any, outliner: Outliner) -> None:
        self.f, self.outliner = f, outliner
        self.block = children(f)
        self.constants = {op.result: op for op in self.block if op.name == "arith.constant"}
        self.memory = memory_of(f, self.block)

    def run(self) -> None:
        runs = self._runs()
        self.memory |= {op.result: {op.result} for op in pass_through_memory(runs)}
        for run in runs:
            self._outline(run)

    def _runs(self) -> list[list[Any]]:
        runs: list[list[Any]] = []
        open_ = False
        for op in self.block:
            if op.name == "arith.constant" or op.name in _MEMORY:
                continue  # may come before or after the run
            computes = op.name not in _HOST
            alone = op.name == "scf.for" and scatters.match(op, self.constants) is not None
            if computes and (alone or not open_):
                runs.append([])
            if computes:
                runs[-1].append(op)
            open_ = computes and not alone
        return runs

    def _outline(self, run: list[Any]) -> None:
        inside = {v for op in run for v in op.results}
        for op in self.block:
            if op not in run and any(v in inside for v in used_from_outside(op)):
                raise MlirPassFailed("form-gpu-kernels", [f"a number that {op.name} needs is computed on the device"])
        kernel, parameters = self.outliner.function(run, self.constants, self.memory)
        kind = scatters.KIND if len(run) == 1 and scatters.match(run[0], self.constants) is not None else SERIAL
        kernel.attributes[ATTRIBUTE] = ir.DictAttr.get({"kind": ir.StringAttr.get(kind)})
        if NUMERICS in self.f.attributes:
            kernel.attributes[NUMERICS] = self.f.attributes[NUMERICS]
        self.outliner.call(self.outliner.named(kernel, kind), parameters, run[-1])
        self.block = [op for op in self.block if op not in run]
        for op in reversed(run):
            op.erase()
