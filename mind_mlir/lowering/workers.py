"""Threads that compile side by side: as many as this process may use cores, started when first needed.

LLVM works without the interpreter lock.  A child that was forked has none of its parent's threads and starts its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from concurrent.futures import Future as Future
from typing import TypeVar

from ..ir import MindError

R = TypeVar("R")

_started: list[ThreadPoolExecutor] = []


def submitted(work: Callable[[], R]) -> Future[R]:
    """What `work` will give, done by one of the threads; done here where the process is about to end."""
    if not _started:
        _started.append(ThreadPoolExecutor(_cores(), "mind-compile"))
    try:
        return _started[0].submit(work)
    except RuntimeError:  # no new work is taken then
        done: Future[R] = Future()
        done.set_result(work())
        return done


def result(future: Future[R]) -> R:
    """What a thread has made, waited for.  E9001 for whatever else than a MindError ended its work."""
    try:
        return future.result()
    except (MindError, KeyboardInterrupt):
        raise
    except (Exception, CancelledError) as why:
        message = f"a thread that compiles a kernel failed: {type(why).__name__}{f': {why}' if str(why) else ''}"
        raise MindError.of(
            "E9001", message, help="compile again; if it stays, MIND_CACHE=off leaves the cache out"
        ) from why


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_started.clear)
