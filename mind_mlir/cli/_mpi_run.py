"""`mind-run --mpi`: runs a module on the ranks of its mesh. Each rank reads its part of the inputs."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..ir import MindError, Module, np
from ..runtime.arguments import by_position
from ..runtime.jit import compile
from ..runtime.mpi.launch import in_job, launch
from ._compare import compare
from ._mapped import mapped_arrays
from ._reporting import EXIT_INPUT, EXIT_OK
from ._run_arrays import arguments, tell
from ._run_options import Options


def run_on_ranks(m: Module, options: Options) -> int:
    """Run on the ranks of the mesh, which the first process starts. The first rank prints, writes and compares."""
    if (status := _start_job(m)) is not None:
        return EXIT_OK if status == 0 else EXIT_INPUT
    try:
        return _run_on_this_rank(m, options)
    except MindError as why:
        if m.mesh is not None and m.mesh.size > 1 and why.code != "E8010":
            from ..runtime.mpi.ending import end_all
            from ..runtime.mpi.ranks import mpi

            end_all(mpi(), why)
        raise


def _run_on_this_rank(m: Module, options: Options) -> int:
    run = RankRun(m, options)
    given = arguments(m, options, mapped_arrays)
    arrays = run.arguments(given)
    results = run.whole(run.exe(*arrays))
    if run.is_first:
        agreement = ""
        if options.compare:
            whole = [np.array(given[name]) for name in run.names_and_types()[0]]
            expected = compile(m, "interpret")(*whole)
            agreement = compare(m, whole, results, expected, options.numerics.value, options.tolerance, "mpi")
        tell(m, results, options, agreement)
    if options.benchmark:
        said = run.benchmark(arrays)
        if run.is_first:
            print(said)
    return EXIT_OK


def _start_job(m: Module) -> int | None:
    """Start the ranks of a module's mesh with this process's arguments; the job's status, None within a job. E8002."""
    if m.mesh is None:
        help = "a line such as `mesh: dp = 2` names the axes"
        raise MindError.of("E8002", "--mpi runs a module on the ranks of its mesh, and it has none", help=help)
    if in_job() or m.mesh.size == 1:
        return None
    return launch(m.mesh.size, [sys.executable, "-m", "mind_mlir.cli.mind_run", *sys.argv[1:]])


class RankRun:
    """A module in global view on this rank of its mesh."""

    def __init__(self, m: Module, options: Options) -> None:
        """Partition and compile. E8007 for another number of ranks, E8008 where ranks disagree."""
        from ..runtime.mpi.compiled import compile_for_ranks

        name = m.source.name if m.source is not None else "the module"
        settings = {
            "target": options.target.value,
            "threads": options.threads,
            "numerics": options.numerics.value,
            "tuning": options.tuning,
        }
        compiled = compile_for_ranks(m, settings, name, prefer=options.prefer.value)
        self.m, self.compiled = m, compiled
        self.exe, self.parts, self.ranks = compiled.exe, compiled.parts, compiled.ranks
        self.mesh = self.ranks.mesh

    @property
    def is_first(self) -> bool:
        """True on the rank that prints for all."""
        return self.ranks.rank == 0

    def arguments(self, whole: Mapping[str, Any]) -> list[Any]:
        """This rank's part of each argument. E6009."""
        from ..runtime.arguments import checked
        from ..runtime.mpi.pieces import piece

        names, types = self.names_and_types()
        found = []
        for name, t, spec, a in zip(names, types, self.parts.inputs, by_position(names, types, (), whole)):
            if a.shape != t.shape or a.dtype != t.dtype.numpy:
                checked(f"argument {name}", t, a)  # says what is wrong
            found.append(piece(a, self.mesh, spec, self.ranks.rank))
        self.compiled.check_same(lambda: names, found)
        return found

    def names_and_types(self) -> tuple[list[str], list[Any]]:
        """The names and types of the module's Inputs."""
        return [o.op.name for o in self.m.inputs], [o.type for o in self.m.inputs]  # type: ignore[attr-defined]

    def whole(self, results: Sequence[Any]) -> list[Any]:
        """The outputs from the parts of all ranks; empty on all but the first."""
        from ..runtime.mpi.pieces import joined

        out = []
        for a, t, spec in zip(results, self.m.output_types, self.parts.outputs):
            with self.ranks.call("the gathering of results", "gather"):
                pieces = [a] if self.ranks.world is None else self.ranks.world.gather(a, root=0)
            if self.is_first:
                out.append(joined(pieces, self.mesh, spec, t.shape))
        return out

    def benchmark(self, arrays: Sequence[Any]) -> str:
        """Median wall time of a call on all ranks, over at least 5 calls and a quarter of a second."""
        self.exe(*arrays)
        times: list[float] = []
        go_on = True
        while go_on:
            self._together()
            start = time.perf_counter()
            self.exe(*arrays)
            self._together()
            times.append(time.perf_counter() - start)
            go_on = len(times) < 5 or (sum(times) < 0.25 and len(times) < 100_000)
            if self.ranks.world is not None:
                go_on = self.ranks.world.bcast(go_on, root=0)
        median, best = statistics.median(times), min(times)
        return f"{self.mesh.size} ranks: median {median * 1e6:.1f} µs, best {best * 1e6:.1f} µs of {len(times)} calls"

    def _together(self) -> None:
        if self.ranks.world is not None:
            self.ranks.world.Barrier()
