"""`python -m benchmarks communication`: compares our bytes with XLA's, and writes the table in docs/sharding.md."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ..pages import put
from ..progress import INTERRUPTED, progress
from . import ours, xla
from .hlo import Collective
from .layout import Program
from .programs import PROGRAMS

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "sharding.md"

QUICK = ("mlp dp, batch 256", "mlp tp, batch 125", "mlp fsdp", "momentum, state cut", "norm, features cut", "mean")
"""The programs of a quick run."""

RANKS = (2, 4, 8)
"""The sizes of meshes; a quick run has each program on its own mesh."""

MOST_DIFFERENCE = 1e-5
"""The largest difference between results of ranks and of one process, over the largest magnitude: ranks add in another
order."""


class ChildError(Exception):
    """JAX could not compile, or is not installed."""


@dataclass(frozen=True)
class Row:
    """The bytes that a rank sends in one run of a program."""

    program: Program
    ours: int
    xla: int
    scattered: int
    """XLA's, where an AllReduce of which each rank uses a part counts as ReduceScatter."""
    difference: float

    @property
    def ratio(self) -> float:
        """Our bytes over the smaller of XLA's two figures."""
        return self.ours / self.scattered if self.scattered else math.inf if self.ours else 1.0


def run(quick: bool, write: bool) -> int:
    """Compile and print; with `write`, into docs/sharding.md too. 0 if ours never sends more and results are equal."""
    programs = [PROGRAMS[name] for name in QUICK] if quick else list(everywhere())
    rows: list[Row] = []
    try:
        with progress(len(programs)) as step, theirs(programs) as lines:
            for program in programs:
                with step(f"{program.name}, {program.ranks} ranks") as tell:
                    rows.append(row(program, next(lines)))
                    tell(f"{rows[-1].ratio:.2f} of XLA's bytes")
    except KeyboardInterrupt:
        return INTERRUPTED
    except ChildError as why:
        print(why, file=sys.stderr)
        return 2
    text = report(rows)
    print(text)
    if write:
        put(PAGE, "communication", text)
    return 0 if all(r.ratio <= 1.0 and r.difference <= MOST_DIFFERENCE for r in rows) else 1


def everywhere() -> Iterator[Program]:
    """Each program on meshes of each size for which it can be cut."""
    for program in PROGRAMS.values():
        yield from filter(None, map(program.on, RANKS))


def row(program: Program, found: Sequence[Collective]) -> Row:
    """One line of the table."""
    return Row(
        program,
        sum(nbytes for _, nbytes in ours.sent(program)),
        sum(c.nbytes for c in found),
        sum(c.scattered for c in found),
        ours.difference(program),
    )


@contextmanager
def theirs(programs: Sequence[Program]) -> Iterator[Iterator[list[Collective]]]:
    """The collectives that XLA makes for programs, in order, from a process that runs JAX. ChildError."""
    command = [sys.executable, "-m", "benchmarks.communication.xla", *[f"{p.name}@{p.ranks}" for p in programs]]
    process = subprocess.Popen(
        command, cwd=ROOT, env=xla.environment(), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None, "it is a pipe"
    assert process.stderr is not None, "it is a pipe"
    stdout, stderr = process.stdout, process.stderr

    def lines() -> Iterator[list[Collective]]:
        for line in stdout:
            yield [Collective(*c) for c in json.loads(line)]
        said = stderr.read().strip()
        raise ChildError(said[-2000:] or "the process with JAX ended early")

    try:
        yield lines()
    finally:
        process.kill()
        process.communicate()


def report(rows: Sequence[Row]) -> str:
    """The table."""
    try:
        jax = f"JAX {version('jax')}"
    except PackageNotFoundError:  # it was installed a moment ago
        jax = "JAX"
    ratios = [r.ratio for r in rows if 0 < r.ratio < math.inf]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1.0
    more = [r for r in rows if r.ratio > 1.0]
    than_xla = sum(r.ours > r.xla for r in rows)
    differences = max(r.difference for r in rows)
    ranks = sorted({r.program.ranks for r in rows})
    by_name: dict[str, dict[int, Row]] = {}
    for r in rows:
        by_name.setdefault(r.program.name, {})[r.program.ranks] = r
    lines = [
        f"`python -m benchmarks communication --write`, {jax}. {len(by_name)} programs on {len(rows)} meshes: ours"
        f" sends {mean:.2f} of XLA's bytes in the geometric mean, more than the lower figure in {len(more)}, more than"
        f" what XLA itself sends in {than_xla}; results differ by {differences:.0e} at most.",
        "",
        f"| program | axes |{''.join(f' {n} ranks: ours | XLA | ratio |' for n in ranks)}",
        f"|---|---|{'---:|---:|---:|' * len(ranks)}",
    ]
    for name, found in by_name.items():
        cells = [_cells(found.get(n)) for n in ranks]
        lines.append(f"| {name} | {next(iter(found.values())).program.mesh} |{''.join(cells)}")
    return "\n".join(lines)


def _cells(r: Row | None) -> str:
    return " – | – | – |" if r is None else f" {r.ours:,} | {r.scattered:,} | {r.ratio:.{2 + (1 < r.ratio < 1.01)}f} |"
