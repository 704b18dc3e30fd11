"""Core IR module -> native code in this process, called on NumPy arrays without copies."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ..ir import MindError, Module, TensorType, np, print_module
from ..passes.verify import verify
from .arguments import bind, checked_outputs
from .interpret import interpret
from .threads import thread_count

if TYPE_CHECKING:
    import numpy

TARGETS = ("cpu", "interpret")
NUMERICS = ("default", "strict", "fast")

_KEEP_GIL_BELOW = 1 << 20
"""Bytes of arguments and results up to which a call keeps the interpreter lock: releasing it costs more."""

_ALIGNED_ABOVE = 1 << 20
"""Bytes of a result from which on it starts on the border of a cache line: stores past the caches want that."""

_LINE = 64

_ndarray, _empty = np.ndarray, np.empty  # looked up once, not at every call


def compile(
    module: Module,
    target: Literal["cpu", "interpret"] = "cpu",
    threads: int | None = None,
    numerics: Literal["default", "strict", "fast"] = "default",
) -> Executable:
    """Compile a module; the result is called with arrays.

    `target` cpu gives native code, interpret the NumPy oracle behind the same interface.  `threads` is the largest
    number of threads to use, where none is given that of the environment variable MIND_NUM_THREADS, else 1; results do
    not depend on it.  `numerics` says how far results may differ from `interpret`: strict not at all; default by
    rounding product and sum together (FMA), by sums in another order, fixed by the shape alone, and by up to 2 ulp of
    Exp and Log; fast by anything that LLVM may do.

    Raises MindError: any code of `verify`, E6001 and E6004 for what is known before a run, E6002 for an unknown
    target, E7006 if MLIR, or what threads need, is not installed, E7007 for other options and a bad variable.
    """
    check_options(target, threads, numerics)
    verify(module)
    if target == "interpret":
        return Executable(module, target, lambda *a: interpret(module, *a))
    return _compile_native(module, numerics, thread_count(threads))


def check_options(target: str, threads: int | None, numerics: str) -> None:
    """E6002 for an unknown target, E7007 for what is no number of threads or no numerics mode."""
    if target not in TARGETS:
        raise MindError.of("E6002", f"no target is named {target}", help=f"targets: {', '.join(TARGETS)}")
    if numerics not in NUMERICS:
        raise MindError.of("E7007", f"no numerics mode is named {numerics}", help=f"modes: {', '.join(NUMERICS)}")
    if threads is not None:
        thread_count(threads)


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
        if call is not None:
            self._on_arrays = prototype(ctypes.c_int64, *[ctypes.py_object] * count)(call)
        self._expected = [(t.dtype.numpy, t.shape, _strides(t)) for t in self.input_types]
        self._count = len(self._expected) if call is not None else -1  # -1: no call takes the short way
        self._results = [
            partial(_aligned if t.nbytes >= _ALIGNED_ABOVE else _empty, t.shape, t.dtype.numpy)
            for t in self.output_types
        ]

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> tuple[numpy.ndarray, ...]:
        if len(arrays) == self._count and out is None and not named:
            for a, (dtype, shape, strides) in zip(arrays, self._expected):
                if type(a) is not _ndarray or a.dtype is not dtype or a.shape != shape or a.strides != strides:
                    break
                if not a.flags.aligned:
                    break
            else:
                results = tuple([make() for make in self._results])
                if status := self._on_arrays(*arrays, *results):
                    self._explain(status, arrays)
                return results
        inputs = bind(self.input_names, self.input_types, arrays, named)
        outputs = None if out is None else checked_outputs(self.output_types, out, inputs)
        return self._call(*inputs, outputs=outputs)

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


def _strides(t: TensorType) -> tuple[int, ...]:
    """Strides in bytes of a C-ordered array, as NumPy makes it."""
    strides, step = [], t.dtype.width
    for n in reversed(t.shape):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def _data_offset() -> int | None:
    """Where an array object holds the pointer to its data, in bytes; None if that is not as expected.

    NumPy's C API fixes it as the first field after the object header.  Reading it in native code saves the second
    half of a call's cost.
    """
    offset = object.__basicsize__
    trial = np.arange(6)[2:]
    found = ctypes.c_void_p.from_address(id(trial) + offset).value
    return offset if found == trial.ctypes.data else None


def _compile_native(module: Module, numerics: str, threads: int) -> NativeExecutable:
    from ..lowering.compiled import native_code

    return NativeExecutable(module, *native_code(module, _data_offset(), numerics, threads))
