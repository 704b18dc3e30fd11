"""What the commands share: reading, writing, exit status, and the guard against a dying compiler process."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Annotated, Any

import click
import typer

from .. import __version__
from ..ir import MindError, Module, Source, print_module, read_source

EXIT_OK, EXIT_INPUT, EXIT_USAGE, EXIT_BUG = 0, 1, 2, 3

USAGE_CODES = {"E7001", "E7002", "E7003", "E7006", "E7007"}
"""Codes that end a command with status 2."""


class Profile(str, Enum):
    """Which operations are allowed."""

    core_v1 = "core-v1"
    extended = "extended"


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
OutputOption = Annotated[str, typer.Option("-o", "--output", metavar="FILE", help="Write here; - is standard output.")]
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

    words = " ".join(sys.argv).replace("=", " ")
    sys.exit(outcome(action, Format.json if "--diagnostics json" in words else Format.human))


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
        _drop_stdout()
        status = EXIT_INPUT
    except OSError as why:
        _drop_stdout()
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


def _drop_stdout() -> None:
    """What is left in the buffer of standard output must not fail again at exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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


def write_output(path: str, pieces: Iterable[str] | bytes) -> None:
    """Write to a file as a whole or not at all, or to standard output.  E7005."""
    if path == "-":
        try:
            if isinstance(pieces, bytes):
                sys.stdout.buffer.write(pieces)
            else:
                _utf8_stdout()
                for piece in pieces:
                    sys.stdout.write(piece)
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except OSError as why:
            _drop_stdout()
            raise MindError.of("E7005", f"cannot write to standard output: {why.strerror}") from None
        return
    with replaced_file(path) as f:
        if isinstance(pieces, bytes):
            f.write(pieces)
        else:
            for piece in pieces:
                f.write(piece.encode())


@contextlib.contextmanager
def replaced_file(path: str) -> Iterator[Any]:
    """A binary file that takes the place of `path` once it is written completely.  E7005."""
    temporary = None
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            if os.path.isdir(path):
                raise IsADirectoryError(21, "it is a directory")
            with open(path, "wb") as f:  # a device or a pipe
                yield f
            return
        folder = os.path.dirname(os.path.realpath(path))
        import tempfile

        handle, temporary = tempfile.mkstemp(prefix=".mind-", dir=folder)
        with os.fdopen(handle, "wb") as f:
            yield f
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, os.path.realpath(path))
        temporary = None
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or str(why)
        raise MindError.of("E7005", f"cannot write {path}: {reason}") from None
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def _utf8_stdout() -> None:
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None and (sys.stdout.encoding or "").lower() != "utf-8":
        reconfigure(encoding="utf-8")


def read(path: str) -> Source:
    """The text of a file, or of standard input for `-`; says that it waits if that is a terminal.  E7004, E1001."""
    if path == "-" and sys.stdin.isatty():
        print("reading standard input; Ctrl-D ends it", file=sys.stderr)
    return read_source(path)


_FIRST_WORD = re.compile(r"^[ \t]*(?!//|[#!\s])(\S+)", re.MULTILINE)  # past comments, and MLIR's aliases


def is_mlir(source: Source) -> bool:
    """True for MLIR text: by the name of the file, or else by the first word."""
    if source.name.endswith((".mlir", ".mindir")):
        return source.name.endswith(".mlir")
    first = _FIRST_WORD.search(source.text)
    return first is not None and first[1].startswith(("module", "func.func", "builtin.module", '"builtin.module"'))


def read_core(path: str, command: str) -> Source:
    """The text of a file of Core IR; E7007 for MLIR."""
    source = read(path)
    if is_mlir(source):
        raise MindError.of("E7007", f"{command} takes Core IR, {source.name} is MLIR", help="mind-opt reads MLIR")
    return source


def verified(source: Source, profile: Profile, **strict: bool) -> Module:
    """Parse and verify."""
    from ..ir import parse_source
    from ..passes import verify

    return verify(parse_source(source), profile=profile.value, **strict)


def core_reproducer(m: Module | None, source: Source, command: str) -> str:
    """The module's text, or what was read, with the command in the first line."""
    return f"// {command}\n{print_module(m) if m is not None else source.text}\n"
