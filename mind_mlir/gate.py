"""A fork waits until no thread compiles.

A child of `os.fork` has the forking thread alone. An import that another thread had begun is never finished there, and
MLIR's work in other threads is left unfinished, with its locks held.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from _thread import get_ident  # threading takes a millisecond to import
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

LONGEST = 60.0
"""The seconds that a fork waits for threads that compile. After that, the child may hang if it compiles itself."""

_NEEDED = {"mind_mlir", "mlir", "numpy", "optree"}
_PAUSE = 0.001  # seconds between two looks at the other threads


class _Gate:
    """Lets a fork wait until no thread is inside, that is, compiles; threads that want to enter wait for the fork.

    It has no lock: each thread changes its own entries alone, and reads those of others after that.
    """

    def __init__(self) -> None:
        self._inside: dict[int, int] = {}  # thread -> how often it has entered
        self._forking: dict[int, None] = {}

    def __enter__(self) -> None:
        me = get_ident()
        if me not in self._inside:
            while True:
                self._inside[me] = 0
                if not self._forking or me in self._forking:
                    break
                del self._inside[me]
                time.sleep(_PAUSE)
        self._inside[me] += 1

    def __exit__(self, *_: object) -> None:
        me = get_ident()
        self._inside[me] -= 1
        if not self._inside[me]:
            del self._inside[me]

    def before_fork(self) -> None:
        me, end = get_ident(), time.monotonic() + LONGEST
        self._forking[me] = None
        while (self._others(me) or _imports_elsewhere(me)) and time.monotonic() < end:
            time.sleep(_PAUSE)

    def _others(self, me: int) -> bool:
        """True if another thread compiles; not for one that waits to fork as well."""
        return any(thread != me and thread not in self._forking for thread in list(self._inside))

    def after_in_parent(self) -> None:
        self._forking.pop(get_ident(), None)

    def after_in_child(self) -> None:
        me = get_ident()
        self._inside = {thread: n for thread, n in self._inside.items() if thread == me}
        self._forking.clear()


def _imports_elsewhere(me: int) -> bool:
    """True while another thread imports a part of what we need; Python's locks of imports stay locked in a child."""
    locks = getattr(sys.modules.get("_frozen_importlib"), "_module_locks", {})
    names = [name for name in list(locks) if name.partition(".")[0] in _NEEDED]
    held = [lock for name in names if (ref := locks.get(name)) is not None and (lock := ref()) is not None]
    return any(getattr(lock, "owner", None) not in (None, me) for lock in held)


GATE = _Gate()


def unforked(f: Callable[P, R]) -> Callable[P, R]:
    """A function that no other thread forks in the middle of: one that imports late, or calls MLIR."""

    @functools.wraps(f)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        with GATE:
            return f(*args, **kwargs)

    return call


@functools.cache
def first_at_fork() -> None:
    """Let a fork wait for compilations before it takes the lock of `logging`, which the import of MLIR needs.

    What is registered last comes first in a fork; registered twice, the gate does the same.
    """
    import logging  # noqa: F401  registers its own

    _register()


def _register() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=GATE.before_fork, after_in_parent=GATE.after_in_parent, after_in_child=GATE.after_in_child
        )


_register()
