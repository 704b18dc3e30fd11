"""How a command ends: every error becomes a diagnostic on standard error and an exit status."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from ._reproducers import Reproduce

if TYPE_CHECKING:
    from ..ir import MindError

EXIT_OK, EXIT_INPUT, EXIT_USAGE, EXIT_BUG = 0, 1, 2, 3

USAGE_CODES = {"E7001", "E7002", "E7003", "E7006", "E7007"}
"""Codes that end a command with status 2."""


class Format(str, Enum):
    """How errors are written."""

    human = "human"
    json = "json"


def exit_status(error: MindError) -> int:
    """1 for a fault in the input, 2 for wrong usage, 3 for a fault of the toolchain."""
    codes = [d.code for d in error.diagnostics]
    if any(c.startswith("E9") for c in codes):
        return EXIT_BUG
    return EXIT_USAGE if all(c in USAGE_CODES for c in codes) else EXIT_INPUT


def report(error: MindError, format: Format) -> int:
    """Write the diagnostics to standard error; returns the exit status."""
    text = error.to_json() if format is Format.json else str(error)
    sys.stdout.flush()
    print(text.encode("utf-8", "backslashreplace").decode("utf-8", "replace"), file=sys.stderr)
    return exit_status(error)


def finish(action: Callable[[], int], format: Format) -> None:
    """Run `action` and exit with its status; every error becomes a diagnostic."""
    import typer

    raise typer.Exit(outcome(action, format))


def outcome(action: Callable[[], int], format: Format, reproduce: Reproduce = lambda: ("", ".mindir")) -> int:
    """Run `action` and return its exit status; every error becomes a diagnostic."""
    try:
        status = action()
        sys.stdout.flush()
        return status
    except (Exception, KeyboardInterrupt) as why:
        return _told(why, format, reproduce)


def _told(why: BaseException, format: Format, reproduce: Reproduce) -> int:
    """Report the exception that ended an action; returns the exit status."""
    from ..ir import MindError
    from ._files import drop_stdout

    match why:
        case MindError():
            return report(why, format)
        case BrokenPipeError():
            drop_stdout()
            return EXIT_INPUT
        case OSError():
            drop_stdout()
            return report(MindError.of("E7005", f"cannot write the output: {why.strerror or why}"), format)
        case MemoryError():
            return report(MindError.of("E6004", "out of memory"), format)
        case KeyboardInterrupt():
            return 130
    return report(_internal(why, reproduce), format)  # a fault of ours: the trace is in the reproducer


def _internal(why: BaseException, reproduce: Reproduce) -> MindError:
    import traceback

    from ..ir import MindError
    from ..lowering.mlir.reproducer import write_reproducer

    trace = "".join(f"// {line}\n" for line in "".join(traceback.format_exception(why)).splitlines())
    body, suffix = "", ".mindir"
    with contextlib.suppress(Exception):
        body, suffix = reproduce()
    path = write_reproducer(body + trace, suffix)
    what = f"{type(why).__name__}: {why}".splitlines()[0][:200]
    return MindError.of("E9002", f"internal error: {what}", help=f"report it with {path}, which holds the trace")
