"""Measures the time of each step of a pipeline."""

from __future__ import annotations

import time
from typing import Any

from .pipeline import Step


class Timing:
    """A watcher that adds up the wall time of every step."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float]] = []
        self._start = 0.0

    def __call__(self, when: str, step: Step, state: Any) -> None:
        if when == "before":
            self._start = time.perf_counter()
        else:
            self.rows.append((step.name, time.perf_counter() - self._start))

    def report(self) -> str:
        """A table of milliseconds and shares, in the order in which the steps ran."""
        total = sum(t for _, t in self.rows) or 1e-9
        width = max([len(n) for n, _ in self.rows] + [5])
        out = [f"{'pass':{width}}  {'ms':>9}  share"]
        out += [f"{n:{width}}  {1e3 * t:9.3f}  {t / total:5.1%}" for n, t in self.rows]
        return "\n".join([*out, f"{'total':{width}}  {1e3 * total:9.3f}"])
