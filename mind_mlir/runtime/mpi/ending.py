"""Ends a job when a rank fails: all ranks at once, with an error that has a code.

MPI would wait for the failed rank. So an error that nothing catches on one rank is shown there, and then ends all.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from ...ir import MindError
from ...ir.forks import ForkLock

_done = ForkLock()

_asked: list[Callable[[], bool]] = []


def say_once(speaks: Callable[[], bool]) -> None:
    """Set the function to ask before an error with a code is shown: it is False where another rank has shown one."""
    _asked.append(speaks)


def end_all_on_error(MPI: Any) -> None:
    """Let an error that nothing catches in this process end every rank."""
    before = sys.excepthook

    def show_and_end(kind: type[BaseException], why: BaseException, trace: TracebackType | None) -> None:
        if not isinstance(why, MindError):
            before(kind, why, trace)
        end_all(MPI, why)

    def in_thread(a: threading.ExceptHookArgs) -> None:
        if a.exc_type is not SystemExit:  # which ends the thread alone
            show_and_end(a.exc_type, a.exc_value or a.exc_type(), a.exc_traceback)

    sys.excepthook = show_and_end
    threading.excepthook = in_thread


def end_all(MPI: Any, why: BaseException) -> None:
    """Say what failed on this rank, and end every rank with status 1."""
    with _done:
        rank = MPI.COMM_WORLD.rank
        is_coded = isinstance(why, MindError)
        if rank and is_coded:
            time.sleep(1.5)  # an error that all ranks find is shown by the first, which ends this one meanwhile
        sys.stdout.flush()
        if not is_coded or all(speaks() for speaks in _asked):
            print(failure(rank, why), file=sys.stderr, flush=True)
        time.sleep(0.5)  # until mpirun has passed the text on: Abort ends mpirun too
        if threading.current_thread() is threading.main_thread() or MPI.Query_thread() == MPI.THREAD_MULTIPLE:
            MPI.COMM_WORLD.Abort(1)
            time.sleep(10.0)  # mpirun ends this process too; if not, it ends below
        os._exit(1)


def failure(rank: int, why: BaseException) -> str:
    """The message for an error of a rank, with its code."""
    if isinstance(why, MindError):
        return f"rank {rank}: {why}"
    said = str(why).splitlines()
    reason = f"{type(why).__name__}: {said[0]}" if said else type(why).__name__
    error = MindError.of("E8009", f"rank {rank} ended with {reason}", help="all ranks end; the traceback is above")
    return str(error)
