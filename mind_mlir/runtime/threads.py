"""How many threads compiled code may use: what the caller says, else the environment, else one."""

from __future__ import annotations

import os

from ..ir import MindError

VARIABLE = "MIND_NUM_THREADS"
"""The environment variable that holds the number where no `threads` is given."""

MOST = 1024
"""The largest number; runtimes end the process when the system gives them no more threads."""


def thread_count(threads: int | None) -> int:
    """The largest number of threads to use: `threads`, else MIND_NUM_THREADS, else 1.

    E7007 for anything but an integer from 1 to 1024, and for a value of the variable that is none.
    """
    if threads is None:
        text = os.environ.get(VARIABLE, "").strip()
        if not text:
            return 1
        if not (text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= MOST):
            help = f"{VARIABLE}=2, or unset it for one thread"
            raise MindError.of("E7007", f"{VARIABLE} is an integer from 1 to {MOST}, found {text!r}", help=help)
        return int(text)
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST:
        help = f"without threads=, {VARIABLE} says it, else it is 1"
        raise MindError.of("E7007", f"threads is an integer from 1 to {MOST}, found {threads!r}", help=help)
    return threads
