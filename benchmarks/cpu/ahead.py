"""Compiles code for a named CPU as a shared library, ahead of time, and calls its C function in this process."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import mind_mlir as mind
from mind_mlir.lowering.interface.codegen import Options, shared_library

from .peers import Prepared, as_arrays, empty

if TYPE_CHECKING:
    from .cases import Case


def for_cpu(m: mind.Module, cpu: str, threads: int, inputs: Sequence[np.ndarray], case: Case) -> Prepared:
    """The module compiled for a CPU by LLVM's name, on these arrays. E7007 for one that LLVM does not know."""
    with tempfile.TemporaryDirectory(prefix="mind-benchmark-") as folder:
        file = Path(folder, "case.so")
        file.write_bytes(shared_library(m, file.name, Options("case", cpu, threads=threads)))
        function = ctypes.CDLL(str(file))["case"]
    types = m.output_types

    def made() -> list[np.ndarray]:
        return [empty(t.shape, t.dtype.numpy, case.offset) for t in types]

    function.restype = ctypes.c_int64
    given = [ctypes.c_void_p(a.ctypes.data) for a in inputs]
    out = made()
    places = [ctypes.c_void_p(a.ctypes.data) for a in out]

    def call(inputs: Sequence[np.ndarray] = inputs) -> Any:  # owns the memory
        function(*given, *places)
        return out

    def call_anew(inputs: Sequence[np.ndarray] = inputs) -> Any:
        fresh = [np.empty(t.shape, t.dtype.numpy) for t in types]
        function(*given, *[ctypes.c_void_p(a.ctypes.data) for a in fresh])
        return fresh

    return Prepared(call_anew if case.allocates else call, as_arrays)
