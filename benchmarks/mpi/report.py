"""Writes a run as text, with bars, measured and simulated steps, and puts it into docs/scaling.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..cpu.costs import cores
from ..cpu.report import processor, table
from ..cpu.timing import ROOT
from ..pages import get, put
from . import plot
from .model import ALGORITHMS, Link
from .results import Point, Results
from .scaling import SCALINGS, SIMULATED, Estimate, Machine, Study, estimate, simulate
from .steps import LAYOUTS

PAGE, PLOT = ROOT / "docs" / "scaling.md", ROOT / "docs" / "scaling.svg"
SPEED_UP, OVERHEAD, STEPS, GROWTH = 1.8, 50e-6, 20_000, 1 << 20
"""The bars: speed of two ranks over one; seconds of overhead of a step; steps, and bytes by which memory may grow in
them."""


@dataclass(frozen=True)
class Bar:
    """A bar, the measured figure, and whether it is met; None if nothing was measured."""

    what: str
    needed: str
    measured: str
    met: bool | None
    where: str = ""


# Measured


def measured(r: Results) -> str:
    """All tables of a run."""
    parts = [_heading(r), _bars(bars(r)), _points(r), _overheads(r), _failures(r)]
    return "\n\n".join(p for p in parts if p)


def bars(r: Results) -> list[Bar]:
    """The bars with their figures."""
    return [_speed_up(r), _overhead(r), _memory(r), _bits(r)]


def _speed_up(r: Results) -> Bar:
    what, needed = "two ranks over one, data parallel, compute-bound, of each the quickest step", f"≥ {SPEED_UP}"
    p = next((p for p in r.points if (p.scaling, p.layout, p.ranks) == ("strong", "dp", 2)), None)
    if p is None:
        return Bar(what, needed, "–", None)
    where = f"median {p.speed_up:.2f}, without collectives {p.possible:.2f}"
    return Bar(what, needed, f"{p.best:.2f}", p.best >= SPEED_UP, where)


def _overhead(r: Results) -> Bar:
    what, needed = "a step beside its computation and collectives, two ranks", f"≤ {1e6 * OVERHEAD:g} µs"
    worst = max(r.overheads, key=lambda o: o.own, default=None)
    if worst is None:
        return Bar(what, needed, "–", None)
    return Bar(what, needed, f"{1e6 * worst.own:.1f} µs", worst.own <= OVERHEAD, worst.layout)


def _memory(r: Results) -> Bar:
    what, needed = f"growth of memory over {STEPS:,} steps, two ranks", f"≤ {GROWTH >> 20} MB"
    worst = max(r.endurances, key=lambda e: e.grown, default=None)
    if worst is None:
        return Bar(what, needed, "–", None)
    enough = min(e.steps for e in r.endurances) >= STEPS
    return Bar(what, needed, f"{worst.grown / (1 << 20):.2f} MB", worst.grown <= GROWTH if enough else None)


def _bits(r: Results) -> Bar:
    what, needed = f"each of {STEPS:,} steps gives the bits of the first", "all"
    found = r.endurances
    if not found:
        return Bar(what, needed, "–", None)
    enough = min(e.steps for e in found) >= STEPS
    equal = all(e.equal for e in found)
    return Bar(what, needed, "all" if equal else "not all", equal if enough or not equal else None)


def _bars(found: Sequence[Bar]) -> str:
    met = {True: "yes", False: "no", None: "not measured"}
    rows = [[b.what, b.needed, b.measured, met[b.met], b.where] for b in found]
    return table(["bar", "needed", "measured", "met", ""], rows, left=(0, 3, 4))


def _heading(r: Results) -> str:
    text = f"`{r.command}` on {processor()}, {cores()} cores; {r.library}."
    if r.load >= 0.5:
        text += f" Others were at work on the machine, {r.load:.1f} processes when it began."
    if (machine := this_machine(r)) is not None:
        link = machine.link
        text += (
            f" AllReduce between two ranks fits α = {1e6 * link.latency:.2f} µs and {link.bandwidth / 1e9:.2f} GB/s;"
            f" one rank computes {machine.rate / 1e9:.0f} GFLOP/s."
        )
    if len(r.records) < r.asked:
        text += f" **Interrupted after {len(r.records)} of {r.asked} figures.**"
    return text


def this_machine(r: Results) -> Machine | None:
    """The measured parameters of the model; None if they were not measured.

    The rate is that of the fastest data-parallel step on one rank, so the model shows what the ranks lose.
    """
    alone = [min(p.alone) for p in r.points if (p.scaling, p.layout) == ("strong", "dp")]
    if r.exchange is None or not alone:
        return None
    latency, inverse = r.exchange.fit()
    flops = estimate(r.study, "strong", LAYOUTS[0], 1, Machine(Link(0, 1), 1.0)).compute
    return Machine(Link(max(latency, 0.0), 1 / inverse), flops / min(alone), cores=cores())


def _points(r: Results) -> str:
    if not r.points:
        return ""
    machine = this_machine(r)
    rows = [_point(p, r.study, machine) for p in sorted(r.points, key=lambda p: (SCALINGS.index(p.scaling), p.ranks))]
    head = [
        "scaling",
        "layout",
        "ranks",
        "one rank, ms",
        "all, ms",
        "speed-up",
        "quickest",
        "apart",
        "efficiency",
        "model",
    ]
    text = (
        f"A step of {r.study.sizes}; weak: times the ranks. Times are medians, the speed-up is the median of the "
        "rounds' ratios and beside it that of the quickest. Apart is the latter for ranks that compute their parts at "
        "the same time and exchange nothing: more the machine does not give. The efficiency is that of the quickest."
    )
    return f"{text}\n\n{table([*head, 'results differ by'], rows, left=(0, 1))}"


def _point(p: Point, study: Study, machine: Machine | None) -> list[str]:
    alone, together = (sorted(times)[len(times) // 2] for times in (p.alone, p.together))
    model = "–"
    if machine is not None:
        layout = next(layout for layout in LAYOUTS if layout.name == p.layout)
        model = f"{estimate(study, p.scaling, layout, p.ranks, machine).efficiency:.2f}"
    times = [f"{1e3 * alone:.1f}", f"{1e3 * together:.1f}", f"{p.speed_up:.2f}", f"{p.best:.2f}", f"{p.possible:.2f}"]
    return [p.scaling, p.layout, str(p.ranks), *times, f"{p.best / p.ranks:.2f}", model, f"{p.difference:.0e}"]


def _overheads(r: Results) -> str:
    if not r.overheads:
        return ""
    head = ["layout", "step, µs", "computation", "collectives", "its own"]
    rows = []
    for o in r.overheads:
        seconds = [min(o.step), min(o.compute), min(o.collectives), o.own]
        rows.append([o.layout, *[f"{1e6 * s:.1f}" for s in seconds]])
    text = (
        "A step on tiny arrays, 16 rows of 8 – 24 – 4, on two ranks; its local computation, compiled and called alone; "
        "and its collectives through mpi4py. Each is the quickest of many rounds."
    )
    return f"{text}\n\n{table(head, rows)}"


def _failures(r: Results) -> str:
    return "Not measured:\n\n" + "\n".join(f"- {why}" for why in r.failed) if r.failed else ""


# Simulated


def simulated(ranks: Sequence[int], machine: Machine, command: str) -> str:
    """The tables of a simulation."""
    found = simulate(ranks, machine)
    link = machine.link
    text = (
        f"`{command}`: α = {1e6 * link.latency:g} µs, {link.bandwidth / 1e9:g} GB/s, {machine.rate / 1e9:g} GFLOP/s a "
        f"rank, collectives by {machine.algorithm}. A step of {SIMULATED.sizes}; weak: what a rank has of it when "
        f"{SIMULATED.share} divide it. Of one rank: times, bytes sent in a ring, and bytes that are live at once."
    )
    head = ["scaling", "layout", "ranks", "compute, ms", "collectives, ms", "sent, MB", "memory, GB", "efficiency"]
    rows = [_estimate(e) for e in found]
    return f"{text}\n\n{table(head, rows, left=(0, 1))}\n\n{_algorithms(ranks, machine)}"


def _estimate(e: Estimate) -> list[str]:
    times = [f"{1e3 * e.compute:.1f}", f"{1e3 * e.collectives:.1f}"]
    sizes = [f"{e.sent / 1e6:,.0f}", f"{e.memory / 1e9:.2f}"]
    return [e.scaling, e.layout, str(e.ranks), *times, *sizes, f"{e.efficiency:.2f}"]


def _algorithms(ranks: Sequence[int], machine: Machine) -> str:
    """The table of a step's collectives by ring and tree, at both ends of the range."""
    rows = []
    for n in dict.fromkeys([ranks[0], ranks[-1]]):
        for layout in LAYOUTS:
            times = [
                estimate(SIMULATED, "strong", layout, n, replace(machine, algorithm=a)).collectives for a in ALGORITHMS
            ]
            rows.append([layout.name, str(n), *[f"{1e3 * t:.1f}" for t in times]])
    head = ["layout", "ranks", *[f"{a}, ms" for a in ALGORITHMS]]
    return f"The collectives of a strong step by algorithm.\n\n{table(head, rows)}"


# The page


def measured_on(page: Path = PAGE) -> list[plot.Dot]:
    """The efficiencies in the page's table of measured steps."""
    dots = []
    for line in get(page, "mpi").splitlines():
        cells = [c.strip() for c in line.split("|")[1:-1]]
        if cells and cells[0] in SCALINGS:
            model = None if cells[9] == "–" else float(cells[9])
            dots.append(plot.Dot(cells[0], cells[1], int(cells[2]), float(cells[8]), model))
    return dots


def write_measured(text: str, page: Path = PAGE) -> None:
    """Write the measured tables into the page."""
    put(page, "mpi", text)


def write_simulated(
    ranks: Sequence[int], machine: Machine, command: str, page: Path = PAGE, picture: Path = PLOT
) -> None:
    """Write the simulated tables into the page, and the picture beside it, with the measured points of the page."""
    link = f"![Efficiency against ranks, simulated and measured]({picture.name})"
    put(page, "simulated", f"{link}\n\n{simulated(ranks, machine, command)}")
    picture.write_text(plot.svg(simulate(ranks, machine), measured_on(page)), encoding="utf-8")
