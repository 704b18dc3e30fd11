"""The figures that jobs report, each as a line of JSON."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

from .scaling import MEASURED, QUICK, Study


@dataclass(frozen=True)
class Exchange:
    """AllReduce between two ranks: the seconds for each size in bytes, the least of several."""

    times: list[tuple[int, float]]

    def fit(self) -> tuple[float, float]:
        """α in seconds and β in seconds per byte, for t = 2 α + B β, the time of a ring of two.

        Least squares of the relative errors, so that short messages count as much as long ones.
        """
        # with u = 1 / t and v = B / t: 1 = 2 α u + β v
        rows = [(2 / t, size / t) for size, t in self.times]
        uu, uv, vv = (sum(a[i] * a[j] for a in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
        u, v = (sum(a[i] for a in rows) for i in (0, 1))
        determinant = uu * vv - uv * uv
        return (u * vv - v * uv) / determinant, (uu * v - uv * u) / determinant


@dataclass(frozen=True)
class Point:
    """A step in one process, on all ranks, and on all ranks without collectives: each computes its part.

    They are seconds by rounds; the three were measured alternately in one job.
    """

    scaling: str
    layout: str
    ranks: int
    alone: list[float]
    together: list[float]
    apart: list[float]
    difference: float
    """The largest difference between the results, over the largest magnitude of each."""

    @property
    def speed_up(self) -> float:
        """One rank's time over that of all ranks, the median over the rounds."""
        return statistics.median(a / t for a, t in zip(self.alone, self.together))

    @property
    def best(self) -> float:
        """The least time on one rank over the least time on all."""
        return min(self.alone) / min(self.together)

    @property
    def possible(self) -> float:
        """The least time on one rank over the least time without collectives: what the machine allows."""
        return min(self.alone) / min(self.apart)


@dataclass(frozen=True)
class Overhead:
    """A step on tiny arrays, its local computation alone, and its collectives alone through mpi4py.

    They are seconds of a call, by rounds of a few calls.
    """

    layout: str
    step: list[float]
    compute: list[float]
    collectives: list[float]

    @property
    def own(self) -> float:
        """The seconds of overhead of a step: what it takes beyond the two others, by the fastest round of each."""
        return min(self.step) - min(self.compute) - min(self.collectives)


@dataclass(frozen=True)
class Endurance:
    """Many steps on the same arguments."""

    layout: str
    steps: int
    grown: int
    """The bytes by which a rank's resident memory grew after the first tenth of the steps, the most of all ranks."""
    equal: bool
    """True if every step gave the bits of the first, on every rank."""


Record: TypeAlias = "Exchange | Point | Overhead | Endurance"
KINDS: dict[str, type[Record]] = {k.__name__: k for k in (Exchange, Point, Overhead, Endurance)}  # type: ignore[dict-item]


def line(record: Record) -> str:
    """A figure as a line."""
    return json.dumps({"kind": type(record).__name__, **asdict(record)})


def read(text: str) -> Record:
    """The figure of a line."""
    fields = json.loads(text)
    return KINDS[fields.pop("kind")](**fields)


@dataclass
class Results:
    """All figures of a run."""

    command: str = ""
    quick: bool = False
    load: float = 0.0
    """The load of the machine when the run began, in processes."""
    library: str = ""
    """The library of MPI."""
    records: list[Record] = field(default_factory=list)
    asked: int = 0
    failed: list[str] = field(default_factory=list)

    @property
    def study(self) -> Study:
        """The step that was measured."""
        return QUICK if self.quick else MEASURED

    @property
    def points(self) -> list[Point]:
        return [r for r in self.records if isinstance(r, Point)]

    @property
    def overheads(self) -> list[Overhead]:
        return [r for r in self.records if isinstance(r, Overhead)]

    @property
    def endurances(self) -> list[Endurance]:
        return [r for r in self.records if isinstance(r, Endurance)]

    @property
    def exchange(self) -> Exchange | None:
        return next((r for r in self.records if isinstance(r, Exchange)), None)
