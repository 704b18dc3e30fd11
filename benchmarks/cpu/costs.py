"""Measures costs outside of the computation: start-up, compilation, memory, each in processes of its own."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from .timing import OURS, ROOT, environment

COMPILED = ("matmul/256", "exp-f32/1M", "conv3x3/56x56x64", "mlp-gradient/128")
"""The cases whose compilation is timed; all but the last are single operations."""
REMEMBERED = ("mlp-gradient/128", "mlp-gradient/2048")
"""The cases whose memory is measured."""

COMPILE, LIVE, CACHED = "mind.compile", "live", "from the cache"
"""Columns beside those of the peers."""


@dataclass(frozen=True)
class Cost:
    """A cost, its unit, and its values by peer; one that could not be measured is None."""

    what: str
    unit: str
    values: Mapping[str, float | None]


def measure(peers: list[str], quick: bool) -> list[tuple[str, Callable[[], Cost]]]:
    """The names of the costs, and the functions that measure them. `peers` are those installed, without ours."""
    if quick:
        name = COMPILED[-1]
        return [(f"compile {name}", lambda: Cost(f"compile {name}", "ms", _compilation(name, peers, 1)))]
    steps: list[tuple[str, Callable[[], Cost]]] = [("import", lambda: Cost("import", "ms", _imports(peers)))]
    for name in COMPILED:
        what = f"compile {name}"
        steps.append((what, lambda n=name, w=what: Cost(w, "ms", {**_compilation(n, peers, 3), CACHED: _cached(n, 3)})))
    for name in REMEMBERED:
        what = f"memory {name}"
        steps.append((what, lambda n=name, w=what: Cost(w, "MB", _memory(n, peers))))
    return steps


def _imports(peers: list[str], repeats: int = 3) -> dict[str, float | None]:
    bare = _child_time("pass", repeats)
    packages = {OURS: "mind_mlir", **{p: {"iree": "iree.runtime"}.get(p, p) for p in peers}}
    return {p: 1e3 * (_child_time(f"import {package}", repeats) - bare) for p, package in packages.items()}


def _child_time(program: str, repeats: int) -> float:
    """The CPU seconds of a Python process, the least of several."""
    times = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, env=environment(1))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(times)


def _compilation(name: str, peers: list[str], repeats: int) -> dict[str, float | None]:
    """The times of `mind.compile`, and of the first call with tracing, of ours and of JAX."""
    firsts = {p: _probe("first", p, name, repeats, 1e3) for p in (OURS, *peers) if p in (OURS, "jax")}
    return {**firsts, COMPILE: _probe("compile", OURS, name, repeats, 1e3)}


def _cached(name: str, repeats: int) -> float | None:
    """The milliseconds of `mind.compile` in a process that finds the code in the cache.

    None if it is not there.
    """
    with tempfile.TemporaryDirectory() as folder:
        cache = {"XDG_CACHE_HOME": folder}
        if _probe("compile", OURS, name, 1, 1e3, cache) is None or not any(
            p.is_file() for p in Path(folder).rglob("*")
        ):
            return None
        return _probe("compile", OURS, name, repeats, 1e3, cache)


def _memory(name: str, peers: list[str]) -> dict[str, float | None]:
    peaks = {p: _probe("peak", p, name, 1, 1e-6) for p in (OURS, *peers) if p != "iree"}
    return {**peaks, LIVE: _probe("live", OURS, name, 1, 1e-6)}


def _probe(
    what: str, peer: str, case: str, repeats: int, scale: float, cache: Mapping[str, str] | None = None
) -> float | None:
    """The median of a probe in that many processes; None if it fails. `cache` are the variables that set the cache."""
    env = environment(1)
    if cache is not None:
        env = {**{k: v for k, v in env.items() if k != "MIND_CACHE"}, **cache}
    found = []
    for _ in range(repeats):
        command = [sys.executable, "-m", "benchmarks.cpu.probe", what, peer, case]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{what} of {peer}, {case}: {_last_line(done.stderr)}", file=sys.stderr)
            return None
        found.append(float(done.stdout) * scale)
    return statistics.median(found)


def _last_line(text: str) -> str:
    return text.strip().splitlines()[-1] if text.strip() else "no answer"


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
