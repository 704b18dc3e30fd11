"""Native code of a module: from the cache on disk, or compiled and kept there.

What is found is loaded without MLIR, in a hundredth of the time.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ..ir import Module
from ..passes.preflight import check_before_run
from . import cache, openmp
from .cache_key import cache_key
from .entry import PACKED

if TYPE_CHECKING:
    from .linker import Linker

_OPTIONS = ("-Bsymbolic", "-z", "notext", "-z", "noexecstack", "--hash-style=gnu")
"""How compiled code is linked: `main` is its own and not Python's; addresses in it are written when it is loaded."""


def native_code(m: Module, numerics: str, threads: int, tuning: str | None = None) -> tuple[Any, int]:
    """What owns the code of a verified module, and the address of `mind_main`, which is in entry.py.

    `tuning` is the path of a tuning file.  Raises MindError: E6001 and E6004 for what is known before a run, E7004 and
    E7013 for a bad tuning file, E7006 without MLIR, E7007 for a bad MIND_CACHE_SIZE.
    """
    check_before_run(m)
    tuned = _digest(tuning)
    key, folder = None, cache.cache_folder()
    if folder is not None:
        runtime = openmp.find_openmp() if threads > 1 else None
        options = {"numerics": numerics, "threads": threads, "openmp": runtime, "tuning": tuned}
        if runtime is not None:
            openmp.opened(runtime)  # before code that needs it is loaded
        key = cache_key(m, options, longest=cache.cache_limit())
    if folder is not None and key is not None and (found := cache.load(folder, key)) is not None:
        return found, found.address(PACKED)
    from .linker import find_linker
    from .native import native_functions

    linker = find_linker() if key is not None else None
    compiled = native_functions(m, numerics, threads, linker is not None, tuning)
    if _digest(tuning) != tuned:
        return compiled  # the file has changed meanwhile, and the key is that of the old one
    if folder is not None and key is not None and linker is not None:
        cache.store(folder, key, lambda path: link_into(linker, compiled[0], path))
    return compiled


def function_address(owner: Any, name: str) -> int:
    """Where a function of compiled code begins; `owner` is what `native_code` gives."""
    from .library import Library

    if isinstance(owner, Library):
        return owner.address(name)
    from .native import address_of

    return address_of(owner, name)


def _digest(tuning: str | None) -> str | None:
    """The sha256 of a tuning file; None without one.  E7004."""
    if tuning is None:
        return None
    from .tuning import digest  # 2 ms, and seldom needed

    return digest(tuning)


def link_into(linker: Linker, engine: Any, path: str) -> None:
    """Link the object that an engine has compiled.  OSError."""
    import resource

    from .linker import run_linker, runtime_arguments

    if resource.getrlimit(resource.RLIMIT_FSIZE)[0] != resource.RLIM_INFINITY:
        raise OSError("the size of files is limited (ulimit -f)")  # LLVM would end the process at the limit
    with os.fdopen(os.memfd_create("mind-object"), "rb") as f:  # in memory: LLVM ends the process if a disk is full
        name = f"/proc/self/fd/{f.fileno()}"
        engine.dump_to_object_file(name)
        files, options = runtime_arguments(f.read())
        run_linker(linker.command(path, [name, *files], [*_OPTIONS, *options]), pass_fds=[f.fileno()])
