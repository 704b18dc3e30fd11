"""How many threads compiled code may use: what the caller says, else the environment, else the number of cores."""

from __future__ import annotations

import os
import warnings

from ..ir import MindError
from ..lowering.toolchain import openmp
from .cores import usable_cores

VARIABLE = "MIND_NUM_THREADS"
"""The environment variable with the number of threads, used where no `threads` is given."""

MOST = 1024
"""The largest number allowed, because runtimes end the process when the system gives them no more threads."""


class ThreadsWarning(UserWarning):
    """A warning that code uses fewer threads than it may."""


def thread_count(threads: int | None) -> int:
    """The largest number of threads to use: `threads`, else MIND_NUM_THREADS, else the cores that the process may use.

    Without a runtime of OpenMP it is 1, with a warning once a process. E7007 unless `threads`, or the variable's value,
    is an integer from 1 to 1024.
    """
    count = _asked_for() if threads is None else check_threads(threads)
    if count > 1 and openmp.find_openmp() is None:
        _tell(count)
        return 1
    return count


def check_threads(threads: int) -> int:
    """The number itself. E7007 for anything but an integer from 1 to 1024."""
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST:
        help = f"without threads=, {VARIABLE} is used, else the number of cores"
        raise MindError.of("E7007", f"threads is an integer from 1 to {MOST}, found {threads!r}", help=help)
    return threads


def _asked_for() -> int:
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return min(usable_cores(), _openmp_limit(), MOST)
    if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= MOST):
        help = f"{VARIABLE}=2, or unset it for all cores"
        raise MindError.of("E7007", f"{VARIABLE} is an integer from 1 to {MOST}, found {text!r}", help=help)
    return int(text)


def _openmp_limit() -> int:
    """The limit that OMP_NUM_THREADS sets for all code that uses OpenMP; its first number if it has several."""
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return max(1, int(first)) if first.isascii() and first.isdigit() and len(first) < 9 else MOST


_told = False


def _tell(count: int) -> None:
    global _told
    if not _told:
        _told = True
        text = f"no runtime of OpenMP is installed: code runs on 1 thread instead of {count}; {openmp.INSTALL}"
        warnings.warn(text, ThreadsWarning, stacklevel=3)
