"""Registers the passes and named pipelines of this package; mlir is imported when one of them runs."""

from __future__ import annotations

import importlib
from typing import Any, Literal

from ...ir import Module
from ...passes.registry import MLIR, PIPELINES, Level, register
from ..pipelines import PIPELINES as NAMED

REWRITES = {
    "call-mpi": "Make the functions that lower-collectives declares call MPI, in the LLVM dialect.",
    "check-lowered": "Fail if anything but the LLVM dialect is left, naming the missing conversion.",
    "coalesce-buffers": "Let a buffer that begins as a copy of another, or can be computed in its memory, be that one.",
    "cpu-abi": "Make functions on tensors take caller-allocated, non-aliasing memrefs and return a status.",
    "fast-math": "Under fast numerics, let LLVM fuse multiplications and additions.",
    "fold-transposes": "Let contractions read and write tensors as stored, instead of transposed copies.",
    "free-buffers": "Add a memref.dealloc after the last use of every memref.alloc.",
    "hoist-scratch": "Make memory that private functions allocate a parameter that their callers pass.",
    "keep-arena": "Keep a large arena from call to call, in the LLVM dialect.",
    "lower-collectives": "Replace operations between ranks of the dialect shard by calls on buffers.",
    "order-loops": "Order the loops of contractions so that the innermost one runs over neighbours; no bit changes.",
    "pack-constants": "Pack constants that kernels would pack at every call.",
    "plan-arena": "Make the buffers of a function views of one allocation, shared by those never live together.",
    "poison-buffers": "Fill allocated memory with NaN before it is used; for tests, before plan-arena.",
    "share-loops": "Make scf.parallel OpenMP teams of as many threads as the functions say.",
    "strided-copies-to-linalg": "Make memref.copy of strided memrefs and of large results linalg.copy, for strategies.",
    "sums-to-kernels": "Make kernels of sums that may be reordered and that have none: loops would lose digits.",
}
"""Our passes over MLIR modules: pass a-b is the function a_b of rewrites/a_b.py."""

GPU_REWRITES = {
    "extern-shared-memory": "Make the shared memory that launches ask for an external symbol, well aligned.",
    "outline-gpu-kernels": "Make functions with `mind.launch` gpu.func in a gpu.module, and calls gpu.launch_func.",
    "split-gpu-sums": "Split a GPU kernel that sums in parts into one for the parts and one that adds them.",
    "tensor-maps-by-value": "Make tensor maps of GPU kernels parameters of 128 bytes, which are never written.",
}
"""Our passes for GPUs, of gpu/rewrites/."""


@register("lower-to-linalg", target=Level.MLIR)
def lower_to_linalg(m: Module, *, numerics: Literal["default", "strict", "fast"] = "default", threads: int = 1) -> Any:
    """Lower Core IR to linalg on tensors: a func.func named main, with numerics and threads noted for later passes."""
    from ..emit.to_linalg import to_linalg

    return to_linalg(m, numerics=numerics, threads=threads)


@register("generalize-elementwise", source=Level.MLIR)
def generalize_elementwise(module: Any, *, least: int = 0) -> None:
    """Make named element-wise linalg operations in chains, on at least so many elements, linalg.generic, for fusion."""
    from ..rewrites.generalize_elementwise import generalize_elementwise

    generalize_elementwise(module, least=least)


@register("group-kernels", source=Level.MLIR)
def group_kernels(module: Any, *, least: int = 0) -> None:
    """Mark linalg operations that will share a kernel, and move them together, if on at least so many elements."""
    from ..rewrites.group_kernels import group_kernels

    group_kernels(module, least=least)


@register("form-kernels", source=Level.MLIR)
def form_kernels(module: Any, *, cpu: str = "native", tuning: str = "") -> None:
    """Move linalg operations on memrefs that have a strategy into functions that name it, for a kind of CPU."""
    from ..rewrites.form_kernels import form_kernels

    form_kernels(module, cpu=cpu, tuning=tuning)


@register("expand-kernels", source=Level.MLIR)
def expand_kernels(module: Any, *, cpu: str = "native") -> None:
    """Write the loops and vector operations of functions that name a strategy, for a kind of CPU."""
    from ..rewrites.expand_kernels import expand_kernels

    expand_kernels(module, cpu=cpu)


@register("expand-math", source=Level.MLIR)
def expand_math(module: Any, *, cpu: str = "native") -> None:
    """Replace exp and log by plain arithmetic, as the function's numerics mode and the kind of CPU require."""
    from ..rewrites.expand_math import expand_math

    expand_math(module, cpu=cpu)


@register("turn-operands", source=Level.MLIR)
def turn_operands(
    module: Any, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32", lines: int = 2048
) -> None:
    """Transpose operands of large TF32 products on sm_90a, so that they can be copied by tiles.

    `lines` is the least number of rows or columns of the other operand for which that is done.
    """
    from ..gpu.rewrites.turn_operands import turn_operands

    turn_operands(module, chip=chip, precision=precision, lines=lines)


@register("form-gpu-kernels", source=Level.MLIR)
def form_gpu_kernels(module: Any, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32") -> None:
    """Move all that is computed on memrefs into functions that name a strategy for GPUs, for a kind of chip."""
    from ..gpu.rewrites.form_gpu_kernels import form_gpu_kernels

    form_gpu_kernels(module, chip=chip, precision=precision)


@register("expand-gpu-kernels", source=Level.MLIR)
def expand_gpu_kernels(module: Any, *, chip: str = "sm_80") -> None:
    """Write what one thread does in functions that name a strategy for GPUs, and how many threads there are."""
    from ..gpu.rewrites.expand_gpu_kernels import expand_gpu_kernels

    expand_gpu_kernels(module, chip=chip)


@register("attach-gpu-targets", source=Level.MLIR)
def attach_gpu_targets(module: Any, *, chip: str = "sm_80") -> None:
    """Note the kind of chip for which modules for the device are compiled, and a version of PTX for it."""
    from ..mlir.pass_driver import run_mlir_pass
    from ..targets.chips import find_chip

    found = find_chip(chip)
    run_mlir_pass(f"nvvm-attach-target{{chip={found.name} features={found.features} O=3}}", module)


@register("outline-linalg", source=Level.MLIR)
def outline_linalg(module: Any, *, allocations: int = 0) -> None:
    """Move linalg operations and loops on memrefs into private functions, where a function has so many allocations."""
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
