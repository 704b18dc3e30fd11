"""What the commands share: options, exit status, and the guard against a dying compiler process."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

    from ..ir import MindError, Module, Source

EXIT_OK, EXIT_INPUT, EXIT_USAGE, EXIT_BUG = 0, 1, 2, 3

USAGE_CODES = {"E7001", "E7002", "E7003", "E7006", "E7007"}
"""Codes that end a command with status 2."""


class Profile(str, Enum):
    """Which operations are allowed."""

    core_v1 = "core-v1"
    extended = "extended"


class Numerics(str, Enum):
    """How far results may differ from the interpreter's."""

    default = "default"
    strict = "strict"
    fast = "fast"


class Precision(str, Enum):
    """How exact the factors of f32 products are on a GPU."""

    f32 = "f32"
    tf32 = "tf32"


class Format(str, Enum):
    """How errors are written."""

    human = "human"
    json = "json"


def exit_status(error: MindError) -> int:
    """1 the input was at fault, 2 usage, 3 a fault of ours."""
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


def prepare() -> None:
    """Open the streams that the caller has closed; write warnings of ours as remarks."""
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, mode))  # noqa: SIM115  open until the end
    warnings.formatwarning = _remark  # type: ignore[assignment]  # the parameters' names


def run(app: typer.Typer, name: str) -> None:
    """Run a command on `sys.argv` and leave with its exit status.  Wrong usage is told as every error is: E7007."""
    import click

    def action() -> int:
        try:
            return app(prog_name=name, standalone_mode=False) or EXIT_OK
        except click.ClickException as why:
            from ..ir import MindError

            message = why.format_message().rstrip(".")
            raise MindError.of("E7007", message, help=f"{name} --help lists the options") from None

    prepare()
    words = " ".join(sys.argv).replace("=", " ")
    sys.exit(outcome(action, Format.json if "--diagnostics json" in words else Format.human))


def _remark(message: Warning | str, category: type[Warning], file: str, line: int, text: str | None = None) -> str:
    """How a warning is written: one of ours as a remark, without the place in the code."""
    if category.__module__.partition(".")[0] == __package__.partition(".")[0]:
        return f"remark: {message}\n"
    return _usual_warning(message, category, file, line, text)


_usual_warning = warnings.formatwarning


def finish(action: Callable[[], int], format: Format) -> None:
    """Run `action` and leave with its exit status; every error becomes a diagnostic."""
    import typer

    raise typer.Exit(outcome(action, format))


Reproduce = Callable[[], tuple[str, str]]
"""Gives the text of a reproducer and the suffix of its file."""


def outcome(action: Callable[[], int], format: Format, reproduce: Reproduce = lambda: ("", ".mindir")) -> int:
    """Run `action`; returns its exit status.  Every error becomes a diagnostic."""
    try:
        status = action()
        sys.stdout.flush()
        return status
    except (Exception, KeyboardInterrupt) as why:
        return _told(why, format, reproduce)


def _told(why: BaseException, format: Format, reproduce: Reproduce) -> int:
    """Report what ended an action; returns the exit status."""
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

    trace = "".join(f"// {line}\n" for line in "".join(traceback.format_exception(why)).splitlines())
    body, suffix = "", ".mindir"
    with contextlib.suppress(Exception):
        body, suffix = reproduce()
    path = _write_reproducer(body + trace, suffix)
    what = f"{type(why).__name__}: {why}".splitlines()[0][:200]
    return MindError.of("E9002", f"internal error: {what}", help=f"report it with {path}, which holds the trace")


def _write_reproducer(text: str, suffix: str) -> str:
    from ..lowering.mlir.reproducer import write_reproducer

    return write_reproducer(text, suffix)


def guarded(action: Callable[[], int], format: Format, reproduce: Reproduce) -> int:
    """Run `action` in a child process, so that an assertion in MLIR ends as E9003 instead of a dead command.

    Where processes cannot fork, runs here.
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
        number = os.WTERMSIG(wait_status)
        import signal

        names = {s.value: s.name for s in signal.Signals}
        name = names.get(number, f"signal {number}")
        path = _write_reproducer(*reproduce())
        from ..ir import MindError

        raise MindError.of("E9003", f"MLIR ended the process with {name}", help=f"report it with {path}")
    return os.WEXITSTATUS(wait_status)


def verified(source: Source, profile: Profile, **strict: bool) -> Module:
    """Parse and verify."""
    from ..ir import parse_source
    from ..passes import verify

    return verify(parse_source(source), profile=profile.value, **strict)


def core_reproducer(m: Module, command: str) -> str:
    """The module's text, with the command in the first line."""
    from ..ir import print_module

    return f"// {command}\n{print_module(m)}\n"
