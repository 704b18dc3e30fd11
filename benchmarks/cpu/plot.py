"""Draws the geometric mean of every peer's time over ours, for each family, on a logarithmic scale."""

from __future__ import annotations

import math
import statistics
from html import escape

from .results import Results

COLOURS = {"numpy": "#4c78a8", "torch": "#e45756", "jax": "#54a24b", "iree": "#b279a2"}
LEFT, RIGHT, ROW, TOP, WIDTH = 190, 20, 18, 46, 760
LEAST, MOST = 0.25, 8.0
"""The ends of the scale; ratios beyond it are drawn at the end."""
TICKS = (0.25, 0.5, 1, 2, 4, 8)


def svg(results: Results) -> str:
    """The picture of the ratios, as SVG text."""
    rows = list(results.families())
    peers = results.peers
    height = TOP + ROW * len(rows) + 12
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="11">',
        "<title>Time of each peer over ours, by family; right of 1 we are ahead</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
    ]
    for n, peer in enumerate(peers):
        x = LEFT + 90 * n
        out.append(f'<circle cx="{x}" cy="14" r="4" fill="{COLOURS.get(peer, "#777")}"/>')
        out.append(f'<text x="{x + 9}" y="18">{escape(peer)}</text>')
    for tick in TICKS:
        x = _x(tick)
        out.append(
            f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{height - 12}" '
            f'stroke="{"#333" if tick == 1 else "#ddd"}"/>'
        )
        out.append(f'<text x="{x:.1f}" y="{TOP - 12}" text-anchor="middle">{tick:g}</text>')
    for n, (name, measured) in enumerate(rows):
        y = TOP + ROW * n + ROW / 2
        out.append(f'<text x="{LEFT - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(name)}</text>')
        for peer in peers:
            ratios = [r for m in measured if (r := m.ratio(peer)) is not None]
            if ratios:
                mean = statistics.geometric_mean(ratios)
                out.append(
                    f'<circle cx="{_x(mean):.1f}" cy="{y:.1f}" r="4" fill="{COLOURS.get(peer, "#777")}">'
                    f"<title>{escape(name)}, {escape(peer)}: {mean:.2f}</title></circle>"
                )
    return "\n".join([*out, "</svg>", ""])


def _x(ratio: float) -> float:
    """The position of a ratio, in pixels from the left."""
    share = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return LEFT + share * (WIDTH - LEFT - RIGHT)
