"""Starts a job of several ranks on this machine by mpirun: `python -m mind_mlir.runtime.mpi -n 2 train.py`."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO

from ...ir import MindError
from ...ir.diagnostics import count
from .roll import Roll

_IN_JOB = ("PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "MPI_LOCALRANKID")
"""Environment variables that show a process that it is a rank."""

_KEPT_LINES = 500
"""How many of the last lines that ranks write are searched when a job has failed."""

_CODED = re.compile(r"error\[E\d{4}\]|\"code\": \"E\d{4}\"")
_OF_MPIRUN = re.compile(r"BAD TERMINATION|^(?:mpirun|mpiexec|prterun|prte)\b|\[(?:mpiexec|proxy)[:@]", re.MULTILINE)
_EXIT = "os._exit(0), for example, ends a rank so, and MPI then ends the others"
_SIGNAL = re.compile(r"\(signal (\d+)\)|exited on\s+signal (\d+)")


def in_job() -> bool:
    """True if this process was started as a rank of a job."""
    return any(name in os.environ for name in _IN_JOB)


@functools.cache
def mpirun() -> tuple[str, ...]:
    """The command that starts ranks, with options to start more than there are cores. E8010 if there is none."""
    beside = os.path.join(os.path.dirname(sys.executable), "mpirun")
    path = beside if os.path.exists(beside) else shutil.which("mpirun")
    if path is None:
        message = "no mpirun is on PATH"
        raise MindError.of("E8010", message, help="pip install 'mind-mlir[mpi]' brings mpi4py and MPICH")
    said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60).stdout
    if "Open MPI" not in said and "Open RTE" not in said and "PRTE" not in said:
        return (path,)
    as_root = ["--allow-run-as-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    return (path, *as_root, "--oversubscribe")


def launch(ranks: int, command: Sequence[str]) -> int:
    """Run a command on so many ranks; returns the job's exit status.

    What they write is passed on. If the job fails and no rank has shown an error with a code, E8009 says what is known.
    """
    with Roll() as roll:
        status, text = _run([*mpirun(), "-n", str(ranks), *command], roll.environment)
        lost = 0 if status else roll.missing()
    if lost:
        message = f"{lost} of {count(ranks, 'rank')} did not come to the end of their program, though the status is 0"
        print(MindError.of("E8009", message, help=_EXIT), file=sys.stderr)
        return 1
    if status and not _CODED.search(text):
        help = "mpirun's own message is above" if _OF_MPIRUN.search(text) else ""
        print(MindError.of("E8009", _what_is_known(status, text), help=help), file=sys.stderr)
    return status


def _run(command: list[str], more: dict[str, str]) -> tuple[int, str]:
    """The status of a job, and the last lines of what it has written."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", **more}
    pipe = subprocess.PIPE
    job = subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment)
    said: list[str] = []
    through = [
        threading.Thread(target=_pass_on, args=(source, target, said), daemon=True)
        for source, target in ((job.stdout, sys.stdout), (job.stderr, sys.stderr))
    ]
    try:
        for thread in through:
            thread.start()
        status = job.wait()
        for thread in through:
            thread.join(timeout=5.0)
    except KeyboardInterrupt:
        job.terminate()
        job.wait()
        raise
    return status, "".join(said)


def _pass_on(source: IO[bytes], target: IO[str], said: list[str]) -> None:
    """Copy lines from `source` to `target` as they come, and keep the last ones."""
    for line in source:
        text = line.decode("utf-8", "replace")
        target.write(text)
        target.flush()
        said.append(text)
        del said[: -2 * _KEPT_LINES]


def _what_is_known(status: int, text: str) -> str:
    found = _SIGNAL.search(text)
    how = f"by signal {found[1] or found[2]}" if found else f"with status {status}"
    return f"a rank ended {how} before the others, and so all end"
