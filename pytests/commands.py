"""Run the commands of this checkout as a user does: in a process of their own, with exit status and both streams."""

from __future__ import annotations

import atexit
import contextlib
import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from command_server import CLIENT, COMMANDS, serving
from limits import HUNG

OK, INPUT, USAGE, BUG = 0, 1, 2, 3
"""What the exit status says: fine, the input was at fault, wrong usage, a fault of the toolchain."""

SAMPLES_NEED = ("support", "random_modules", "mind_mlir.lowering.native.compiler", "mind_mlir.testing.emulation")
"""Modules that scripts over samples of operations import."""

HERE = str(Path(__file__).parent)


def program(name: str, *arguments: str) -> list[str]:
    """The command line of mind_opt, mind_translate or mind_run."""
    start = f"import sys; sys.path.insert(0, {HERE!r}); import checkout; from mind_mlir.cli.{name} import main; main()"
    return [sys.executable, "-c", start, *map(str, arguments)]


def script(name: str, *arguments: str) -> list[str]:
    """The command line of a module of pytests/ in a process of its own, which has all loaded that samples need."""
    address = server(*SAMPLES_NEED)
    return client(address, name, *arguments) if address else [sys.executable, f"{HERE}/{name}.py", *arguments]


def client(address: str, module: str, *arguments: str) -> list[str]:
    """The command line that has the server at this address run a module."""
    return [sys.executable, "-I", "-S", CLIENT, address, module, *map(str, arguments)]


@functools.cache
def server(*loaded: str) -> str:
    """The address of the server with these modules, which ends with this process; "" where there is none."""
    ending = contextlib.ExitStack()
    atexit.register(ending.close)
    folder = ending.enter_context(tempfile.TemporaryDirectory(prefix="mind-commands-"))
    return ending.enter_context(serving(Path(folder), loaded))


def run(name: str, *arguments: str, cwd: Path, stdin: bytes = b"", **more) -> subprocess.CompletedProcess:
    """Run a command in `cwd`; its output is decoded as UTF-8.

    With an environment or another argument of subprocess of its own it is a new process, else a fork of one that has
    loaded MLIR.
    """
    address = "" if more else server(*COMMANDS)
    start = client(address, f"mind_mlir.cli.{name}", *arguments) if address else program(name, *arguments)
    done = subprocess.run(start, cwd=cwd, input=stdin, capture_output=True, timeout=HUNG, **more)
    done.stdout, done.stderr = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return done


def codes(done: subprocess.CompletedProcess) -> list[str]:
    """The error codes on standard error, after checking that nothing there is a trace."""
    assert "Traceback" not in done.stderr, done.stderr
    return re.findall(r"^error\[(E\d{4})\]", done.stderr, re.MULTILINE)


def assert_refused(done: subprocess.CompletedProcess, code: str, status: int = INPUT) -> None:
    """One short error with this code, nothing on standard output, and the exit status that goes with it."""
    assert codes(done) == [code], done.stderr
    assert done.returncode == status
    assert done.stdout == ""
    assert len(done.stderr) < 3000


def files(folder: Path) -> set[str]:
    """What lies in a folder, hidden files too."""
    return {p.name for p in folder.iterdir()}
