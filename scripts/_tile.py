"""Draws tile, panel and block for docs/one-product.md; `gen_pictures.py` calls it."""

from __future__ import annotations

from html import escape

WIDTH, HEIGHT = 800, 420
GREY, SUMS, PANEL, BLOCK, ROWS = "#747d86", "#c2641a", "#3b7fd0", "#9a63d6", "#2c8a5e"


def tile() -> str:
    """The product `[130, 512] @ [512, 1024]` with AVX2: what is in registers, what is packed, what is cached."""
    x, w, out = (20, 230, 200, 130), (300, 20, 420, 170), (300, 230, 420, 130)
    parts = [
        *_matrix(x, "x, 130 x 512"),
        *_matrix(w, "w, 512 x 1024"),
        *_matrix(out, "result, 130 x 1024"),
        # a block of 128 columns, panels of 16 in it, and a tile of 5 rows and 16 columns
        _rect(w[0] + 105, w[1], 105, w[3], BLOCK, 0.25),
        *[_rect(w[0] + 105 + n * 13, w[1], 12, w[3], PANEL, 0.9 if n == 3 else 0.3) for n in range(8)],
        _rect(out[0] + 105, out[1], 105, out[3], BLOCK, 0.25),
        _rect(out[0] + 105 + 39, out[1] + 50, 12, 15, SUMS, 1),
        _rect(x[0], x[1] + 50, x[2], 15, ROWS, 0.8),
        _text(w[0] + 225, w[1] + 40, "block: 128 columns, packed at a time,", BLOCK),
        _text(w[0] + 225, w[1] + 58, "256 KB in the second cache", BLOCK),
        _text(w[0] + 225, w[1] + 90, "panel: 16 columns, 512 rows", PANEL),
        _text(w[0] + 225, w[1] + 108, "one after the other, 32 KB", PANEL),
        _text(out[0] + 225, out[1] + 50, "tile: 5 x 16 sums", SUMS),
        _text(out[0] + 225, out[1] + 68, "in 10 registers", SUMS),
        _text(x[0], x[1] + x[3] + 20, "5 rows: an element at a time, spread over a vector", ROWS),
        _text(x[0], x[1] + x[3] + 40, "for each block: pack; for each 5 rows, for each panel: a tile", GREY),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="14">'
    )
    return "\n".join([head, "<title>Tile, panel and block of a matrix product</title>", *parts, "</svg>"]) + "\n"


def _matrix(box: tuple[int, int, int, int], name: str) -> list[str]:
    x, y, width, height = box
    frame = f'<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="none" stroke="{GREY}" stroke-width="2"/>'
    return [frame, _text(x + 4, y - 5, name, GREY)]


def _rect(x: float, y: float, width: float, height: float, color: str, opacity: float) -> str:
    box = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {box} fill="{color}" fill-opacity="{opacity:g}"/>'


def _text(x: float, y: float, text: str, color: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{color}">{escape(text)}</text>'
