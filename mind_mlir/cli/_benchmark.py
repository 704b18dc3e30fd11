"""`mind-run --benchmark`: measures the time of a call."""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..runtime.executable import Executable
    from ..runtime.gpu.artifact import Artifact


def benchmark(exe: Executable | Artifact, arrays: list[Any]) -> str:
    """A line with the median wall time of a call, of at least 5 calls and a quarter of a second, after one warm-up."""
    exe(*arrays)
    times: list[float] = []
    stop = time.perf_counter() + 0.25
    while len(times) < 5 or (time.perf_counter() < stop and len(times) < 100_000):
        start = time.perf_counter()
        exe(*arrays)
        times.append(time.perf_counter() - start)
    median, best = statistics.median(times), min(times)
    return f"{getattr(exe, 'target', 'gpu')}: median {_time(median)}, best {_time(best)} of {len(times)} calls"


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.0f} ns"
