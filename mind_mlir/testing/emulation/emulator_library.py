"""Builds the emulator as a shared library with a C compiler, and keeps it in the folder of the cache."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from ...ir import MindError
from ...lowering.store import cache
from ...lowering.store.library import Library
from ...lowering.toolchain.linker import DRIVERS

SOURCES = ("emulator.c", "memory.c", "warp.c", "copies.c")
HEADER = "emulator.h"
_OPTIONS = ("-O2", "-std=gnu11", "-shared", "-fPIC", "-Wall", "-Wextra")


def c_compiler() -> str | None:
    """The path of a C compiler, or None."""
    return next((path for name in DRIVERS if (path := shutil.which(name))), None)


@functools.cache
def emulator() -> Library:
    """The library, built if it is not kept. E7006 without a C compiler, or if it fails."""
    key, folder = _key(), cache.cache_folder()
    if folder is not None and (found := cache.load(folder, key)) is not None:
        return found
    if folder is not None:
        cache.store(folder, key, _build)
        if (found := cache.load(folder, key)) is not None:
            return found
    with tempfile.TemporaryDirectory(prefix="mind-emulator-") as work:
        path = os.path.join(work, "emulator.so")
        _build(path)
        return Library(path)


def _key() -> str:
    h = hashlib.sha256(repr((c_compiler(), _OPTIONS)).encode())
    for name in (*SOURCES, HEADER):
        h.update(Path(__file__).with_name(name).read_bytes())
    return h.hexdigest()


def _build(path: str) -> None:
    compiler = c_compiler()
    if compiler is None:
        raise MindError.of(
            "E7006", "no C compiler is on PATH", help="install one: the emulator of a GPU is built by it"
        )
    sources = [os.fspath(Path(__file__).with_name(name)) for name in SOURCES]
    done = subprocess.run([compiler, *_OPTIONS, "-o", path, *sources, "-lm"], capture_output=True, text=True)
    if done.returncode:
        raise MindError.of("E7006", f"{compiler} does not build the emulator of a GPU", note=done.stderr[:2000])
