"""Threads that compile side by side: as many as the cores that this process may use, started when first needed.

LLVM works without the interpreter lock. A forked child has none of its parent's threads and starts its own.
concurrent.futures cannot be used because of its lock: a fork takes it first and then waits for threads that compile,
and those wait for the lock to pass work on.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from ...ir import MindError

R = TypeVar("R")
S = TypeVar("S")


class Task(Generic[R]):
    """Work for a thread, and its result."""

    def __init__(self, work: Callable[[], R]) -> None:
        self._work: Callable[[], R] | None = work
        self._done = threading.Event()
        self._made: list[R] = []
        self._error: BaseException | None = None
        self._next: deque[Task[Any]] = deque()  # each is run by whoever takes it out, or given to a thread

    def run(self) -> None:
        """Do the work, unless it is done or cancelled."""
        work, self._work = self._work, None
        if work is None:
            return
        try:
            self._made.append(work())
        except BaseException as why:  # raised by `result`
            self._error = why
        finally:
            self._done.set()
            for task in self._taken():
                task.run()

    def then(self, work: Callable[[R], S]) -> Task[S]:
        """A task that calls `work` with the result, in the thread that makes it, or in another if that is done."""
        task = Task(lambda: work(self.result()))
        self._next.append(task)
        if self._done.is_set():
            for waiting in self._taken():
                _workers.give(waiting)
        return task

    def _taken(self) -> Iterator[Task[Any]]:
        while True:
            try:
                yield self._next.popleft()
            except IndexError:
                return

    def cancel(self) -> None:
        """Do not begin the work; if it has begun, it is finished."""
        self._work = None

    def result(self) -> R:
        """Wait for the result. E9001 for any exception but a MindError."""
        self._done.wait()
        why = self._error
        if isinstance(why, MindError):
            raise why
        if why is not None:
            message = f"a thread that compiles a kernel failed: {type(why).__name__}{f': {why}' if str(why) else ''}"
            help = "compile again; if it stays, MIND_CACHE=off leaves the cache out"
            raise MindError.of("E9001", message, help=help) from why
        return self._made[0]


class _Workers:
    """The threads, and the tasks that wait for them."""

    def __init__(self) -> None:
        self.waiting: SimpleQueue[Task[Any]] = SimpleQueue()
        self.started = 0

    def give(self, task: Task[Any]) -> None:
        """Let a thread do a task, or this one if no thread can be started any more."""
        try:
            if self.started < _cores():
                threading.Thread(target=_work, args=(self.waiting,), name="mind-compile", daemon=True).start()
                self.started += 1
        except RuntimeError:  # the process is about to end, or may have no more threads
            if not self.started:
                task.run()
                return
        self.waiting.put(task)


def _work(waiting: SimpleQueue[Task[Any]]) -> None:
    while True:
        waiting.get().run()


_workers = _Workers()


def submitted(work: Callable[[], R]) -> Task[R]:
    """A task that calls `work` in one of the threads."""
    task = Task(work)
    _workers.give(task)
    return task


def finished(value: R) -> Task[R]:
    """A task that is done already, with this result."""
    task = Task(lambda: value)
    task.run()
    return task


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _renew() -> None:
    global _workers
    _workers = _Workers()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
