"""The bars that figures have to reach. Ratios are those of the medians in one run; above 1, ours is faster."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from .cases import RANDOM
from .costs import CACHED, COMPILE, COMPILED, LIVE, REMEMBERED
from .results import Results, suite_ratios
from .timing import CEILING, OURS, Measurement

LARGE = 1 << 26
"""Cases of at least so many bytes do not fit into the caches."""

MEMORY_BOUND = ("chain/*", "sum-*/*", "matvec/*", "transpose*/*", "row-column-add/*", "gather/*", "slice-*/*")
CONVOLUTIONS = ("conv*/*",)
EXP_LOG = ("exp-*/*", "log-*/*")
MOVED = ("concatenate-*/*", "reverse-*/*")
ORDER = ("sort/*", "top-k/*")
LARGE_MATMUL = ("matmul/256", "matmul/512", "matmul/1024", "matmul/2048")
MLP, CNN = ("mlp-gradient/128",), ("cnn-digits-gradient/32", "cnn-gradient/32")
TWO = ("mlp-gradient/128", "cnn-digits-gradient/128", "cnn-gradient/32")


@dataclass(frozen=True)
class Found:
    """A figure to compare with a bar, None if there is none, and where it comes from."""

    value: float | None
    where: str = ""
    failed: int = 0
    """The number of cases that could not be measured though they were asked for; with any, the bar is not met."""


@dataclass(frozen=True)
class Bar:
    """A figure, and the least value that it needs, or the most if `most`."""

    what: str
    needed: float
    find: Callable[[Results], Found]
    most: bool = False
    unit: str = ""


@dataclass(frozen=True)
class Verdict:
    """A bar with its figure. `met` is None if nothing was measured."""

    bar: Bar
    found: Found

    @property
    def met(self) -> bool | None:
        """True if the figure reaches the bar."""
        if self.found.failed:
            return False
        if self.found.value is None:
            return None
        return self.found.value <= self.bar.needed if self.bar.most else self.found.value >= self.bar.needed


def judge(results: Results) -> list[Verdict]:
    """Every bar with its figure in this run."""
    return [Verdict(bar, bar.find(results)) for bar in BARS]


def _smallest(found: Sequence[Measurement], ratio: Callable[[Measurement], float | None]) -> Found:
    ratios = {m.case.name: r for m in found if (r := ratio(m)) is not None}
    failed = sum(OURS in m.notes or bool(m.disagree) for m in found)  # if two results differ, one of them is wrong
    name = min(ratios, key=ratios.__getitem__, default="")
    return Found(ratios.get(name), name, failed)


def _against(globs: Sequence[str], peer: str, results: Results) -> Found:
    return _smallest(results.of(globs), lambda m: m.ratio(peer))


def _against_best(globs: Sequence[str], threads: int | None, results: Results) -> Found:
    return _smallest(results.of(globs, threads), lambda m: m.against_best)


def _mean(results: Results) -> Found:
    ratios, failed = suite_ratios(results), _smallest(results.of(["*"]), lambda m: m.against_best).failed
    return Found(statistics.geometric_mean(ratios) if ratios else None, f"{len(ratios)} figures", failed)


def _unaligned(results: Results) -> Found:
    pairs = [(m, same) for m, same in results.beside_usual() if m.case.offset and {OURS} <= m.times.keys() & same.times]
    rates = {m.case.name: same.best() / m.best() for m, same in pairs}
    name = min(rates, key=rates.__getitem__, default="")
    return Found(rates.get(name), name)


def _bandwidth(results: Results) -> Found:
    found = [m for m in results.of(MEMORY_BOUND) if m.case.problem.moved >= LARGE]
    return _smallest(found, lambda m: m.ratio(CEILING))


def _call(results: Results) -> Found:
    found = results.of(["call/3-arguments"])
    times = [1e6 * m.median() for m in found if OURS in m.times]
    return Found(times[0] if times else None, "", len(found) - len(times))


def _largest(names: Sequence[str], prefix: str, column: str, over: str | None, results: Results) -> Found:
    """The largest value of a column, over another column's if one is named."""
    wanted = {f"{prefix} {n}" for n in names}
    measured = [c.what for c in results.costs if c.what in wanted and {column, over or column} <= set(c.values)]
    values = {}
    for what in measured:
        value, base = results.cost(what, column), 1.0 if over is None else results.cost(what, over)
        if value is not None and base is not None:
            values[what] = value / base
    name = max(values, key=values.__getitem__, default="")
    return Found(values.get(name), name, len(measured) - len(values))


_ONE, _STEP = COMPILED[:-1], COMPILED[-1:]

BARS = (
    Bar("geometric mean of all cases against the best peer of each", 1.3, _mean),
    Bar("smallest ratio to the best peer", 0.95, partial(_against_best, ["*"], None)),
    Bar("matmul 256³ to 2048³, smallest against torch (MKL)", 1.0, partial(_against, LARGE_MATMUL, "torch")),
    Bar("40 random matmuls, smallest against torch (MKL)", 0.95, partial(_against, [f"{RANDOM}/*"], "torch")),
    Bar("convolutions, smallest against torch (oneDNN)", 1.1, partial(_against, CONVOLUTIONS, "torch")),
    Bar("exp and log, smallest against torch", 1.0, partial(_against, EXP_LOG, "torch")),
    Bar("arrays 16 bytes after a line of the cache, smallest rate over that of aligned ones", 0.97, _unaligned),
    Bar("concatenations and reversals, smallest against the best peer", 1.1, partial(_against_best, MOVED, None)),
    Bar("sort and top-k, smallest against the best peer", 1.0, partial(_against_best, ORDER, None)),
    Bar("transposes, smallest against a copy of the same size", 0.9, partial(_against, ["transpose*/*"], CEILING)),
    Bar("memory-bound cases of 64 MB and more, smallest share of the bandwidth", 0.9, _bandwidth),
    Bar("MLP gradient, against JAX", 1.3, partial(_against, MLP, "jax")),
    Bar("MLP gradient, against torch", 1.3, partial(_against, MLP, "torch")),
    Bar("CNN gradients, smallest against JAX", 1.2, partial(_against, CNN, "jax")),
    Bar("CNN gradients, smallest against torch", 1.2, partial(_against, CNN, "torch")),
    Bar("MLP and CNN gradients, 2 threads, smallest against the best peer", 1.0, partial(_against_best, TWO, 2)),
    Bar("compile a single operation, the slowest", 200, partial(_largest, _ONE, "compile", COMPILE, None), True, "ms"),
    Bar("compile the MLP gradient", 450, partial(_largest, _STEP, "compile", COMPILE, None), True, "ms"),
    Bar("first call, largest over JAX's", 1.0, partial(_largest, COMPILED, "compile", OURS, "jax"), True),
    Bar("compile from the cache, the slowest", 10, partial(_largest, COMPILED, "compile", CACHED, None), True, "ms"),
    Bar("a call with three arguments", 1.5, _call, True, "µs"),
    Bar("MLP gradient, peak memory over live bytes", 1.1, partial(_largest, REMEMBERED, "memory", OURS, LIVE), True),
    Bar("MLP gradient, peak memory over JAX's", 1.0, partial(_largest, REMEMBERED, "memory", OURS, "jax"), True),
)
