"""`python -m benchmarks mpi`: a run from the jobs to the page."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing

from ..progress import INTERRUPTED, Step, progress
from . import report
from .cluster import ALGORITHM, BANDWIDTH, LATENCY, RANKS, RATE
from .launch import JobError, job, library
from .model import Link
from .results import Endurance, Exchange, Overhead, Point, Record, Results, read
from .scaling import SCALINGS, Machine, ranks_between
from .steps import layouts_of

JOBS = (
    (1, ("points",), len(layouts_of(1))),
    (2, ("exchange", "points", "overhead", "endurance"), 1 + (len(SCALINGS) + 2) * len(layouts_of(2))),
    (4, ("points",), len(SCALINGS) * len(layouts_of(4))),
)
"""For each job, its ranks, what they measure, and how many figures that gives."""


def machine(latency: float, bandwidth: float, rate: float, algorithm: str) -> Machine:
    """The machine for figures in µs, GB/s and GFLOP/s."""
    return Machine(Link(latency * 1e-6, bandwidth * 1e9), rate * 1e9, algorithm)


def simulate(text: str, latency: float, bandwidth: float, rate: float, algorithm: str, write: bool) -> int:
    """Print the simulation of these ranks, and with `write` put it into docs/scaling.md. ValueError for no range."""
    ranks = ranks_between(text)
    where = machine(latency, bandwidth, rate, algorithm)
    options: dict[str, float | str] = {
        "latency": latency,
        "bandwidth": bandwidth,
        "flops": rate,
        "algorithm": algorithm,
    }
    command = simulation(text, **options)
    print(report.simulated(ranks, where, command))
    if write:
        report.write_simulated(ranks, where, command)
    return 0


def simulation(ranks: str, **options: float | str) -> str:
    """The command line that repeats this simulation."""
    usual = {"latency": LATENCY, "bandwidth": BANDWIDTH, "flops": RATE, "algorithm": ALGORITHM}
    other = [f"--{name} {x}" for name, x in options.items() if x != usual[name]]
    return " ".join(["python -m benchmarks mpi --simulate", ranks, *other])


def measure(quick: bool, write: bool) -> int:
    """Run the jobs and print the report, and with `write` put it into docs/scaling.md. The exit status."""
    words = ["--quick"] * quick
    results = Results(" ".join(["python -m benchmarks mpi", *words, *["--write"] * write]), quick)
    results.load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    results.asked = sum(count for _, _, count in JOBS)
    status = 0
    try:
        results.library = library()
        with progress(results.asked) as step:
            for ranks, parts, count in JOBS:
                _take(results, step, ranks, [*words, *parts], count)
    except JobError as why:
        results.failed.append(str(why))
    except KeyboardInterrupt:
        status = INTERRUPTED
        print("interrupted; what was measured until here:", file=sys.stderr)
    text = report.measured(results)
    print(text)
    if write and not results.failed:
        report.write_measured(text)
        where = machine(LATENCY, BANDWIDTH, RATE, ALGORITHM)
        report.write_simulated(ranks_between(RANKS), where, simulation(RANKS))
    return status or bool(results.failed)


def _take(results: Results, step: Step, ranks: int, words: Sequence[str], count: int) -> None:
    """Add the figures of a job. If it fails, that is noted, and the others go on."""
    with closing(job(ranks, words)) as lines:
        try:
            for n in range(count):
                with step(f"{ranks} rank{'s' * (ranks > 1)}, figure {n + 1} of {count}") as tell:
                    text = next(lines, "")
                    assert text, "a job that ends early has another status than 0"
                    results.records.append(found := read(text))
                    tell(_said(found))
            assert next(lines, "") == "", "a job gives as many figures as JOBS says"
        except JobError as why:
            results.failed.append(str(why))


def _said(record: Record) -> str:
    """A figure in a few words."""
    match record:
        case Exchange():
            latency, inverse = record.fit()
            return f"α {1e6 * latency:.2f} µs, {1e-9 / inverse:.2f} GB/s"
        case Point():
            return f"{record.scaling} {record.layout}: {record.speed_up:.2f} times one rank, quickest {record.best:.2f}"
        case Overhead():
            return f"{record.layout}: {1e6 * record.own:.1f} µs of its own in a step"
        case Endurance():
            grown = f"{record.grown / (1 << 20):.2f} MB more after {record.steps:,} steps"
            return f"{record.layout}: {grown}, bits {'equal' if record.equal else 'differ'}"
