"""Draws efficiency against the number of ranks, with lines for the model and dots for measurements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .scaling import LARGEST, SCALINGS, Estimate
from .steps import LAYOUTS

COLOURS = {"dp": "#4c78a8", "tp": "#e45756", "fsdp": "#54a24b", "dp × tp": "#b279a2"}
DASHES = {"dp": "", "tp": "", "fsdp": "5 5", "dp × tp": ""}
"""Data parallel and fully sharded steps send the same bytes, so their lines coincide, and one is dashed."""
LEFT, TOP, WIDTH, HEIGHT, GAP = 46, 56, 330, 220, 50
TICKS = (1, 4, 16, 64, 256, 1024, 4096)


@dataclass(frozen=True)
class Dot:
    """A measured efficiency, and the model's for the same machine, if it has one."""

    scaling: str
    layout: str
    ranks: int
    efficiency: float
    model: float | None


def svg(lines: Sequence[Estimate], dots: Sequence[Dot]) -> str:
    """A panel for strong and one for weak scaling, as SVG text."""
    width, height = LEFT + 2 * WIDTH + GAP + 16, TOP + HEIGHT + 40
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">',
        "<title>Efficiency against ranks: lines and rings are the model, dots measured</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *_legend(),
    ]
    for n, scaling in enumerate(SCALINGS):
        left = LEFT + n * (WIDTH + GAP)
        out += _frame(left, f"{scaling} scaling")
        for layout in LAYOUTS:
            out += _line(left, layout.name, [e for e in lines if (e.scaling, e.layout) == (scaling, layout.name)])
        out += [text for d in dots if d.scaling == scaling for text in _dot(left, d)]
    return "\n".join([*out, "</svg>", ""])


def _legend() -> Iterator[str]:
    for n, layout in enumerate(LAYOUTS):
        x, colour = LEFT + 76 * n, COLOURS[layout.name]
        yield f'<path d="M{x} 14h24" stroke="{colour}" stroke-width="2" stroke-dasharray="{DASHES[layout.name]}"/>'
        yield f'<circle cx="{x + 12}" cy="14" r="3.5" fill="{colour}"/>'
        yield f'<text x="{x + 30}" y="18">{layout.name}</text>'
    told = "lines: a simulated cluster; dots: measured; rings: modelled here"
    yield f'<text x="{LEFT + 330}" y="18">{told}</text>'


def _frame(left: int, title: str) -> Iterator[str]:
    """The axes, ticks and title of a panel."""
    bottom = TOP + HEIGHT
    yield f'<text x="{left + WIDTH / 2}" y="{TOP - 14}" text-anchor="middle" font-weight="bold">{title}</text>'
    for tick in TICKS:
        x = _x(left, tick)
        yield f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" stroke="#ddd"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{tick}</text>'
    for percent in range(0, 101, 25):
        y = _y(percent / 100)
        yield f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{percent}%</text>'
    yield f'<text x="{left + WIDTH / 2}" y="{bottom + 32}" text-anchor="middle">ranks</text>'


def _line(left: int, layout: str, found: Sequence[Estimate]) -> Iterator[str]:
    if found:
        points = " ".join(f"{_x(left, e.ranks):.1f},{_y(e.efficiency):.1f}" for e in found)
        yield (
            f'<polyline points="{points}" fill="none" stroke="{COLOURS[layout]}" stroke-width="2" '
            f'stroke-dasharray="{DASHES[layout]}"><title>{found[0].scaling} {layout}</title></polyline>'
        )


def _dot(left: int, d: Dot) -> Iterator[str]:
    """A measured point, and a ring for the model's."""
    colour, names = COLOURS[d.layout], [layout.name for layout in LAYOUTS]
    x = _x(left, d.ranks) + 6 * names.index(d.layout) - 9  # side by side, because they are often the same
    title = f"{d.scaling} {d.layout}, {d.ranks} ranks, measured: {d.efficiency:.2f}"
    if d.model is not None:
        y = _y(min(d.model, 1.0))
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    y = _y(min(d.efficiency, 1.0))
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"><title>{title}</title></circle>'


def _x(left: int, ranks: int) -> float:
    """The position of a number of ranks, in pixels; powers of two have equal distances."""
    return left + WIDTH * (ranks.bit_length() - 1) / (LARGEST.bit_length() - 1)


def _y(efficiency: float) -> float:
    return TOP + HEIGHT * (1 - efficiency)
