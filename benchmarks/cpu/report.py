"""Writes a run as text, with bars, ratios, and cost against size, and puts it into docs/results.md."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..pages import markers, put
from .bars import Verdict, judge
from .cases import OFFSET, RANDOM, family_of
from .costs import cores
from .results import Results
from .timing import OURS, ROOT, Measurement

PAGE, PLOT = ROOT / "docs" / "results.md", ROOT / "docs" / "cpu.svg"
BEGIN, END = markers("cpu")


def markdown(results: Results) -> str:
    """All tables, as Markdown."""
    parts = [
        _heading(results),
        _bars([v for v in judge(results) if results.whole or v.met is not None]),
        _ratios(results),
        _arrays(results),
        _exponents(results),
        _costs(results),
    ]
    return "\n\n".join(p for p in [*parts, _notes(results)] if p)


def table(head: Sequence[str], rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """A table whose columns `left` are aligned to the left, the others to the right."""
    widths = [max(len(r[i]) for r in [head, *rows]) for i in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        padded = [c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))]
        return f"| {' | '.join(padded)} |"

    rule = ["-" * (w + 2) if i in left else "-" * (w + 1) + ":" for i, w in enumerate(widths)]
    return "\n".join([line(head), f"|{'|'.join(rule)}|", *map(line, rows)])


def _heading(r: Results) -> str:
    done = len(r.measurements) + len(r.costs)
    threads = "one thread, CPU time" if r.threads == 1 else f"{r.threads} threads, wall time"
    text = f"`{r.command}` on {processor()}, {cores()} cores; {threads}; {', '.join(r.versions)}."
    if r.ceilings:
        rates = " and ".join(f"{k} {v / 1e9:.1f} GB/s" for k, v in r.ceilings.items())
        text += f" Memory alone: {rates}, a copy counted both ways."
    if r.load >= 0.5:
        text += f" Others were at work on the machine, {r.load:.1f} processes when it began, so wall time says little."
    if done < r.asked:
        text += f" **Interrupted after {done} of {r.asked} steps.**"
    return text


def processor() -> str:
    """The name of the machine's processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _bars(verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return ""
    met = {True: "yes", False: "no", None: "not measured"}
    rows = []
    for v in verdicts:
        found = "–" if v.found.value is None else f"{_figure(v.found.value)} {v.bar.unit}".strip()
        where = [v.found.where] if v.found.where else []
        where += [f"{v.found.failed} without agreement or result"] if v.found.failed else []
        needed = f"{'≤' if v.bar.most else '≥'} {v.bar.needed:g} {v.bar.unit}".strip()
        rows.append([v.bar.what, needed, found, met[v.met], "; ".join(where)])
    return table(["bar", "needed", "measured", "met", "decided by"], rows, left=(0, 3, 4))


def _figure(x: float) -> str:
    return f"{x:.2f}" if x < 100 else f"{x:.0f}"


def _ratios(r: Results) -> str:
    if not r.measurements:
        return ""
    peers = r.peers
    rows = []
    for name, measured in r.families():
        if measured[0].case.family == RANDOM:
            rows.append(_summary(name, measured, peers))
        else:
            rows += [_row(m, peers) for m in measured]
    head = ["case", "median", "best", "rate", *[f"vs {p}" for p in peers], "vs best peer"]
    return "Times of the others over ours; above 1 we are ahead.\n\n" + table(head, rows)


def _row(m: Measurement, peers: Sequence[str]) -> list[str]:
    if OURS not in m.times:
        return [m.case.name, "failed", *["–"] * (len(peers) + 3)]
    ratios = [_ratio(m.ratio(p)) for p in peers]
    return [m.case.name, _time(m.median()), _time(m.best()), _rate(m), *ratios, _ratio(m.against_best)]


def _arrays(r: Results) -> str:
    """The table of our rates on other arrays, over those on aligned ones with given results."""
    rows = [
        [m.case.name, _time(same.best()), _time(m.best()), _ratio(same.best() / m.best())]
        for m, same in r.beside_usual()
        if OURS in m.times and OURS in same.times
    ]
    if not rows:
        return ""
    text = (
        "Our rates on other arrays, over those on arrays that start at a line of the cache and with results given, by "
        f"the best times: +{OFFSET} is {OFFSET} bytes after a line, +new with results that each call makes anew. "
        "NumPy reads the same arrays, the others have memory of their own."
    )
    return f"{text}\n\n" + table(["case", "aligned", "here", "rate"], rows)


def _summary(name: str, measured: Sequence[Measurement], peers: Sequence[str]) -> list[str]:
    """The row for the random shapes: the geometric mean, and in brackets the smallest."""

    def cell(ratios: Sequence[float | None]) -> str:
        known = [x for x in ratios if x is not None]
        return f"{statistics.geometric_mean(known):.2f} ({min(known):.2f})" if known else "–"

    columns = [cell([m.ratio(p) for m in measured]) for p in peers]
    return [
        f"{name}, {len(measured)} shapes: mean (least)",
        "",
        "",
        "",
        *columns,
        cell([m.against_best for m in measured]),
    ]


def _ratio(x: float | None) -> str:
    return "–" if x is None else f"{x:.2f}"


def _time(seconds: float) -> str:
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}" if seconds * scale < 1000 else f"{seconds * scale:.0f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _rate(m: Measurement) -> str:
    p = m.case.problem
    unit = "GFLOP/s" if p.flops else "GB/s"
    return f"{p.work / m.median() / 1e9:.3g} {unit}"


def exponent(measured: Sequence[Measurement]) -> float | None:
    """The power of the work with which time grows, by least squares of the logarithms; None below three sizes."""
    points = [(m.case.problem.work, m.median()) for m in measured if OURS in m.times]
    if len(points) < 3:
        return None
    work, seconds = np.log(points).T
    return float(np.polyfit(work, seconds, 1)[0])


def _exponents(r: Results) -> str:
    rows = []
    for name, measured in r.families():
        if family_of(measured[0].case.family).series and (power := exponent(measured)) is not None:
            by_work = sorted(measured, key=lambda m: m.case.problem.work)
            rows.append(
                [name, f"{by_work[0].case.label} … {by_work[-1].case.label}", str(len(measured)), f"{power:.2f}"]
            )
    if not rows:
        return ""
    text = "Cost against size: time grows as this power of the operations, or of the bytes where there are none."
    return f"{text}\n\n" + table(["family", "from … to", "sizes", "power"], rows, left=(0, 1))


def _costs(r: Results) -> str:
    if not r.costs:
        return ""
    columns = list(dict.fromkeys(column for c in r.costs for column in c.values))
    rows = [[f"{c.what}, {c.unit}", *[_value(c.values.get(column)) for column in columns]] for c in r.costs]
    text = "Outside of the computation. Under compile, the columns of the peers are the first call, tracing included."
    return f"{text}\n\n" + table(["cost", *columns], rows)


def _value(x: float | None) -> str:
    return "–" if x is None else f"{x:.1f}"


def _notes(r: Results) -> str:
    lines = []
    for m in r.measurements:
        peers: dict[str, list[str]] = {}
        for peer, note in m.notes.items():
            peers.setdefault(note, []).append(peer)
        lines += [f"- {m.case.name}, {', '.join(names)}: {note}" for note, names in peers.items()]
    return "Not measured:\n\n" + "\n".join(lines) if lines else ""


def write(text: str, svg: str, page: Path = PAGE, plot: Path = PLOT) -> None:
    """Put the tables between the markers of a page, and the picture beside it.

    ValueError if the page has no markers.
    """
    picture = f"![Time of each peer over ours, by family]({plot.name})"
    put(page, "cpu", f"{text}\n\n{picture}")
    plot.write_text(svg, encoding="utf-8")
