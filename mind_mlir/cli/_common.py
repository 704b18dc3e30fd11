"""What the commands share: options, exit status, and the guard against a dying compiler process."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import warnings
from collections.abc import Callable
from enum import Enum
from typing import Annotated

import click
import typer

from .. import __version__
from ..ir import MindError, Module, Source, print_module
from ._files import drop_stdout

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


def _version(value: bool) -> None:
    if value:
        print(f"mind-mlir {__version__}")
        raise typer.Exit(EXIT_OK)


ProfileOption = Annotated[
    Profile, typer.Option("--profile", help="Which operations are allowed: those of Core v1, or all.")
]
StrictAxes = Annotated[bool, typer.Option("--strict-axes", help="Refuse negative axes (E3004).")]
StrictDims = Annotated[bool, typer.Option("--strict-positive-dims", help="Refuse extents of 0 (E3006).")]
StrictMatmul = Annotated[bool, typer.Option("--strict-matmul2d", help="Refuse MatMul of other ranks than 2 (E3002).")]
DiagnosticsOption = Annotated[
    Format,
    typer.Option("--diagnostics", help="How errors are written to standard error: for people, or as JSON lines."),
]
NumericsOption = Annotated[Numerics, typer.Option("--numerics", help="How far results may differ from interpret.")]
PrecisionOption = Annotated[
    Precision,
    typer.Option("--precision", help="On a GPU: tf32 lets the factors of f32 products be rounded to 10 bits."),
]
OutputOption = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Write here; - is standard output.")]
TuningOption = Annotated[
    str | None,
    typer.Option("--tuning", metavar="FILE", help="A tuning file of mind-tune; else that of MIND_TUNING, else none."),
]
VersionOption = Annotated[
    bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
]


SETTINGS = {"help_option_names": ["-h", "--help"]}
"""The `context_settings` of every command."""


def make_app() -> typer.Typer:
    """A typer application without rich's help and tracebacks, which cost half of a short run."""
    return typer.Typer(add_completion=True, rich_markup_mode=None, pretty_exceptions_enable=False)


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


def run(app: typer.Typer, name: str) -> None:
    """Run a command on `sys.argv` and leave with its exit status.  Wrong usage is told as every error is: E7007."""
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:  # closed by the caller
            setattr(sys, stream, open(os.devnull, mode))  # noqa: SIM115  open until the end

    def action() -> int:
        try:
            return app(prog_name=name, standalone_mode=False) or EXIT_OK
        except click.ClickException as why:
            message = why.format_message().rstrip(".")
            raise MindError.of("E7007", message, help=f"{name} --help lists the options") from None

    warnings.formatwarning = _remark  # type: ignore[assignment]  # the parameters' names
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
    raise typer.Exit(outcome(action, format))


Reproduce = Callable[[], tuple[str, str]]
"""Gives the text of a reproducer and the suffix of its file."""


def outcome(action: Callable[[], int], format: Format, reproduce: Reproduce = lambda: ("", ".mindir")) -> int:
    """Run `action`; returns its exit status.  Every error becomes a diagnostic."""
    try:
        status = action()
        sys.stdout.flush()
    except MindError as error:
        status = report(error, format)
    except BrokenPipeError:
        drop_stdout()
        status = EXIT_INPUT
    except OSError as why:
        drop_stdout()
        status = report(MindError.of("E7005", f"cannot write the output: {why.strerror or why}"), format)
    except MemoryError:
        status = report(MindError.of("E6004", "out of memory"), format)
    except KeyboardInterrupt:
        status = 130
    except (typer.Exit, SystemExit):
        raise
    except Exception as why:  # a fault of ours: told like every other error, with the trace in the reproducer
        status = report(_internal(why, reproduce), format)
    return status


def _internal(why: Exception, reproduce: Reproduce) -> MindError:
    import traceback

    trace = "".join(f"// {line}\n" for line in "".join(traceback.format_exception(why)).splitlines())
    body, suffix = "", ".mindir"
    with contextlib.suppress(Exception):
        body, suffix = reproduce()
    path = _write_reproducer(body + trace, suffix)
    what = f"{type(why).__name__}: {why}".splitlines()[0][:200]
    return MindError.of("E9002", f"internal error: {what}", help=f"report it with {path}, which holds the trace")


def _write_reproducer(text: str, suffix: str) -> str:
    from ..lowering.reproducer import write_reproducer

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
        names = {s.value: s.name for s in signal.Signals}
        name = names.get(number, f"signal {number}")
        path = _write_reproducer(*reproduce())
        raise MindError.of("E9003", f"MLIR ended the process with {name}", help=f"report it with {path}")
    return os.WEXITSTATUS(wait_status)


def verified(source: Source, profile: Profile, **strict: bool) -> Module:
    """Parse and verify."""
    from ..ir import parse_source
    from ..passes import verify

    return verify(parse_source(source), profile=profile.value, **strict)


def core_reproducer(m: Module, command: str) -> str:
    """The module's text, with the command in the first line."""
    return f"// {command}\n{print_module(m)}\n"
