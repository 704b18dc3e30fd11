"""Executables of native code: how they are called, and how their failures are explained."""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..ir import MindError, Module, np, print_module
from .arguments import bind, checked_outputs
from .calls.fast import connect, is_ready, with_short_way
from .calls.layout import process_table
from .calls.plans import MOST_ARRAYS, Plan
from .executable import Executable
from .interpret import interpret

if TYPE_CHECKING:
    import numpy

    from .mpi.numbered_calls import Call

_KEEP_GIL_BELOW = 1 << 20
"""Up to so many bytes of arguments and results, a call keeps the interpreter lock, because releasing it costs more."""

_ALIGNED_ABOVE = 1 << 20
"""From so many bytes on, a result begins at a cache line, as stores past the caches need it."""

_LINE = 64

_ndarray, _empty = np.ndarray, np.empty  # looked up once, not at every call


class NativeExecutable(Executable):
    """An Executable whose code is native.

    From the second call on, arrays of the right types go to the code of calls/ instead of `__call__`. It does the same,
    and calls `__call__` for arguments that do not fit.
    """

    _ranks: Any = None

    def __init__(self, module: Module, code: Any, main: int) -> None:
        """`main` is the address of `mind_main` of lowering/abi/entry.py; `code` owns it."""
        super().__init__(module, "cpu")
        self._engine, self._address = code, main
        count = len(self.input_types) + len(self.output_types)
        size = sum(t.nbytes for t in self.input_types + self.output_types)
        self._releases_lock = size >= _KEEP_GIL_BELOW
        self._pointers = ctypes.c_void_p * count
        prototype = ctypes.CFUNCTYPE if self._releases_lock else ctypes.PYFUNCTYPE
        self._main: Callable[[int], int] = prototype(ctypes.c_int64, ctypes.c_void_p)(main)
        self._makers = [
            partial(_aligned if t.nbytes >= _ALIGNED_ABOVE else _empty, t.shape, t.dtype.numpy)
            for t in self.output_types
        ]
        self._calls = 0
        self._plan: Plan | None = None
        self._attempt: Attempt | None = None
        self._may_be_short = count <= MOST_ARRAYS

    def __call__(self, /, *arrays: Any, out: Any = None, **named: Any) -> tuple[numpy.ndarray, ...]:
        if self._may_be_short and self._plan is None:
            self._count_call()
        inputs = bind(self.input_names, self.input_types, arrays, named)
        outputs = None if out is None else checked_outputs(self.output_types, out, inputs)
        return self._call(*inputs, outputs=outputs)

    def _count_call(self) -> None:
        """Let later calls take the short way, if it exists or this is the second call: making it delays one call."""
        self._calls += 1
        if self._calls == 2 or is_ready():
            self._may_be_short = (plan := self.plan()) is not None and connect(self, plan)

    def plan(self) -> Plan | None:
        """How calls/ calls this code; None where it cannot."""
        if self._plan is None and self._may_be_short and (process := process_table()) is not None:
            makers = [m if m.func is _aligned else None for m in self._makers]
            types = self.input_types, self.output_types
            self._plan = Plan(process, self._address, *types, makers, self._releases_lock)
        return self._plan

    def attempt(self) -> Attempt | None:
        """A call of the same code that gives MISSED where arrays do not fit; None while there is no short way."""
        if self._attempt is None and self._plan is not None and self._may_be_short:
            attempt = _attempt_class()(self._engine)
            if connect(attempt, self._plan):
                self._attempt = attempt
        return self._attempt

    def set_ranks(self, table: Any, call: Call) -> None:
        """Set the table of ranks that the code reads (lowering/abi/rank_table.py), and the call that ranks compare."""
        from ..lowering.abi.rank_table import SET_RANKS

        self._may_be_short = False  # it runs a failed call again, in which the other ranks would have to take part
        self._ranks = table  # the code keeps its address
        self.among_ranks = call
        # without the lock, however short the call: the thread that watches other ranks has to run while this one waits
        main = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(self._address)

        def together(pointers: int) -> int:
            with call:
                status: int = main(pointers)
            return status

        self._main = together
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._engine.address(SET_RANKS))(ctypes.addressof(table))

    def _call(self, *inputs: Any, outputs: Sequence[Any] | None = None) -> tuple[numpy.ndarray, ...]:
        results = tuple(outputs) if outputs is not None else tuple([make() for make in self._makers])
        pointers = self._pointers(*[a.ctypes.data for a in (*inputs, *results)])
        if status := self._main(ctypes.addressof(pointers)):
            self._explain(status, inputs)
        return results

    def _explain(self, status: int, inputs: Sequence[Any]) -> None:
        """Raise the error that the status stands for. The interpreter, given the same inputs, finds the details."""
        if self._ranks is not None:
            self._explain_on_rank(status - 1, inputs)
        interpret(self.module, *inputs)
        from ..lowering.mlir.reproducer import write_reproducer

        path = write_reproducer(print_module(self.module), ".mindir")
        message = f"native code reports that %{status - 1} failed, the interpreter does not"
        raise MindError.of("E9002", message, help=f"report it with {path} and the arguments")

    def _explain_on_rank(self, failed: int, inputs: Sequence[Any]) -> None:
        """Raise the error on one rank of several, without the others, which go on."""
        from ..lowering.abi.rank_table import axis_entry
        from .failed import out_of_bounds_on_rank

        mesh = self.module.mesh
        assert mesh is not None, "who has ranks has a mesh"
        where = {axis: self._ranks[axis_entry(n, "coordinate")] for n, axis in enumerate(mesh.axis_names)}
        raise out_of_bounds_on_rank(self.module, inputs, failed, where)


MISSED: Any = object()
"""What an Attempt returns for arrays that the code was not compiled for, and if the code fails."""


class Attempt:
    """A call of native code that returns MISSED when arrays do not fit, for callers that then do something else."""

    def __init__(self, code: Any) -> None:
        self._code = code  # owns what is called

    def __call__(self, *arrays: Any, **named: Any) -> Any:
        """Runs only where the short way does not take the call, and returns MISSED."""
        return MISSED


@functools.cache
def _attempt_class() -> type[Attempt]:
    return with_short_way(Attempt)


@functools.cache
def native_executable_class() -> type[NativeExecutable]:
    """NativeExecutable, with a short way where the interpreter allows it."""
    return with_short_way(NativeExecutable)


def _aligned(shape: tuple[int, ...], dtype: numpy.dtype) -> numpy.ndarray:
    """Like np.empty, but the first element is at the start of a cache line; malloc aligns to 16 bytes alone."""
    memory: numpy.ndarray = _empty(math.prod(shape) * dtype.itemsize + _LINE, np.uint8)
    aligned: numpy.ndarray = _ndarray(shape, dtype, memory, -memory.ctypes.data % _LINE)
    return aligned
