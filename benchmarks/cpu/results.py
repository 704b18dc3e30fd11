"""The figures of a run."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch

from .cases import RANDOM
from .costs import Cost
from .timing import OURS, Measurement


@dataclass
class Results:
    """All figures of a run, with the command and the machine, and whether that is all that was asked for."""

    threads: int = 1
    command: str = ""
    whole: bool = True
    """True if all cases were asked for, so that every bar must have a figure."""
    load: float = 0.0
    """The load of the machine when the run began, in processes."""
    versions: list[str] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    ceilings: dict[str, float] = field(default_factory=dict)
    """Kind of a case of memory -> the bytes per second that memory moves."""
    costs: list[Cost] = field(default_factory=list)
    asked: int = 0
    """The number of cases and costs to measure; larger than that of the figures if the run was interrupted."""

    def of(self, globs: Sequence[str], threads: int | None = None) -> list[Measurement]:
        """The measurements whose case, family/label, matches one of the globs, on aligned arrays with given results.

        `threads` defaults to those of the run.
        """
        threads = threads or self.threads
        return [
            m
            for m in self.measurements
            if m.case.threads == threads
            and m.case.is_usual
            and any(fnmatch(f"{m.case.family}/{m.case.label}", g) for g in globs)
        ]

    @property
    def failed(self) -> list[Measurement]:
        """The measurements that our code could not do."""
        return [m for m in self.measurements if OURS in m.notes]

    def cost(self, what: str, column: str) -> float | None:
        """The value of a cost; None if it was not measured or could not be."""
        return next((c.values.get(column) for c in self.costs if c.what == what), None)

    @property
    def peers(self) -> list[str]:
        """The peers that were timed, in the order of the first case that has them."""
        return list(dict.fromkeys(p for m in self.measurements for p in m.rivals))

    def families(self) -> Iterator[tuple[str, list[Measurement]]]:
        """The measurements by family and manner."""
        for family, manner in dict.fromkeys((m.case.family, m.case.manner) for m in self.measurements):
            found = [m for m in self.measurements if (m.case.family, m.case.manner) == (family, manner)]
            yield family + manner, found

    def beside_usual(self) -> Iterator[tuple[Measurement, Measurement]]:
        """Each measurement on other arrays, and the one of the same case on aligned ones with given results."""
        usual = {(m.case.family, m.case.label, m.case.threads): m for m in self.measurements if m.case.is_usual}
        for m in self.measurements:
            same = usual.get((m.case.family, m.case.label, m.case.threads))
            if same is not None and not m.case.is_usual:
                yield m, same


def suite_ratios(results: Results) -> list[float]:
    """The ratio to the best peer of each case on the run's threads; the random shapes count as one, by their mean."""
    found = results.of(["*"])
    single = [m.against_best for m in found if m.case.family != RANDOM]
    random = [m.against_best for m in found if m.case.family == RANDOM]
    together = [r for r in random if r is not None]
    return [r for r in single if r is not None] + ([statistics.geometric_mean(together)] if together else [])
