"""Digests of all that decides the code of a module: its text, the options, the compiler, and the CPU."""

from __future__ import annotations

import functools
import hashlib
import itertools
import os
import platform
import sys
from collections.abc import Mapping
from typing import TypeAlias

from ...ir import IMPORTED_AT, Module, text_pieces
from ..pipelines import PIPELINES
from ..toolchain.packages import package_folder

File: TypeAlias = tuple[str, int, int]
"""A file's path, its size in bytes, and the time at which it was written, in nanoseconds since the epoch."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_DECIDING = ("ir", "ops", "passes", "lowering")
"""The packages of ours on which code depends."""

_CPU_LINES = ("vendor_id", "cpu family", "model", "stepping", "flags", "Features", "CPU ")
"""The beginnings of lines in /proc/cpuinfo with what LLVM reads from the CPU itself."""


def cache_key(m: Module, options: Mapping[str, object], longest: int) -> str | None:
    """A sha256 of everything that decides the code of a module; None if that is not known.

    It is not known without MLIR, for operations that are defined in no file, and if a source file has been changed
    since this process started. None also for a module whose text has more than `longest` characters.
    """
    compiler, operations = _compiler(), _operations(m)
    if compiler is None or operations is None:
        return None
    h = hashlib.sha256(repr((compiler, operations, sorted(options.items()))).encode())
    for piece in text_pieces(m, notes=False):
        longest -= len(piece)
        if longest < 0:
            return None
        h.update(piece.encode())
    return h.hexdigest()


@functools.cache
def compiler_digest() -> str | None:
    """A sha256 of the compiler: this package, MLIR and the CPU; None if that is not known."""
    compiler = _compiler()
    return None if compiler is None else hashlib.sha256(repr(compiler).encode()).hexdigest()


@functools.cache
def _compiler() -> tuple[object, ...] | None:
    """What identifies this package, MLIR and the CPU; None if that is not known."""
    if (mlir := package_folder("mlir")) is None:
        return None
    wheels = [
        name for name in os.listdir(os.path.dirname(mlir)) if name.startswith("xtc_")
    ]  # these names have the versions in them
    libraries = [_file(e.path) for e in os.scandir(os.path.join(mlir, "_mlir_libs")) if e.name.endswith(".so")]
    ours = [file for name in _DECIDING for file in _files(os.path.join(_PACKAGE, name))]
    if any(_is_newer(file) for file in ours):
        return None
    pipelines = sorted(PIPELINES.items())
    return sorted(wheels), sorted(libraries), ours, pipelines, sys.platform, platform.machine(), _cpu()


def _cpu() -> str:
    """The lines about the kind and the features of the first CPU; empty if the system does not show them."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as f:
            first = list(itertools.takewhile(str.strip, f))  # an empty line ends the first CPU
    except OSError:
        return platform.processor()
    return "".join(line for line in first if line.startswith(_CPU_LINES))


def _operations(m: Module) -> tuple[object, ...] | None:
    """The files of other packages that define operations of the module; None if one has no files."""
    kinds = {type(o.op) for o in m.every_operation}
    names = {base.__module__.partition(".")[0] for kind in kinds for base in kind.__mro__}
    others = sorted(names - sys.stdlib_module_names - {__name__.partition(".")[0]} | names & {"__main__"})
    found = [_package(name) for name in others]
    return None if None in found else tuple(found)


@functools.cache
def _package(name: str) -> tuple[object, ...] | None:
    """The source files of an imported package or module; None if they are not known."""
    module = sys.modules.get(name)
    if name == "__main__" or module is None:  # definitions in a prompt or a notebook can change at any time
        return None
    if folders := getattr(module, "__path__", ()):
        files = [file for folder in folders for file in _files(folder)]
    else:
        path = getattr(module, "__file__", None)
        files = [_file(path)] if path and os.path.isfile(path) else []
    return None if not files or any(_is_newer(file) for file in files) else tuple(files)


def _files(folder: str) -> list[File]:
    """Every Python file below a folder."""
    found = []
    for e in os.scandir(folder):
        if e.name.endswith(".py"):
            found.append(_file(e.path))
        elif "." not in e.name and e.name != "__pycache__" and e.is_dir():
            found += _files(e.path)
    return sorted(found)


def _file(path: str) -> File:
    found = os.stat(path)
    return path, found.st_size, found.st_mtime_ns


def _is_newer(file: File) -> bool:
    """True for a file that was written after this process imported the package, which may run another version."""
    return file[2] > IMPORTED_AT * 1e9
