"""Starts a job of MPI on this machine, and reads the lines that its rank 0 writes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

from ..cpu.timing import ROOT, environment


class JobError(Exception):
    """A job could not start, or ended with another status than 0."""


def mpirun() -> str:
    """The path of the mpirun beside this Python, else of the first on the search path. JobError if there is none."""
    beside = Path(sys.executable).parent / "mpirun"
    found = str(beside) if beside.exists() else shutil.which("mpirun")
    if found is None:
        raise JobError("there is no mpirun, beside Python or on the search path")
    return found


def library() -> str:
    """The name and version that `mpirun` prints, in a line."""
    done = subprocess.run([mpirun(), "--version"], capture_output=True, text=True)
    said = [line.strip() for line in done.stdout.splitlines() if line.strip()]
    version = next((line.split()[-1] for line in said if line.startswith("Version")), "")
    if any("HYDRA" in line for line in said):
        return f"MPICH {version}".strip()
    return said[0].replace("mpirun ", "") if said else "MPI"


def job(ranks: int, words: Sequence[str]) -> Generator[str, None, None]:
    """The lines of a job, as they come. Its processes end when this does. JobError."""
    # Open MPI refuses more ranks than cores without this option
    more = ["--oversubscribe", "--allow-run-as-root"] if "Open MPI" in library() else []
    command = [mpirun(), *more, "-n", str(ranks), sys.executable, "-m", "benchmarks.mpi.job", *words]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment(1),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is the parent's
    )
    assert process.stdout is not None, "it is a pipe"
    try:
        yield from process.stdout
        if status := process.wait():
            raise JobError(f"{' '.join(command[1:])} ended with status {status}")
    finally:
        _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    """End all ranks: mpirun passes SIGTERM on to them."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
