"""Guards a command against failed assertions in MLIR, which end the process: what compiles runs in a child process."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable

from ._reporting import EXIT_BUG, Format, outcome
from ._reproducers import Reproduce


def guarded(action: Callable[[], int], format: Format, reproduce: Reproduce) -> int:
    """Run `action` in a child process, so that a failed assertion in MLIR becomes E9003 and does not end the command.

    Where processes cannot fork, it runs in this one.
    """
    if not hasattr(os, "fork"):
        return outcome(action, format, reproduce)
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        status = EXIT_BUG
        try:
            status = outcome(action, format, reproduce)
        finally:
            with contextlib.suppress(OSError):
                sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    _, wait_status = os.waitpid(child, 0)
    if os.WIFSIGNALED(wait_status):
        import signal

        number = os.WTERMSIG(wait_status)
        names = {s.value: s.name for s in signal.Signals}
        name = names.get(number, f"signal {number}")
        from ..ir import MindError
        from ..lowering.mlir.reproducer import write_reproducer

        path = write_reproducer(*reproduce())

        raise MindError.of("E9003", f"MLIR ended the process with {name}", help=f"report it with {path}")
    return os.WEXITSTATUS(wait_status)
