"""The picture of the levels of a long sum in docs/kernels.md, for `gen_pictures.py`."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT = 800, 330
LEFT, RIGHT, TOP, STEP, BOX = 150, 790, 40, 72, 40
GREY, RUN, FIRST, TOP_LEVEL = "#747d86", "#2c8a5e", "#3b7fd0", "#9a63d6"
ROWS, LENGTH = 512, 8
"""Rows of the sum, and of a run."""

LINES = (
    ("line 0: a run", "8 rows each", RUN, LENGTH),
    ("line 1: level 1", "8 runs each", FIRST, LENGTH**2),
    ("line 2: level 2", "8 of level 1", TOP_LEVEL, LENGTH**3),
)
"""In the order in which they are added: the name of a line, its content when full, and how many rows that is."""


def levels() -> str:
    """512 rows in runs of 8: what each line of scratch memory holds while the rows are read, from left to right."""
    scale = (RIGHT - LEFT) / ROWS
    parts = [_text(LEFT, 18, "rows of the sum as they are read: 0", GREY), _text(RIGHT - 24, 18, "512", GREY)]
    parts.append(f'<path d="M{LEFT} 26H{RIGHT}" stroke="{GREY}" stroke-width="1"/>')
    for n, (name, holds, color, rows) in enumerate(LINES):
        top = TOP + n * STEP
        parts += [_text(10, top + 17, name, color), _text(10, top + 34, holds, GREY)]
        for start in range(0, ROWS, rows):
            parts += _growing(LEFT + start * scale, top, rows * scale, color, 1 if rows == LENGTH else 8)
            if n + 1 < len(LINES):
                x = LEFT + (start + rows) * scale - 2
                parts.append(f'<path d="M{x:g} {top + BOX + 3}V{top + STEP - 3}" stroke="{color}" stroke-width="1"/>')
    below = TOP + len(LINES) * STEP
    parts += [
        _text(
            LEFT,
            below + 8,
            "A wedge is a line that grows. When it is full, it is added to the line below, a stroke,",
            GREY,
        ),
        _text(
            LEFT,
            below + 28,
            "and is zeros again. So a row is added 3 times, and its rounding grows with 3 x 8, not",
            GREY,
        ),
        _text(LEFT, below + 48, "with 512. Runs that are read all together need no line 0.", GREY),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="14">'
    )
    return "\n".join([head, "<title>The levels of a sum of 512 rows in runs of 8</title>", *parts, "</svg>"]) + "\n"


def _growing(x: float, top: float, width: float, color: str, steps: int) -> list[str]:
    """A line that takes so many sums of equal size."""
    each = (width - 1) / steps
    path = "".join(f"V{top + BOX - BOX * (n + 1) / steps:g}h{each:.4g}" for n in range(steps))
    return [f'<path d="M{x:.5g} {top + BOX}{path}V{top + BOX}z" fill="{color}" fill-opacity="0.7"/>']


def _text(x: float, y: float, text: str, color: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{color}">{escape(text)}</text>'
