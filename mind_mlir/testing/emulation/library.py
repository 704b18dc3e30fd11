"""The emulator as a shared library: built by a C compiler, kept in the folder of the cache."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ...ir import MindError
from ...lowering.cache import cache_folder
from ...lowering.linker import DRIVERS

SOURCES = ("emulator.c", "memory.c", "warp.c", "copies.c")
HEADER = "emulator.h"
_OPTIONS = ("-O2", "-std=gnu11", "-shared", "-fPIC", "-Wall", "-Wextra")


def c_compiler() -> str | None:
    """The path of a C compiler, or None."""
    return next((path for name in DRIVERS if (path := shutil.which(name))), None)


@functools.cache
def emulator() -> ctypes.CDLL:
    """The library, built if it is not there yet.  E7006 without a C compiler, or if it fails."""
    folder = Path(__file__).parent
    sources = [folder / name for name in (*SOURCES, HEADER)]
    compiler = c_compiler()
    h = hashlib.sha256(repr((compiler, _OPTIONS)).encode())
    for source in sources:
        h.update(source.read_bytes())
    kept = cache_folder()
    name = f"gpu-emulator-{h.hexdigest()[:16]}.so"
    if kept is not None and os.path.exists(path := os.path.join(kept, name)):
        return ctypes.CDLL(path)
    if compiler is None:
        raise MindError.of(
            "E7006", "no C compiler is on PATH", help="install one: the emulator of a GPU is built by it"
        )
    with tempfile.TemporaryDirectory(prefix="mind-emulator-") as work:
        made = os.path.join(work, name)
        command = [compiler, *_OPTIONS, "-o", made, *(os.fspath(s) for s in sources if s.suffix == ".c"), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise MindError.of("E7006", f"{compiler} does not build the emulator of a GPU", note=done.stderr[:2000])
        if kept is not None:
            os.makedirs(kept, 0o700, exist_ok=True)
            moved = os.path.join(kept, f"{name}.{os.getpid()}")
            shutil.copyfile(made, moved)
            os.replace(moved, os.path.join(kept, name))  # others see all of it, or nothing
            made = os.path.join(kept, name)
        return ctypes.CDLL(made)
