"""The runtime of OpenMP: compiled code that uses threads calls it.

Intel's, from the wheel intel-openmp, and LLVM's own, from cmeel-libomp, are the same program.  Two copies of it in one
process end that process, so one that is there already is used.
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
"""What compiled code calls."""

WAIT = "KMP_BLOCKTIME=1"
"""How long threads stay awake for the next loop, in milliseconds.

The runtime's own 200 keep a core busy long after a call has ended; 0 makes every loop wait for threads to wake up.
"""

_CHOSEN_BY_USERS = ("KMP_BLOCKTIME", "OMP_WAIT_POLICY")


def find_openmp() -> str | None:
    """The path of the runtime: the one in this process, else that of a wheel, else the system's; None without one."""
    return next(iter(_opened), None) or _in_process() or _installed()


def openmp_library() -> str:
    """The path of the runtime.  E7006 if none is installed."""
    found = find_openmp()
    if found is None:
        raise MindError.of("E7006", "threads need a runtime of OpenMP, and none is installed", help=INSTALL)
    return found


def functions() -> dict[str, int]:
    """The addresses of FUNCTIONS in the runtime, which is loaded and set up if it is not yet.  E7006 without one."""
    library = opened(openmp_library())
    return {name: ctypes.cast(library[name], ctypes.c_void_p).value or 0 for name in FUNCTIONS}


_opened: list[str] = []
"""The path of the runtime that is in use, once it is."""


@functools.cache
def opened(path: str) -> ctypes.CDLL:
    """The runtime, loaded for us alone: other libraries in this process keep their own."""
    ours = _in_process() is None
    library = ctypes.CDLL(path)
    _opened.append(path)
    if ours and not any(os.environ.get(name) for name in _CHOSEN_BY_USERS):
        library.kmp_set_defaults(WAIT.encode())
        os.register_at_fork(after_in_child=lambda: library.kmp_set_defaults(WAIT.encode()))  # it begins anew there
    return library


def _in_process() -> str | None:
    """The runtime that this process has loaded, if any."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as f:
            text = f.read()
    except OSError:
        return None
    # wheels that bring their own name it libomp-0123abcd.so
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
