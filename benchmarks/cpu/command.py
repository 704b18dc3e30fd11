"""`python -m benchmarks cpu`: a run from the choice of cases to the report."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from ..progress import INTERRUPTED, progress
from . import costs, plot, report
from .cases import CEILINGS, Case, select
from .peers import PEERS
from .results import Results
from .timing import CEILING, OURS, QUICK, Effort, Measurement, Worker, WorkerError, measure


def run(peers: Sequence[str], threads: int, glob: str, quick: bool, write: bool, cpu: str = "native") -> int:
    """Measure, print the report, and with `write` put it into docs/results.md. The exit status.

    `cpu` is LLVM's name of the CPU that code is for, and to whose instructions the peers are limited.
    """
    cases = select(glob, quick, threads, costs.cores())
    results = Results(threads, _command(peers, threads, glob, quick, write, cpu), glob == "*", asked=len(cases))
    results.load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    effort = QUICK if quick else Effort()
    pool = Pool(peers, cpu)
    status = 0
    try:
        versions = pool.versions(threads)
        results.versions = list(versions.values())
        installed = [p for p in peers if p in versions]
        # start-up, compilation and memory are measured in full runs alone
        others = costs.measure(installed, quick) if results.whole and threads == 1 and cpu == "native" else []
        results.asked += len(others)
        results.ceilings = _ceilings(pool, threads, effort)
        with progress(results.asked) as step:
            for case in cases:
                with step(case.name) as tell:
                    results.measurements.append(m := measure(case, pool.of(case), effort))
                    tell(_line(m))
            for what, find in others:
                with step(what) as tell:
                    results.costs.append(cost := find())
                    tell(", ".join(f"{k} {v:.1f}" for k, v in cost.values.items() if v is not None))
    except KeyboardInterrupt:
        status = INTERRUPTED
        print("interrupted; what was measured until here:", file=sys.stderr)
    finally:
        pool.stop()
    text = report.markdown(results)
    print(text)
    if write:
        report.write(text, plot.svg(results))
    return status


class Pool:
    """The workers for every peer and number of threads, ours first. A peer that is not installed is reported once."""

    def __init__(self, peers: Sequence[str], cpu: str) -> None:
        self.names, self.cpu = [OURS, *peers, CEILING], cpu
        self._workers: dict[int, list[Worker]] = {}

    def workers(self, threads: int) -> list[Worker]:
        """The workers whose package is installed."""
        if threads not in self._workers:
            started = self._workers[threads] = [
                Worker(name, threads, self.cpu) for name in self.names
            ]  # all import at once
            for worker in list(started):
                try:
                    worker.greet()
                except (ImportError, WorkerError) as why:
                    print(f"{worker.peer} is left out: {why}", file=sys.stderr)
                    self.names.remove(worker.peer)
                    started.remove(worker)
        return self._workers[threads]

    def of(self, case: Case) -> list[Worker]:
        """The workers for a case: that of memory alone is for cases that memory limits."""
        return [w for w in self.workers(case.threads) if w.peer != CEILING or not case.problem.flops]

    def versions(self, threads: int) -> dict[str, str]:
        """The name and version of each peer that is installed."""
        return {w.peer: w.version for w in self.workers(threads) if w.peer != CEILING}

    def stop(self) -> None:
        """End all processes."""
        for workers in self._workers.values():
            for worker in workers:
                worker.stop()


def _ceilings(pool: Pool, threads: int, effort: Effort) -> dict[str, float]:
    """The bytes per second that memory moves."""
    worker = next(w for w in pool.workers(threads) if w.peer == CEILING)
    found = {}
    with suppress(WorkerError):
        for case in CEILINGS:
            worker.ask("prepare", case)
            found[case.kind] = case.problem.moved / min(worker.ask("sample", 1) for _ in range(effort.rounds))
    return found


def _line(m: Measurement) -> str:
    """The result of a case, in a few words."""
    if OURS in m.notes:
        return f"failed: {m.notes[OURS]}"
    ratio = m.against_best
    return f"{1e6 * m.median():.4g} µs" + ("" if ratio is None else f", {ratio:.2f} of the best peer")


def _command(peers: Sequence[str], threads: int, glob: str, quick: bool, write: bool, cpu: str) -> str:
    """The command line that repeats this run."""
    words = ["python -m benchmarks cpu"]
    words += [f"--peers {','.join(peers)}"] if tuple(peers) != PEERS else []
    words += [f"--cpu {cpu}"] if cpu != "native" else []
    words += [f"--threads {threads}"] if threads != 1 else []
    words += [f"--cases '{glob}'"] if glob != "*" else []
    words += ["--quick"] if quick else []
    return " ".join(words + (["--write"] if write else []))
