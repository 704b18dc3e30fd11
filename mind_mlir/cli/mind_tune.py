"""mind-tune: measures which parameters make the kernels of a module fastest on this machine."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from .. import lowering  # noqa: F401  registers its passes
from ..ir import MindError, Module
from ..ir.diagnostics import count
from ..lowering.mlir.reproducer import write_reproducer
from ..lowering.store.tuning_file import Entry, load, save
from ..passes.preflight import check_before_run
from ..runtime.threads import thread_count
from ..runtime.tuning_choice import OFF, tuning_file
from . import _shared_options as shared
from ._command import run_command
from ._files import read_core
from ._numerics import Numerics
from ._profile import Profile, verified
from ._reporting import EXIT_OK, Format, finish
from ._reproducers import core_reproducer
from ._threads_option import ThreadsOption
from ._tune_report import Lines, table

if TYPE_CHECKING:
    from ..lowering.tuning.tuner import State

app = shared.make_app()

FILE = "mind-tuning.json"
"""The file for records, unless --output or MIND_TUNING names another."""

EPILOG = """Examples:

\b
  mind-tune net.mindir                            search for a minute, write mind-tuning.json
  mind-tune net.mindir -o net.json --budget 600   search for ten minutes, write net.json
  mind-run net.mindir --random 0 --benchmark --tuning mind-tuning.json

Records are added to those in the file. It is written after every improvement, so Ctrl-C keeps what was found.
The exit status is 0 at the end and when the time is over, 130 after Ctrl-C, 1 if the module or the file is at fault, 2
for wrong usage, 3 for a fault of the toolchain."""


class _Terminated(Exception):
    """The process has been asked to end, by SIGTERM."""


@app.command(context_settings=shared.SETTINGS, epilog=EPILOG)
def mind_tune(
    file: Annotated[
        str, typer.Argument(metavar="MODULE", help="Core IR in any of its text forms; - is standard input.")
    ],
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help=f"The tuning file; without it, that of MIND_TUNING, else {FILE}."
        ),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            "--budget", metavar="SECONDS", min=0.1, help="How long the search may take: 60, or 10 with --quick."
        ),
    ] = None,
    candidates: Annotated[
        int | None,
        typer.Option(
            "--candidates", metavar="N", min=1, help="How many records to try for each kernel: 60, or 12 with --quick."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Try only the most promising candidates.")] = False,
    numerics: shared.NumericsOption = Numerics.default,
    threads: ThreadsOption = None,
    profile: shared.ProfileOption = Profile.core_v1,
    diagnostics: shared.DiagnosticsOption = Format.human,
    version: shared.VersionOption = False,
) -> None:
    """Try records of parameters for the kernels of MODULE, and keep those that are faster than the compiler's choice.

    Results keep their bits. A record is used for this kind of CPU, this version of the compiler, and the same shapes,
    numerics and number of threads.
    """
    del version

    def action() -> int:
        if not hasattr(os, "fork"):
            raise MindError.of("E7007", "mind-tune needs a system where a process can fork")
        m = verified(read_core(file, "mind-tune"), profile)
        check_before_run(m)
        path = _path(output)
        known = load(path).entries if os.path.exists(path) else {}
        tune = _Tuning(m, path, dict(known), thread_count(threads), numerics.value)
        return tune.run(budget or (10.0 if quick else 60.0), candidates or (12 if quick else 60), file)

    finish(action, diagnostics)


def _path(output: str | None) -> str:
    """The path of the file for records. E7005 before any work is done if it cannot be written."""
    path = output or tuning_file(None) or FILE
    if path == "-" or path.lower() in OFF:
        raise MindError.of("E7007", f"-o takes the path of a file, found {path}")
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise MindError.of("E7005", f"cannot write {path}: no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise MindError.of("E7005", f"cannot write {path}: nothing can be written in {folder}")
    return path


class _Tuning:
    """One search, and its output."""

    def __init__(self, m: Module, path: str, known: dict[str, Entry], threads: int, numerics: str) -> None:
        self.m, self.path, self.known, self.threads, self.numerics = m, path, known, threads, numerics

    def run(self, budget: float, candidates: int, file: str) -> int:
        """Search, and print the table, in whatever way the search ends."""
        from ..lowering.tuning.tuner import Lost, Tuner

        with Lines.for_stream(sys.stderr, budget) as lines:
            tuner = Tuner(self.m, self.numerics, self.threads, budget, candidates, self.known, self._keep, lines)
            usual = signal.signal(signal.SIGTERM, _terminate)
            status = EXIT_OK
            try:
                tuner.run()
            except KeyboardInterrupt:
                status = 130
            except _Terminated:
                status = 128 + signal.SIGTERM
            except Lost as why:
                path = write_reproducer(core_reproducer(self.m, "mind-tune %s"), ".mindir")
                raise MindError.of("E9003", f"compiling failed: {why}", help=f"report it with {path}") from None
            except MindError:
                lines.close()
                print(table(tuner.states))
                raise
            finally:
                signal.signal(signal.SIGTERM, usual)
        print(table(tuner.states))
        print(self._ending(tuner.states, file))
        return status

    def _keep(self, key: str, entry: Entry) -> None:
        save(self.path, {key: entry}, self.known)

    def _ending(self, states: list[State], file: str) -> str:
        better = sum(s.record != s.kernel.rule for s in states)
        if not states:
            return "no kernel of this module can be tuned"
        if not better:
            return "nothing is faster than the compiler's own choice"
        path = shlex.quote(self.path)
        return (
            f"{count(better, 'record')} in {self.path}; use them with\n"
            f"  mind-run {shlex.quote(file)} --tuning {path}\n"
            f"  mind.compile(module, tuning={self.path!r})\n"
            f"  MIND_TUNING={path} in the environment"
        )


def _terminate(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise _Terminated


def main() -> None:
    """Run the command."""
    run_command(app, "mind-tune")


if __name__ == "__main__":
    main()
