"""Finds and opens the runtime of OpenMP, which compiled code calls to use threads.

Intel's, from the wheel intel-openmp, and LLVM's, from cmeel-libomp, are the same program. Two copies of it in one
process end that process, so a copy that is loaded already is used.
"""

from __future__ import annotations

import ctypes
import functools
import os
import re
import site
import sys

from ...ir import MindError

_INTEL = sys.platform == "linux" and os.uname().machine == "x86_64"

INSTALL = "pip install 'intel-openmp<2022.2'" if _INTEL else "pip install cmeel-libomp"
"""How to get a runtime."""

_NAMES = ("libomp.so", "libiomp5.so", "libomp.dylib", "libiomp5.dylib")

FUNCTIONS = (
    "__kmpc_barrier",
    "__kmpc_for_static_fini",
    "__kmpc_for_static_init_8u",
    "__kmpc_fork_call",
    "__kmpc_global_thread_num",
    "__kmpc_push_num_threads",
)
"""The functions that compiled code calls."""

WAIT = "KMP_BLOCKTIME=1"
"""How long threads stay awake for the next loop, in milliseconds.

The runtime's default of 200 keeps cores busy long after a call; with 0, every loop waits for threads to wake up.
"""

_CHOSEN_BY_USERS = ("KMP_BLOCKTIME", "OMP_WAIT_POLICY")


def find_openmp() -> str | None:
    """The path of the runtime: that in this process, else that of a wheel, else the system's; None if there is none."""
    return next(iter(_opened), None) or _in_process() or _installed()


def openmp_library() -> str:
    """The path of the runtime. E7006 if none is installed."""
    found = find_openmp()
    if found is None:
        raise MindError.of("E7006", "threads need a runtime of OpenMP, and none is installed", help=INSTALL)
    return found


def functions() -> dict[str, int]:
    """The addresses of FUNCTIONS in the runtime, which is loaded if it is not yet. E7006 without a runtime."""
    library = opened(openmp_library())
    return {name: ctypes.cast(library[name], ctypes.c_void_p).value or 0 for name in FUNCTIONS}


_opened: list[str] = []
"""The path of the runtime that has been opened; empty before."""


@functools.cache
def opened(path: str) -> ctypes.CDLL:
    """The runtime, loaded such that other libraries in this process keep their own."""
    ours = _in_process() is None
    library = ctypes.CDLL(path)
    _opened.append(path)
    if ours and not any(os.environ.get(name) for name in _CHOSEN_BY_USERS):
        library.kmp_set_defaults(WAIT.encode())
        os.register_at_fork(
            after_in_child=lambda: library.kmp_set_defaults(WAIT.encode())
        )  # in a child, the runtime starts anew
    return library


def _in_process() -> str | None:
    """The path of the runtime that this process has loaded, if any."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as f:
            text = f.read()
    except OSError:
        return None
    # wheels with a copy of their own name it libomp-0123abcd.so
    found = re.search(r"(/\S.*/lib(?:omp|iomp5)(?:-[0-9a-f]+)?\.so(?:\.[\d.]+)?)$", text, re.MULTILINE)
    return found[1] if found else None


@functools.cache
def _installed() -> str | None:
    base = [sys.prefix, site.getuserbase()]
    wheels = [os.path.join(folder, "cmeel.prefix") for folder in sys.path]
    for folder in (*wheels, *base):
        for name in _NAMES:
            path = os.path.join(folder, "lib", name)
            if os.path.isfile(path):
                return os.path.realpath(path)
    import ctypes.util

    return ctypes.util.find_library("omp") or ctypes.util.find_library("iomp5")
