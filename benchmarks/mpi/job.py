"""Measures, on every rank of a job: mpirun -n 2 python -m benchmarks.mpi.job --quick points overhead

Rank 0 writes a line for each figure to standard output.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI

import mind_mlir as mind

from .results import Endurance, Exchange, Overhead, Point, Record, line
from .scaling import MEASURED, QUICK as QUICK_STUDY, SCALINGS, Study
from .steps import Layout, Sizes, layouts_of, program, step

WORLD = MPI.COMM_WORLD
TINY = Sizes(16, 8, 24, 4)


@dataclass(frozen=True)
class Effort:
    """How long it measures: what is scaled, rounds, rounds of tiny steps, and steps one after the other."""

    study: Study = MEASURED
    rounds: int = 15
    tiny: int = 300
    steps: int = 20_000
    largest: int = 1 << 24
    """The bytes of the largest message."""


QUICK = Effort(QUICK_STUDY, rounds=3, tiny=5, steps=200, largest=1 << 16)
CALLS = 20
"""The calls of a tiny step in a round: few, so that other load on the machine leaves some rounds undisturbed."""


def arrays(sizes: Sizes) -> list[np.ndarray]:
    """The arguments, the same on every rank."""
    random = np.random.default_rng(0)
    return [0.1 * random.standard_normal(t.shape, np.float32) for t in sizes.types]


class OnMesh:
    """The step on all ranks, with its arguments sharded."""

    def __init__(self, layout: Layout, whole: Sequence[np.ndarray]) -> None:
        mesh = layout.mesh(WORLD.size)
        self.step = mind.jit(step(), threads=1, mesh=mesh, in_shardings=layout.specs)
        self.arguments = [mind.shard(a, mind.Sharding(mesh, s)) for a, s in zip(whole, layout.specs)]

    def __call__(self) -> list[Any]:
        value, gradients = self.step(*self.arguments)
        return [value, *gradients]


def in_one_process(sizes: Sizes, whole: Sequence[np.ndarray]) -> Callable[[], Sequence[np.ndarray]]:
    """The compiled step without a mesh."""
    exe = mind.compile(mind.trace(step(), *sizes.types).module, threads=1)
    return lambda: exe(*whole)


def timed(call: Callable[[], object], calls: int = 1) -> float:
    """The seconds of a call."""
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def timed_by_all(call: Callable[[], object], calls: int = 1) -> float:
    """The seconds of a call that all ranks make, from when all are ready until all are done."""
    WORLD.Barrier()
    start = time.perf_counter()
    for _ in range(calls):
        call()
    WORLD.Barrier()
    return (time.perf_counter() - start) / calls


def wait_asleep() -> None:
    """A barrier in which ranks sleep, because those that wait in MPI keep a core busy."""
    there = WORLD.Ibarrier()
    while not there.Test():
        time.sleep(0.002)


def exchange(effort: Effort) -> Iterator[Record]:
    """Measure how long AllReduce takes, to fit α and β of the model."""
    times = []
    size = 64
    while size <= effort.largest:
        a, b = np.ones(size // 4, np.float32), np.empty(size // 4, np.float32)
        calls = max(1, min(200, (1 << 20) // size))
        rounds = [timed_by_all(lambda a=a, b=b: WORLD.Allreduce(a, b), calls) for _ in range(3 * effort.rounds)]  # type: ignore[misc]
        times.append((size, min(rounds)))
        size *= 4
    yield Exchange(times)


def points(effort: Effort) -> Iterator[Record]:
    """Measure every layout, strong and weak; alternately rank 0 alone, all ranks, and all without collectives."""
    for scaling in SCALINGS if WORLD.size > 1 else SCALINGS[:1]:
        for layout in layouts_of(WORLD.size):
            sizes = effort.study.at(scaling, layout, WORLD.size)
            whole = arrays(sizes)
            all_ranks = OnMesh(layout, whole)
            found = [r.gather() for r in all_ranks()]
            local = layout.times(sizes, 1, WORLD.size)
            part = in_one_process(local, arrays(local))
            alone, together, apart, difference = [], [], [], 0.0
            one = in_one_process(sizes, whole) if WORLD.rank == 0 else None
            if one is not None:
                difference = max(float(np.abs(a - b).max() / np.abs(b).max()) for a, b in zip(found, one()))
            for _ in range(effort.rounds):
                if one is not None:
                    alone.append(timed(one))
                wait_asleep()
                together.append(timed_by_all(all_ranks))
                apart.append(timed_by_all(part))
            yield Point(scaling, layout.name, WORLD.size, alone, together, apart, difference)


def overhead(effort: Effort) -> Iterator[Record]:
    """Measure a step on tiny arrays beside its two parts: the local computation, and the collectives."""
    for layout in layouts_of(WORLD.size):
        all_ranks = OnMesh(layout, arrays(TINY))
        all_ranks()
        local = layout.times(TINY, 1, WORLD.size)
        computation = in_one_process(local, arrays(local))
        collectives = directly(layout)
        steps, parts, between = [], [], []
        for _ in range(effort.tiny):
            steps.append(timed_by_all(all_ranks, CALLS))
            parts.append(timed_by_all(computation, CALLS))
            between.append(timed_by_all(collectives, CALLS))
        yield Overhead(layout.name, steps, parts, between)


def directly(layout: Layout) -> Callable[[], None]:
    """The collectives of a tiny step, as mpi4py calls them."""
    calls: list[tuple[Callable[..., None], np.ndarray, np.ndarray]] = []
    for c in program(layout, TINY, WORLD.size).collectives:
        before, part = np.ones(c.nbytes // 4, np.float32), c.nbytes // 4 // c.ranks
        match c.opcode:
            case "AllReduce":
                calls.append((WORLD.Allreduce, before, np.empty_like(before)))
            case "AllGather":
                calls.append((WORLD.Allgather, before, np.empty(before.size * c.ranks, np.float32)))
            case "ReduceScatter":
                calls.append((WORLD.Reduce_scatter_block, before, np.empty(part, np.float32)))
            case other:
                raise AssertionError(f"{other} is in no tiny step")

    def run() -> None:
        for function, sent, received in calls:
            function(sent, received)

    return run


def endurance(effort: Effort) -> Iterator[Record]:
    """Run many steps, to see whether memory grows or bits change."""
    for layout in layouts_of(WORLD.size):
        all_ranks = OnMesh(layout, arrays(TINY))
        first = bits(all_ranks())
        equal, start = True, 0
        for n in range(effort.steps):
            if n == effort.steps // 10:
                start = resident()
            equal &= bits(all_ranks()) == first
        grown = WORLD.allreduce(resident() - start, MPI.MAX)
        yield Endurance(layout.name, effort.steps, grown, bool(WORLD.allreduce(equal, MPI.LAND)))


def bits(results: Sequence[Any]) -> bytes:
    return b"".join(r.local.tobytes() for r in results)


def resident() -> int:
    """The bytes of this process in memory."""
    with open("/proc/self/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


PARTS = {"exchange": exchange, "points": points, "overhead": overhead, "endurance": endurance}


def main(words: Sequence[str]) -> None:
    """Measure what is named, and report."""
    effort = QUICK if "--quick" in words else Effort()
    for name in words:
        if name in PARTS:
            for record in PARTS[name](effort):
                if WORLD.rank == 0:
                    print(line(record), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
