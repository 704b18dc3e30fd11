"""The passes and named pipelines of this package, with mlir imported only when one of them runs."""

from __future__ import annotations

import importlib
from typing import Any, Literal

from ...ir import Module
from ...passes.registry import MLIR, PIPELINES, Level, register
from ..pipelines import PIPELINES as NAMED

REWRITES = {
    "call-mpi": "Functions that lower-collectives declares, to calls of MPI, in the LLVM dialect.",
    "check-lowered": "Fail if anything but the LLVM dialect is left, naming the missing conversion.",
    "coalesce-buffers": "Buffers that begin as a copy of another, or can be computed in place of it, to that one.",
    "cpu-abi": "Functions on tensors to functions on caller-allocated, non-aliasing memrefs with a status result.",
    "fast-math": "Under fast numerics, multiplications and additions that LLVM may fuse.",
    "fold-transposes": "Contractions that read and write tensors as they lie in memory, without transposed copies.",
    "free-buffers": "A memref.dealloc after the last use of every memref.alloc.",
    "hoist-scratch": "Memory that private functions allocate for themselves, to parameters that their callers pass.",
    "keep-arena": "A large arena, kept from call to call, in the LLVM dialect.",
    "lower-collectives": "Operations between ranks of the dialect shard, to calls on buffers.",
    "order-loops": "Loops of contractions in an order whose innermost one runs over neighbours; no bit changes.",
    "pack-constants": "Constants that kernels would pack at every call, packed.",
    "plan-arena": "What a function allocates, to views of one allocation, shared by what is never live together.",
    "poison-buffers": "Memory that is allocated, filled with NaN before it is touched; for tests, before plan-arena.",
    "share-loops": "scf.parallel to OpenMP teams of as many threads as the functions say.",
    "strided-copies-to-linalg": "memref.copy of strided memrefs and of large results to linalg.copy, for strategies.",
    "sums-to-kernels": "Sums that may be reordered and that no kernel has taken, to kernels: loops would lose digits.",
}
"""Our passes over MLIR modules: pass a-b is the function a_b of rewrites/a_b.py."""

GPU_REWRITES = {
    "extern-shared-memory": "The shared memory that launches ask for, as a symbol that nobody defines, well aligned.",
    "outline-gpu-kernels": "Functions with `mind.launch` to gpu.func in a gpu.module, their calls to gpu.launch_func.",
    "split-gpu-sums": "Kernels for GPUs whose sums are cut into parts, to one for the parts and one that adds them.",
    "tensor-maps-by-value": "Tensor maps of kernels for GPUs, to parameters of 128 bytes that nobody writes.",
}
"""The same in gpu/rewrites/."""


@register("lower-to-linalg", target=Level.MLIR)
def lower_to_linalg(m: Module, *, numerics: Literal["default", "strict", "fast"] = "default", threads: int = 1) -> Any:
    """Core IR to linalg on tensors, as one func.func named main, which notes numerics and threads for later passes."""
    from ..emit.to_linalg import to_linalg

    return to_linalg(m, numerics=numerics, threads=threads)


@register("generalize-elementwise", source=Level.MLIR)
def generalize_elementwise(module: Any, *, least: int = 0) -> None:
    """Chains of named element-wise linalg operations, on so many elements at least, to linalg.generic for fusion."""
    from ..rewrites.generalize_elementwise import generalize_elementwise

    generalize_elementwise(module, least=least)


@register("group-kernels", source=Level.MLIR)
def group_kernels(module: Any, *, least: int = 0) -> None:
    """Mark linalg operations that will share a kernel, and move them together; those on fewer elements stay alone."""
    from ..rewrites.group_kernels import group_kernels

    group_kernels(module, least=least)


@register("form-kernels", source=Level.MLIR)
def form_kernels(module: Any, *, cpu: str = "native", tuning: str = "") -> None:
    """linalg operations on memrefs that a strategy takes, to calls of functions that name it; for a kind of CPU."""
    from ..rewrites.form_kernels import form_kernels

    form_kernels(module, cpu=cpu, tuning=tuning)


@register("expand-kernels", source=Level.MLIR)
def expand_kernels(module: Any, *, cpu: str = "native") -> None:
    """Functions that name a strategy, to the loops and vector operations that it writes for a kind of CPU."""
    from ..rewrites.expand_kernels import expand_kernels

    expand_kernels(module, cpu=cpu)


@register("expand-math", source=Level.MLIR)
def expand_math(module: Any, *, cpu: str = "native") -> None:
    """exp and log to plain arithmetic, as the function's numerics mode and a kind of CPU have it."""
    from ..rewrites.expand_math import expand_math

    expand_math(module, cpu=cpu)


@register("turn-operands", source=Level.MLIR)
def turn_operands(
    module: Any, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32", lines: int = 2048
) -> None:
    """Operands of large TF32 products on sm_90a, to transposed copies that can be copied by tiles.

    Only where the other operand has as many lines.
    """
    from ..gpu.rewrites.turn_operands import turn_operands

    turn_operands(module, chip=chip, precision=precision, lines=lines)


@register("form-gpu-kernels", source=Level.MLIR)
def form_gpu_kernels(module: Any, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32") -> None:
    """All that is computed on memrefs, to calls of functions that name a strategy for GPUs, for a kind of chip."""
    from ..gpu.rewrites.form_gpu_kernels import form_gpu_kernels

    form_gpu_kernels(module, chip=chip, precision=precision)


@register("expand-gpu-kernels", source=Level.MLIR)
def expand_gpu_kernels(module: Any, *, chip: str = "sm_80") -> None:
    """Functions that name a strategy for GPUs, to what one thread does, and how many threads there are."""
    from ..gpu.rewrites.expand_gpu_kernels import expand_gpu_kernels

    expand_gpu_kernels(module, chip=chip)


@register("attach-gpu-targets", source=Level.MLIR)
def attach_gpu_targets(module: Any, *, chip: str = "sm_80") -> None:
    """The kind of chip that modules for the device are compiled for, with a version of PTX that it takes."""
    from ..mlir.pass_driver import run_mlir_pass
    from ..targets.chips import find_chip

    found = find_chip(chip)
    run_mlir_pass(f"nvvm-attach-target{{chip={found.name} features={found.features} O=3}}", module)


@register("outline-linalg", source=Level.MLIR)
def outline_linalg(module: Any, *, allocations: int = 0) -> None:
    """linalg operations and loops on memrefs to calls of private functions, where a function allocates so often."""
    from ..rewrites.outline_linalg import outline_linalg

    outline_linalg(module, allocations=allocations)


def _register_rewrite(name: str, summary: str, room: str) -> None:
    function = name.replace("-", "_")

    def rewrite(module: Any) -> None:
        file = importlib.import_module(f"{room}.{function}", __package__)
        getattr(file, function)(module)

    rewrite.__doc__ = summary
    register(name, source=Level.MLIR)(rewrite)


def _check(text: str) -> None:
    from ..mlir.pass_driver import check_mlir_pass

    check_mlir_pass(text)


def _run(text: str, module: Any) -> None:
    from ..mlir.pass_driver import run_mlir_pass

    run_mlir_pass(text, module)


for _room, _rewrites in (("..rewrites", REWRITES), ("..gpu.rewrites", GPU_REWRITES)):
    for _name, _summary in _rewrites.items():
        _register_rewrite(_name, _summary, _room)
MLIR.check, MLIR.run = _check, _run
PIPELINES.update({(Level.MLIR, name): text for name, text in NAMED.items()})
