"""`python -m benchmarks compile`: measures fresh processes, ours and JAX's alternately, with nothing cached."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ..pages import put
from ..progress import INTERRUPTED, progress

ROOT = Path(__file__).resolve().parent.parent.parent

FIRST = {
    "matmul/256": 2.0,
    "chain/64k": 2.0,
    "attention/64": 1.0,
    "mlp-gradient/128": 1.0,
    "cnn-digits-forward/128": 1.0,
    "cnn-digits-gradient/128": 1.0,
}
"""Case -> how many times JAX's time the first result of a fresh process may take."""

LONG = {
    ("chain", 10_000): 5.0,
    ("mixed", 10_000): 4.0,
    ("shapes", 1_000): 4.0,
    ("loop", 800): 3.0,
    ("mixed", 50_000): None,
}
"""Module of many operations -> the seconds that it may take."""

PEAK = 600
"""The most memory that a process may take, in MB."""

ROUNDS, QUICK = 7, 1


@dataclass(frozen=True)
class First:
    """The time to the first result of a fresh process: medians in seconds, of ours and of JAX."""

    case: str
    bar: float
    whole: tuple[float, float]
    """From the start of the process."""
    after: tuple[float, float]
    """After the imports."""

    @property
    def ratio(self) -> float:
        """Our time over JAX's, from the start of the process."""
        return self.whole[0] / self.whole[1]


@dataclass(frozen=True)
class Long:
    """A module of many operations, compiled and called once: seconds, and MB."""

    name: str
    bar: float | None
    wall: float
    cpu: float
    peak: float


def run(quick: bool, write: bool) -> int:
    """Measure and print; with `write`, into docs/results.md too. 0 if every bar is met."""
    firsts: list[First] = []
    longs: list[Long] = []
    rounds = QUICK if quick else ROUNDS
    try:
        with progress(len(FIRST) + len(LONG)) as step:
            for case, bar in FIRST.items():
                with step(case) as tell:
                    firsts.append(_first(case, bar, rounds))
                    tell(f"{firsts[-1].ratio:.2f} of JAX's time")
            for (name, count), most in LONG.items():
                with step(f"{name} {count:,}") as tell:
                    longs.append(_long(name, count // 10 if quick else count, most, 1 if quick else 3))
                    tell(f"{longs[-1].wall:.2f} s")
    except KeyboardInterrupt:
        return INTERRUPTED
    text = report(firsts, longs)
    print(text)
    if write:
        put(ROOT / "docs" / "results.md", "compile", text)
    good = all(f.ratio <= f.bar for f in firsts) and all(x.bar is None or x.wall <= x.bar for x in longs)
    return 0 if good and all(x.peak <= PEAK for x in longs) else 1


def _first(case: str, bar: float, rounds: int) -> First:
    found: dict[str, list[tuple[float, float]]] = {"mind": [], "jax": []}
    for _ in range(rounds):
        for peer, times in found.items():
            whole, told = _child("first", peer, case)
            times.append((whole, told["wall"]))
    whole, after = (tuple(statistics.median(t[part] for t in times) for times in found.values()) for part in (0, 1))
    return First(case, bar, (whole[0], whole[1]), (after[0], after[1]))


def _long(name: str, count: int, bar: float | None, rounds: int) -> Long:
    found = [_child("long", name, str(count))[1] for _ in range(rounds)]
    wall, cpu, peak = (statistics.median(f[what] for f in found) for what in ("wall", "cpu", "peak"))
    return Long(f"{name} {count:,}", bar, wall, cpu, peak)


def _child(*words: str) -> tuple[float, dict[str, float]]:
    """Run a process with an empty cache; returns its seconds, and the figures that it prints."""
    with tempfile.TemporaryDirectory() as folder:
        env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"MIND_CACHE": folder}
        command = [sys.executable, "-m", "benchmarks.compile.child", *words]
        start = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
        whole = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}: {done.stderr.strip()[-2000:]}")
    return whole, json.loads(done.stdout)


def report(firsts: list[First], longs: list[Long]) -> str:
    """Both tables, as Markdown."""
    machine = (
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    lines = [
        f"{machine}; medians",
        "",
        "| first result of a fresh process | ours, s | JAX, s | ratio | bar | met | after imports, ours / JAX, ms |",
        "|---|---:|---:|---:|---:|---|---:|",
    ]
    for f in firsts:
        after = " / ".join(f"{1e3 * t:.0f}" for t in f.after)
        met = "yes" if f.ratio <= f.bar else "no"
        lines.append(
            f"| {f.case} | {f.whole[0]:.2f} | {f.whole[1]:.2f} | {f.ratio:.2f} | {f.bar:.1f} | {met} | {after} |"
        )
    lines += [
        "",
        "| module | seconds | bar | met | of CPU | peak, MB |",
        "|---|---:|---:|---|---:|---:|",
    ]
    for x in longs:
        bar, met = ("–", "–") if x.bar is None else (f"{x.bar:.1f}", "yes" if x.wall <= x.bar else "no")
        lines.append(f"| {x.name} | {x.wall:.2f} | {bar} | {met} | {x.cpu:.2f} | {x.peak:.0f} |")
    return "\n".join(lines)
