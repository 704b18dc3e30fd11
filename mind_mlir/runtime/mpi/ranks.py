"""The ranks of a mesh under MPI: the rank of this process, its communicators, and the table that compiled code reads.

mpi4py starts MPI and makes communicators; compiled code calls MPI itself. Errors of MPI end all ranks.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import re
from contextlib import AbstractContextManager
from typing import Any

from ...ir import DType, Mesh, MindError, Module, digest, np
from ...ir.diagnostics import count
from ...ir.kept import kept_property
from ...lowering.abi.rank_table import FUNCTIONS, REDUCTIONS, axis_entry, entry, table_size
from .ending import end_all_on_error
from .job import calls_of
from .numbered_calls import Call, Calls

_LIBRARY = re.compile(r"(/\S.*/libmpi(?:_abi)?\.(?:so[.\d]*|dylib))$", re.MULTILINE)


@functools.cache
def mpi() -> Any:
    """mpi4py's module, with MPI started. E8010 if it cannot be imported."""
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError, OSError) as why:  # mpi4py without a library of MPI raises a RuntimeError
        reason = str(why).splitlines()[0] if str(why) else type(why).__name__
        help = "pip install 'mind-mlir[mpi]' brings mpi4py and MPICH"
        raise MindError.of("E8010", f"mpi4py cannot be used: {reason}", help=help) from None
    MPI.COMM_WORLD.Set_errhandler(MPI.ERRORS_ARE_FATAL)
    if MPI.COMM_WORLD.size > 1:
        end_all_on_error(MPI)
    return MPI


@functools.cache
def ranks_of(mesh: Mesh) -> Ranks:
    """The ranks of a mesh, one for each process of the job. E8007 for another number, E8010 without MPI."""
    return Ranks(mesh)


def rank(mesh: Mesh) -> int:
    """Which rank of a mesh this process is: `if mind.rank(mesh) == 0: print(…)`. E8007, E8010 as `ranks_of`."""
    return ranks_of(mesh).rank


class Ranks:
    """The ranks of a mesh, seen from this process. `ranks_of` makes one for each mesh: communicators are few."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh
        self.rank = 0
        self.axes: dict[str, Any] = {}
        self.world: Any = None
        self.calls: Calls | None = None
        if mesh.size == 1:
            return
        world = self.world = mpi().COMM_WORLD
        if world.size != mesh.size:
            message = f"the mesh ({mesh}) has {count(mesh.size, 'rank')}, the job has {world.size}"
            raise MindError.of("E8007", message, help=f"start {mesh.size}: mpirun -n {mesh.size}")
        self.rank = world.rank
        self.calls = calls_of(mpi())
        with self.call(f"the making of the mesh ({mesh})", "mesh"):
            self._connect()

    def _connect(self) -> None:
        """Make a communicator for each axis. E8008 if another rank makes another mesh."""
        found = self.world.allgather(str(self.mesh))
        other = next((r for r, text in enumerate(found) if text != found[0]), None)
        if other is not None:
            message = f"rank 0 makes the mesh ({found[0]}), rank {other} the mesh ({found[other]})"
            raise MindError.of("E8008", message, help="every rank makes the same meshes, in the same order")
        where = self.mesh.coordinates(self.rank)
        for axis in self.mesh.axis_names:
            self.axes[axis] = self.world.Split(self.mesh.group(self.rank, axis)[0], where[axis])

    @kept_property
    def table(self) -> Any:
        """The table that compiled code reads: lowering/abi/rank_table.py."""
        MPI = mpi()
        library = _library()
        table = (ctypes.c_int64 * table_size(len(self.axes)))()
        for name, function in FUNCTIONS.items():
            table[entry(name)] = ctypes.cast(library[function], ctypes.c_void_p).value or 0
        for dtype in DType:
            table[entry(dtype.value)] = MPI._handleof(getattr(MPI, dtype.mpi.removeprefix("MPI_")))
        for reduction in REDUCTIONS:
            table[entry(reduction)] = MPI._handleof(getattr(MPI, reduction.upper()))
        where = self.mesh.coordinates(self.rank)
        for n, axis in enumerate(self.mesh.axis_names):
            table[axis_entry(n, "coordinate")] = where[axis]
            table[axis_entry(n, "communicator")] = MPI._handleof(self.axes[axis])
        return table

    def across(self, op: Any, value: Any) -> Any:
        """The result on this rank of an operation between ranks, in NumPy."""
        if op.size == 1:
            return op.evaluate(value)
        comm = self.axes[op.axis]
        return np.asarray(op.across(comm.allgather(value))[comm.rank], order="C")

    def call(self, text: str, digest: str) -> AbstractContextManager[None]:
        """A call that all ranks make together: `with ranks.call(…): …`. E8008 and E8009 as `Calls.begin`."""
        return contextlib.nullcontext() if self.calls is None else self.calls.call(text, digest)

    def program(self, m: Module) -> Call:
        """The call that runs a module on these ranks."""
        assert self.calls is not None, "a mesh of one rank has nothing between ranks"
        sha256 = digest(m)
        return self.calls.call(f"a module of {count(len(m), 'operation')}, sha256 {sha256[:8]}", sha256)


def _library() -> ctypes.CDLL:
    """The library of MPI that mpi4py has loaded. E8010 if it is not found."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as f:
            found = _LIBRARY.search(f.read())
    except OSError:
        found = None
    if found is None:
        raise MindError.of("E8010", "the library of MPI that mpi4py uses is not among those of this process")
    return ctypes.CDLL(found[1])
