"""Tries compilations in a child process, so that an assertion that fails inside MLIR does not end the caller's process.

A failed assertion of MLIR calls abort(), which nothing in the process can undo: the frames of C++ in between are not
unwound, and their locks stay locked. So the only way to survive one is to let it happen in another process first.
docs/adr/0008-crash-guard-by-fork.md.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable

from ...ir import MindError, Module, print_module
from ..store.cache import OFF

TRIES, STUCK = 3, 5.0
"""How many children are tried, and the seconds of sleep after which one counts as stuck.

A thread that ends frees what MLIR keeps for it, with a lock that is not Python's. A child forked in that moment finds
the lock held for ever.
"""

ON = ("on", "1", "yes")
"""Values of MIND_GUARD that turn the guard on."""


def is_guarded() -> bool:
    """True if MIND_GUARD asks for it. E7007 for a value that is neither on nor off."""
    text = os.environ.get("MIND_GUARD", "").lower()
    if text in ON:
        return True
    if text and text not in OFF:
        raise MindError.of("E7007", f"MIND_GUARD is on or off, found {text!r}", help="MIND_GUARD=on")
    return False


def tried(m: Module, compile_: Callable[[], object]) -> None:
    """With MIND_GUARD, run a compilation of `m` in a forked child, which keeps what it makes in the cache.

    E9003 with a reproducer if a signal ends the child. An exception in the child is ignored: it will be raised again
    here.
    """
    if not is_guarded() or not hasattr(os, "fork"):
        return
    from . import compiler  # noqa: F401  here once, instead of in every child

    signal_name = ended_by(lambda: _quietly(compile_))
    if signal_name is not None:
        from ..mlir.reproducer import write_reproducer

        path = write_reproducer(f"{print_module(m)}\n", ".mindir")
        message = f"MLIR ended the process that compiled with {signal_name}"
        raise MindError.of("E9003", message, help=f"report it with {path}")


def ended_by(action: Callable[[], object]) -> str | None:
    """Run `action` in a forked child; the name of the signal that ended it, or None.

    A child that is STUCK is ended, and another one tried.
    """
    for _ in range(TRIES):
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns about a fork beside other threads
            child = os.fork()
        if child == 0:
            try:
                action()
            finally:
                os._exit(0)
        try:
            status = _waited_for(child)
        except ChildProcessError:  # the process ignores its children (SIGCHLD)
            return None
        except BaseException:  # Ctrl-C: end the child too
            _end(child)
            raise
        if status is not None:
            number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            return {0: None, **{int(s): s.name for s in signal.Signals}}.get(number, f"signal {number}")
        _end(child)
    return None


def _waited_for(child: int) -> int | None:
    """Wait for a child; returns its status, or None if it is stuck."""
    spent: int | None = None
    since, pause = time.monotonic(), 0.0005
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
        if (now := _cpu_time(child)) != spent:
            spent, since = now, time.monotonic()
        elif now is not None and time.monotonic() - since > STUCK:
            return None


def _cpu_time(child: int) -> int | None:
    """The clock ticks that a process and its children have used, if it sleeps; None if it does not, or is not known."""
    try:
        with open(f"/proc/{child}/stat", encoding="ascii", errors="replace") as f:
            state, *fields = f.read().rpartition(")")[2].split()
    except OSError:
        return None
    return sum(map(int, fields[10:14])) if state == "S" else None


def _end(child: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)


def _quietly(compile_: Callable[[], object]) -> None:
    warnings.simplefilter("ignore")
    with contextlib.suppress(Exception):
        compile_()
