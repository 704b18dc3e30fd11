"""Compiles a Core IR module to code in this process, which is called on NumPy arrays without copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..gate import unforked
from ..ir import MindError, Module
from ..lowering.gpu.precision import check_precision
from ..passes.preflight import check_before_run
from ..passes.verify import verify
from .executable import Executable
from .interpret import evaluated, interpret
from .threads import check_threads, thread_count
from .tuning_choice import tuning_file

if TYPE_CHECKING:
    import os

    import numpy

    from .mpi.ranks import Ranks
    from .native_executable import NativeExecutable

TARGETS = ("cpu", "gpu", "interpret")
NUMERICS = ("default", "strict", "fast")


@unforked
def compile(
    module: Module,
    target: Literal["cpu", "gpu", "interpret"] = "cpu",
    threads: int | None = None,
    numerics: Literal["default", "strict", "fast"] = "default",
    tuning: str | os.PathLike[str] | None = None,
    precision: Literal["f32", "tf32"] = "f32",
) -> Executable:
    """Compile a module; the result is called with arrays.

    `target` cpu gives native code, gpu code for the first NVIDIA GPU, interpret the NumPy oracle with the same
    interface. `threads` is the largest number of threads on the CPU; None takes that of the environment variable
    MIND_NUM_THREADS, else the number of cores that the process may use. Results do not depend on it. `numerics` says
    how far results may differ from `interpret`: strict not at all; default by rounding product and sum together (FMA),
    by sums in another order, fixed by the shape alone, and by up to 2 ulp of Exp and Log; fast by anything that LLVM
    may do. `tuning` is the path of a file that mind-tune wrote, or "off"; None takes that of the environment variable
    MIND_TUNING. With `precision` tf32, a GPU may round the factors of f32 products to 10 bits of mantissa, for its
    tensor cores.

    A module with operations between ranks, as `partition` makes it, runs on the ranks of its mesh: every process of the
    job compiles it and calls it, with its own part of each argument.

    Raises MindError: any code of `verify`, E6001 and E6004 for what is known before a run, E6002 for an unknown
    target or one that this machine lacks, E6008 if the GPU fails, E7004 and E7013 for a bad tuning file, E7006 if MLIR
    is not installed, E7007 for other options and a bad variable; E6003 for operations between ranks on a GPU, E8007
    for another number of ranks than the mesh has, E8010 without MPI.
    """
    check_options(target, threads, numerics, tuning, precision)
    verify(module)
    if any(o.op.across_ranks for o in module.operations):
        return _compile_for_ranks(module, target, numerics, threads, tuning)
    if target == "interpret":
        return Executable(module, target, lambda *a: interpret(module, *a))
    if target == "gpu":
        from .gpu.gpu_executable import compile_for_gpu

        return compile_for_gpu(module, numerics, precision)
    return _compile_native(module, numerics, thread_count(threads), tuning_file(tuning))


def check_options(
    target: str,
    threads: int | None,
    numerics: str,
    tuning: str | os.PathLike[str] | None = None,
    precision: str = "f32",
) -> None:
    """E6002 for an unknown target, E7007 for any other option with a value that it cannot have."""
    if target not in TARGETS:
        raise MindError.of("E6002", f"no target is named {target}", help=f"targets: {', '.join(TARGETS)}")
    if numerics not in NUMERICS:
        raise MindError.of("E7007", f"no numerics mode is named {numerics}", help=f"modes: {', '.join(NUMERICS)}")
    check_precision(precision, numerics)
    if precision != "f32" and target != "gpu":
        raise MindError.of("E7007", f"precision {precision} is for target gpu, found {target}")
    if threads is not None:
        check_threads(threads)
    if tuning is not None:
        tuning_file(tuning)


def _compile_for_ranks(
    module: Module, target: str, numerics: str, threads: int | None, tuning: str | os.PathLike[str] | None
) -> Executable:
    """Compile a module with operations between ranks, for this rank of its mesh."""
    from ..lowering.abi.rank_table import needs_ranks
    from .mpi.ranks import ranks_of

    if target == "gpu":
        message = "operations between ranks run on CPUs, the target is gpu"
        raise MindError.of("E6003", message, help='target="cpu" calls MPI')
    ranks = ranks_of(module.mesh) if module.mesh is not None and needs_ranks(module) else None
    if target == "interpret":
        check_before_run(module)
        if ranks is None:
            return Executable(module, target, lambda *a: evaluated(module, a))
        return _interpreted(module, ranks)
    exe = _compile_native(module, numerics, thread_count(threads), tuning_file(tuning))
    if ranks is not None:
        exe.set_ranks(ranks.table, ranks.program(module))
    return exe


def _interpreted(module: Module, ranks: Ranks) -> Executable:
    call = ranks.program(module)

    def run(*arrays: Any) -> tuple[numpy.ndarray, ...]:
        with call:
            return tuple(evaluated(module, arrays, ranks.across))

    exe = Executable(module, "interpret", run)
    exe.among_ranks = call
    return exe


def _compile_native(module: Module, numerics: str, threads: int, tuning: str | None) -> NativeExecutable:
    from ..lowering.native.guard import tried
    from ..lowering.native.kept_code import native_code
    from .native_executable import native_executable_class

    tried(module, lambda: native_code(module, numerics, threads, tuning))
    return native_executable_class()(module, *native_code(module, numerics, threads, tuning))
