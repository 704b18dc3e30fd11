"""Core IR module -> native code in this process, called on NumPy arrays without copies."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ..ir import MindError, Module, np, print_module
from ..lowering.precision import check_precision
from ..passes.preflight import check_before_run
from ..passes.verify import verify
from .arguments import bind, checked_outputs
from .interpret import evaluated, interpret
from .threads import thread_count
from .tuning import tuning_file

if TYPE_CHECKING:
    import os

    import numpy

TARGETS = ("cpu", "gpu", "interpret")
NUMERICS = ("default", "strict", "fast")

_KEEP_GIL_BELOW = 1 << 20
"""Bytes of arguments and results up to which a call keeps the interpreter lock: releasing it costs more."""

_ALIGNED_ABOVE = 1 << 20
"""Bytes of a result from which on it starts on the border of a cache line: stores past the caches want that."""

_LINE = 64

_ndarray, _empty = np.ndarray, np.empty  # looked up once, not at every call


def compile(
    module: Module,
    target: Literal["cpu", "gpu", "interpret"] = "cpu",
    threads: int | None = None,
    numerics: Literal["default", "strict", "fast"] = "default",
    tuning: str | os.PathLike[str] | None = None,
    precision: Literal["f32", "tf32"] = "f32",
) -> Executable:
    """Compile a module; the result is called with arrays.

    `target` cpu gives native code, gpu code for the first NVIDIA GPU, interpret the NumPy oracle behind the same
    interface.  `threads` is the largest number of threads of the CPU, where none is given that of the environment
    variable MIND_NUM_THREADS, else 1; results do not depend on it.  `numerics` says how far results may differ from
    `interpret`: strict not at all; default by rounding product and sum together (FMA), by sums in another order, fixed
    by the shape alone, and by up to 2 ulp of Exp and Log; fast by anything that LLVM may do.  `tuning` is the path of a
    file that mind-tune wrote, where none is given that of the environment variable MIND_TUNING; "off" stands for none.
    With `precision` tf32, a GPU may round the factors of f32 products to 10 bits of mantissa, for its tensor cores.

    A module with operations between ranks, as `partition` makes it, runs on the ranks of its mesh: every process of the
    job compiles it and calls it, with its own part of each argument.

    Raises MindError: any code of `verify`, E6001 and E6004 for what is known before a run, E6002 for an unknown
    target or one that this machine lacks, E6008 if the GPU fails, E7004 and E7013 for a bad tuning file, E7006 if MLIR,
    or what threads need, is not installed, E7007 for other options and a bad variable; E6003 for operations between
    ranks on a GPU, E8007 for another number of ranks than the mesh has, E8010 without MPI.
    """
    check_options(target, threads, numerics, tuning, precision)
    verify(module)
    if any(o.op.across_ranks for o in module.operations):
        return _compile_for_ranks(module, target, numerics, threads, tuning)
    if target == "interpret":
        return Executable(module, target, lambda *a: interpret(module, *a))
    if target == "gpu":
        from .gpu.executable import compile_for_gpu

        return compile_for_gpu(module, numerics, precision)
    return _compile_native(module, numerics, thread_count(threads), tuning_file(tuning))


def check_options(
    target: str,
    threads: int | None,
    numerics: str,
    tuning: str | os.PathLike[str] | None = None,
    precision: str = "f32",
) -> None:
    """E6002 for an unknown target, E7007 for what is no number of threads, mode, precision or path."""
    if target not in TARGETS:
        raise MindError.of("E6002", f"no target is named {target}", help=f"targets: {', '.join(TARGETS)}")
    if numerics not in NUMERICS:
        raise MindError.of("E7007", f"no numerics mode is named {numerics}", help=f"modes: {', '.join(NUMERICS)}")
    check_precision(precision, numerics)
    if precision != "f32" and target != "gpu":
        raise MindError.of("E7007", f"precision {precision} is for target gpu, found {target}")
    if threads is not None:
        thread_count(threads)
    if tuning is not None:
        tuning_file(tuning)


def _compile_for_ranks(
    module: Module, target: str, numerics: str, threads: int | None, tuning: str | os.PathLike[str] | None
) -> Executable:
    """The module of one rank among those of its mesh."""
    from ..lowering.rank_table import needs_ranks
    from .mpi.ranks import ranks_of

    if target == "gpu":
        message = "operations between ranks run on CPUs, the target is gpu"
        raise MindError.of("E6003", message, help='target="cpu" calls MPI')
    ranks = ranks_of(module.mesh) if module.mesh is not None and needs_ranks(module) else None
    if target == "interpret":
        check_before_run(module)
        across = ranks.across if ranks is not None else None
        return Executable(module, target, lambda *a: evaluated(module, a, across))
    exe = _compile_native(module, numerics, thread_count(threads), tuning_file(tuning))
    if ranks is not None:
        exe.set_ranks(ranks.table)
    return exe


class Executable:
    """A compiled module: `exe(*arrays)` or `exe(name=array)` returns a tuple with one array for each output.

    Arguments are C-ordered arrays of exactly the Inputs' types (E6009); they are never written.  `out=` takes an
    array, or one for each output, to write the results into.
    """

    def __init__(self, module: Module, target: str, run: Callable[..., tuple[numpy.ndarray, ...]]) -> None:
        self.module, self.target = module, target
        self.input_names = tuple(o.op.name for o in module.inputs)  # type: ignore[attr-defined]
        self.input_types = tuple(o.type for o in module.inputs)
        self.output_types = module.output_types
        self._run = run

    def __repr__(self) -> str:
        inputs = ", ".join(f"{n}: {t}" for n, t in zip(self.input_names, self.input_types))
        return f"<Executable for {self.target}: ({inputs}) -> ({', '.join(map(str, self.output_types))})>"

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> tuple[numpy.ndarray, ...]:
        inputs = bind(self.input_names, self.input_types, arrays, named)
        if out is None:
            return self._run(*inputs)
        outputs = checked_outputs(self.output_types, out, inputs)
        for a, result in zip(outputs, self._run(*inputs)):
            a[...] = result
        return tuple(outputs)


class NativeExecutable(Executable):
    """An Executable whose code is native.

    From the second call on, arrays of the right types take the short way of calls/: it does what `__call__` does, and
    leaves to it what does not fit.
    """

    def __init__(self, module: Module, engine: Any, main: int, short: bool = True) -> None:
        super().__init__(module, "cpu", self._call)
        self._engine = engine  # owns the code
        self._address, self._calls = main, 0 if short else None
        self._pointers = ctypes.c_void_p * (len(self.input_types) + len(self.output_types))
        size = sum(t.nbytes for t in self.input_types + self.output_types)
        self._releases_lock = size >= _KEEP_GIL_BELOW
        prototype = ctypes.CFUNCTYPE if self._releases_lock else ctypes.PYFUNCTYPE
        self._main = prototype(ctypes.c_int64, self._pointers)(main)
        self._makers = [
            partial(_aligned if t.nbytes >= _ALIGNED_ABOVE else _empty, t.shape, t.dtype.numpy)
            for t in self.output_types
        ]

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> tuple[numpy.ndarray, ...]:
        inputs = bind(self.input_names, self.input_types, arrays, named)
        outputs = None if out is None else checked_outputs(self.output_types, out, inputs)
        if self._calls is not None:
            self._count_call()
        return self._call(*inputs, outputs=outputs)

    def _count_call(self) -> None:
        """Take the short way from the second call on: a program that calls once does not wait for it."""
        self._calls += 1
        if self._calls < 2:
            return
        self._calls = None
        from .calls.fast import connect
        from .calls.plans import MOST_ARRAYS, Plan

        if len(self.input_types) + len(self.output_types) <= MOST_ARRAYS:
            ...

    def set_ranks(self, table: Any) -> None:
        """Tell the code of whom it is among the ranks of its mesh: lowering/rank_table.py."""
        from ..lowering.compiled import function_address
        from ..lowering.rank_table import SET_RANKS

        self._ranks = table  # the code keeps its address
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function_address(self._engine, SET_RANKS))(ctypes.addressof(table))

    def _call(self, *inputs: Any, outputs: Sequence[Any] | None = None) -> tuple[numpy.ndarray, ...]:
        results = tuple(outputs) if outputs is not None else tuple([make() for make in self._results])
        if status := self._main(self._pointers(*[a.ctypes.data for a in (*inputs, *results)])):
            self._explain(status, inputs)
        return results

    def _explain(self, status: int, inputs: Sequence[Any]) -> None:
        """Raise what the status stands for.  The interpreter, given the same inputs, has the details."""
        interpret(self.module, *inputs)
        from ..lowering.reproducer import write_reproducer

        path = write_reproducer(print_module(self.module), ".mindir")
        message = f"native code reports that %{status - 1} failed, the interpreter does not"
        raise MindError.of("E9002", message, help=f"report it with {path} and the arguments")


def _aligned(shape: tuple[int, ...], dtype: numpy.dtype) -> numpy.ndarray:
    """Like np.empty, but the first element lies on the border of a cache line; malloc gives borders of 16 bytes."""
    memory: numpy.ndarray = _empty(math.prod(shape) * dtype.itemsize + _LINE, np.uint8)
    aligned: numpy.ndarray = _ndarray(shape, dtype, memory, -memory.ctypes.data % _LINE)
    return aligned


def _compile_native(module: Module, numerics: str, threads: int, tuning: str | None) -> NativeExecutable:
    from ..lowering.compiled import native_code

    return NativeExecutable(module, *native_code(module, numerics, threads, tuning))
