"""Makes a value once for each key, however many threads ask for it."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from ..ir.forks import ForkLock

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Memo(Generic[V]):
    """Values by key; each is made by one thread, and others that need it wait, without holding a lock.

    While all values together weigh more than `limit`, the least recently used is removed, except for the last one.
    """

    def __init__(self, limit: float, weigh: Callable[[V], float] = lambda value: 1) -> None:
        self.limit, self.weigh = limit, weigh
        self.weight = 0.0
        self._kept: dict[Hashable, tuple[V, float]] = {}
        self._making: dict[Hashable, _Making] = {}
        self._lock = ForkLock()
        _memos.add(self)

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value that is kept under `key`, else what `make` returns, whose exceptions are raised here."""
        while True:
            mine = _Making()
            with self._lock:
                if (entry := self._kept.pop(key, None)) is not None:
                    self._kept[key] = entry  # now the most recently used
                    return entry[0]
                other = self._making.setdefault(key, mine)
            if other is mine:
                break
            if other.thread == mine.thread:
                return make()  # this thread is already making the value
            other.done.wait()
        try:
            value = make()
            self._keep(key, value)
            return value
        finally:
            with self._lock:
                self._making.pop(key, None)
            mine.done.set()

    def find(self, key: Hashable) -> V | None:
        """The value that is kept under `key`, if there is one; not counted as a use."""
        entry = self._kept.get(key)
        return None if entry is None else entry[0]

    def _keep(self, key: Hashable, value: V) -> None:
        weight = self.weigh(value)
        with self._lock:
            self._kept[key] = value, weight
            self.weight += weight
            while self.weight > self.limit and len(self._kept) > 1:
                _, lost = self._kept.pop(next(iter(self._kept)))
                self.weight -= lost

    def __len__(self) -> int:
        """The number of values."""
        return len(self._kept)

    def clear(self) -> None:
        """Remove all values."""
        with self._lock:
            self._kept.clear()
            self.weight = 0.0

    def after_in_child(self) -> None:
        """In a forked child, forget what other threads of the parent were making."""
        self._making.clear()


class _Making:
    """A value that a thread is making."""

    def __init__(self) -> None:
        self.thread, self.done = threading.get_ident(), threading.Event()


_memos: weakref.WeakSet[Memo[Any]] = weakref.WeakSet()


def _after_in_child() -> None:
    for memo in list(_memos):
        memo.after_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_in_child)


def remember(known: dict[K, V], key: K, value: V, most: int) -> V:
    """Put a value into a dict of at most `most` entries, unless another thread has; returns the kept one. No lock."""
    while len(known) >= most:
        try:
            del known[next(iter(known))]
        except (KeyError, RuntimeError, StopIteration):  # another thread has changed it
            continue
    return known.setdefault(key, value)
