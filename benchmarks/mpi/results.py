"""What the jobs report: a line of JSON for each figure."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

from .scaling import MEASURED, QUICK, Study


@dataclass(frozen=True)
class Exchange:
    """AllReduce between two ranks: seconds of each size in bytes, the quickest of several."""

    times: list[tuple[int, float]]

    def fit(self) -> tuple[float, float]:
        """α in seconds and β in seconds a byte of t = 2 α + B β, what a ring of two takes.

        Least squares of the relative errors, so that short messages count as much as long ones.
        """
        # with u = 1 / t and v = B / t:  1 = 2 α u + β v
        rows = [(2 / t, size / t) for size, t in self.times]
        uu, uv, vv = (sum(a[i] * a[j] for a in rows) for i, j in ((0, 0), (0, 1), (1, 1)))
        u, v = (sum(a[i] for a in rows) for i in (0, 1))
        determinant = uu * vv - uv * uv
        return (u * vv - v * uv) / determinant, (uu * v - uv * u) / determinant


@dataclass(frozen=True)
class Point:
    """A step in one process, on all ranks, and on all ranks without collectives: each computes its part.

    Seconds by rounds; the three took turns in one job.
    """

    scaling: str
    layout: str
    ranks: int
    alone: list[float]
    together: list[float]
    apart: list[float]
    difference: float
    """The largest between the results, over the largest magnitude of each."""

    @property
    def speed_up(self) -> float:
        """One rank's time over that of all, the median over the rounds."""
        return statistics.median(a / t for a, t in zip(self.alone, self.together))

    @property
    def best(self) -> float:
        """The quickest on one rank over the quickest on all."""
        return min(self.alone) / min(self.together)

    @property
    def possible(self) -> float:
        """The quickest on one rank over the quickest without collectives: what the machine allows."""
        return min(self.alone) / min(self.apart)


@dataclass(frozen=True)
class Overhead:
    """A step on tiny arrays, its local computation alone, and its collectives alone through mpi4py.

    Seconds of a call, by rounds of a few calls.
    """

    layout: str
    step: list[float]
    compute: list[float]
    collectives: list[float]

    @property
    def own(self) -> float:
        """Seconds of a step beside the two others, of each the quickest round: what others take is in none of them."""
        return min(self.step) - min(self.compute) - min(self.collectives)


@dataclass(frozen=True)
class Endurance:
    """Many steps on the same arguments."""

    layout: str
    steps: int
    grown: int
    """Bytes that the resident memory of a rank grew by after the first tenth of them, the most of all ranks."""
    equal: bool
    """Whether every step gave the bits of the first, on every rank."""


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
    """How many processes wanted to run when it began."""
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
