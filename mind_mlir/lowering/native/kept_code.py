"""The native code of a module: found in the cache on disk, or compiled and kept there.

Code that is found is loaded without MLIR, in a hundredth of the time.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ir import Module
from ...passes.preflight import check_before_run
from ..abi.entry import PACKED
from ..store import cache
from ..store.cache_key import cache_key
from ..toolchain import openmp

if TYPE_CHECKING:
    from ..toolchain.linker import Linker

_OPTIONS = ("-Bsymbolic", "-z", "notext", "-z", "noexecstack", "--hash-style=gnu")
"""Options of the linker: `main` is the code's own and not Python's, and addresses in it are written at loading."""


def native_code(m: Module, numerics: str, threads: int, tuning: str | None = None) -> tuple[Any, int]:
    """The owner of the code of a verified module, and the address of `mind_main` of entry.py.

    `tuning` is the path of a tuning file. Raises MindError: E6001 and E6004 for what is known before a run, E7004 and
    E7013 for a bad tuning file, E7006 without MLIR, E7007 for a bad MIND_CACHE_SIZE.
    """
    check_before_run(m)
    tuned = _digest(tuning)
    key, folder = None, cache.cache_folder()
    if folder is not None:
        runtime = openmp.find_openmp() if threads > 1 else None
        options = {"numerics": numerics, "threads": threads, "openmp": runtime, "tuning": tuned}
        if runtime is not None:
            openmp.opened(runtime)  # before loading code that needs it
        key = cache_key(m, options, longest=cache.cache_limit())
    if folder is not None and key is not None and (found := cache.load(folder, key, (PACKED,))) is not None:
        return found, found.address(PACKED)
    from ..toolchain.linker import find_linker
    from .compiler import native_functions

    linker = find_linker() if key is not None else None
    compiled = native_functions(m, numerics, threads, tuning)
    if _digest(tuning) != tuned:
        return compiled  # the file has changed meanwhile, and the key is for the old one
    if folder is not None and key is not None and linker is not None:
        cache.store(folder, key, lambda path: link_into(linker, compiled[0].objects, path))
    return compiled


def _digest(tuning: str | None) -> str | None:
    """The sha256 of a tuning file; None without one. E7004."""
    if tuning is None:
        return None
    from ..store.tuning_file import digest  # here, because it takes 2 ms and is seldom needed

    return digest(tuning)


def link_into(linker: Linker, objects: Sequence[bytes], path: str) -> None:
    """Link object files into a shared object at `path`. OSError."""
    from ..toolchain.linker import archive, run_linker, runtime_arguments

    files, options = runtime_arguments(b"".join(objects))
    with os.fdopen(os.memfd_create("mind-objects"), "wb") as f:  # one file for all of them
        f.write(archive(objects))
        f.flush()
        name = f"/proc/self/fd/{f.fileno()}"
        whole = [*linker.words(["--whole-archive"]), name, *linker.words(["--no-whole-archive"])]
        run_linker(linker.command(path, [*whole, *files], [*_OPTIONS, *options]), pass_fds=[f.fileno()])
