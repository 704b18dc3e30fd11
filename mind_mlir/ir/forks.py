"""Locks that do not block a forked process.

A child of `os.fork` has the forking thread alone, and a lock that another thread held stays locked in it for ever.
"""

from __future__ import annotations

import os
import weakref
from _thread import RLock  # importing threading, which has it too, takes a millisecond


class ForkLock:
    """A lock like `threading.RLock`, which in a forked child is held by the forking thread or by none."""

    def __init__(self) -> None:
        self._lock = RLock()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def renew(self) -> None:
        """Release the lock, unless this thread holds it."""
        if not self._lock._is_owned():  # type: ignore[attr-defined]
            self._lock = RLock()


_locks: weakref.WeakSet[ForkLock] = weakref.WeakSet()


def _after_in_child() -> None:
    for lock in list(_locks):
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_in_child)
