#!/usr/bin/env python3
"""Write the pictures of the pages.

docs/layers.svg shows the way from text to machine code, docs/product.svg one product in every stage, docs/tile.svg the
parts of a product, docs/arena.svg memory over time, docs/levels.svg how a long sum is added up.

With --check: write nothing, and fail if a file is not what would be written.

Boxes have a background of their own, and what is between them is grey, so that both are legible on white and on black.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

import _checkout  # noqa: F401  (before mind_mlir: it decides where that comes from)
from _arena import arena
from _levels import levels
from _product import product
from _tile import tile

DOCS = Path(__file__).resolve().parent.parent / "docs"
WIDTH, BOX, GAP, MARGIN = 800, 48, 42, 10
GREY, WHITE = "#747d86", "#ffffff"
FRONT, CORE, MLIR, CODE, NUMBERS = "#1f5fa8", "#6b3fa0", "#9a4a10", "#8a2f3c", "#1e6b45"


@dataclass(frozen=True)
class Box:
    """A layer: its left and right border, its row, its title, and a note."""

    left: int
    right: int
    row: int
    title: str
    note: str
    color: str

    @property
    def top(self) -> int:
        return MARGIN + self.row * (BOX + GAP)


@dataclass(frozen=True)
class Arrow:
    """An arrow from the bottom of one row to the top of another one, at `x`."""

    x: int
    start: int
    end: int
    label: str


LAYERS = (
    Box(10, 190, 0, "Python function", "on NumPy arrays", FRONT),
    Box(210, 390, 0, "Core IR text", "one operation a line", FRONT),
    Box(410, 590, 0, "Builder", "calls in Python", FRONT),
    Box(610, 790, 0, "dialect mind", "in a module of MLIR", FRONT),
    Box(10, 790, 1, "module of Core IR", "passes: verify, canonicalize, linearize, unzip, transpose, partition", CORE),
    Box(10, 190, 2, "interpreter", "NumPy; defines each bit", NUMBERS),
    Box(210, 790, 2, "linalg on tensors", "MLIR, for other projects too", MLIR),
    Box(210, 490, 3, "loops and vectors for a CPU", "fused, in memory, a kernel for each group", MLIR),
    Box(510, 790, 3, "kernels for a GPU", "tiles, tensor cores, asynchronous copies", MLIR),
    Box(210, 490, 4, "machine code", "in this process, or an object file or library", CODE),
    Box(510, 790, 4, "PTX and cubins", "for NVIDIA's driver, or an artifact", CODE),
    Box(10, 790, 5, "arrays", "the same results, to the bit or up to rounding that is stated", NUMBERS),
)

ARROWS = (
    Arrow(100, 0, 1, "trace"),
    Arrow(300, 0, 1, "parse"),
    Arrow(500, 0, 1, "emit"),
    Arrow(700, 0, 1, "from_mind"),
    Arrow(100, 1, 2, "interpret"),
    Arrow(500, 1, 2, "lower-to-linalg"),
    Arrow(350, 2, 3, "cpu"),
    Arrow(650, 2, 3, "gpu"),
    Arrow(350, 3, 4, "LLVM"),
    Arrow(650, 3, 4, "LLVM"),
    Arrow(100, 2, 5, "evaluate"),
    Arrow(350, 4, 5, "call"),
    Arrow(650, 4, 5, "launch"),
)


def layers() -> str:
    height = 2 * MARGIN + 6 * BOX + 5 * GAP
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif" text-anchor="middle">',
        "<title>The layers of mind-mlir, from text to machine code</title>",
        f'<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{GREY}"/></marker>',
        *(line for a in ARROWS for line in _arrow(a)),
        *(line for b in LAYERS for line in _box(b)),
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def _box(b: Box) -> list[str]:
    x = (b.left + b.right) / 2
    return [
        f'<rect x="{b.left}" y="{b.top}" width="{b.right - b.left}" height="{BOX}" rx="6" fill="{b.color}"/>',
        f'<text x="{x:g}" y="{b.top + 20}" font-size="15" font-weight="bold" fill="{WHITE}">{escape(b.title)}</text>',
        f'<text x="{x:g}" y="{b.top + 38}" font-size="12" fill="{WHITE}">{escape(b.note)}</text>',
    ]


def _arrow(a: Arrow) -> list[str]:
    top, bottom = MARGIN + a.start * (BOX + GAP) + BOX, MARGIN + a.end * (BOX + GAP)
    return [
        f'<path d="M{a.x} {top + 3}V{bottom - 3}" stroke="{GREY}" stroke-width="2" marker-end="url(#head)"/>',
        f'<text x="{a.x + 10}" y="{(top + bottom) // 2 + 4}" font-size="13" text-anchor="start" fill="{GREY}">'
        f"{escape(a.label)}</text>",
    ]


def pictures() -> dict[Path, str]:
    """Path -> text, for every picture that is written here."""
    made = {"layers": layers(), "product": product(), "arena": arena(), "tile": tile(), "levels": levels()}
    return {DOCS / f"{name}.svg": text for name, text in made.items()}


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        stale = [p.name for p, text in pictures().items() if not p.exists() or p.read_text(encoding="utf-8") != text]
        if stale:
            print(f"docs/{', docs/'.join(stale)} out of date: run scripts/gen_pictures.py", file=sys.stderr)
        return int(bool(stale))
    for path, text in pictures().items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
