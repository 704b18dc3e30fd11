"""Our passes over MLIR modules, registered; MLIR is loaded when one of them runs.

Written by scripts/gen_passes.py from the functions that `@rewrite` marks.
"""

from __future__ import annotations

from typing import Any, Literal

from ...passes.registry import Level, register


@register("bools-as-bytes", source=Level.MLIR)
def bools_as_bytes(module: Any) -> None:
    """Make tensors of i1 tensors of i8, 0 or 1, because LLVM would pack vectors of i1 into bits."""
    from ..rewrites.bools_as_bytes import bools_as_bytes

    bools_as_bytes(module)


@register("call-mpi", source=Level.MLIR)
def call_mpi(module: Any) -> None:
    """Make the functions that lower-collectives declares call MPI, in the LLVM dialect."""
    from ..rewrites.call_mpi import call_mpi

    call_mpi(module)


@register("check-lowered", source=Level.MLIR)
def check_lowered(module: Any) -> None:
    """Fail if anything but the LLVM dialect is left, naming the missing conversion."""
    from ..rewrites.check_lowered import check_lowered

    check_lowered(module)


@register("coalesce-buffers", source=Level.MLIR)
def coalesce_buffers(module: Any) -> None:
    """Let a buffer that begins as a copy of another, or can be computed in its memory, be that one."""
    from ..rewrites.coalesce_buffers import coalesce_buffers

    coalesce_buffers(module)


@register("copy-colliding-rows", source=Level.MLIR)
def copy_colliding_rows(module: Any, *, cpu: str = "native") -> None:
    """Transpose operands of products whose rows are neighbours, where their terms share few sets of a cache."""
    from ..rewrites.copy_colliding_rows import copy_colliding_rows

    copy_colliding_rows(module, cpu=cpu)


@register("cpu-abi", source=Level.MLIR)
def cpu_abi(module: Any) -> None:
    """Make functions on tensors take caller-allocated, non-aliasing memrefs and return a status."""
    from ..rewrites.cpu_abi import cpu_abi

    cpu_abi(module)


@register("expand-kernels", source=Level.MLIR)
def expand_kernels(module: Any, *, cpu: str = "native") -> None:
    """Write the loops and vector operations of functions that name a strategy, for a kind of CPU."""
    from ..rewrites.expand_kernels import expand_kernels

    expand_kernels(module, cpu=cpu)


@register("expand-math", source=Level.MLIR)
def expand_math(module: Any, *, cpu: str = "native") -> None:
    """Replace exp, tanh and others by plain arithmetic, as the function's numerics mode and the kind of CPU require."""
    from ..rewrites.expand_math import expand_math

    expand_math(module, cpu=cpu)


@register("fast-math", source=Level.MLIR)
def fast_math(module: Any) -> None:
    """Under fast numerics, let LLVM fuse multiplications and additions."""
    from ..rewrites.fast_math import fast_math

    fast_math(module)


@register("fold-transposes", source=Level.MLIR)
def fold_transposes(module: Any) -> None:
    """Let contractions read and write tensors as stored, instead of transposed copies."""
    from ..rewrites.fold_transposes import fold_transposes

    fold_transposes(module)


@register("form-kernels", source=Level.MLIR)
def form_kernels(module: Any, *, cpu: str = "native", tuning: str = "") -> None:
    """Move linalg operations on memrefs that have a strategy into functions that name it, for a kind of CPU."""
    from ..rewrites.form_kernels import form_kernels

    form_kernels(module, cpu=cpu, tuning=tuning)


@register("free-buffers", source=Level.MLIR)
def free_buffers(module: Any) -> None:
    """Add a memref.dealloc after the last use of every memref.alloc."""
    from ..rewrites.free_buffers import free_buffers

    free_buffers(module)


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


@register("halves-as-bits", source=Level.MLIR)
def halves_as_bits(module: Any) -> None:
    """Make floats of 16 bits i16, and their conversions arithmetic: LLVM would call functions for each element."""
    from ..rewrites.halves_as_bits import halves_as_bits

    halves_as_bits(module)


@register("hoist-scratch", source=Level.MLIR)
def hoist_scratch(module: Any) -> None:
    """Make memory that private functions allocate a parameter that their callers pass."""
    from ..rewrites.hoist_scratch import hoist_scratch

    hoist_scratch(module)


@register("join-arg-extremes", source=Level.MLIR)
def join_arg_extremes(module: Any) -> None:
    """Find the position of an extreme along the last axis in one pass over its elements, where a kernel does."""
    from ..rewrites.join_arg_extremes import join_arg_extremes

    join_arg_extremes(module)


@register("keep-arena", source=Level.MLIR)
def keep_arena(module: Any) -> None:
    """Keep a large arena from call to call, in the LLVM dialect."""
    from ..rewrites.keep_arena import keep_arena

    keep_arena(module)


@register("lower-collectives", source=Level.MLIR)
def lower_collectives(module: Any) -> None:
    """Replace operations between ranks of the dialect shard by calls on buffers."""
    from ..rewrites.lower_collectives import lower_collectives

    lower_collectives(module)


@register("order-loops", source=Level.MLIR)
def order_loops(module: Any) -> None:
    """Order the loops of contractions so that the innermost one runs over neighbours; no bit changes."""
    from ..rewrites.order_loops import order_loops

    order_loops(module)


@register("outline-linalg", source=Level.MLIR)
def outline_linalg(module: Any, *, allocations: int = 0) -> None:
    """Move linalg operations and loops on memrefs into private functions, where a function has so many allocations."""
    from ..rewrites.outline_linalg import outline_linalg

    outline_linalg(module, allocations=allocations)


@register("pack-constants", source=Level.MLIR)
def pack_constants(module: Any) -> None:
    """Pack constants that kernels would pack at every call."""
    from ..rewrites.pack_constants import pack_constants

    pack_constants(module)


@register("plan-arena", source=Level.MLIR)
def plan_arena(module: Any) -> None:
    """Make the buffers of a function views of one allocation, shared by those never live together."""
    from ..rewrites.plan_arena import plan_arena

    plan_arena(module)


@register("poison-buffers", source=Level.MLIR)
def poison_buffers(module: Any) -> None:
    """Fill allocated memory with NaN before it is used; for tests, before plan-arena."""
    from ..rewrites.poison_buffers import poison_buffers

    poison_buffers(module)


@register("share-loops", source=Level.MLIR)
def share_loops(module: Any) -> None:
    """Make scf.parallel OpenMP teams of as many threads as the functions say."""
    from ..rewrites.share_loops import share_loops

    share_loops(module)


@register("strided-copies-to-linalg", source=Level.MLIR)
def strided_copies_to_linalg(module: Any) -> None:
    """Make memref.copy of strided memrefs and of large results linalg.copy, for strategies."""
    from ..rewrites.strided_copies_to_linalg import strided_copies_to_linalg

    strided_copies_to_linalg(module)


@register("sums-to-kernels", source=Level.MLIR)
def sums_to_kernels(module: Any) -> None:
    """Make kernels of sums that may be reordered and that have none: loops would lose digits."""
    from ..rewrites.sums_to_kernels import sums_to_kernels

    sums_to_kernels(module)


@register("attach-gpu-targets", source=Level.MLIR)
def attach_gpu_targets(module: Any, *, chip: str = "sm_80") -> None:
    """Note the kind of chip for which modules for the device are compiled, and a version of PTX for it."""
    from ..gpu.rewrites.attach_gpu_targets import attach_gpu_targets

    attach_gpu_targets(module, chip=chip)


@register("expand-gpu-kernels", source=Level.MLIR)
def expand_gpu_kernels(module: Any, *, chip: str = "sm_80") -> None:
    """Write what one thread does in functions that name a strategy for GPUs, and how many threads there are."""
    from ..gpu.rewrites.expand_gpu_kernels import expand_gpu_kernels

    expand_gpu_kernels(module, chip=chip)


@register("extern-shared-memory", source=Level.MLIR)
def extern_shared_memory(module: Any) -> None:
    """Make the shared memory that launches ask for an external symbol, well aligned."""
    from ..gpu.rewrites.extern_shared_memory import extern_shared_memory

    extern_shared_memory(module)


@register("form-gpu-kernels", source=Level.MLIR)
def form_gpu_kernels(module: Any, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32") -> None:
    """Move all that is computed on memrefs into functions that name a strategy for GPUs, for a kind of chip."""
    from ..gpu.rewrites.form_gpu_kernels import form_gpu_kernels

    form_gpu_kernels(module, chip=chip, precision=precision)


@register("outline-gpu-kernels", source=Level.MLIR)
def outline_gpu_kernels(module: Any) -> None:
    """Make functions with `mind.launch` gpu.func in a gpu.module, and calls gpu.launch_func."""
    from ..gpu.rewrites.outline_gpu_kernels import outline_gpu_kernels

    outline_gpu_kernels(module)


@register("split-gpu-sums", source=Level.MLIR)
def split_gpu_sums(module: Any) -> None:
    """Split a GPU kernel that sums in parts into one for the parts and one that adds them."""
    from ..gpu.rewrites.split_gpu_sums import split_gpu_sums

    split_gpu_sums(module)


@register("tensor-maps-by-value", source=Level.MLIR)
def tensor_maps_by_value(module: Any) -> None:
    """Make tensor maps of GPU kernels parameters of 128 bytes, which are never written."""
    from ..gpu.rewrites.tensor_maps_by_value import tensor_maps_by_value

    tensor_maps_by_value(module)


@register("turn-operands", source=Level.MLIR)
def turn_operands(
    module: Any, *, chip: str = "sm_80", precision: Literal["f32", "tf32"] = "f32", lines: int = 2048
) -> None:
    """Transpose operands of large TF32 products on sm_90a, so that they can be copied by tiles."""
    from ..gpu.rewrites.turn_operands import turn_operands

    turn_operands(module, chip=chip, precision=precision, lines=lines)
