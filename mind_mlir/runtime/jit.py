"""Core IR module -> native code in this process, called on NumPy arrays without copies."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ..ir import MindError, Module, TensorType, np, print_module
from ..ir.gate import unforked
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
    """An Executable whose code is native.  A call with plain arrays of the right types takes the short way."""

    def __init__(self, module: Module, engine: Any, main: int, call: int | None) -> None:
        super().__init__(module, "cpu", self._call)
        self._engine = engine  # owns the code
        count = len(self.input_types) + len(self.output_types)
        size = sum(t.nbytes for t in self.input_types + self.output_types)
        prototype = ctypes.PYFUNCTYPE if size < _KEEP_GIL_BELOW else ctypes.CFUNCTYPE
        self._on_pointers = prototype(ctypes.c_int64, *[ctypes.c_void_p] * count)(main)
        self._count = -1  # -1: no call takes the short way
        if call is not None:
            short = prototype(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, *[ctypes.py_object] * count)
            self._on_arrays, self._count = short(call), len(self.input_types)
        self._table = _table(self.input_types, self.output_types)
        self._expectations = ctypes.addressof(self._table)
        self._results = [
            partial(_aligned if t.nbytes >= _ALIGNED_ABOVE else _empty, t.shape, t.dtype.numpy)
            for t in self.output_types
        ]
        self._is_one = len(self._results) == 1

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> tuple[numpy.ndarray, ...]:
        if len(arrays) == self._count and not named:
            if out is None:
                results = (self._results[0](),) if self._is_one else tuple([make() for make in self._results])
            else:
                results = tuple(out) if type(out) in (tuple, list) else (out,)
            if len(results) == len(self._results):
                status = self._on_arrays(self._expectations, out is not None, *arrays, *results)
                if status == 0:
                    return results
                if status > 0:
                    self._explain(status, arrays)
        inputs = bind(self.input_names, self.input_types, arrays, named)
        outputs = None if out is None else checked_outputs(self.output_types, out, inputs)
        return self._call(*inputs, outputs=outputs)

    def set_ranks(self, table: Any) -> None:
        """Tell the code of whom it is among the ranks of its mesh: lowering/rank_table.py."""
        from ..lowering.compiled import function_address
        from ..lowering.rank_table import SET_RANKS

        self._ranks = table  # the code keeps its address
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function_address(self._engine, SET_RANKS))(ctypes.addressof(table))

    def _call(self, *inputs: Any, outputs: Sequence[Any] | None = None) -> tuple[numpy.ndarray, ...]:
        results = tuple(outputs) if outputs is not None else tuple([make() for make in self._results])
        if status := self._on_pointers(*[a.ctypes.data for a in (*inputs, *results)]):
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


_C_ORDER, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400
"""NumPy's flags of an array object."""


def _table(inputs: Sequence[TensorType], outputs: Sequence[TensorType]) -> Any:
    """What native code checks arrays against: see lowering/entry.py.  dtype objects live as long as NumPy."""
    entries = [id(_ndarray)]
    for t in inputs:
        entries += [id(t.dtype.numpy), t.rank, _C_ORDER | _ALIGNED, t.nbytes, *t.shape]
    for t in outputs:
        entries += [id(t.dtype.numpy), t.rank, _C_ORDER | _ALIGNED | _WRITEABLE, t.nbytes, *t.shape]
    return (ctypes.c_int64 * len(entries))(*entries)


def _data_offset() -> int | None:
    """Where an array object holds the pointer to its data, in bytes; None if its fields are not as NumPy's C API says.

    The pointer is the first field after the object header; lowering/entry.py has the others.
    """
    offset = object.__basicsize__
    trial = np.zeros((5, 6), np.float32)[2:]

    def field(kind: Any, at: int) -> Any:
        return kind.from_address(id(trial) + offset + at).value

    found = (
        ctypes.c_void_p.from_address(id(trial) + offset - 8).value,
        field(ctypes.c_void_p, 0),
        field(ctypes.c_int, 8),
        tuple((ctypes.c_ssize_t * 2).from_address(field(ctypes.c_void_p, 16))),
        field(ctypes.c_void_p, 40),
        field(ctypes.c_int, 48) & (_C_ORDER | _ALIGNED | _WRITEABLE),
    )
    expected = (
        id(_ndarray),
        trial.ctypes.data,
        2,
        trial.shape,
        id(np.dtype(np.float32)),
        _C_ORDER | _ALIGNED | _WRITEABLE,
    )
    return offset if found == expected else None


def _compile_native(module: Module, numerics: str, threads: int, tuning: str | None) -> NativeExecutable:
    from ..lowering.compiled import native_code
    from ..lowering.guard import tried

    tried(module, lambda: native_code(module, _data_offset(), numerics, threads, tuning))
    return NativeExecutable(module, *native_code(module, _data_offset(), numerics, threads, tuning))
