"""Finds and loads the dialect built in C++, if it is installed: MindPy.so, for MLIR's Python bindings.

MindPy.json says for what it was built. It is read first, since loading a library for another LLVM may end the process.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..ir import MindError
from ..ir.version import VERSION
from ..lowering.toolchain.finding import Finding
from ..lowering.toolchain.installed import PINNED

FOLDER = "MIND_MLIR_NATIVE_DIR"
"""The environment variable with the folder of a build by hand; without it, the package's own `_native` is used."""

BINDINGS = "xtc-mlir-python-bindings"


@dataclass(frozen=True)
class Native:
    """The folder, and why it cannot be used: empty if it can."""

    folder: Path
    fault: str = ""

    @property
    def library(self) -> Path:
        """The path of MindPy.so."""
        return self.folder / "MindPy.so"


def native_folder() -> Path:
    """The folder in which the C++ part is searched."""
    if given := os.environ.get(FOLDER):
        return Path(given)
    package = sys.modules[__name__.partition(".")[0]]
    installed = (Path(path, "_native") for path in package.__path__)  # an editable installation has two folders
    return next((f for f in installed if f.is_dir()), Path(__file__).resolve().parent.parent / "_native")


def find_native() -> Native:
    """The C++ part, checked without loading it."""
    folder = native_folder()
    native = Native(folder)
    if not native.library.is_file():
        return Native(folder, f"{native.library} does not exist")
    try:
        built = json.loads((folder / "MindPy.json").read_text(encoding="utf-8"))
        version, bindings = built["version"], built["bindings"]
    except (OSError, ValueError, KeyError, TypeError) as why:
        return Native(folder, f"{folder / 'MindPy.json'} cannot be read: {why or type(why).__name__}")
    if version != VERSION:
        return Native(folder, f"{native.library} is of mind-mlir {version}, this is {VERSION}")
    if bindings != PINNED[BINDINGS]:
        return Native(folder, f"{native.library} is built for {BINDINGS} {bindings}, this is {PINNED[BINDINGS]}")
    return native


_registry: Any = None


def native_registry(native: Native) -> Any:
    """A registry with the dialect in C++, whose passes are registered too. E7014.

    A process loads one library, and keeps the first, whatever folder is named later, since MLIR ends a process in
    which two libraries register the same name.
    """
    global _registry
    if native.fault:
        raise unusable(native.fault)
    if _registry is None:
        _registry = _load(native)
    return _registry


def _load(native: Native) -> Any:
    from mlir import ir

    try:
        library = ctypes.CDLL(os.fspath(native.library))  # the bindings have loaded the parts of MLIR that it needs
        register = library.mindRegisterDialect
        register_passes = library.mindRegisterPasses
    except (OSError, AttributeError) as why:
        raise unusable(f"{native.library} cannot be loaded: {why}") from None
    register.restype, register.argtypes = None, [ctypes.c_void_p]
    register_passes.restype = ctypes.c_bool
    if not register_passes():
        raise unusable(f"another library of this process has the passes of {native.library}")
    registry = ir.DialectRegistry()
    register(_pointer(registry))
    return registry


def native_finding() -> Finding:
    """The line of `mind-opt --doctor`. The library is loaded in a process of its own, since a broken one may end it."""
    what, fix = "native dialect", "MIND_MLIR_NATIVE=1 pip install ., to have the dialect in C++"
    native = find_native()
    if not native.library.is_file():
        return Finding(what, "not built", fix, needed=False)
    if native.fault:
        return Finding(what, native.fault, fix, needed=False)
    program = "import sys, ctypes, mlir.ir; sys.exit(not ctypes.CDLL(sys.argv[1]).mindRegisterPasses())"
    command = [sys.executable, "-c", program, os.fspath(native.library)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as why:
        return Finding(what, f"failed: {why}", fix, needed=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        return Finding(what, f"failed: {last}", fix, needed=False)
    return Finding(what, os.fspath(native.folder))


def unusable(fault: str) -> MindError:
    """E7014, with the reason."""
    return MindError.of(
        "E7014",
        f"the native dialect cannot be used: {fault}",
        help="MIND_MLIR_NATIVE=1 pip install . builds it; without it the dialect is IRDL's",
    )


def _pointer(registry: Any) -> int:
    """The MlirDialectRegistry in a Python object of the bindings."""
    capsule = registry._CAPIPtr
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer(capsule, name(capsule)))
