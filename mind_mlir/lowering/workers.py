"""Threads that compile side by side: as many as this process may use cores, started when first needed.

LLVM works without the interpreter lock.  A child that was forked has none of its parent's threads and starts its own.
"""

from __future__ import annotations

import os
from concurrent.futures import Future as Future
from concurrent.futures import ThreadPoolExecutor

_started: list[ThreadPoolExecutor] = []


def workers() -> ThreadPoolExecutor:
    """The threads."""
    if not _started:
        _started.append(ThreadPoolExecutor(_cores(), "mind-compile"))
    return _started[0]


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_started.clear)
