"""Finds which parts of the toolchain are installed, for `mind-opt --doctor`."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

from ...ir import MindError
from ...ir.diagnostics import count
from ..store import cache
from ..toolchain.finding import Finding
from ..toolchain.installed import PINNED, TOOLS, find_tool, version
from ..toolchain.linker import find_linker
from ..toolchain.openmp import INSTALL, find_openmp


def doctor() -> list[Finding]:
    """The parts of the toolchain, with their versions, and for those that are missing how to get them."""
    out = [Finding("Python", f"{platform.python_version()} on {sys.platform} {platform.machine()}")]
    for name in ("mind-mlir", "numpy", "typer"):
        v = version(name)
        out.append(Finding(name, v or "missing", "" if v or name == "mind-mlir" else f"pip install {name}"))
    for wheel, pinned in PINNED.items():
        v = version(wheel)
        fix = "" if v == pinned else f"pip install {wheel}=={pinned}"
        out.append(Finding(wheel, v or "missing", fix))
    for name, (_, wheel) in TOOLS.items():
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
    """Import the bindings and compile a function, in a process of its own, since a broken wheel may end it."""
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
